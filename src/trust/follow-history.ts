import { atom, type Getter } from 'jotai'
import type { Io } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { databaseAtom, serverAtom } from '~/core/session/session'
import { followStates, watchServer } from './actions'
import { areArrivalsCheckedAtom, leaveArrivals, readNewArrivals } from './audit/arrivals'
import { endAllWork } from './audit/audit-job'
import { isFollowed, trustAtom } from './trust'
import { watchState } from './verify-state'

/**
 * Follows the history of the open database for as long as a store is in use: each state that was
 * answered is checked, and what arrives is read where that is on. Returns what ends it; after a
 * logout nothing may continue to read with the old token.
 */
export function followHistory(store: Store): () => void {
  const io: Io = { get: store.get, set: store.set }
  const readVisible = () => void (document.hidden ? leaveArrivals(io) : readNewArrivals(io))
  document.addEventListener('visibilitychange', readVisible)
  const ends = [
    followStates(io),
    onChange(
      store,
      (get) => [get(databaseAtom), get(serverAtom)] as const,
      (database, server) => {
        if (database !== null && server !== null) void watchServer(io, database)
      },
    ),
    onChange(
      store,
      (get) => {
        const { data, error, dataUpdatedAt, errorUpdatedAt } = get(stateAtom)
        return [get(databaseAtom), data, error, dataUpdatedAt, errorUpdatedAt] as const
      },
      (database, data, error, dataUpdatedAt, errorUpdatedAt) => {
        const isAnswered = dataUpdatedAt > 0 || errorUpdatedAt > 0
        if (database !== null && isAnswered) void watchState(io, database, { data, error })
      },
    ),
    onChange(
      store,
      (get) => [get(areArrivalsCheckedAtom), get(trustAtom)] as const,
      (isOn, trust) => {
        if (!isOn) return
        if (trust.kind === 'broken') void leaveArrivals(io)
        else if (isFollowed(trust) && !document.hidden) void readNewArrivals(io)
      },
    ),
    () => document.removeEventListener('visibilitychange', readVisible),
    () => endAllWork(io),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Tells of some values now and whenever one of them is another. */
function onChange<T extends unknown[]>(
  store: Store,
  read: (get: Getter) => readonly [...T],
  tell: (...values: T) => void,
): () => void {
  const valuesAtom = atom(read)
  let told: readonly [...T] | null = null
  const look = () => {
    const values = store.get(valuesAtom)
    if (told && values.every((value, at) => Object.is(value, told?.[at]))) return
    told = values
    tell(...values)
  }
  const end = store.sub(valuesAtom, look)
  look()
  return end
}
