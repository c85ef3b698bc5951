import { anyFields, count, countOf, type Fields, list, text } from './read'
import { isSqlType } from './sql-type'
import { malformed, ProofError } from './steps'

export type Column = {
  id: number
  name: string
  /** As the catalog calls it, such as `VARCHAR`. */
  type: string
  /** 0 for no limit. */
  maxLen: number
}

/** A table as an answer describes it. No proof covers it, so pin it, VERIFY.md 7.6. */
export type Schema = {
  table: string
  tableId: number
  /** Ids of the primary key's columns, in the order of the key. */
  pk: number[]
  /** In the order of their ids. */
  cols: Column[]
  /** The highest id ever used; unused ids below it belong to dropped columns. */
  maxColId: number
}

export const schemaFields =
  'DatabaseId TableId PKIDs ColNamesById ColIdsByName ColTypesById ColLenById MaxColId'

/** Whether an answer describes its table as immudb did up to 1.5: without the highest id ever used. */
export function isOlderForm(fields: Fields): boolean {
  return count(fields, 'MaxColId', largest) === 0
}

/**
 * Reads the schema in an answer of `/db/verifiable/sqlget` and checks that it is consistent. Versions
 * with the older form cannot drop columns, so that the highest id is that of the last one; up to 1.4
 * names begin with the database.
 */
export function claimedSchema(fields: Fields, table: string, db: string): Schema {
  const map = (name: string) => anyFields(fields[name] ?? {}, name)
  const [names, types, lengths] = [map('ColNamesById'), map('ColTypesById'), map('ColLenById')]
  const cols = Object.keys(names).map((key) => ({
    id: /^[1-9]\d*$/.test(key) ? Number(key) : malformed('ColNamesById'),
    name: text(names, key),
    type: text(types, key),
    maxLen: count(lengths, key, largest),
  }))
  cols.sort((one, other) => one.id - other.id)
  const pk = list(fields, 'PKIDs').map((id) => countOf(id, 'PKIDs'))
  count(fields, 'DatabaseId', largest)
  const tableId = count(fields, 'TableId', largest)
  const isOlder = isOlderForm(fields)
  const maxColId = isOlder ? (cols.at(-1)?.id ?? 0) : count(fields, 'MaxColId', largest)
  const ids = map('ColIdsByName')
  const isNamed = ({ id, name }: Column) =>
    ids[`(${table}.${name})`] === id || (isOlder && ids[`(${db}.${table}.${name})`] === id)
  const isRight = cols.every((col) => col.id <= maxColId && isSqlType(col.type) && isNamed(col))
  const isComplete = [types, ids].every((each) => Object.keys(each).length === cols.length)
  const hasNoMore = Object.keys(lengths).every((key) => Object.hasOwn(names, key))
  const isKey = pk.length > 0 && new Set(pk).size === pk.length && pk.every((id) => names[id])
  if (!isRight || !isComplete || !hasNoMore || !isKey) malformed('schema')
  return { table, tableId, pk, cols, maxColId }
}

const largest = 0xffff_ffff

/** @throws ProofError `schema-changed` when a pinned schema is not the claimed one */
export function checkPinned(claimed: Schema, pinned: Schema | null): void {
  if (pinned === null || isSameSchema(pinned, claimed)) return
  throw new ProofError('schema-changed', 'content', 'schema')
}

/** Whether two descriptions of a table are equal in any order. */
export function isSameSchema(one: Schema, other: Schema): boolean {
  return writeSchema(one) === writeSchema(other)
}

/** The same text for the same schema in any order of its fields and columns. */
function writeSchema({ table, tableId, pk, cols, maxColId }: Schema): string {
  const columns: readonly (Column | null)[] = Array.isArray(cols) ? cols : []
  const sorted = columns
    .map((col) => [col?.id ?? 0, col?.name, col?.type, col?.maxLen] as const)
    .sort((a, b) => a[0] - b[0])
  return JSON.stringify([table, tableId, pk, sorted, maxColId])
}
