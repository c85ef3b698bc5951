import { fromBase64, utf8Text } from '~/proof/bytes'
import type { Schema } from '~/proof/schema'
import { fixedSize } from '~/proof/sql-type'
import {
  type StoredCheck,
  type StoredColumn,
  type StoredIndex,
  storedCheck,
  storedColumn,
  storedIndex,
} from '~/proof/stored-entry'
import type { CatalogueWrite } from './reading'

/** A table as its entries in the catalogue describe it, by the numbers of its parts. */
export type TableState = {
  /** Null before it has one and after it was dropped. */
  name: string | null
  columns: Map<number, StoredColumn & { type: string }>
  /** The index 0 is the primary key. */
  indexes: Map<number, StoredIndex>
  checks: Map<number | string, StoredCheck>
}

export type TableStates = ReadonlyMap<number, TableState>

/**
 * The tables after all of these changes, which must be complete from the first transaction on and
 * in order.
 */
export function replay(changes: Iterable<CatalogueWrite>): TableStates {
  const tables = new Map<number, TableState>()
  for (const change of changes) apply(tables, change)
  return tables
}

function apply(tables: Map<number, TableState>, { of, value, ...change }: CatalogueWrite): void {
  if (change.isOfCollections || !('tableId' in of)) return
  const table = tables.get(of.tableId) ?? emptyTable()
  tables.set(of.tableId, table)
  const bytes = change.isDeleted || value === null ? null : fromBase64(value)
  switch (of.part) {
    case 'table':
      table.name = bytes && utf8Text(bytes)
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
  return { name: null, columns: new Map(), indexes: new Map(), checks: new Map() }
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
