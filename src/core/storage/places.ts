import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { unappliedForms } from '../drafts'
import { databaseAtom, sessionAtom } from '../session/session'

/**
 * Where a tab is: kept for its reload and for the next login of the same user, unless the session
 * is in memory alone, which writes nothing to this computer.
 * @param kind such as `tables`
 * @param schema what is kept, as it can be stored
 */
export function placesOf<T>(kind: string, schema: v.GenericSchema<unknown, T>) {
  const { readAtom, keepAtom } = unappliedForms(kind, schema, 'places')
  const ownAtom = atom<ReadonlyMap<string, T | null>>(new Map())
  return {
    /** Reads what is kept under a name; null for nothing. */
    readAtom: atom((get) => {
      const own = get(ownAtom)
      const read = get(readAtom)
      return (...name: readonly string[]): T | null => {
        const found = own.get(JSON.stringify(name))
        return found === undefined ? read(...name) : found
      }
    }),
    /** Keeps something under a name; null forgets it. */
    keepAtom: atom(null, (get, set, place: T | null, ...name: readonly string[]): void => {
      set(ownAtom, new Map(get(ownAtom)).set(JSON.stringify(name), place))
      if (get(sessionAtom)?.isStored) set(keepAtom, place, ...name)
    }),
  }
}

/** By the names of the pages. */
const searches = placesOf('addresses', v.record(v.string(), v.string()))

/** Gives the search string with which a page was last shown for a database, or for the open one. */
export const lastSearchAtom = atom((get) => {
  const read = get(searches.readAtom)
  const open = get(databaseAtom) ?? ''
  return (page: string, database = open): string | undefined => read(database)?.[page]
})

/** Notes the search string of a page that shows the open database. */
export function noteAddressSearch({ get, set }: Io, page: string, search: string): void {
  const database = get(databaseAtom) ?? ''
  const known = get(searches.readAtom)(database) ?? {}
  if (known[page] !== search) set(searches.keepAtom, { ...known, [page]: search }, database)
}

const left = placesOf('left', v.string())

/** The address at the last log-out of the user; null for none. */
export const leftAddressAtom = atom(
  (get) => get(left.readAtom)(),
  (_get, set, address: string | null) => set(left.keepAtom, address),
)

/** The address of the page, below its origin, set by the owner of the stores. */
export const pageAddressAtom = atom<{ read: () => string; write: (address: string) => void }>({
  read: () => '',
  write: () => {},
})
