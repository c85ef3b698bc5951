import type { Io } from '~/core/act'
import { findChange, openTimeline, type RowName } from '~/core/revisions/row-changes'
import type { Timeline } from '~/core/revisions/row-timeline'
import type { RowSet } from '~/core/row-set'
import { databaseIdAtom } from '~/core/session/session'
import { isCurrent } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { keyOfRow, type RowOf } from './compare-row'

/** Most revisions from an end that are walked through. */
const mostWalked = 2_500

/** Findings about a result stay valid, because the past does not change. */
const known = new WeakMap<RowSet, Map<string, Promise<Timeline | null>>>()

/**
 * The transaction that wrote a revision of a row in a result, counted from 1; null when unknown.
 * @throws ApiError when the server cannot be asked
 */
export async function txOfRevision(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  revision: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const timeline = await timelineOf(io, rowSet, of, signal)
  if (!timeline || (timeline.distance(revision) > mostWalked && !timeline.isRead(revision)))
    return null
  const change = await findChange(io, rowName(of), timeline, revision, signal ? { signal } : {})
  return change && String(change.tx)
}

/** The revisions of a row in a result; null when they cannot be counted now. */
async function timelineOf(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  signal?: AbortSignal,
): Promise<Timeline | null> {
  const ofSet = known.get(rowSet) ?? new Map<string, Promise<Timeline | null>>()
  known.set(rowSet, ofSet)
  const name = JSON.stringify(keyOfRow(of))
  const counting = ofSet.get(name) ?? countUnderTrust(io, of, signal)
  ofSet.set(name, counting)
  const forget = () => void ofSet.delete(name)
  const timeline = await counting.catch((error: unknown) => {
    forget()
    throw error
  })
  if (!timeline) forget()
  return timeline
}

async function countUnderTrust(io: Io, of: RowOf, signal?: AbortSignal) {
  const trusted = async () => {
    if (!isCurrent(await verifyState(io, of.database))) return null
    const record = await io.get(trustedStatesAtom).read(io.get(databaseIdAtom)(of.database))
    return record?.point ?? null
  }
  const opened = await openTimeline(io, rowName(of), trusted, signal)
  return opened?.timelineFrom(null) ?? null
}

/** The row by its table and primary key, as a result shows them. */
export function rowName({ database, result, map, row }: RowOf): RowName {
  const key = map.keys.map(({ at, column }) => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    return { column, type, value: values[row] ?? '' }
  })
  return { database, table: map.table, key }
}
