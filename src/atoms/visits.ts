import { atom } from 'jotai'
import { metricsPeriod } from '~/lib/constants'
import { type Sight, seen, visitOf } from '~/lib/visits'
import { databaseAtom, serverAtom } from './session'
import { stateAtom } from './state'
import { changeStoredAtom, storedAtom } from './stored'

/** What is seen of the open database now; null until its state is known. */
const sightAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(stateAtom)
  const database = get(databaseAtom)
  if (!data || database === null) return null
  return { server: get(serverAtom) ?? '', database, tx: data.txId, at: dataUpdatedAt }
})

/** What the visit before saw of the open database: null for the first one, undefined if unknown. */
export const lastVisitAtom = atom((get): Sight | null | undefined => {
  const now = get(sightAtom)
  if (!now) return undefined
  return seen(get(storedAtom).visits, now)[0]?.before ?? null
})

/** Whether the database has fewer transactions than this browser has seen in it. */
export const isHistoryShorterAtom = atom((get) => {
  const [now, last] = [get(sightAtom), get(lastVisitAtom)]
  return !!now && !!last && BigInt(now.tx) < BigInt(last.tx)
})

/** Forgets how far a database was that is deleted: one made anew under its name begins anew. */
export const forgetVisitsAtom = atom(null, (get, set, database: string) => {
  const server = get(serverAtom) ?? ''
  return set(changeStoredAtom, (stored) => ({
    ...stored,
    visits: stored.visits.filter((one) => one.server !== server || one.database !== database),
  }))
})

/** Notes how far the open database is; reading it tells when there is something to note. */
export const noteVisitAtom = atom(
  (get) => {
    const now = get(sightAtom)
    if (!now) return null
    const known = visitOf(get(storedAtom).visits, now.server, now.database)
    const isNoted = known?.tx === now.tx && now.at - known.at < metricsPeriod
    return isNoted ? null : now
  },
  (get, set) => {
    const now = get(sightAtom)
    if (!now) return
    void set(changeStoredAtom, (stored) => ({ ...stored, visits: seen(stored.visits, now) }))
  },
)
