import { atom } from 'jotai'
import { databaseAtom, databaseIdAtom, serverAtom } from '../session/session'
import { changeStoredAtom, storedAtom } from '../storage/stored'
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

const statesAtom = atom<ReadonlyMap<string, ArrivalsState>>(new Map<string, ArrivalsState>())

const openIdAtom = atom((get) => get(databaseIdAtom)(get(databaseAtom) ?? ''))

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

/** Turns the check of the open database on or off, for this browser. */
export const checkArrivalsAtom = atom(null, async (get, set, isOn: boolean) => {
  const [server, database] = [get(serverAtom) ?? '', get(databaseAtom)]
  if (database === null) return
  await set(changeStoredAtom, (stored) => {
    const others = stored.arrivals.filter(
      (one) => one.server !== server || one.database !== database,
    )
    return { ...stored, arrivals: isOn ? [...others, { server, database }] : others }
  })
  if (!isOn) await set(pauseArrivalsAtom, waiting)
})

/** Everything that reads transactions is fetched when it is wanted. */
const work = () => import('./arrivals-work')

/** Reads what came since the last time, while the check is on and nobody paused it. */
export const readArrivalsAtom = atom(null, async (get, set) => {
  const database = get(databaseAtom)
  if (database === null || !get(areArrivalsCheckedAtom)) return
  const { kind, ...state } = get(arrivalsAtom)
  if (kind === 'paused' || ('isTried' in state && !state.isTried)) return
  await (await work()).readArrivals({ get, set }, database)
})

/** Stops where it is; what was read is kept. */
export const pauseArrivalsAtom = atom(
  null,
  async (get, set, state: ArrivalsState = { kind: 'paused' }) => {
    const id = get(openIdAtom)
    if (get(arrivalsOfAtom)(id).kind !== 'waiting') (await work()).stopArrivals(id)
    set(setArrivalsStateAtom, id, state)
  },
)

/** Goes on after a pause, or after something was in the way. */
export const resumeArrivalsAtom = atom(null, async (get, set) => {
  set(setArrivalsStateAtom, get(openIdAtom), waiting)
  await set(readArrivalsAtom)
})

/** Puts away a saved check that cannot be gone on from, and begins at the trusted state. */
export const restartArrivalsAtom = atom(null, async (get, set) => {
  const state = get(arrivalsAtom)
  if (state.kind !== 'stopped' || !state.saved) return
  const isPut = await (await work()).putAway({ get, set }, get(openIdAtom), state.saved)
  if (isPut) await set(resumeArrivalsAtom)
})

/** Ends whatever this tab does about a history that is not followed any more. */
export const endArrivalsAtom = atom(null, async (get, set, id: DatabaseId) => {
  const isOn = get(storedAtom).arrivals.some(
    ({ server, database }) => server === id.server && database === id.database,
  )
  if (!isOn && get(arrivalsOfAtom)(id).kind === 'waiting') return
  // Without it nothing was begun.
  const found = await work().catch(() => null)
  await found?.endArrivals({ get, set }, id)
})

/** Ends every check of this page, whose user has left. */
export const endAllArrivalsAtom = atom(null, async (get, set) => {
  if ([...get(statesAtom).values()].every(({ kind }) => kind !== 'reading')) return
  ;(await work()).endAll({ get, set })
})

/** While nobody looks at this tab, another one may do it. */
export const leaveArrivalsAtom = atom(null, async (get, set) => {
  const { kind } = get(arrivalsAtom)
  if (kind === 'reading') await set(pauseArrivalsAtom, waiting)
})

/** What the check would cost: what it reads at once, and what a transaction costs. */
export type ArrivalsCost = {
  transactions: string
  calls: number
  bytes: number
  /** Bytes of one transaction on average, as the newest ones show; null where there are none. */
  each: number | null
}

/** Measures it with one call. @throws ApiError when the server cannot be asked */
export const arrivalsCostAtom = atom(
  null,
  async (get, set): Promise<ArrivalsCost> =>
    (await import('./arrivals-cost')).costOfArrivals({ get, set }, get(databaseAtom) ?? ''),
)
