import { atom, type Getter } from 'jotai'
import { type Io, mountedAtom } from '~/core/act'
import { everything, queryFromAddress, queryJson } from '~/immudb/document-query'
import { memoizeByNames } from '~/lib/memoize-by-names'
import {
  closeAt,
  type FoundDocument,
  readSearchPage,
  type SearchOf,
  type SearchPlace,
  start,
} from './search-pages'
import { hasDocumentSessionAtom } from './session'

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
async function startSearch(io: Io, of: SearchOf): Promise<void> {
  void endSearch(io)
  io.set(shownAtom, { of, documents: [], tooLarge: 0, next: start, isBusy: false, error: null })
  await continueSearch(io)
}

/** Begins the shown search again, for instance after a write. */
export function repeatSearch(io: Io) {
  const shown = io.get(shownAtom)
  if (shown) void startSearch(io, shown.of)
}

/** Fetches the next documents of the search; does nothing behind the last one. */
export async function continueSearch(io: Io): Promise<void> {
  const { get, set } = io
  const before = get(shownAtom)
  if (!before || before.next === null || before.isBusy) return
  const control = new AbortController()
  set(controlAtom, control)
  set(shownAtom, { ...before, isBusy: true, error: null })
  const isStill = () => get(controlAtom) === control
  try {
    const page = await readSearchPage(io, before.of, before.next, control.signal)
    const { documents, tooLarge, next } = page
    if (!isStill()) return closeAt(io, before.of, next)
    // A search that had to begin again may return a document twice.
    const known = new Set(before.documents.map(({ id }) => id))
    set(shownAtom, {
      ...before,
      documents: [...before.documents, ...documents.filter(({ id }) => !known.has(id))],
      tooLarge: before.tooLarge + tooLarge,
      next,
      isBusy: false,
    })
    if (documents.length === 0 && next !== null) await continueSearch(io)
  } catch (error) {
    if (isStill()) set(shownAtom, { ...before, isBusy: false, error })
  }
}

/** Ends the shown search, such as when its collection is left. */
async function endSearch(io: Io): Promise<void> {
  const { get, set } = io
  get(controlAtom)?.abort()
  set(controlAtom, null)
  const before = get(shownAtom)
  set(shownAtom, null)
  if (before) await closeAt(io, before.of, before.next)
}

/** Lets go of the search on the server; the next page begins another one from its place. */
export async function releaseSearch(io: Io): Promise<void> {
  const before = io.get(shownAtom)
  if (before === null || before.next === null || before.isBusy) return
  io.set(shownAtom, { ...before, next: { ...before.next, searchId: null } })
  await closeAt(io, before.of, before.next)
}

const searchNamed = (database: string, collection: string, name: string): SearchOf => {
  return { database, collection, query: queryFromAddress(name) ?? everything }
}

/** Begins the search that a screen shows; names as of `searchesAtom`. */
export const beginSearch = (io: Io, database: string, collection: string, name: string) =>
  startSearch(io, searchNamed(database, collection, name))

/**
 * Returns the atom of a search that a screen mounts, named by `queryToAddress`: it begins when there
 * is a session, and ends when the screen leaves it.
 */
export const searchesAtom = atom(() =>
  memoizeByNames((database = '', collection = '', name = '') => {
    const of = searchNamed(database, collection, name)
    const shownIn = (get: Getter) => {
      const shown = get(shownAtom)
      return shown !== null && nameOf(shown.of) === nameOf(of) ? shown : null
    }
    return mountedAtom(shownIn, (io) => {
      if (io.get(hasDocumentSessionAtom)) void startSearch(io, of)
      return () => {
        if (shownIn(io.get)) void endSearch(io)
      }
    })
  }),
)
