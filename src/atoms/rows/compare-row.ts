import type { Io } from '~/core/act'
import type { KeyValue } from '~/immudb/key-address'
import type { RowFacts } from '~/proof/kernel/proven-facts'
import { shownCell } from '~/proof/proven-leaves'
import { booleanValue, type Leaf, objectLeaf, type Shown } from '~/proof/shown'
import { keyValue } from '~/sql/literals'
import type { ResultTable } from '~/sql/result'
import { keyLabel } from '~/sql/row-label'
import type { RowMap } from '~/sql/row-source'
import {
  gapOf,
  knownOfObject,
  labelOf,
  unequalLeaves,
  verdictWhenChecked,
} from '~/trust/object-verdict'
import { proveUnnoted } from '~/trust/prove'
import { saidLeaf } from '~/trust/questions'
import type { Proof, Verification } from '~/trust/verification'
import type { RowMark } from './row-marks'

/** A row of a result, with where its table's columns are. */
export type RowOf = {
  database: string
  result: ResultTable
  map: RowMap
  row: number
  /** The newest transaction known when the result was read. */
  readAt: string
}

/** The primary key as a request has it; null when JSON cannot carry it. */
export function keyOfRow({ result, map, row }: Omit<RowOf, 'readAt'>): KeyValue[] | null {
  const values = map.keys.map(({ at }) => {
    const column = result.columns[at]
    return column ? keyValue(column.type, column.values[row] ?? null) : null
  })
  return values.every((value) => value !== null) ? values : null
}

/** `row id = 42 of orders`, for a row of a history with its revision number. */
export function nameOfRow({ result, map, row }: Omit<RowOf, 'readAt'>): string {
  const valueAt = (at: number) => result.columns[at]?.values[row] ?? ''
  const key = keyLabel(map.keys.map(({ at, column }) => [column, valueAt(at)]))
  const named = `row ${key} of ${map.table}`
  const revision = revisionOf({ result, map, row })
  return revision === null ? named : `${named}, revision ${revision}`
}

/** The revision number of a row of a history; null for other rows. */
export function revisionOf({
  result,
  map,
  row,
}: Pick<RowOf, 'result' | 'map' | 'row'>): string | null {
  return map.revision === null ? null : (result.columns[map.revision]?.values[row] ?? null)
}

/**
 * Everything that a result shows of a row: its cells with their types, and in its history its
 * number, which no proof covers, as none covers what a statement calculates.
 */
export function shownRow({ result, map, row, readAt }: RowOf): Shown {
  const cells = map.cells.map(({ at, column }): Leaf => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    return { group: 'column', name: column, value: shownCell(type, values[row] ?? null) }
  })
  const said = map.uncovered.map((text) => saidLeaf('the name of the column', '', text))
  // Only a history shows a deletion as a row.
  const isThere = objectLeaf('the deletion', booleanValue(false), 'that the row is there')
  return {
    leaves: [...cells, ...(map.revision === null ? [isThere] : []), ...said],
    whole: map.isAll ? ['column'] : [],
    // A revision in a history never changes.
    ...(map.revision === null ? { readAt } : {}),
  }
}

export const namesOfDiffering = (proof: Proof) =>
  unequalLeaves(proof)
    .filter(({ match }) => match === 'differs' || match === 'outdated')
    .map(labelOf)

/** Whether everything that is shown and can be compared is as proven. */
export const isAsProven = (proof: Proof) =>
  unequalLeaves(proof).every(({ match }) => match === 'uncovered')

/** The proof with one more thing that it leaves open. */
export function withDoubt(proof: Proof, label: string): Proof {
  const doubt = { ...saidLeaf('the moment', '', label), proven: null, match: 'uncovered' } as const
  return { ...proof, doubts: [...(proof.doubts ?? []), doubt] }
}

/**
 * Verifies one row by its primary key and compares it with what is shown.
 * @param atTx the transaction that wrote it; the newest one when it is not given
 * @param more what is shown of it beside its cells
 * @throws ApiError when the server cannot be asked
 */
export async function checkRow(
  io: Io,
  of: RowOf,
  { atTx, signal, more }: { atTx?: string; signal?: AbortSignal; more?: readonly Leaf[] } = {},
): Promise<Proof> {
  const { database, map } = of
  const pkValues = keyOfRow(of)
  if (!pkValues) return { verification: unprovenRow(of, notInJson) }
  const wanted = { table: map.table, pkValues, ...(atTx === undefined ? {} : { atTx }) }
  const question = {
    database,
    kind: 'row',
    what: nameOfRow(of),
    request: { sqlGetRequest: wanted },
    shown: more ? { ...shownRow(of), leaves: [...shownRow(of).leaves, ...more] } : shownRow(of),
  } as const
  // Many rows are verified at once: their incidents are noted together.
  return proveUnnoted(io, question, signal ? { signal } : {})
}

const notInJson =
  'JSON cannot carry this primary key exactly, so no proof of the row can be requested.'

/** The unproven result for a row whose proof cannot be requested, with the reason. */
export function unprovenRow(of: RowOf, why: string): Verification {
  return {
    database: of.database,
    server: '',
    kind: 'row',
    what: nameOfRow(of),
    context: null,
    basis: null,
    request: null,
    response: null,
    shown: shownRow(of),
    at: Date.now(),
    outcome: { kind: 'unproven', why },
  }
}

/** The facts of a proven row; null for everything else. */
export function rowFacts({ verification: { kind, outcome } }: Proof): RowFacts | null {
  if (kind !== 'row' || outcome.kind !== 'ok') return null
  return outcome.verified.facts as RowFacts // those of its kind
}

/** What a proof says of the row as it is shown. */
export function markOf(proof: Proof): RowMark {
  const { outcome, database, server, basis } = proof.verification
  // A grid has many marks, and what is the same changes no verdict.
  const known = knownOfObject(proof)
  const mark = {
    ...verdictWhenChecked(proof),
    known: { ...known, shown: known.shown.filter(({ match }) => match !== 'same') },
    of: { database, server, basis },
    tx: rowFacts(proof)?.tx ?? null,
    ts: rowFacts(proof)?.ts ?? null,
  }
  const columns = namesOfDiffering(proof)
  const gap = gapOf(proof)
  return {
    ...mark,
    ...(outcome.kind === 'refused' ? { reason: outcome.refusal.reason } : {}),
    ...(outcome.kind === 'unproven' ? { why: outcome.why } : {}),
    ...(columns.length > 0 ? { columns } : {}),
    ...(gap === null ? {} : { gap }),
  }
}
