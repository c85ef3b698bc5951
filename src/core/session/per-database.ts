import { type Atom, atom } from 'jotai'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { databaseAtom } from './session'

/**
 * The atom made for the open database. One atom for each database, because a query atom whose key
 * changes sends its request twice, the first one aborted.
 */
export function perDatabase<T>(make: (database: string) => Atom<T>): Atom<T> {
  const made = atom(() => memoizeByNames((database = '') => make(database)))
  return atom((get) => get(get(made)(get(databaseAtom) ?? '')))
}
