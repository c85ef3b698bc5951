import { keywordOf, nameOf, operatorOf, quoteName } from './names'
import { literalOf, type Shape, shapeOf } from './pages'
import type { ResultColumn } from './result'
import { isTrivia, type Token, tokenize } from './tokens'

/** The one table whose rows a statement shows. */
export type RowSource = {
  readonly table: string
  /** How the statement calls it. */
  readonly qualifier: string
  /**
   * The table's column behind each column of the result, null where it is computed; null as a
   * whole for `*`.
   */
  readonly columns: readonly Item[] | null
  /** What the statement says in each of these places. */
  readonly texts: readonly string[]
}

type Item = { readonly column: string; readonly alias: string } | null

/** Where the columns of a table are in a result. */
export type RowMap = {
  readonly table: string
  /** The primary key in its order, by places in the result. */
  readonly keys: readonly { readonly at: number; readonly column: string }[]
  /** Every place that shows a column of the table, the key's among them. */
  readonly cells: readonly { readonly at: number; readonly column: string }[]
  /** Every other place, in the words of the statement: nothing stored can be compared with it. */
  readonly uncovered: readonly string[]
}

export type Refused = { readonly why: string }

const notOneTable: Refused = {
  why: 'Only rows of one table can be verified. This result joins, groups or combines them, or is not made of rows.',
}

/**
 * Which table's rows a statement shows, told by its text alone; a name in the result can belong to
 * anything. The name may still be that of a view.
 */
export function rowSource(sql: string): RowSource | Refused {
  const shape = shapeOf(sql)
  if (!shape?.simple || shape.isCombined) return notOneTable
  const { table, qualifier } = shape.simple
  const columns = columnsOf(sql, shape)
  const texts = columns ? shape.simple.items.map((item) => textOf(sql, item)) : []
  return { table, qualifier, columns, texts }
}

/** Longest expression that is named whole. */
const longest = 40

function textOf(sql: string, tokens: readonly Token[]): string {
  const text = sql.slice(tokens[0]?.from, tokens.at(-1)?.to)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function columnsOf(sql: string, { simple }: Shape): readonly Item[] | null {
  const items = simple?.items ?? []
  const [only] = items
  const isAll = items.length === 1 && only?.length === 1 && operatorOf(sql, only[0]) === '*'
  return isAll ? null : items.map((item) => itemOf(sql, item, simple?.qualifier ?? ''))
}

/** `c`, `t.c`, each with `AS name` or a name behind it; null for anything else. */
function itemOf(sql: string, tokens: readonly Token[], qualifier: string): Item {
  const isQualified = operatorOf(sql, tokens[1]) === '.'
  if (isQualified && nameOf(sql, tokens[0]) !== qualifier) return null
  const [name, ...rest] = isQualified ? tokens.slice(2) : tokens
  const column = nameOf(sql, name)
  if (column === undefined) return null
  const behind = keywordOf(sql, rest[0]) === 'AS' ? rest.slice(1) : rest
  if (behind.length > 1) return null
  const alias = behind.length === 0 ? column : nameOf(sql, behind[0])
  return alias === undefined ? null : { column, alias }
}

type Details = {
  /** Names of the key's columns, in the order of the key. */
  readonly primaryKey: readonly string[]
}

/**
 * Finds the columns of the table in the result; a name that is not what it should be is no match.
 * A column that the table is not said to have is one all the same: the proof tells whether it is.
 */
export function rowMap(
  { table, qualifier, columns, texts }: RowSource,
  shown: readonly Pick<ResultColumn, 'name'>[],
  details: Details,
): RowMap | Refused {
  const cells = shown.flatMap(({ name }, at) => {
    const item = columns === null ? starred(name, qualifier) : columns[at]
    const isIt = item && name === `(${qualifier}.${item.alias})`
    return isIt ? [{ at, column: item.column }] : []
  })
  if (columns !== null && columns.length !== shown.length) return notOneTable
  const keys = details.primaryKey.flatMap(
    (column) => cells.find((one) => one.column === column) ?? [],
  )
  const missing = details.primaryKey.filter((column) => !keys.some((one) => one.column === column))
  if (details.primaryKey.length === 0) return { why: `The primary key of ${table} is not known.` }
  if (missing.length > 0) {
    const names = missing.join(' and ')
    return {
      why: `A row is verified by its whole primary key, and ${names} is not in this result.`,
    }
  }
  const compared = new Set(cells.map(({ at }) => at))
  const uncovered = shown.flatMap(({ name }, at) => (compared.has(at) ? [] : [texts[at] ?? name]))
  return { table, keys, cells, uncovered }
}

function starred(name: string, qualifier: string): Item {
  const start = `(${qualifier}.`
  if (!name.startsWith(start) || !name.endsWith(')')) return null
  const column = name.slice(start.length, -1)
  return { column, alias: column }
}

/**
 * The period that bounds what a statement reads from above, as SQL: empty when it reads the
 * present, null when it has one of a form that cannot be put into another statement.
 */
export function upperBound(sql: string): string | null {
  const tokens = tokenize(sql).filter((token) => !isTrivia(token))
  const at = tokens.findIndex((token) => ['UNTIL', 'BEFORE'].includes(keywordOf(sql, token)))
  if (at < 0) return ''
  const text = sql.slice(tokens[at]?.from)
  return /^\w+\s+(TX\s+\d+|CAST\(\s*'[^']*'\s+AS\s+TIMESTAMP\s*\))/i.exec(text)?.[0] ?? null
}

/** A statement that finds the row with a primary key if it was written from a transaction on. */
export function rowSince(
  table: string,
  key: readonly { readonly column: string; readonly type: string; readonly value: string }[],
  from: bigint,
  until: string,
): string {
  const names = key.map(({ column }) => quoteName(column))
  const conditions = key.map(({ type, value }, at) => `${names[at]} = ${literalOf(type, value)}`)
  const period = `SINCE TX ${from} ${until}`
  return `SELECT ${names.join(', ')} FROM ${quoteName(table)} ${period} WHERE ${conditions.join(' AND ')};`
}
