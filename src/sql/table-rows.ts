import { isOrdered } from '~/immudb/column-types'
import type { Feature } from '~/immudb/server-versions'
import { type KeyColumn, type Keyed, plainType, primaryKey, type Seek, soughtKey } from './keyset'
import { literalOf } from './literals'
import { quoteName } from './names'
import { newParams, type Param } from './params'
import { filterSql, type Operator, type RowFilter, type RowOrder } from './row-filter'

/** How the rows of a table are gone through. */
export type RowPath = {
  /** Columns of the index that gives the order; none for a view. */
  readonly index: readonly string[]
  /** Columns whose values say where a row is; null where rows have to be counted off. */
  readonly key: readonly KeyColumn[] | null
  readonly isDescending: boolean
  /** No index gives the order: for each page the server reads every row and sorts. */
  readonly isSorted?: true
  /** The server takes one column to order by, as immudb up to 1.5: the index gives the others. */
  readonly isLed?: true
}

/** One stretch of the rows of a table. */
export type RowsAsked = {
  readonly table: string
  /** Such as `UNTIL TX 5`; empty for now. */
  readonly period: string
  readonly filter: RowFilter
  readonly path: RowPath
  /** Where the stretch begins; null at the first row. */
  readonly seek: Seek | null
  /** Rows to skip where they are counted off. */
  readonly skip: number
  readonly limit: number
  /** The last rows come first. */
  readonly isBackwards: boolean
  /** Only the columns that say where a row is. */
  readonly isKeyOnly?: boolean
}

export type Statement = { readonly sql: string; readonly params: readonly Param[] }

/** The statement for a stretch of rows; every value is a parameter. */
export function rowsSql(asked: RowsAsked, typeOf: (column: string) => string): Statement {
  const params = newParams()
  const condition = filterSql(asked.filter, params, typeOf)
  const seek = (asked.seek ?? []).map(
    ({ name, type, sign, value }) => `${quoteName(name)} ${sign} ${params.add(type, value)}`,
  )
  const isBoth = condition !== '' && seek.length > 0
  // In front: the server lets an OR on a column forget what stood before it.
  const conditions = [...(condition === '' ? [] : [isBoth ? `(${condition})` : condition]), ...seek]
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  const skip = asked.skip > 0 ? ` OFFSET ${asked.skip}` : ''
  const columns = asked.isKeyOnly
    ? (asked.path.key ?? []).map(({ name }) => quoteName(name))
    : ['*']
  const sql = `SELECT ${columns.join(', ')} FROM ${from(asked)}${where}${orderSql(asked, typeOf)} LIMIT ${asked.limit}${skip};`
  return { sql, params: params.list }
}

type From = Pick<RowsAsked, 'table' | 'period' | 'path'>

function from({ table, period, path }: From): string {
  const parts = [quoteName(table)]
  if (period !== '') parts.push(period)
  if (path.index.length > 0 && !path.isSorted)
    parts.push(`USE INDEX ON (${path.index.map(quoteName).join(', ')})`)
  return parts.join(' ')
}

function orderSql(
  { path, isBackwards }: Pick<RowsAsked, 'path' | 'isBackwards'>,
  typeOf: (column: string) => string,
): string {
  if (path.index.length === 0) return ''
  const word = path.isDescending !== isBackwards ? 'DESC' : 'ASC'
  const terms = path.index.slice(0, path.isLed ? 1 : undefined).flatMap((column) => {
    const name = quoteName(column)
    return isByFloat({ ...path, index: [column] }, typeOf) ? floatTerms(name) : [name]
  })
  return ` ORDER BY ${terms.map((term) => `${term} ${word}`).join(', ')}`
}

/** Whether the server sorts by a column of FLOAT, which takes more than its name. */
function isByFloat(
  { index, isSorted }: Pick<RowPath, 'index' | 'isSorted'>,
  typeOf: (column: string) => string,
): boolean {
  return isSorted === true && index.some((column) => typeOf(column) === 'FLOAT')
}

/** What a server must have for the order of a path, such as that of a link. */
export function orderNeeds(path: RowPath, typeOf: (column: string) => string): Feature[] {
  if (!path.isSorted) return []
  return isByFloat(path, typeOf) ? ['anyOrder', 'floatOrder'] : ['anyOrder']
}

/**
 * NaN between NULL and the numbers. immudb 1.11.1 finds NaN smaller than whatever it is compared
 * with (`embedded/sql/stmt.go`), itself included, so that a sort with one in it gives rows twice.
 */
function floatTerms(name: string): string[] {
  return [`CASE WHEN ${name} != ${name} THEN NULL ELSE ${name} END`, `${name} != ${name}`]
}

/**
 * The statement for all rows of a filter and an order, without an end for a page to stand behind;
 * every value is a parameter.
 */
export function allRowsSql(
  asked: Pick<RowsAsked, 'table' | 'period' | 'filter' | 'path'>,
  typeOf: (column: string) => string,
): Statement {
  const params = newParams()
  const condition = filterSql(asked.filter, params, typeOf)
  const where = condition === '' ? '' : ` WHERE ${condition}`
  const sql = `SELECT * FROM ${from(asked)}${where}${orderSql({ ...asked, isBackwards: false }, typeOf)}`
  return { sql, params: params.list }
}

