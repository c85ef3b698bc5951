import { utf8Text } from './kernel/bytes'
import type { EntryMetadata } from './kernel/entry'
import type { Column, Schema } from './kernel/schema'
import { fixedSize, isSqlType } from './kernel/sql-type'
import { refusalOf } from './kernel/steps'
import { storedColumn, storedEntry, storedIndex } from './stored-entry'

/**
 * The tables of a database by its own history, VERIFY.md 7.8, from the entries below `CTL.`. Proofs
 * cover these, unlike the schema that comes with a row. `loadCatalog` of embedded/sql/catalog.go.
 */
export type Catalog = Map<number, Table>

type Table = {
  /** Null before the table has a name and after it was dropped. */
  name: string | null
  /** Null for a dropped column. Its id is never reused. */
  cols: Map<number, Column | null>
  pk: number[]
}

/** How the key of each of its entries begins, in base64: 2, then `CTL`. */
export const catalogStart = 'AkNUT'

const badCatalog = refusalOf('row-encoding', 'content')

const primaryIndex = 0

const plain = { expiresAt: null, nonIndexable: false }

export const emptyCatalog = (): Catalog => new Map()

/**
 * Takes in one entry of the history; entries must come in the order of their transactions. immudb
 * reads its catalog from its index, which passes over entries that are not indexable (`indexSince` of
 * embedded/store/indexer.go), and refuses a catalog with an entry that expires (`iteratePrefix` of
 * embedded/sql/catalog.go).
 * @param key the stored key, with its prefix
 * @param value the stored value; null for a deleted entry
 * @returns whether the entry is one of the catalog
 * @throws ProofError `row-encoding` for an entry of the catalog that cannot be read
 */
export function readCatalogEntry(
  catalog: Catalog,
  key: Uint8Array,
  value: Uint8Array | null,
  { expiresAt, nonIndexable }: Pick<EntryMetadata, 'expiresAt' | 'nonIndexable'> = plain,
): boolean {
  const entry = storedEntry(key)
  if (entry.kind !== 'catalogue' || nonIndexable) return false
  const { of } = entry
  if (expiresAt !== null) throw badCatalog('metadata')
  if (of.part === 'unreadable') {
    if (tableParts.includes(of.text)) throw badCatalog('key')
    return false
  }
  if (of.part === 'table') tableIn(catalog, of.tableId).name = value && utf8Text(value)
  else if (of.part === 'column') {
    const column = value && readColumn(of.columnId, of.type, value)
    tableIn(catalog, of.tableId).cols.set(of.columnId, column)
  } else if (of.part === 'index') {
    const table = tableIn(catalog, of.tableId)
    if (of.indexId === primaryIndex) table.pk = value ? columnsOfIndex(value) : []
  }
  return ['table', 'column', 'index'].includes(of.part)
}

/** The parts that describe rows. */
const tableParts = ['TABLE', 'COLUMN', 'INDEX']

function tableIn(catalog: Catalog, tableId: number): Table {
  const table = catalog.get(tableId) ?? { name: null, cols: new Map(), pk: [] }
  catalog.set(tableId, table)
  return table
}

function readColumn(id: number, type: string, value: Uint8Array): Column {
  const stored = isSqlType(type) ? storedColumn(value) : null
  if (!stored) throw badCatalog('column')
  return { id, name: stored.name, type, maxLen: fixedSize(type) ?? stored.maxLen }
}

function columnsOfIndex(value: Uint8Array): number[] {
  const stored = storedIndex(value)
  if (!stored) throw badCatalog('index')
  return stored.columnIds
}

/** The existing tables in the order of their ids, in the form that the server should claim. */
export function schemasOf(catalog: Catalog): Schema[] {
  return [...catalog]
    .sort(([one], [other]) => one - other)
    .flatMap(([tableId, { name, cols, pk }]) => {
      const columns = [...cols.values()].filter((each) => each !== null)
      columns.sort((one, other) => one.id - other.id)
      return name === null ? [] : [{ table: name, tableId, pk, cols: columns, maxColId: cols.size }]
    })
}
