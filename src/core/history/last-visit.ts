import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { metricsPeriod, visitPause } from '~/lib/constants'
import { databaseAtom, serverAtom } from '../session/session'
import { changeStoredPart, storedAtom } from '../storage/stored'
import { stateAtom } from './newest-state'

/** The present sight of the open database; null until its state is known. */
const sightAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(stateAtom)
  const database = get(databaseAtom)
  if (!data || database === null) return null
  return { server: get(serverAtom) ?? '', database, tx: data.txId, at: dataUpdatedAt }
})

/**
 * What the previous visit saw of the open database: null at the first visit, undefined if unknown.
 */
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

/**
 * Forgets the last transaction of a deleted database, because a new one of that name starts again.
 */
export function forgetVisits(io: Io, database: string) {
  const server = io.get(serverAtom) ?? ''
  return changeStoredPart(io, (stored) => ({
    ...stored,
    visits: stored.visits.filter((one) => one.server !== server || one.database !== database),
  }))
}

/**
 * Notes the newest transaction of the open database. Its value changes when there is something to
 * note.
 */
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
    void changeStoredPart({ get, set }, (stored) => ({
      ...stored,
      visits: withVisit(stored.visits, now),
    }))
  },
)

/** The newest transaction of a database, and when it was seen. */
type LastSeen = { tx: string; at: number }

/** The last time that this browser saw a database of a server. */
export type Visit = LastSeen & {
  /** The server's id. */
  server: string
  database: string
  /** What the previous visit saw last; null in the first. */
  before: LastSeen | null
}

/** Most databases that are remembered; the last seen come first. */
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
 * fewer transactions than before; the screen then compares with what it had.
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
