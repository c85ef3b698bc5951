import { malformed, ProofError } from './failure'
import { anyFields, count, countOf, type Fields, list } from './read'
import { isSqlType } from './sql-type'

export type Column = {
  id: number
  name: string
  /** As the catalog calls it, such as `VARCHAR`. */
  type: string
  /** 0 for no limit. */
  maxLen: number
}

/** A table as an answer claims it to be. No proof covers it: pin it, VERIFY.md 7.6. */
export type Schema = {
  table: string
  tableId: number
  /** Ids of the primary key's columns, in the order of the key. */
  pk: number[]
  /** In the order of their ids. */
  cols: Column[]
  /** Ids up to this one have been given; those that no column has are of dropped columns. */
  maxColId: number
}

export const schemaFields =
  'DatabaseId TableId PKIDs ColNamesById ColIdsByName ColTypesById ColLenById MaxColId'.split(' ')

/** Reads what an answer of `/db/verifiable/sqlget` claims, and checks that it makes sense. */
export function claimedSchema(fields: Fields, table: string): Schema {
  count(fields, 'DatabaseId', 0xffff_ffff)
  const maxColId = count(fields, 'MaxColId', 0xffff_ffff)
  const [names, types, lengths] = ['ColNamesById', 'ColTypesById', 'ColLenById'].map((name) =>
    byId(fields, name),
  ) as [Map<number, unknown>, Map<number, unknown>, Map<number, unknown>]
  const ids = [...names.keys()].sort((a, b) => a - b)
  const cols = ids.map((id) => ({
    id,
    name: textOf(names.get(id), 'ColNamesById'),
    type: textOf(types.get(id), 'ColTypesById'),
    maxLen: countOf(lengths.get(id) ?? 0, 'ColLenById'),
  }))
  const pk = list(fields, 'PKIDs').map((id) => countOf(id, 'PKIDs'))
  const schema = { table, tableId: count(fields, 'TableId', 0xffff_ffff), pk, cols, maxColId }
  const isKnown = (id: number) => names.has(id)
  if (![...types.keys(), ...lengths.keys(), ...pk].every(isKnown)) {
    malformed('schema')
  }
  checkSchema(schema, anyFields(fields.ColIdsByName ?? {}, 'ColIdsByName'))
  return schema
}

function checkSchema({ table, pk, cols, maxColId }: Schema, idsByName: Fields): void {
  const isRight = cols.every(
    ({ id, name, type }) =>
      id >= 1 && id <= maxColId && isSqlType(type) && idsByName[`(${table}.${name})`] === id,
  )
  const isComplete = Object.keys(idsByName).length === cols.length
  const isKey = pk.length > 0 && new Set(pk).size === pk.length
  if (!isRight || !isComplete || !isKey) malformed('schema')
}

function byId(fields: Fields, name: string): Map<number, unknown> {
  const given = Object.entries(anyFields(fields[name] ?? {}, name))
  return new Map(
    given.map(([id, value]) => {
      if (!/^[1-9][0-9]{0,9}$/.test(id)) malformed(name)
      return [Number(id), value]
    }),
  )
}

function textOf(value: unknown, what: string): string {
  return typeof value === 'string' && value !== '' ? value : malformed(what)
}

/** @throws ProofError `schema-changed` when a pinned schema is not the claimed one */
export function checkPinned(claimed: Schema, pinned: Schema | null): void {
  if (!pinned || written(pinned) === written(claimed)) return
  throw new ProofError('schema-changed', 'content', 'schema')
}

/** One text for one schema, however its fields and columns are ordered. */
function written({ table, tableId, pk, cols, maxColId }: Schema): string {
  const columns = Array.isArray(cols) ? cols : []
  const sorted = columns
    .map(({ id, name, type, maxLen }) => [id, name, type, maxLen] as const)
    .sort((a, b) => a[0] - b[0])
  return JSON.stringify([table, tableId, pk, sorted, maxColId])
}
