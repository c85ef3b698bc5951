import type { CatalogueWrite } from '~/core/history/transaction-reader'
import { fromBase64, utf8Text } from '~/proof/kernel/bytes'
import type { Schema } from '~/proof/kernel/schema'
import { fixedSize } from '~/proof/kernel/sql-type'
import {
  type StoredCheck,
  type StoredColumn,
  type StoredIndex,
  storedCheck,
  storedColumn,
  storedIndex,
} from '~/proof/stored-entry'

/** A table as its entries in the catalogue describe it, by the numbers of its parts. */
export type TableState = {
  /** Null before it has one and after it was dropped. */
  name: string | null
  columns: Map<number, StoredColumn & { type: string }>
  /** The index 0 is the primary key. */
  indexes: Map<number, StoredIndex>
  checks: Map<number | string, StoredCheck>
  /** Whether the server no longer has some of this, as after a truncation. */
  isPartial: boolean
  /** The transaction that dropped it; null while it is there. */
  droppedTx: string | null
}

export type TableStates = ReadonlyMap<number, TableState>

/**
 * The tables after all of these changes, which must be complete from the first transaction on and
 * in order.
 */
export function replay(changes: Iterable<CatalogueWrite>): TableStates {
  const tables = new Map<number, TableState>()
  const copies = new Map<number, string>()
  for (const change of changes) {
    const { of, tx, isCopy } = change
    if (change.isOfCollections || !('tableId' in of)) continue
    // A copy has the whole table, also where what came before was removed.
    if (isCopy && copies.get(of.tableId) !== tx) tables.delete(of.tableId)
    if (isCopy) copies.set(of.tableId, tx)
    const table = tables.get(of.tableId) ?? emptyTable()
    tables.set(of.tableId, table)
    apply(table, change, of)
  }
  return tables
}

type OfTable = Extract<CatalogueWrite['of'], { tableId: number }>

function apply(table: TableState, { tx, value, isDeleted }: CatalogueWrite, of: OfTable): void {
  const bytes = isDeleted || value === null ? null : fromBase64(value)
  if (!isDeleted && bytes === null) table.isPartial = true
  switch (of.part) {
    case 'table':
      table.name = bytes && utf8Text(bytes)
      table.droppedTx = isDeleted ? tx : null
      break
    case 'column': {
      const column = bytes && storedColumn(bytes)
      put(table.columns, of.columnId, column && { ...column, type: of.type })
      break
    }
    case 'index':
      put(table.indexes, of.indexId, bytes && storedIndex(bytes))
      break
    case 'check':
      put(table.checks, of.check, bytes && storedCheck(bytes))
      break
  }
}

function put<K, V>(map: Map<K, V>, key: K, value: V | null): void {
  if (value === null) map.delete(key)
  else map.set(key, value)
}

function emptyTable(): TableState {
  const parts = { columns: new Map(), indexes: new Map(), checks: new Map() }
  return { name: null, ...parts, isPartial: false, droppedTx: null }
}

/** What decodes the rows of a table; null without a name. */
export function schemaOf(tableId: number, { name, columns, indexes }: TableState): Schema | null {
  if (name === null) return null
  const cols = [...columns].map(([id, { name, type, maxLen }]) => ({
    id,
    name,
    type,
    maxLen: fixedSize(type) ?? maxLen,
  }))
  cols.sort((one, other) => one.id - other.id)
  const pk = indexes.get(0)?.columnIds ?? []
  return { table: name, tableId, pk, cols, maxColId: Math.max(0, ...columns.keys()) }
}

/** What a column of a table was called and what became of it. */
export type ColumnPast = {
  /** From which transaction on it had which name and type, oldest first. */
  readonly names: readonly { readonly tx: string; readonly name: string; readonly type: string }[]
  /** The transaction that dropped it; null while it is there. */
  readonly droppedTx: string | null
}

/**
 * The columns that a table of today ever had, by their numbers; null when it is not among these
 * changes, which must be complete from the first transaction on and in order.
 */
export function columnPasts(
  changes: readonly CatalogueWrite[],
  table: string,
): ReadonlyMap<number, ColumnPast> | null {
  const [tableId] = [...replay(changes)].find(([, { name }]) => name === table) ?? []
  if (tableId === undefined) return null
  const found = new Map<
    number,
    { names: ColumnPast['names'][number][]; droppedTx: string | null }
  >()
  for (const { of, tx, value, isDeleted, isOfCollections, isCopy } of changes) {
    if (isOfCollections || of.part !== 'column' || of.tableId !== tableId) continue
    const past = found.get(of.columnId) ?? { names: [], droppedTx: null }
    found.set(of.columnId, past)
    past.droppedTx = isDeleted ? tx : null
    const column = value === null ? null : storedColumn(fromBase64(value) ?? new Uint8Array())
    const isNew = column && column.name !== past.names.at(-1)?.name
    if (isNew && !isDeleted && !(isCopy && past.names.length > 0)) {
      past.names.push({ tx, name: column.name, type: of.type })
    }
  }
  return found
}

/** The name and type that a column had in a transaction; null when they are not known. */
export function columnAt({ names }: ColumnPast, tx: string) {
  return names.findLast((one) => BigInt(one.tx) <= BigInt(tx)) ?? null
}
