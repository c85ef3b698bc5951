import { beforeEach, describe, expect, test } from 'vitest'
import { type DocumentPlan, documentImport } from '~/atoms/documents/import'
import { type ImportFile, readImportFile } from '~/atoms/documents/import-file'
import type { Store } from '~/core/session/client'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import { committedText, pendingText } from '~/core/upload-progress'
import { begunUploadsAtom, findBegun, findUpload, forgetUploads } from '~/core/upload-records'
import type { Collection } from '~/immudb/collection'
import { CollectionServer } from '../../support/collection-server'
import { writerWith } from '../../support/revision-server'

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

const where = { kind: 'documents', database: 'db', into: 'c' } as const

const start = (store: Store, { name, size, checksum, ...file }: ImportFile) =>
  documentImport.start(
    store,
    { name, size, checksum, ...file },
    {
      database: 'db',
      into: 'c',
      file: { name, size, checksum },
      items: file.documents.length,
      leftOut: [],
      idField: '_id',
      leavesWarned: false,
    },
  )

const find = (store: Store, file: ImportFile) => findUpload<DocumentPlan>(store, where, file)

const runOf = (store: Store) => store.get(documentImport.runAtom)

describe('what is remembered of an import', () => {
  const openTab = (server: CollectionServer) => {
    const storage = openStorage(
      async () => memoryDriver(),
      () => {},
    )
    return { store: writerWith(server, storage), again: () => writerWith(server, storage) }
  }

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
    const file = await fileOf(1_200)
    void start(store, file)
    await sent
    const after = again()
    const found = await find(after, file)
    if (!found?.progress.pending) throw new Error('nothing is remembered')
    expect(committedText(found.progress, documentImport.words)).toBe(
      'Documents 1–500 are committed: 1 transaction in tx 2. The last begins in line 500.',
    )
    expect(pendingText(found.progress.pending, documentImport.words)).toBe(
      'It is not known whether documents 501–1,000 (lines 501–1,000) are committed, in one transaction after tx 2.',
    )
    expect(JSON.stringify(found)).not.toContain('"n"')
    server.instead = undefined
    expect(await find(after, await fileOf(1_201))).toBe(null)
    const tab = sessionStorage.getItem('webconsole.importtab') ?? ''
    sessionStorage.removeItem('webconsole.importtab')
    expect(await documentImport.reopen(again(), file, found)).toMatch(/^Another tab/)
    sessionStorage.setItem('webconsole.importtab', tab)
    // It looks up what was sent, cannot find it on this server, and sends nothing again by itself.
    expect(await documentImport.reopen(after, file, found)).toBe(null)
    expect(runOf(after)).toMatchObject({
      phase: 'stopped',
      progress: { item: 500 },
      stop: { kind: 'unknown', mustDecide: true, finding: expect.any(String) },
    })
    expect(inserts(server)).toHaveLength(2)
  })

  test('does not take a file for the same that is read as other documents', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    pauseAfterFirst(server, store)
    const file = await fileOf(1_200)
    await start(store, file)
    server.instead = undefined
    const after = again()
    const found = await find(after, file)
    if (!found) throw new Error('nothing is remembered')
    await documentImport.reopen(after, { ...file, documents: file.documents.slice(1) }, found)
    expect(runOf(after)).toMatchObject({ phase: 'stopped', stop: { kind: 'held' } })
    expect(inserts(server)).toHaveLength(1)
  })

  test('ends with the import, and when it is given up', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    pauseAfterFirst(server, store)
    const file = await fileOf(1_200)
    await start(store, file)
    server.instead = undefined
    const after = again()
    const [found] = await findBegun(after)
    expect(found).toMatchObject({ progress: { item: 500, pending: null }, holder: null })
    const record = await find(after, file)
    if (record) await documentImport.reopen(after, file, record)
    expect(server.documents).toHaveLength(1_200)
    expect(new Set(server.documents).size).toBe(1_200)
    expect(await findBegun(again())).toEqual([])
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') throw new TypeError('fetch failed')
      return undefined
    }
    await start(after, await fileOf(2))
    const [open] = await findBegun(again())
    expect(open?.progress.pending).toMatchObject({ from: 1, to: 2, fromLine: 1, toLine: 2 })
    await documentImport.end(after)
    expect(after.get(begunUploadsAtom)).toEqual([])
    expect(await findBegun(again())).toEqual([])
  })

  test('says of a file that was imported what is in already, and goes on behind that', async () => {
    const server = new CollectionServer()
    const { store, again } = openTab(server)
    const file = await fileOf(1_200)
    server.instead = ({ path, body }) =>
      path === '/collection/c/documents' && body.includes('{"n":700}')
        ? Response.json({ error: 'max length exceeded', code: 2 }, { status: 500 })
        : undefined
    await start(store, file)
    await documentImport.leaveOut(store)
    expect(await find(store, file)).toMatchObject({ progress: { item: 1_200, refused: [701] } })
    const other = await fileOf(900)
    await start(store, other)
    await documentImport.end(store)
    const after = again()
    const before = await find(after, other)
    if (!before) throw new Error('nothing is remembered')
    expect(committedText(before.progress, documentImport.words)).toMatch(
      /^Documents 1–700 are committed/,
    )
    expect(await find(after, await fileOf(901))).toBe(null)
    expect((await find(after, file))?.progress.refused).toEqual([701])
    server.instead = undefined
    const stored = server.documents.length
    expect(await documentImport.reopen(after, other, before)).toBe(null)
    expect(server.documents.length - stored).toBe(200)
  })

  test('is forgotten by a log-out that erases the drafts', async () => {
    const server = new CollectionServer()
    const { store } = openTab(server)
    const file = await fileOf(10)
    await start(store, file)
    expect(await find(store, file)).not.toBe(null)
    await forgetUploads(store)
    expect(await find(store, file)).toBe(null)
  })

  /** Pauses an import while its first transaction is under way. */
  function pauseAfterFirst(server: CollectionServer, store: Store) {
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') documentImport.pause(store)
      return undefined
    }
  }
})
