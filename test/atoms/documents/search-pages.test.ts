import { describe, expect, test } from 'vitest'
import { type DocumentPage, readSearchPage } from '~/atoms/documents/search-pages'
import { keptSessionAtom, NoDocumentSession, openDocumentSession } from '~/atoms/documents/session'
import type { Store } from '~/core/session/client'
import { everything } from '~/immudb/document-query'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n}}`)

async function searching(server: CollectionServer): Promise<Store> {
  const store = tabWith(server)
  store.sub(keptSessionAtom, () => {})
  await openDocumentSession(store, 'db', 'right')
  server.asked.length = 0
  return store
}

async function all(store: Store, limit = 0) {
  const of = { database: 'db', collection: 'c', query: { ...everything, limit } }
  const ids: string[] = []
  let [place, tooLarge]: [DocumentPage['next'] | undefined, number] = [undefined, 0]
  do {
    const page: DocumentPage = await readSearchPage(store, of, place ?? undefined)
    ids.push(...page.documents.map(({ id }) => id))
    tooLarge += page.tooLarge
    place = page.next
  } while (place !== null)
  return { ids: ids.map(Number), tooLarge }
}

describe('the pages of a search', () => {
  test('continue one search on the server, in the session and without the token', async () => {
    const server = new CollectionServer(numbered(300))
    const store = await searching(server)
    expect((await all(store)).ids).toEqual(numbered(300).map((_, at) => at))
    expect(server.paths()).toEqual([
      'POST /collection/c/documents/search',
      'POST /collection/documents/search/search0',
      'POST /collection/documents/search/search0',
    ])
    expect(server.asked.every(({ authorization }) => authorization === null)).toBe(true)
    expect(server.asked.every(({ session }) => session === 'session1')).toBe(true)
  })

  test('are smaller where an answer would be over 4 MiB, and no document comes twice', async () => {
    const server = new CollectionServer(numbered(300))
    server.answerLimit = 200
    expect((await all(await searching(server))).ids).toEqual(numbered(300).map((_, at) => at))
  })

  test('leave out and count what no answer can hold', async () => {
    const server = new CollectionServer(numbered(20))
    server.documents[7] = `{"n":"${'x'.repeat(1_000)}"}`
    server.answerLimit = 500
    const found = await all(await searching(server))
    expect(found.ids).toEqual(numbered(20).flatMap((_, at) => (at === 7 ? [] : [at])))
    expect(found.tooLarge).toBe(1)
  })

  test('end at the limit of the search', async () => {
    const server = new CollectionServer(numbered(300))
    expect((await all(await searching(server), 130)).ids).toHaveLength(130)
  })

  test('go on from their place when the server has forgotten the search', async () => {
    const server = new CollectionServer(numbered(200))
    const store = await searching(server)
    const of = { database: 'db', collection: 'c', query: everything }
    const first = await readSearchPage(store, of)
    server.forgetSearches()
    const second = await readSearchPage(store, of, first.next ?? undefined)
    expect(second.documents[0]?.id).toBe('128')
  })

  test('need a session; one that has ended is forgotten, and the login stays', async () => {
    const server = new CollectionServer(numbered(3))
    const store = await searching(server)
    server.sessions.clear()
    await expect(all(store)).rejects.toThrow(NoDocumentSession)
    server.asked.length = 0
    await expect(all(store)).rejects.toThrow(NoDocumentSession)
    expect(server.asked).toEqual([])
  })
})
