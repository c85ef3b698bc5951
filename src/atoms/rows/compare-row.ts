import { readVerifiableRow } from '~/api/proof'
import type { KeyValue } from '~/immudb/key-address'
import { counted } from '~/lib/text'
import type { RowFacts } from '~/proof/facts'
import type { ResultTable } from '~/sql/result'
import { keyLabel } from '~/sql/row-label'
import { cellMatch, keyValue, type ProvenCell, type RowMap } from '~/sql/row-source'
import { clientAtom } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { knownOfObject, verdictWhenChecked } from '../trust/object-verdict'
import { gapOf } from '../trust/open-parts'
import type { ComparedPart, Proof } from '../trust/proof-drawer'
import type { Verification } from '../trust/verification'
import { verifyObject } from '../trust/verify-object'
import type { RowMark } from './marks'

/** A row of a result, with where its table's columns are. */
export type RowOf = { database: string; result: ResultTable; map: RowMap; row: number }

/** The primary key as a request has it; null when JSON cannot carry it. */
export function keyOfRow({ result, map, row }: RowOf): KeyValue[] | null {
  const values = map.keys.map(({ at }) => {
    const column = result.columns[at]
    return column ? keyValue(column.type, column.values[row] ?? null) : null
  })
  return values.every((value) => value !== null) ? values : null
}

/** `row id = 42 of orders`, for a row of a history with its revision number. */
export function nameOfRow({ result, map, row }: RowOf): string {
  const valueAt = (at: number) => result.columns[at]?.values[row] ?? ''
  const key = keyLabel(map.keys.map(({ at, column }) => [column, valueAt(at)]))
  const named = `row ${key} of ${map.table}`
  const revision = revisionOf({ result, map, row })
  return revision === null ? named : `${named}, revision ${revision}`
}

/** The revision number of a row of a history; null for other rows. */
export function revisionOf({ result, map, row }: Omit<RowOf, 'database'>): string | null {
  return map.revision === null ? null : (result.columns[map.revision]?.values[row] ?? null)
}

type ProvenCells = Readonly<Record<string, ProvenCell>>

/** Every shown cell of the table beside the proven one. */
export function comparedCells({ result, map, row }: RowOf, proven: ProvenCells): ComparedPart[] {
  return map.cells.map(({ at, column }) => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    const shown = values[row] ?? null
    const cell = Object.hasOwn(proven, column) ? proven[column] : undefined
    // The same value may look different with another type, such as text as a date.
    if (cell && shown !== null && cell.type !== type) {
      return { name: column, shown: `${shown}, as ${type}`, match: 'differs' }
    }
    return { name: column, shown, match: cell === undefined ? 'differs' : cellMatch(shown, cell) }
  })
}

/** `key and 2 columns compared; not covered: amount * 2`; null when every place is compared. */
function uncoveredOf({ keys, cells, uncovered }: RowMap, { deleted }: RowFacts): string | null {
  if (uncovered.length === 0) return null
  const inKey = new Set(keys.map(({ column }) => column))
  const others = new Set(cells.map(({ column }) => column).filter((column) => !inKey.has(column)))
  const columns = others.size === 0 ? '' : ` and ${counted(others.size, 'column')}`
  const what = deleted ? 'deletion, ' : ''
  return `${what}key${columns} compared; not covered: ${uncovered.join(', ')}`
}

/** The proof with one more thing that it leaves open; null for nothing. */
export function withGap(proof: Proof, gap: string | null): Proof {
  if (gap === null) return proof
  return { ...proof, gap: proof.gap === undefined ? gap : `${gap}; ${proof.gap}` }
}

const named = (compared: readonly ComparedPart[], wanted: ComparedPart['match']) =>
  compared.filter(({ match }) => match === wanted).map(({ name }) => name)

export const namesOfDiffering = (compared: readonly ComparedPart[]) => named(compared, 'differs')

/** Whether every cell is the proven one, and not only may be. */
export function isAsProven(compared: readonly ComparedPart[]): boolean {
  return compared.every(({ match }) => match === 'same' || match === 'rewritten')
}

/** The gap for JSON that may differ from the stored one; null for none. */
function doubtOf(compared: readonly ComparedPart[]): string | null {
  const names = named(compared, 'unknown').join(', ')
  return names === '' ? null : `whether the JSON of ${names} matches the stored value is not known`
}

/**
 * Verifies one row by its primary key and compares it with what is shown.
 * @param atTx the transaction that wrote it; the newest one when it is not given
 * @throws ApiError when the server cannot be asked
 */
export async function checkRow(
  io: StoreAccess,
  of: RowOf,
  { atTx, signal }: { atTx?: string; signal?: AbortSignal } = {},
): Promise<Proof> {
  const { database, map } = of
  const pkValues = keyOfRow(of)
  if (!pkValues) return { verification: unprovenRow(of, notInJson) }
  const wanted = { table: map.table, pkValues, ...(atTx === undefined ? {} : { atTx }) }
  const verification = await verifyObject(io, database, 'row', {
    what: nameOfRow(of),
    request: { sqlGetRequest: wanted },
    ask: (since) => {
      const asked = { database, since, ...wanted, ...(signal ? { signal } : {}) }
      return readVerifiableRow(io.get(clientAtom), asked)
    },
  })
  const { outcome } = verification
  if (outcome.kind !== 'ok') return { verification }
  const { facts } = outcome.verified
  if (!facts) return { verification }
  const cells = comparedCells(of, facts.named)
  // Only a history shows a deletion as a row.
  const compared = facts.deleted && map.revision === null ? [...cells, deletedRow] : cells
  const proof = withGap({ verification, compared, ...gapOf(verification) }, doubtOf(compared))
  return withGap(proof, uncoveredOf(map, facts))
}

const deletedRow: ComparedPart = { name: 'that the row is there', shown: null, match: 'differs' }

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
  const mark = {
    ...verdictWhenChecked(proof),
    known: knownOfObject(proof),
    of: { database, server, basis },
    tx: rowFacts(proof)?.tx ?? null,
  }
  const columns = namesOfDiffering(proof.compared ?? [])
  return {
    ...mark,
    ...(outcome.kind === 'refused' ? { reason: outcome.refusal.reason } : {}),
    ...(outcome.kind === 'unproven' ? { why: outcome.why } : {}),
    ...(columns.length > 0 ? { columns } : {}),
    ...(proof.gap === undefined ? {} : { gap: proof.gap }),
  }
}
