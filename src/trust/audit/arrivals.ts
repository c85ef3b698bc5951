import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseAtom, openIdAtom, serverAtom } from '~/core/session/session'
import { storedAtom } from '~/core/storage/stored'
import { keyOf } from '../trust-record'

/** The state of the check of new transactions of one database. */
export type ArrivalsState =
  /** Nothing has been done in this page yet. */
  | { kind: 'waiting' }
  /** `words`: why it waits for the server; null while it reads. */
  | { kind: 'reading'; txId: string; last: string; words: string | null }
  /** Everything from `first` to `to` was read. */
  | { kind: 'done'; first: string; to: string; at: number }
  | { kind: 'paused' }
  /** Another tab of this browser does it. */
  | { kind: 'elsewhere' }
  /** Could not continue. It restarts with the next state only when `isTried`. */
  | { kind: 'stopped'; words: string; advice: string; isTried: boolean; saved?: Useless }

/** Why the saved progress cannot be continued, so that only a restart helps. */
export type Useless = 'damaged' | 'unfit'

/** Nothing was done, or its state no longer matters. */
export const waiting: ArrivalsState = { kind: 'waiting' }

export const statesAtom = atom<ReadonlyMap<string, ArrivalsState>>(new Map<string, ArrivalsState>())

/** The check of the open database. */
export const arrivalsAtom = atom((get) => get(statesAtom).get(keyOf(get(openIdAtom))) ?? waiting)

/** The last reported state of the check of a database. */
export const arrivalsOfAtom = atom(
  (get) => (id: DatabaseId) => get(statesAtom).get(keyOf(id)) ?? waiting,
)

export function setArrivalsState({ get, set }: Io, id: DatabaseId, state: ArrivalsState) {
  return set(statesAtom, new Map(get(statesAtom)).set(keyOf(id), state))
}

/** Whether every transaction of the open database is read as it arrives. */
export const areArrivalsCheckedAtom = atom((get) => {
  const [server, database] = [get(serverAtom) ?? '', get(databaseAtom)]
  return get(storedAtom).arrivals.some((one) => one.server === server && one.database === database)
})

/** The cost of the check: what it reads at first, and the cost of each transaction. */
export type ArrivalsCost = {
  transactions: string
  calls: number
  bytes: number
  /** Average bytes of the newest transactions; null when there are none. */
  each: number | null
}
