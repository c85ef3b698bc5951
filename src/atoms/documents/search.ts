import { atom } from 'jotai'
import { continueSearch, type FoundDocuments, searchDocuments } from '~/api/document-search'
import { isBecause, isTooLarge } from '~/api/errors'
import type { DocumentFields } from '~/immudb/document-json'
import {
  type DocumentQuery,
  everything,
  queryFromAddress,
  queryJson,
} from '~/immudb/document-query'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { hasDocumentSessionAtom, inDocumentSession } from './session'

/** Documents in one request; a power of two, so that smaller pages begin where larger ones did. */
export const searchPageSize = 128

export type FoundDocument = { readonly id: string; readonly document: DocumentFields }

/** What is searched for. */
export type SearchOf = {
  readonly database: string
  readonly collection: string
  readonly query: DocumentQuery
}

/** Where a search goes on. */
type SearchPlace = {
  readonly offset: number
  /** Divides the offset. */
  readonly pageSize: number
  /** The open search on the server; null when the next page begins another one. */
  readonly searchId: string | null
}

const start: SearchPlace = { offset: 0, pageSize: searchPageSize, searchId: null }

export type DocumentPage = {
  readonly documents: readonly FoundDocument[]
  /** Documents in its place that one answer cannot hold. */
  readonly tooLarge: number
  /** Null behind the last document. */
  readonly next: SearchPlace | null
}

/**
 * Reads the next documents of a search. Pages that an answer cannot hold are halved, down to a
 * single document, which is then left out and counted.
 * @throws NoDocumentSession, ApiError
 */
export async function readSearchPage(
  io: StoreAccess,
  of: SearchOf,
  from: SearchPlace = start,
  signal?: AbortSignal,
): Promise<DocumentPage> {
  let place = from
  let mayKeepOpen = true
  for (;;) {
    signal?.throwIfAborted()
    const { offset, pageSize } = place
    try {
      const found = await ask(io, of, place, mayKeepOpen, signal)
      return pageOf(of, place, found, mayKeepOpen)
    } catch (error) {
      if (isBecause(error, 'reader-gone') && place.searchId !== null) {
        place = { ...place, searchId: null }
        continue
      }
      if (!isTooLarge(error)) throw error
      if (pageSize === 1) {
        const searchId = place.searchId
        return { documents: [], tooLarge: 1, next: { offset: offset + 1, pageSize: 1, searchId } }
      }
      // The name of a search that was begun is in the answer that did not come.
      if (place.searchId === null) mayKeepOpen = false
      place = { ...place, pageSize: pageSize / 2 }
    }
  }
}

async function ask(
  io: StoreAccess,
  { database, collection, query }: SearchOf,
  { offset, pageSize, searchId }: SearchPlace,
  keepOpen: boolean,
  signal?: AbortSignal,
): Promise<FoundDocuments> {
  const client = io.get(clientAtom)
  const page = { page: offset / pageSize + 1, pageSize, keepOpen, ...(signal ? { signal } : {}) }
  return inDocumentSession(io, database, (session) =>
    searchId === null
      ? searchDocuments(client, { ...page, session, collection, query })
      : continueSearch(client, { ...page, session, searchId }),
  )
}

function pageOf(
  { query: { limit } }: SearchOf,
  { offset, pageSize }: SearchPlace,
  { documents, searchId }: FoundDocuments,
  keptOpen: boolean,
): DocumentPage {
  const after = offset + documents.length
  // A search that goes on from a place counts its limit from there.
  const isAtLimit = limit > 0 && after >= limit
  const isOver = isAtLimit || documents.length < pageSize || (keptOpen && searchId === null)
  const shown = isAtLimit ? documents.slice(0, Math.max(0, limit - offset)) : documents
  const mayGrow = pageSize < searchPageSize && after % (pageSize * 2) === 0
  const size = mayGrow ? pageSize * 2 : pageSize
  return {
    documents: shown,
    tooLarge: 0,
    next: isOver ? null : { offset: after, pageSize: size, searchId },
  }
}