/** The rows of a filter and an order as a statement to be read and changed, with its values. */
export function shownSql(
  { table, filter, path }: Pick<RowsAsked, 'table' | 'filter' | 'path'>,
  typeOf: (column: string) => string,
): string {
  const condition = filterSql(filter, { add: literalOf }, typeOf)
  const where = condition === '' ? '' : `\nWHERE ${condition}`
  const order = orderSql({ path, isBackwards: false }, typeOf).replace(/^ /, '\n')
  return `SELECT * FROM ${quoteName(table)}${where}${order};`
}

/** The statement that counts the rows that a filter lets through. */
export function countSql(
  { table, period, filter }: Pick<RowsAsked, 'table' | 'period' | 'filter'>,
  typeOf: (column: string) => string,
): Statement {
  const params = newParams()
  const condition = filterSql(filter, params, typeOf)
  const where = condition === '' ? '' : ` WHERE ${condition}`
  const of = from({ table, period, path: { index: [], key: null, isDescending: false } })
  return { sql: `SELECT COUNT(*) FROM ${of}${where};`, params: params.list }
}

/**
 * How the rows of a table are gone through in an order: by an index where one begins with the
 * column and its values can be sought, else sorted by the server. Null where it can do neither.
 */
export function pathOf(of: Keyed, { column, isDescending }: RowOrder): RowPath | null {
  const key = primaryKey(of)
  const own = key.map(({ name }) => name)
  if (column === null || column === own[0]) {
    return { index: own, key: soughtKey(key), isDescending }
  }
  const index = (of.indexes ?? [])
    .filter(({ columns, isPrimary }) => !isPrimary && columns[0] === column)
    .sort((one, other) => one.columns.length - other.columns.length)[0]
  if (index) {
    const rest = key.filter(({ name }) => !index.columns.includes(name))
    const named = index.columns.flatMap((name) => of.columns.find((one) => one.name === name) ?? [])
    const sought = soughtKey([...named, ...rest])
    if (sought) return { index: index.columns, key: sought, isDescending }
  }
  const by = of.columns.find(({ name }) => name === column)
  if (!by || !isSortable(by) || own.length === 0) return null
  // The key behind it leaves no two rows without an order between them.
  const others = key.filter(({ name }) => name !== column)
  return {
    index: [column, ...others.map(({ name }) => name)],
    key: soughtKey([by, ...others]),
    isDescending,
    isSorted: true,
  }
}

/** The server finds no order between JSON values. */
export function isSortable({ type }: Pick<KeyColumn, 'type'>): boolean {
  return isOrdered(plainType(type))
}

/**
 * The same for a view, which has neither key nor index: rows that are equal in every column that
 * has an order may change places from page to page.
 */
export function viewPath(columns: readonly KeyColumn[], order: RowOrder): RowPath | null {
  const by = columns.find(({ name }) => name === order.column)
  const hasNames = new Set(columns.map(({ name }) => name)).size === columns.length
  if (!by || !isSortable(by) || !hasNames) return null
  const others = columns.filter((one) => one !== by && isSortable(one))
  const index = [by, ...others].map(({ name }) => name)
  return { index, key: null, isDescending: order.isDescending, isSorted: true }
}

const bounds: ReadonlySet<Operator> = new Set(['<', '<=', '>', '>=', 'BETWEEN'])

/**
 * A column of times for which rows may be missing; null for none. An index of immudb 1.11.1 keeps
 * times in 64 bits of nanoseconds (`embedded/sql/catalog.go`), so those before 1677 or after 2262
 * stand elsewhere in it. Bounds on the column leave them out: those by which a further page begins,
 * and those of a filter, which immudb uses up to the first column of the index without one.
 */
export function unsureTime(
  { columns }: { readonly columns: readonly KeyColumn[] },
  { index, key, isSorted }: RowPath,
  { isAny, conditions }: RowFilter,
  isPaged: boolean,
): string | null {
  const typeOf = typesOf(columns)
  const isTime = (column: string) => typeOf(column) === 'TIMESTAMP'
  if (isSorted) return null
  const sought = isPaged ? key?.find(({ name }) => isTime(name)) : undefined
  if (sought) return sought.name
  const isBound = (column: string) =>
    conditions.some((one) => one.column === column && bounds.has(one.operator))
  const isNarrowed = (column: string) =>
    isBound(column) || conditions.some((one) => one.column === column && one.operator === '=')
  const found = index.find(
    (column, at) => isTime(column) && isBound(column) && index.slice(0, at).every(isNarrowed),
  )
  const isAlone = !isAny || conditions.every(({ column }) => column === found)
  return found !== undefined && isAlone ? found : null
}

/** Gives the type of each column without its length. */
export function typesOf(columns: readonly KeyColumn[]): (column: string) => string {
  const types = new Map(columns.map(({ name, type }) => [name, plainType(type)]))
  return (column) => types.get(column) ?? 'VARCHAR'
}
