import { atom } from 'jotai'
import { databaseAtom, openIdAtom, serverAtom } from '../session/session'
import { storedAtom } from '../storage/stored'
import type { DatabaseId } from '../trust/database-id'
import { keyOf } from '../trust/record'

/** What is known of the check of new transactions of one database. */
export type ArrivalsState =
  /** Nothing was done in this page so far. */
  | { kind: 'waiting' }
  /** `words`: why nothing moves until the server answers again; null while it does. */
  | { kind: 'reading'; txId: string; last: string; words: string | null }
  /** Everything from `first` to `to` was read. */
  | { kind: 'done'; first: string; to: string; at: number }
  | { kind: 'paused' }
  /** Another tab of this browser does it. */
  | { kind: 'elsewhere' }
  /** Could not go on. It begins again with the next state only when `isTried`. */
  | { kind: 'stopped'; words: string; advice: string; isTried: boolean; saved?: Useless }

/** Why what is saved cannot be gone on from, so that only a new beginning helps. */
export type Useless = 'damaged' | 'unfit'

/** Nothing was done, or nothing is to be said of it any more. */
export const waiting: ArrivalsState = { kind: 'waiting' }

export const statesAtom = atom<ReadonlyMap<string, ArrivalsState>>(new Map<string, ArrivalsState>())

/** The check of the open database. */
export const arrivalsAtom = atom((get) => get(statesAtom).get(keyOf(get(openIdAtom))) ?? waiting)

/** What was told last of the check of a database. */
export const arrivalsOfAtom = atom(
  (get) => (id: DatabaseId) => get(statesAtom).get(keyOf(id)) ?? waiting,
)

export const setArrivalsStateAtom = atom(null, (get, set, id: DatabaseId, state: ArrivalsState) =>
  set(statesAtom, new Map(get(statesAtom)).set(keyOf(id), state)),
)

/** Whether every transaction of the open database is read as it arrives. */
export const areArrivalsCheckedAtom = atom((get) => {
  const [server, database] = [get(serverAtom) ?? '', get(databaseAtom)]
  return get(storedAtom).arrivals.some((one) => one.server === server && one.database === database)
})

/** What the check would cost: what it reads at once, and what a transaction costs. */
export type ArrivalsCost = {
  transactions: string
  calls: number
  bytes: number
  /** Bytes of one transaction on average, as the newest ones show; null where there are none. */
  each: number | null
}
