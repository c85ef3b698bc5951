import type { TxEntry } from '~/api/transactions'
import { jsonMatch } from '~/immudb/json-match'
import { bytesToBase64 } from '~/lib/bytes'
import { fromBase64, utf8Text } from '~/proof/kernel/bytes'
import { type Cells, readRow } from '~/proof/kernel/row'
import type { Column, Schema } from '~/proof/kernel/schema'
import { isCellOf, isReadable, showCell } from '~/proof/kernel/sql-type'
import { ProofError } from '~/proof/kernel/steps'
import { type WholeKey, wholeKey } from '~/sql/row-key'
import type { TableView } from './tx-tables'

/** A row by the names of its columns today; null when it cannot be read. */
export type RowBefore = ReadonlyMap<string, { type: string; value: string | null }> | null

/** The rows before a transaction by `keyOf` their primary keys. */
export type RowsBefore = ReadonlyMap<string, RowBefore>

/** A primary key as the key of a map. */
export function keyOf(values: readonly (string | null)[]): string {
  return JSON.stringify(values)
}

/**
 * A stored cell as a result has it (see ResultColumn.values); undefined when its bytes are not of
 * the type.
 */
export function cellText(type: string, cell: Uint8Array): string | undefined {
  if (!isCellOf(type, cell) || !isReadable(type, cell)) return undefined
  if (type === 'BLOB') return bytesToBase64(cell)
  if (type === 'VARCHAR' || type === 'JSON') return utf8Text(cell)
  return String(showCell(type, cell))
}

/** The stored cells of a row; null when there is no value or it is no row. */
export function cellsOf(value: string | undefined): Cells | null {
  const bytes = value ? fromBase64(value) : null
  if (!bytes) return null
  try {
    return readRow(bytes)
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}

/**
 * The primary key of a row by its stored cells, with the columns' names of today, for a query of
 * today; null when it lacks some.
 */
export function keyCellsOf(cells: Cells, today: Schema): WholeKey | null {
  const columns = today.pk.map((id) => today.cols.find((one) => one.id === id))
  if (!columns.every((column) => column !== undefined)) return null
  return wholeKey(columns, (name) => {
    const column = columns.find((one) => one.name === name)
    const cell = column && cells.get(column.id)
    return column && cell && cellText(column.type, cell)
  })
}

/** One column of a changed row. Undefined: not known; null: NULL. */
export type ChangedCell = {
  id: number
  name: string
  type: string
  isKey: boolean
  before: string | null | undefined
  after: string | null | undefined
  isChanged: boolean
}

/** What a transaction did to a row. */
export type RowChange = {
  /** Null while it is not known whether the row existed before. */
  action: 'inserted' | 'changed' | 'deleted' | 'rewritten' | null
  cells: readonly ChangedCell[]
}

/**
 * A row before and after a transaction.
 * @param before the rows before; undefined while they are asked for, null when they cannot be
 */
export function rowChange(
  entry: TxEntry,
  cells: Cells,
  view: TableView,
  before: RowsBefore | undefined | null,
): RowChange {
  const { written, today } = view
  const key = today && keyCellsOf(cells, today)
  const found = key && before?.get(keyOf(key.map(({ value }) => value)))
  // A deletion repeats the row that it deletes.
  const old: Old = entry.isDeleted
    ? { kind: 'cells', cells }
    : before && key && found !== null
      ? found
        ? { kind: 'row', row: found, today: new Map(today.cols.map((one) => [one.id, one])) }
        : { kind: 'none' }
      : { kind: 'unknown' }
  const shown = columnsIn(cells, written).map((column): ChangedCell => {
    const was = valueBefore(old, column)
    const cell = cells.get(column.id)
    const now = entry.isDeleted ? null : cell ? cellText(column.type, cell) : null
    const isKnown = was !== undefined && old.kind === 'row'
    return {
      id: column.id,
      name: column.name,
      type: column.type,
      isKey: written.pk.includes(column.id),
      before: was,
      after: now,
      isChanged: isKnown && !entry.isDeleted && !isSame(column.type, was, now),
    }
  })
  return { action: actionOf(entry, old, shown), cells: shown }
}

type Old =
  | { kind: 'unknown' }
  | { kind: 'none' }
  | { kind: 'cells'; cells: Cells }
  | {
      kind: 'row'
      row: ReadonlyMap<string, { type: string; value: string | null }>
      today: ReadonlyMap<number, Column>
    }

/** The columns of the table, and cells of columns that it no longer has. */
function columnsIn(cells: Cells, { cols }: Schema): Column[] {
  const known = new Set(cols.map(({ id }) => id))
  const dropped = [...cells.keys()].filter((id) => !known.has(id))
  return [...cols, ...dropped.map((id) => ({ id, name: '', type: 'BLOB', maxLen: 0 }))]
}

function valueBefore(old: Old, { id, type }: Column): string | null | undefined {
  if (old.kind === 'none') return null
  if (old.kind === 'cells') {
    const cell = old.cells.get(id)
    return cell ? cellText(type, cell) : null
  }
  if (old.kind === 'unknown') return undefined
  const column = old.today.get(id)
  return column && old.row.get(column.name)?.value
}

function actionOf(
  { isDeleted }: TxEntry,
  old: Old,
  cells: readonly ChangedCell[],
): RowChange['action'] {
  if (isDeleted) return 'deleted'
  if (old.kind === 'none') return 'inserted'
  if (old.kind !== 'row') return null
  return cells.some(({ isChanged }) => isChanged) ? 'changed' : 'rewritten'
}

function isSame(type: string, was: string | null, now: string | null | undefined): boolean {
  if (was === null || now === null || now === undefined) return was === now
  if (type === 'FLOAT') return Object.is(Number(was), Number(now))
  if (type === 'JSON') return jsonMatch(was, now) !== 'differs'
  return was === now
}
