import { visitPause } from './constants'

/** How far a database was, and when. */
export type Sight = { tx: string; at: number }

type Place = {
  /** Who saw it; what one user saw is not told another. */
  user: string
  /** The server's id. */
  server: string
  database: string
}

/** The last time that a user saw a database of a server in this browser. */
export type Visit = Place &
  Sight & {
    /** What was seen last in the visit before this one; null in the first. */
    before: Sight | null
  }

/** Databases that are remembered, the last seen first. */
const most = 50

/** That user's visit of that database, if any is known. */
export function visitOf(visits: readonly Visit[], place: Place): Visit | undefined {
  return visits.find(
    ({ user, server, database }) =>
      user === place.user && server === place.server && database === place.database,
  )
}

/**
 * Notes that a database was seen. A new visit begins after a pause, and whenever the database has
 * fewer transactions than before, which is told against what it had.
 */
export function seen(
  visits: readonly Visit[],
  { user, server, database, tx, at }: Omit<Visit, 'before'>,
): Visit[] {
  const last = visitOf(visits, { user, server, database })
  const others = visits.filter((visit) => visit !== last)
  return [
    { user, server, database, tx, at, before: beforeThis(last, { tx, at }) },
    ...others,
  ].slice(0, most)
}

function beforeThis(last: Visit | undefined, { tx, at }: Sight): Sight | null {
  if (!last) return null
  const isNew = at - last.at > visitPause || BigInt(tx) < BigInt(last.tx)
  return isNew ? { tx: last.tx, at: last.at } : last.before
}
