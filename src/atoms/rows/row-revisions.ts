import type { Io } from '~/core/act'
import type { RowName } from '~/core/revisions/row-questions'
import { openRowRevisions, type RowRevisions } from '~/core/revisions/row-revisions'
import type { RowSet } from '~/core/row-set'
import { databaseIdAtom } from '~/core/session/session'
import { isCurrent } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { keyOfRow, type RowOf } from './compare-row'

/** Findings about a result stay valid, because the past does not change. */
const known = new WeakMap<RowSet, Map<string, Promise<RowRevisions>>>()

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
  const during = signal ? { signal } : {}
  const revisions = await revisionsOfRow(io, rowSet, of, during)
  const change = revisions.isLost(revision) ? null : await revisions.at(revision, during)
  return change && String(change.tx)
}

async function revisionsOfRow(
  io: Io,
  rowSet: RowSet,
  of: RowOf,
  during: { signal?: AbortSignal },
): Promise<RowRevisions> {
  const ofSet = known.get(rowSet) ?? new Map<string, Promise<RowRevisions>>()
  known.set(rowSet, ofSet)
  const name = JSON.stringify(keyOfRow(of))
  const newest = () => trustedPoint(io, of.database)
  const counting = ofSet.get(name) ?? openRowRevisions(io, rowName(of), { newest, ...during })
  ofSet.set(name, counting)
  // What could not be counted is counted again when it is asked for the next time.
  const isCounted = counting.then(
    ({ isSearchable }) => isSearchable,
    () => false,
  )
  if (!(await isCounted)) ofSet.delete(name)
  return counting
}

async function trustedPoint(io: Io, database: string) {
  if (!isCurrent(await verifyState(io, database))) return null
  const record = await io.get(trustedStatesAtom).read(io.get(databaseIdAtom)(database))
  return record?.point ?? null
}

/** The row by its table and primary key, as a result shows them. */
export function rowName({ database, result, map, row }: RowOf): RowName {
  const key = map.keys.map(({ at, column }) => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    return { column, type, value: values[row] ?? '' }
  })
  return { database, table: map.table, key }
}
