import { type Atom, atom, type Getter } from 'jotai'
import { memoizeByNames } from '~/lib/memoize-by-names'

/**
 * Returns the atom of what is read for a list of names, the same one each time. What depends on a
 * query is read by an atom: a function that reads the query later lets go of it at each change, and
 * a failed query is then sent again and again.
 * @param most how many atoms are kept; the one that was not asked for longest goes first
 */
export function perNames<T>(
  read: (get: Getter, ...names: string[]) => T,
  most?: number,
): Atom<(...names: string[]) => Atom<T>> {
  return atom(() => memoizeByNames((...names) => atom((get) => read(get, ...names)), most))
}
