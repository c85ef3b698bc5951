import { type ImportType, typeText, type WireValue } from './import-types'
import { quoteName } from './names'
import type { ParamSql, SqlParam } from './restore'

/** A column that an import fills. */
export type ImportColumn = {
  readonly name: string
  readonly type: ImportType
  /** The place of its field in a record, from 0. */
  readonly from: number
  readonly isNullable: boolean
}

/** Where rows go. */
export type ImportTarget = {
  readonly table: string
  readonly columns: readonly ImportColumn[]
  /** The primary key in its order; the server fills `autoKey` when it is not null. */
  readonly key: readonly string[]
  readonly autoKey: string | null
}

/** A row as it is sent, in the order of the columns; null is NULL. */
export type ImportRow = {
  /** From 1, in the order of the file; a header and blank lines do not count. */
  readonly number: number
  readonly line: number
  readonly values: readonly (WireValue | null)[]
}

/** Entries that one transaction of immudb 1.11.1 may have. */
export const mostEntries = 1_024

/** Rows that one transaction takes: each is an entry, and one more in each index. */
export function rowsPerTransaction(indexes: number, limit = mostEntries): number {
  return Math.max(1, Math.floor(Math.min(limit, mostEntries) / (1 + indexes)))
}

export function createTableSql({ table, columns, key, autoKey }: ImportTarget): string {
  const auto = autoKey === null ? [] : [`${quoteName(autoKey)} INTEGER AUTO_INCREMENT`]
  const others = columns.map(({ name, type, isNullable }) => {
    const isRequired = !isNullable && !key.includes(name)
    return `${quoteName(name)} ${typeText(type)}${isRequired ? ' NOT NULL' : ''}`
  })
  const names = key.map(quoteName)
  const keyText = names.length === 1 ? names[0] : `(${names.join(', ')})`
  const lines = [...auto, ...others, `PRIMARY KEY ${keyText}`].map((line) => `  ${line}`)
  return `CREATE TABLE ${quoteName(table)} (\n${lines.join(',\n')}\n);`
}

/** Numbers that the server reads from a statement as it reads them from a parameter. */
const plainInteger = /^-?\d{1,15}$/
const plainFloat = /^-?\d{1,15}\.\d{1,15}$/

/**
 * One INSERT of all rows. No text of the file is ever part of the statement. The server spends much
 * of its time on reading parameters: equal values share one, and NULL, booleans and plain numbers
 * are written out.
 */
export function insertSql(
  { table, columns }: Pick<ImportTarget, 'table' | 'columns'>,
  rows: readonly ImportRow[],
): ParamSql {
  const params: SqlParam[] = []
  const known = new Map<string, string>()
  const nameOf = (value: WireValue): string => {
    const [kind = '', content] = Object.entries(value)[0] ?? []
    const id = `${kind}${content}`
    const found = known.get(id)
    if (found !== undefined) return found
    const name = `p${params.length}`
    params.push({ name, value })
    known.set(id, `@${name}`)
    return `@${name}`
  }
  const written = (value: WireValue | null, type: string | undefined): string => {
    if (value === null) return 'NULL'
    if (value.b !== undefined) return value.b ? 'TRUE' : 'FALSE'
    if (value.n !== undefined && plainInteger.test(`${value.n}`)) return `${value.n}`
    if (value.f !== undefined && plainFloat.test(`${value.f}`)) return `${value.f}`
    return type === 'FLOAT' && value.s !== undefined
      ? `CAST(${nameOf(value)} AS FLOAT)`
      : nameOf(value)
  }
  const types = columns.map(({ type }) => type.name)
  const tuples = rows.map(
    ({ values }) => `(${values.map((value, at) => written(value, types[at])).join(',')})`,
  )
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  return { sql: `INSERT INTO ${quoteName(table)} (${names}) VALUES ${tuples.join(',')};`, params }
}

/** The values of a row's key; null when the server makes them. */
function keyValues({ columns, key, autoKey }: ImportTarget, row: ImportRow) {
  if (autoKey !== null) return null
  return key.map((name) => {
    const at = columns.findIndex((column) => column.name === name)
    return { name, type: columns[at]?.type.name, value: row.values[at] ?? null }
  })
}

/**
 * The numbers of the rows whose keys are in the table, as of a transaction if one is given. Each is
 * looked up by its key, because immudb reads the whole table for an IN.
 */
export function presentKeysSql(
  target: ImportTarget,
  rows: readonly ImportRow[],
  until?: string,
): ParamSql {
  const params: SqlParam[] = []
  const period = until === undefined ? '' : ` UNTIL TX ${BigInt(until)}`
  const selects = rows.map((row) => {
    const conditions = (keyValues(target, row) ?? []).map(({ name, type, value }) => {
      const param = `p${params.length}`
      params.push({ name: param, value: value ?? {} })
      const isText = type === 'UUID' || (type === 'FLOAT' && value?.s !== undefined)
      return `${quoteName(name)} = ${isText ? `CAST(@${param} AS ${type})` : `@${param}`}`
    })
    return `SELECT ${row.number} FROM ${quoteName(target.table)}${period} WHERE ${conditions.join(' AND ')}`
  })
  return { sql: `${selects.join(' UNION ALL ')};`, params }
}

/** The largest key of a table that counts by itself, as of a transaction. */
export function lastKeySql({ table, autoKey }: ImportTarget, until: string): string {
  return `SELECT MAX(${quoteName(autoKey ?? '')}) FROM ${quoteName(table)} UNTIL TX ${BigInt(until)};`
}

/** The rows with larger keys than one, in their order, at most so many. */
export function rowsAfterSql(
  { table, autoKey, columns }: ImportTarget,
  after: string,
  limit: number,
): ParamSql {
  const key = quoteName(autoKey ?? '')
  const names = [key, ...columns.map(({ name }) => quoteName(name))].join(', ')
  return {
    sql: `SELECT ${names} FROM ${quoteName(table)} WHERE ${key} > @after ORDER BY ${key} ASC LIMIT ${limit};`,
    params: [{ name: 'after', value: { n: after } }],
  }
}

/**
 * Whether a row of a result has the values of a row of the file. JSON is left out, because immudb
 * writes it anew.
 */
export function hasValues(
  columns: readonly ImportColumn[],
  row: ImportRow,
  found: readonly (string | null)[],
): boolean {
  return columns.every(({ type }, at) => {
    if (type.name === 'JSON') return true
    const sent = row.values[at] ?? null
    const there = found[at] ?? null
    if (sent === null || there === null) return sent === there
    const text = String(Object.values(sent)[0])
    return type.name === 'FLOAT' ? Object.is(Number(text), Number(there)) : text === there
  })
}
