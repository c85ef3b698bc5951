import { atom } from 'jotai'
import { metricsPeriod } from '~/lib/constants'
import { type Sight, seen, visitOf } from '~/lib/visits'
import { databaseAtom, serverAtom, sessionAtom } from './session'
import { stateAtom } from './state'
import { changeStoredAtom, storedAtom } from './stored'

/** What the user sees of the open database now; null until its state is known. */
const sightAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(stateAtom)
  const database = get(databaseAtom)
  const user = get(sessionAtom)?.user
  if (!data || database === null || user === undefined) return null
  return { user, server: get(serverAtom) ?? '', database, tx: data.txId, at: dataUpdatedAt }
})

/**
 * What the user's visit before saw of the open database: null when none is remembered, undefined
 * if unknown.
 */
export const lastVisitAtom = atom((get): Sight | null | undefined => {
  const now = get(sightAtom)
  if (!now) return undefined
  return seen(get(storedAtom).visits, now)[0]?.before ?? null
})

/** Whether the database has fewer transactions than the user has seen in it with this browser. */
export const isHistoryShorterAtom = atom((get) => {
  const [now, last] = [get(sightAtom), get(lastVisitAtom)]
  return !!now && !!last && BigInt(now.tx) < BigInt(last.tx)
})

/** Notes how far the open database is; reading it tells when there is something to note. */
export const noteVisitAtom = atom(
  (get) => {
    const now = get(sightAtom)
    if (!now) return null
    const known = visitOf(get(storedAtom).visits, now)
    const isNoted = known?.tx === now.tx && now.at - known.at < metricsPeriod
    return isNoted ? null : now
  },
  (get, set) => {
    const now = get(sightAtom)
    if (!now) return
    void set(changeStoredAtom, (stored) => ({ ...stored, visits: seen(stored.visits, now) }))
  },
)
