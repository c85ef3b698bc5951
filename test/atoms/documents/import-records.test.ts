import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  cancelImportAtom,
  continueImportAtom,
  forgetImportAtom,
  leaveOutAtom,
  resumeImportAtom,
  startImportAtom,
} from '~/atoms/documents/import'
import { readImportFile } from '~/atoms/documents/import-file'
import {
  isFileOf,
  keptImportsAtom,
  readEndedImportAtom,
  readKeptImportAtom,
  reviveImportAtom,
} from '~/atoms/documents/import-records'
import { documentImportAtom, importWriteAtom } from '~/atoms/documents/import-state'
import { keptWords } from '~/atoms/documents/import-words'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import type { Collection } from '~/immudb/collection'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

beforeEach(() => sessionStorage.clear())

const collection: Collection = {
  name: 'c',
  idField: '_id',
  fields: [
    { name: '_id', type: 'STRING' },
    { name: 'n', type: 'INTEGER' },
  ],
  indexes: [],
}

const fileOf = (count: number) =>
  readImportFile(
    'in.ndjson',
    new TextEncoder().encode(Array.from({ length: count }, (_, n) => `{"n":${n}}`).join('\n')),
    collection,
  )

const inserts = (server: CollectionServer) =>
  server.asked.filter(({ path }) => path === '/collection/c/documents')

describe('what is remembered of an import', () => {
  const openTab = (server: CollectionServer) => {
    const storage = openStorage(
      async () => memoryDriver(),
      () => {},
    )
    return { store: tabWith(server, storage), again: () => tabWith(server, storage) }
  }
  const kept = async ({ set }: ReturnType<typeof tabWith>) =>
    (await set(readKeptImportAtom, 'db', 'c'))?.kept

  test('says after a reload what is committed and what is not known, and holds no document', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    const sent = new Promise<void>((resolve) => {
      server.instead = ({ path, body }) => {
        if (path !== '/collection/c/documents' || !body.includes('{"n":500}')) return undefined
        resolve()
        return new Promise(() => {})
      }
    })
    void store.set(startImportAtom, collection, await fileOf(1_200))
    await sent
    const after = again()
    const found = await kept(after)
    expect(found && keptWords(found)).toEqual([
      '500 of 1,200 documents are committed: lines 1 to 500 in 1 transaction (tx 2).',
      'Not known: lines 501 to 1000. All of them are committed, or none.',
    ])
    expect(JSON.stringify(found)).not.toContain('"n"')
    server.instead = undefined
    const file = await fileOf(1_200)
    expect(found && isFileOf(found, file)).toBe(true)
    expect(found && isFileOf(found, await fileOf(1_201))).toBe(false)
    const tab = sessionStorage.getItem('webconsole.importtab') ?? ''
    sessionStorage.removeItem('webconsole.importtab')
    expect(await again().set(resumeImportAtom, collection, file)).toMatch(/^Another tab/)
    sessionStorage.setItem('webconsole.importtab', tab)
    expect(await after.set(resumeImportAtom, collection, file)).toBe(null)
    expect(after.get(documentImportAtom)).toMatchObject({ done: 500, sent: 500, state: 'stopped' })
    expect(after.get(importWriteAtom)).toMatchObject({ kind: 'unknown', finding: null })
    await after.set(continueImportAtom)
    expect(inserts(server)).toHaveLength(2)
  })

  test('ends with the import, and when it is given up', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') store.set(cancelImportAtom)
      return undefined
    }
    await store.set(startImportAtom, collection, await fileOf(1_200))
    expect(await kept(again())).toMatchObject({ done: 500, open: null, holder: null })
    server.instead = undefined
    const after = again()
    await after.set(resumeImportAtom, collection, await fileOf(1_200))
    await after.set(continueImportAtom)
    expect(server.documents).toHaveLength(1_200)
    expect(new Set(server.documents).size).toBe(1_200)
    expect(await kept(again())).toBeUndefined()
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') throw new TypeError('fetch failed')
      return undefined
    }
    await after.set(startImportAtom, collection, await fileOf(2))
    expect((await kept(again()))?.open).toEqual({ from: 1, to: 2, sent: 2 })
    after.set(forgetImportAtom)
    expect(after.get(after.get(keptImportsAtom)('db', 'c'))).toBe(null)
    await vi.waitFor(async () => expect(await kept(again())).toBeUndefined())
  })

  test('says of a file that was imported what is in already, and goes on behind that', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    const file = await fileOf(1_200)
    server.instead = ({ path, body }) =>
      path === '/collection/c/documents' && body.includes('{"n":700}')
        ? Response.json({ error: 'max length exceeded', code: 2 }, { status: 500 })
        : undefined
    await store.set(startImportAtom, collection, file)
    await store.set(leaveOutAtom, false)
    expect(await store.set(readEndedImportAtom, 'db', 'c', file)).toMatchObject({ done: 1_200 })
    await store.set(startImportAtom, collection, await fileOf(900))
    store.set(forgetImportAtom)
    const after = again()
    const before = await vi.waitFor(async () => {
      const found = await after.set(readEndedImportAtom, 'db', 'c', await fileOf(900))
      expect(found).not.toBe(null)
      return found
    })
    expect(before && keptWords(before)[0]).toMatch(/^700 of 900 documents are committed/)
    expect(await after.set(readEndedImportAtom, 'db', 'c', await fileOf(901))).toBe(null)
    expect((await after.set(readEndedImportAtom, 'db', 'c', file))?.leftOut).toEqual([701])
    if (before) await after.set(reviveImportAtom, 'db', 'c', before)
    server.instead = undefined
    const stored = server.documents.length
    expect(await after.set(resumeImportAtom, collection, await fileOf(900))).toBe(null)
    await after.set(continueImportAtom)
    expect(server.documents.length - stored).toBe(200)
  })
})
