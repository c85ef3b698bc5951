import { atom } from 'jotai'
import { metricsPeriod, visitPause } from '~/lib/constants'
import { databaseAtom, serverAtom } from '../session/session'
import { changeStoredAtom, storedAtom } from '../storage/stored'
import { stateAtom } from './state'

/** What is seen of the open database now; null until its state is known. */
const sightAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(stateAtom)
  const database = get(databaseAtom)
  if (!data || database === null) return null
  return { server: get(serverAtom) ?? '', database, tx: data.txId, at: dataUpdatedAt }
})

/** What the visit before saw of the open database: null for the first one, undefined if unknown. */
export const lastVisitAtom = atom((get): LastSeen | null | undefined => {
  const now = get(sightAtom)
  if (!now) return undefined
  return withVisit(get(storedAtom).visits, now)[0]?.before ?? null
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
    void set(changeStoredAtom, (stored) => ({ ...stored, visits: withVisit(stored.visits, now) }))
  },
)

/** How far a database was, and when. */
type LastSeen = { tx: string; at: number }

/** The last time that this browser saw a database of a server. */
export type Visit = LastSeen & {
  /** The server's id. */
  server: string
  database: string
  /** What was seen last in the visit before this one; null in the first. */
  before: LastSeen | null
}

/** Databases that are remembered, the last seen first. */
const most = 50

/** The visit of that database, if any is known. */
export function visitOf(
  visits: readonly Visit[],
  server: string,
  database: string,
): Visit | undefined {
  return visits.find((visit) => visit.server === server && visit.database === database)
}

/**
 * Notes that a database was seen. A new visit begins after a pause, and whenever the database has
 * fewer transactions than before, which is told against what it had.
 */
export function withVisit(
  visits: readonly Visit[],
  { server, database, tx, at }: Omit<Visit, 'before'>,
): Visit[] {
  const last = visitOf(visits, server, database)
  const others = visits.filter((visit) => visit !== last)
  return [{ server, database, tx, at, before: beforeThis(last, { tx, at }) }, ...others].slice(
    0,
    most,
  )
}

function beforeThis(last: Visit | undefined, { tx, at }: LastSeen): LastSeen | null {
  if (!last) return null
  const isNew = at - last.at > visitPause || BigInt(tx) < BigInt(last.tx)
  return isNew ? { tx: last.tx, at: last.at } : last.before
}
