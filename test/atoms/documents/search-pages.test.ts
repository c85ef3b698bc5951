import { describe, expect, test } from 'vitest'
import { type DocumentPage, readSearchPage } from '~/atoms/documents/search-pages'
import { keptSessionAtom, NoDocumentSession, openDocumentSession } from '~/atoms/documents/session'
import { connect, type Store } from '~/core/session/client'
import { everything } from '~/immudb/document-query'
import { CollectionServer } from '../../support/collection-server'
import { recorded, recordedResponse } from '../../support/recorded'
import { tabWith } from '../../support/revision-server'
import { reportVersion } from '../../support/server-version'

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

describe.each(['1.9.5', '1.10.0'])('immudb %s', (version) => {
  const answer = (name: string) => {
    const found = recordedResponse(recorded(`immudb-${version}`, name))
    // The session is one of the server that the others come from.
    found.headers.set('grpc-metadata-immudb-uuid', 'one')
    return found
  }

  test('tells the id of a found document within the document alone', async () => {
    const server = new CollectionServer([])
    const store = await searching(server)
    connect(store, '/api', async (input, init) => {
      const path = String(input)
      if (path.endsWith('/documents/search')) return answer('search documents')
      return path.endsWith('/collection/trips') ? answer('a collection') : server.fetch(input, init)
    })
    const of = { database: 'db', collection: 'trips', query: everything }
    const { documents } = await readSearchPage(store, of)
    expect(documents).toHaveLength(2)
    expect(documents.map(({ id }) => id)).toEqual(documents.map(({ document }) => document._id))
    expect(documents[0]).toMatchObject({ document: { by: 'Ada', km: 3 } })
  })

  test('is not asked for a pattern, which it would read as a regular expression', async () => {
    const server = new CollectionServer(numbered(3))
    const store = await searching(server)
    reportVersion(store, version)
    for (const operator of ['LIKE', 'NOT_LIKE', 'CONTAINS'] as const) {
      const groups = [[{ field: 'n', operator, values: ['"a%"'] }]]
      const of = { database: 'db', collection: 'c', query: { ...everything, groups } }
      await expect(readSearchPage(store, of)).rejects.toThrow(
        /^This search was not sent\. Needs immudb 1\.11\. This server runs 1\.(9\.5|10)\.$/,
      )
    }
    expect(server.asked).toEqual([])
  })
})
