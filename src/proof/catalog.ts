import { utf8Text, viewOf } from './bytes'
import { refusalOf } from './failure'
import type { Column, Schema } from './schema'
import { fixedSize, isSqlType } from './sql-type'

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

const badCatalog = refusalOf('row-encoding', 'content')

const sqlPrefix = 2
const hasDefault = 4
const primaryIndex = 0

export const emptyCatalog = (): Catalog => new Map()

/**
 * Takes in one entry of the history; entries must come in the order of their transactions.
 * @param key the stored key, with its prefix
 * @param value the stored value; null for a deleted entry
 * @returns whether the entry is one of the catalog
 * @throws ProofError `row-encoding` for an entry of the catalog that cannot be read
 */
export function readCatalogEntry(
  catalog: Catalog,
  key: Uint8Array,
  value: Uint8Array | null,
): boolean {
  const name = key[0] === sqlPrefix ? utf8Text(key.subarray(1, 12)) : ''
  const [, kind = ''] = /^CTL\.(TABLE|COLUMN|INDEX)\./.exec(name) ?? []
  if (kind === '') return false
  const ids = key.subarray(1 + 'CTL..'.length + kind.length)
  const count = kind === 'TABLE' ? 2 : 3
  if (ids.length < count * 4 || viewOf(ids).getUint32(0) !== 1) throw badCatalog('key')
  const tableId = viewOf(ids).getUint32(4)
  const table = catalog.get(tableId) ?? { name: null, cols: new Map(), pk: [] }
  catalog.set(tableId, table)
  if (kind === 'TABLE') table.name = value && utf8Text(value)
  else {
    const id = viewOf(ids).getUint32(8)
    if (kind === 'COLUMN')
      table.cols.set(id, value && column(id, utf8Text(ids.subarray(12)), value))
    else if (id === primaryIndex) table.pk = value ? columnsOfIndex(value) : []
  }
  return true
}

/** `flags(1) maxLen(4) name`, or with a default `flags(1) maxLen(4) u16(length) name default`. */
function column(id: number, type: string, value: Uint8Array): Column {
  if (!isSqlType(type) || value.length < 6) throw badCatalog('column')
  const view = viewOf(value)
  let name = value.subarray(5)
  if (view.getUint8(0) & hasDefault && value.length >= 7) {
    const end = 7 + view.getUint16(5)
    if (value.length < end) throw badCatalog('column')
    name = value.subarray(7, end)
  }
  return { id, name: utf8Text(name), type, maxLen: fixedSize(type) ?? view.getUint32(1) }
}

/** `unique(1)`, then `u32(column) 00` for each. */
function columnsOfIndex(value: Uint8Array): number[] {
  if (value.length < 6 || value.length % 5 !== 1) throw badCatalog('index')
  const view = viewOf(value)
  return Array.from({ length: (value.length - 1) / 5 }, (_, at) => view.getUint32(1 + at * 5))
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
