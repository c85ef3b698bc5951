import { askForFewer } from '~/api/ask-for-fewer'
import { readIdField } from '~/api/collections'
import { continueSearch, type FoundDocuments, searchDocuments } from '~/api/document-search'
import { ApiError, isBecause, isTooLarge } from '~/api/errors'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { lackingAtom } from '~/core/session/server-version'
import type { DocumentFields } from '~/immudb/document-json'
import { type DocumentQuery, featureOf } from '~/immudb/document-query'
import { pageSizes } from '~/lib/constants'
import { PlainError } from '~/lib/plain-error'
import { inDocumentSession } from './session'

export type FoundDocument = { readonly id: string; readonly document: DocumentFields }

/** What is searched for. */
export type SearchOf = {
  readonly database: string
  readonly collection: string
  readonly query: DocumentQuery
}

/** Where a search goes on. */
export type SearchPlace = {
  readonly offset: number
  /** Divides the offset. */
  readonly pageSize: number
  /** The open search on the server; null when the next page begins another one. */
  readonly searchId: string | null
}

export const start: SearchPlace = { offset: 0, pageSize: pageSizes.documents, searchId: null }

export type DocumentPage = {
  readonly documents: readonly FoundDocument[]
  /** Documents in its place that one answer cannot hold. */
  readonly tooLarge: number
  /** The server searched again from a place, so the page may not fit the pages before it. */
  readonly isApart: boolean
  /** Null behind the last document. */
  readonly next: SearchPlace | null
}

/**
 * Reads the next documents of a search, and fewer where an answer cannot hold them. A single
 * document that none holds is left out and counted.
 * @throws NoDocumentSession, ApiError; PlainError for an operator that the server lacks
 */
export async function readSearchPage(
  io: Io,
  of: SearchOf,
  from: SearchPlace = start,
  signal?: AbortSignal,
): Promise<DocumentPage> {
  refuseLacking(io, of.query)
  let { searchId } = from
  let mayKeepOpen = true
  const read = async (pageSize: number): Promise<DocumentPage> => {
    signal?.throwIfAborted()
    const place = { ...from, pageSize, searchId }
    try {
      const found = await ask(io, of, place, mayKeepOpen, signal)
      const page = pageOf(of, place, found, mayKeepOpen)
      // A full page at the limit leaves the search open on the server.
      const isFull = found.documents.length === pageSize
      if (page.next === null && isFull) {
        void closeAt(io, of, { ...place, searchId: found.searchId })
      }
      return page
    } catch (error) {
      if (searchId !== null && isBecause(error, 'not-found')) {
        searchId = null
        return read(pageSize)
      }
      // The name of a search that was begun is in the answer that did not come.
      if (searchId === null && isTooLarge(error)) mayKeepOpen = false
      throw error
    }
  }
  return askForFewer(from.pageSize, read).catch((error) => {
    if (!isTooLarge(error)) throw error
    const next = { offset: from.offset + 1, pageSize: 1, searchId }
    return { documents: [], tooLarge: 1, isApart: true, next }
  })
}

/**
 * Throws where a query, such as that of a link, has an operator that the server lacks.
 * @throws PlainError
 */
export function refuseLacking({ get }: Pick<Io, 'get'>, { groups }: DocumentQuery) {
  const wanted = groups.flat().flatMap(({ operator }) => featureOf(operator) ?? [])
  const [why] = wanted.flatMap((feature) => get(lackingAtom)(feature) ?? [])
  if (why !== undefined) throw new PlainError(`This search was not sent. ${why}`)
}

async function ask(
  io: Io,
  { database, collection, query }: SearchOf,
  { offset, pageSize, searchId }: SearchPlace,
  keepOpen: boolean,
  signal?: AbortSignal,
): Promise<Found> {
  const client = io.get(clientAtom)
  const during = signal ? { signal } : {}
  const page = { page: offset / pageSize + 1, pageSize, keepOpen, ...during }
  const found = await inDocumentSession(io, database, (session) =>
    searchId === null
      ? searchDocuments(client, { ...page, session, collection, query })
      : continueSearch(client, { ...page, session, searchId }),
  )
  return withIds(io, { database, collection, ...during }, found)
}

type Found = Pick<FoundDocuments, 'searchId'> & { readonly documents: readonly FoundDocument[] }

/** Before 1.11 the id of a document that was found stands in the document alone. */
async function withIds(
  io: Io,
  of: Pick<SearchOf, 'database' | 'collection'> & { signal?: AbortSignal },
  { documents, searchId }: FoundDocuments,
): Promise<Found> {
  let idField: string | null = null
  if (documents.some(({ id }) => id === null)) {
    const client = io.get(clientAtom)
    await ensureDatabaseToken(io, client, of.database)
    idField = await readIdField(client, of)
  }
  const withId = documents.map(({ id, document }) => {
    const own = id ?? document[idField ?? '']
    if (typeof own === 'string' && own !== '') return { id: own, document }
    throw new ApiError({ kind: 'bad-answer', text: 'a document without its id' })
  })
  return { searchId, documents: withId }
}

function pageOf(
  { query: { limit } }: SearchOf,
  { offset, pageSize, searchId: before }: SearchPlace,
  { documents, searchId }: Found,
  keptOpen: boolean,
): DocumentPage {
  const after = offset + documents.length
  // A search that goes on from a place counts its limit from there.
  const isAtLimit = limit > 0 && after >= limit
  const isOver = isAtLimit || documents.length < pageSize || (keptOpen && searchId === null)
  const shown = isAtLimit ? documents.slice(0, Math.max(0, limit - offset)) : documents
  const mayGrow = pageSize < pageSizes.documents && after % (pageSize * 2) === 0
  const size = mayGrow ? pageSize * 2 : pageSize
  return {
    documents: shown,
    tooLarge: 0,
    isApart: offset > 0 && (before === null || pageSize < pageSizes.documents),
    next: isOver ? null : { offset: after, pageSize: size, searchId },
  }
}

/** Closes the search that is open at a place. Nothing follows from a failure: it ends by itself. */
export async function closeAt(io: Io, of: SearchOf, place: SearchPlace | null): Promise<void> {
  const searchId = place?.searchId ?? null
  if (searchId === null) return
  const last = { offset: 0, pageSize: 1, searchId }
  await ask(io, of, last, false).catch(() => {})
}
