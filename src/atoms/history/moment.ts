import { atom } from 'jotai'
import type { Moment } from '~/sql/time-travel'
import { databaseAtom } from '../session/session'

/** The moment chosen for each database; a database that is not in it is seen as it is now. */
const chosenAtom = atom<ReadonlyMap<string, Moment>>(new Map())

/** The moment chosen for the open database, or null for the present. */
export const momentAtom = atom((get) => get(chosenAtom).get(get(databaseAtom) ?? '') ?? null)

/** The moment chosen for any database. */
export const momentsAtom = atom((get) => get(chosenAtom))

/** Chooses the moment at which queries on the open database look; null is the present. */
export const chooseMomentAtom = atom(null, (get, set, moment: Moment | null) => {
  const database = get(databaseAtom)
  if (database === null) return
  const moments = new Map(get(chosenAtom))
  if (moment === null) moments.delete(database)
  else moments.set(database, moment)
  set(chosenAtom, moments)
})