/** Closes the search that is open at a place. Nothing follows from a failure: it ends by itself. */
async function closeAt(io: StoreAccess, of: SearchOf, place: SearchPlace | null): Promise<void> {
  const searchId = place?.searchId ?? null
  if (searchId === null) return
  const last = { offset: 0, pageSize: 1, searchId }
  await ask(io, of, last, false).catch(() => {})
}

/** The search that a screen shows. */
export type ShownSearch = {
  readonly of: SearchOf
  readonly documents: readonly FoundDocument[]
  readonly tooLarge: number
  readonly next: SearchPlace | null
  readonly isBusy: boolean
  /** Why the last page did not come; null when it did. */
  readonly error: unknown
}

const shownAtom = atom<ShownSearch | null>(null)
const controlAtom = atom<AbortController | null>(null)

const nameOf = ({ database, collection, query }: SearchOf) =>
  JSON.stringify([database, collection, queryJson(query)])

/** Begins a search and ends the one before it: a session has one search. */
const startAtom = atom(null, async (_get, set, of: SearchOf): Promise<void> => {
  void set(endSearchAtom)
  set(shownAtom, { of, documents: [], tooLarge: 0, next: start, isBusy: false, error: null })
  await set(continueSearchAtom)
})

/** Begins the shown search again, for instance after a write. */
export const repeatSearchAtom = atom(null, (get, set) => {
  const shown = get(shownAtom)
  if (shown) void set(startAtom, shown.of)
})

/** Fetches the next documents of the search; does nothing behind the last one. */
export const continueSearchAtom = atom(null, async (get, set): Promise<void> => {
  const before = get(shownAtom)
  if (!before || before.next === null || before.isBusy) return
  const control = new AbortController()
  set(controlAtom, control)
  set(shownAtom, { ...before, isBusy: true, error: null })
  const isStill = () => get(controlAtom) === control
  try {
    const page = await readSearchPage({ get, set }, before.of, before.next, control.signal)
    const { documents, tooLarge, next } = page
    if (!isStill()) return closeAt({ get, set }, before.of, next)
    // A search that had to begin again may return a document twice.
    const known = new Set(before.documents.map(({ id }) => id))
    set(shownAtom, {
      ...before,
      documents: [...before.documents, ...documents.filter(({ id }) => !known.has(id))],
      tooLarge: before.tooLarge + tooLarge,
      next,
      isBusy: false,
    })
    if (documents.length === 0 && next !== null) await set(continueSearchAtom)
  } catch (error) {
    if (isStill()) set(shownAtom, { ...before, isBusy: false, error })
  }
})

/** Ends the shown search, such as when its collection is left. */
const endSearchAtom = atom(null, async (get, set): Promise<void> => {
  get(controlAtom)?.abort()
  set(controlAtom, null)
  const before = get(shownAtom)
  set(shownAtom, null)
  if (before) await closeAt({ get, set }, before.of, before.next)
})

/** Lets go of the search on the server; the next page begins another one from its place. */
export const releaseSearchAtom = atom(null, async (get, set): Promise<void> => {
  const before = get(shownAtom)
  if (before === null || before.next === null || before.isBusy) return
  set(shownAtom, { ...before, next: { ...before.next, searchId: null } })
  await closeAt({ get, set }, before.of, before.next)
})

/**
 * Returns the atom of a search that a screen mounts, named by `queryToAddress`: it begins when there
 * is a session, and ends when the screen leaves it. Written with `start` it begins again.
 */
export const searchesAtom = atom(() =>
  memoizeByNames((database = '', collection = '', name = '') => {
    const of = { database, collection, query: queryFromAddress(name) ?? everything }
    const isShown = (shown: ShownSearch | null) => shown !== null && nameOf(shown.of) === nameOf(of)
    const searchAtom = atom(
      (get) => {
        const shown = get(shownAtom)
        return isShown(shown) ? shown : null
      },
      async (get, set, what: 'show' | 'start' | 'leave'): Promise<void> => {
        if (what === 'leave') return isShown(get(shownAtom)) ? set(endSearchAtom) : undefined
        if (what === 'show' && !get(hasDocumentSessionAtom)(database)) return
        await set(startAtom, of)
      },
    )
    searchAtom.onMount = (tell) => {
      void tell('show')
      return () => void tell('leave')
    }
    return searchAtom
  }),
)
