import { atom } from 'jotai'
import { databaseAtom, openIdAtom, serverAtom } from '../session/session'
import { changeStoredAtom, storedAtom } from '../storage/stored'
import type { DatabaseId } from '../trust/database-id'
import {
  type ArrivalsCost,
  type ArrivalsState,
  areArrivalsCheckedAtom,
  arrivalsAtom,
  arrivalsOfAtom,
  setArrivalsStateAtom,
  statesAtom,
  waiting,
} from './arrivals'
import { costOfArrivals } from './arrivals-cost'
import { endAll, endArrivals, putAway, readArrivals, stopArrivals } from './arrivals-work'

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

/** Reads what came since the last time, while the check is on and nobody paused it. */
export const readArrivalsAtom = atom(null, async (get, set) => {
  const database = get(databaseAtom)
  if (database === null || !get(areArrivalsCheckedAtom)) return
  const { kind, ...state } = get(arrivalsAtom)
  if (kind === 'paused' || ('isTried' in state && !state.isTried)) return
  await readArrivals({ get, set }, database)
})

/** Stops where it is; what was read is kept. */
export const pauseArrivalsAtom = atom(
  null,
  async (get, set, state: ArrivalsState = { kind: 'paused' }) => {
    const id = get(openIdAtom)
    const kept = get(arrivalsOfAtom)(id).kind === 'waiting' ? null : stopArrivals(id)
    set(setArrivalsStateAtom, id, state)
    await kept
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
  const isPut = await putAway({ get, set }, get(openIdAtom), state.saved)
  if (isPut) await set(resumeArrivalsAtom)
})

/** Ends whatever this tab does about a history that is not followed any more. */
export const endArrivalsAtom = atom(null, async (get, set, id: DatabaseId) => {
  const isOn = get(storedAtom).arrivals.some(
    ({ server, database }) => server === id.server && database === id.database,
  )
  if (!isOn && get(arrivalsOfAtom)(id).kind === 'waiting') return
  await endArrivals({ get, set }, id)
})

/** Ends every check of this page, whose user has left. */
export const endAllArrivalsAtom = atom(null, async (get, set) => {
  if ([...get(statesAtom).values()].every(({ kind }) => kind !== 'reading')) return
  endAll({ get, set })
})

/** While nobody looks at this tab, another one may do it. */
export const leaveArrivalsAtom = atom(null, async (get, set) => {
  const { kind } = get(arrivalsAtom)
  if (kind === 'reading') await set(pauseArrivalsAtom, waiting)
})

/** Measures it with one call. @throws ApiError when the server cannot be asked */
export const arrivalsCostAtom = atom(
  null,
  async (get, set): Promise<ArrivalsCost> => costOfArrivals({ get, set }, get(databaseAtom) ?? ''),
)
