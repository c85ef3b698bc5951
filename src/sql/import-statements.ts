import { usualEntryLimit } from '~/immudb/entry-limit'
import {
  type FieldRule,
  type ImportType,
  type ImportTypeName,
  typeText,
  type WireValue,
} from './import-types'
import { quoteName } from './names'
import type { ParamSql, SqlParam } from './restore'

/** A column that an import fills. */
export type ImportColumn = {
  readonly name: string
  readonly type: ImportType
  /** The place of its field in a record, from 0. */
  readonly from: number
  readonly isNullable: boolean
  /** How its fields are read; null: as SQL and ISO 8601 write them. */
  readonly rule: FieldRule | null
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

/** Rows that one transaction takes: each is an entry, and one more in each index. */
export function rowsPerTransaction(indexes: number, limit = usualEntryLimit): number {
  return Math.max(1, Math.floor(Math.min(limit, usualEntryLimit) / (1 + indexes)))
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
/** Texts that cannot end their quotes, whatever reads them: no quote, backslash or line end. */
const plainText = /^[\w .,:;!?@#$%&*+=/()[\]<>-]{0,256}$/

/**
 * One INSERT of all rows. The gateway of the server spends more time on a parameter than the rest
 * of it on the value, so a value is a parameter only where it must be: NULL, booleans, times and
 * plain numbers and texts are written out, and equal values share a parameter. A text with any
 * character that could mean something to the parser is never part of the statement.
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
  const types = columns.map(({ type }) => type.name)
  const tuples = rows.map(
    ({ values }) => `(${values.map((value, at) => written(value, types[at], nameOf)).join(',')})`,
  )
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  return { sql: `INSERT INTO ${quoteName(table)} (${names}) VALUES ${tuples.join(',')};`, params }
}

/** Whether the server makes a value when it stores the row, so that nobody knows it before. */
export const isCall = (value: WireValue): boolean => 'call' in value

/** What the server is asked to make, as SQL has it. */
export const callText = ({ call }: WireValue): string =>
  call === 'now' ? 'NOW()' : 'RANDOM_UUID()'

function written(
  value: WireValue | null,
  type: ImportTypeName | undefined,
  nameOf: (value: WireValue) => string,
): string {
  if (value === null) return 'NULL'
  if (isCall(value)) return callText(value)
  const { b, n, f, s, ts } = value
  if (b !== undefined) return b ? 'TRUE' : 'FALSE'
  if (n !== undefined && plainInteger.test(`${n}`)) return `${n}`
  if (f !== undefined) {
    const text = Number.isInteger(f) ? `${f}.0` : `${f}`
    if (plainFloat.test(text)) return text
  }
  if (type === 'VARCHAR' && typeof s === 'string' && plainText.test(s)) return `'${s}'`
  if (ts !== undefined && Number.isSafeInteger(Number(ts))) {
    return `CAST(${timeText(Number(ts))} AS TIMESTAMP)`
  }
  return type === 'FLOAT' && s !== undefined ? `CAST(${nameOf(value)} AS FLOAT)` : nameOf(value)
}

/**
 * Microseconds since 1970, a safe integer and so a year of four digits, as immudb casts them
 * soonest: whole seconds as a number, and others as `'2024-05-06 07:08:09.123456 UTC'`, the first of
 * the forms that it tries.
 */
function timeText(micros: number): string {
  if (micros >= 0 && micros % 1_000_000 === 0) return `${micros / 1_000_000}`
  const millis = Math.floor(micros / 1_000)
  const text = new Date(millis).toISOString()
  const rest = String(micros - millis * 1_000).padStart(3, '0')
  const clock = `${text.slice(11, 23)}${rest}`.replace(/\.?0+$/, '')
  return `'${text.slice(0, 10)} ${clock} UTC'`
}

/** Whether the file tells the whole key of a row, by which it is found again. */
export function hasWholeKey(
  { columns, key }: ImportTarget,
  { values }: Pick<ImportRow, 'values'>,
): boolean {
  return key.every((name) => {
    const value = values[columns.findIndex((column) => column.name === name)]
    return value != null && !isCall(value)
  })
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
 * writes it again, and so is what the server made.
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
    if (sent !== null && isCall(sent)) return there !== null
    if (sent === null || there === null) return sent === there
    const text = String(Object.values(sent)[0])
    return type.name === 'FLOAT' ? Object.is(Number(text), Number(there)) : text === there
  })
}
