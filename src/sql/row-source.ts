import { listOf } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { keywordOf, nameOf, operatorOf, quoteName } from './names'
import { type Shape, shapeOf } from './paging'
import type { ResultColumn } from './result'
import { conditionOf, type WholeKey } from './row-key'
import { meaningfulTokens, type Token } from './tokens'

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
  /** It shows every revision of a row, not the rows at one moment. */
  readonly isHistory: boolean
}

type Item = { readonly column: string; readonly alias: string } | null

/** Where the columns of a table are in a result. */
export type RowMap = {
  readonly table: string
  /** The primary key in its order, by places in the result. */
  readonly keys: readonly { readonly at: number; readonly column: string }[]
  /** Every place that shows a column of the table, key columns included. */
  readonly cells: readonly { readonly at: number; readonly column: string }[]
  /** Every other place, by its text in the statement: no stored value can be compared with it. */
  readonly uncovered: readonly string[]
  /** The place of the revision number; null for rows at one moment. */
  readonly revision: number | null
  /** The statement shows all columns of the table. */
  readonly isAll: boolean
}

export type NoRowSource = { readonly why: string }

const notOneTable: NoRowSource = {
  why: 'Only rows of one table can be verified. This result joins, groups or combines rows, or has none.',
}

/**
 * The table whose rows a statement shows, by its text alone, because a name in the result can
 * belong to anything. The name may still be that of a view.
 */
export function rowSource(sql: string): RowSource | NoRowSource {
  const plain = withoutHistory(sql)
  const shape = shapeOf(plain)
  if (!shape?.simple || shape.isCombined) return notOneTable
  const { table, qualifier } = shape.simple
  const columns = columnsOf(plain, shape)
  const texts = columns ? shape.simple.items.map((item) => textOf(plain, item)) : []
  return { table, qualifier, columns, texts, isHistory: plain !== sql }
}

/** The statement with the table itself in the place of `(HISTORY OF t)`, at the same offset. */
function withoutHistory(sql: string): string {
  const tokens = meaningfulTokens(sql)
  const at = tokens.findIndex((token) => keywordOf(sql, token) === 'HISTORY')
  const [open, , of, table, close] = tokens.slice(at - 1, at + 4)
  const isIt = operatorOf(sql, open) === '(' && operatorOf(sql, close) === ')'
  if (at < 1 || !isIt || keywordOf(sql, of) !== 'OF' || !open || !table || !close) return sql
  const blank = (from: number, to: number) => ' '.repeat(to - from)
  const name = sql.slice(table.from, table.to)
  const inside = blank(open.from, table.from) + name + blank(table.to, close.to)
  return sql.slice(0, open.from) + inside + sql.slice(close.to)
}

/** Longest expression that is shown in full. */
const longest = 40

function textOf(sql: string, tokens: readonly Token[]): string {
  return cutText(sql.slice(tokens[0]?.from, tokens.at(-1)?.to), longest)
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

/** Columns that the server adds to those of a table, which no table can have. */
const added: ReadonlySet<string> = new Set(['_rev', '_tx_metadata', '_diff_action'])

/**
 * Finds the table's columns in the result, by exact names. A column missing from the table's
 * description still counts: the proof decides whether it exists.
 */
export function rowMap(
  { table, qualifier, columns, texts, isHistory }: RowSource,
  shown: readonly Pick<ResultColumn, 'name'>[],
  details: Details,
): RowMap | NoRowSource {
  const found = shown.flatMap(({ name }, at) => {
    const item = columns === null ? starItem(name, qualifier) : columns[at]
    const isIt = item && name === `(${qualifier}.${item.alias})`
    return isIt ? [{ at, column: item.column }] : []
  })
  if (columns !== null && columns.length !== shown.length) return notOneTable
  const cells = found.filter(({ column }) => !added.has(column))
  const revision = found.find(({ column }) => column === '_rev')?.at ?? null
  const keys = details.primaryKey.flatMap(
    (column) => cells.find((one) => one.column === column) ?? [],
  )
  const missing = details.primaryKey.filter((column) => !keys.some((one) => one.column === column))
  if (details.primaryKey.length === 0) return { why: `The primary key of ${table} is not known.` }
  if (missing.length > 0) {
    const names = listOf(missing)
    return {
      why: `A row is verified by its whole primary key. This result lacks ${names}.`,
    }
  }
  if (isHistory && revision === null) return { why: noRevision }
  const compared = new Set(cells.map(({ at }) => at))
  const nameAt = (at: number) => found.find((one) => one.at === at)?.column
  const uncovered = shown.flatMap(({ name }, at) =>
    compared.has(at) ? [] : [texts[at] ?? nameAt(at) ?? name],
  )
  return { table, keys, cells, uncovered, revision, isAll: columns === null }
}

const noRevision =
  'A revision of a row is verified by its primary key and revision number. This result has no column _rev.'

function starItem(name: string, qualifier: string): Item {
  const start = `(${qualifier}.`
  if (!name.startsWith(start) || !name.endsWith(')')) return null
  const column = name.slice(start.length, -1)
  return { column, alias: column }
}

/**
 * A query that returns its own number if the row with a primary key exists in a period, such as
 * `SINCE TX 3 UNTIL TX 9`: if its newest revision there is not a deletion.
 */
export function rowProbe(
  table: string,
  key: WholeKey,
  number: bigint | number,
  period: string,
): string {
  return `SELECT ${number} FROM ${quoteName(table)} ${period} WHERE ${conditionOf(key)}`
}

/** One statement of several queries, with the rows of all of them in their order. */
export const inOne = (parts: readonly string[]): string => `${parts.join(' UNION ALL ')};`

/**
 * A statement that returns the number of the newest revision of the row with a primary key, which
 * is how many it has, deletions included; nothing for a row that never existed. `COUNT(*)` would
 * read them all: the server takes 20 seconds for 3,000.
 */
export function newestRevision(table: string, key: WholeKey): string {
  return `SELECT _rev FROM (HISTORY OF ${quoteName(table)}) WHERE ${newestFirst(key, 1, 0)};`
}

/** A statement that returns the same for several rows, each with its place among them. */
export function newestRevisions(table: string, keys: readonly WholeKey[]): string {
  return inOne(
    keys.map(
      (key, at) =>
        `SELECT ${at}, _rev FROM (HISTORY OF ${quoteName(table)}) WHERE ${newestFirst(key, 1, 0)}`,
    ),
  )
}

/** The same for a row whose newest cells were removed by a truncation: counting reads no cells. */
export function revisionCount(table: string, key: WholeKey): string {
  return `SELECT COUNT(*) FROM (HISTORY OF ${quoteName(table)}) WHERE ${conditionOf(key)};`
}

/** A statement that returns a row as it is now. */
export function rowNow(table: string, key: WholeKey): string {
  return `SELECT * FROM ${quoteName(table)} WHERE ${conditionOf(key)};`
}

/** A statement that returns the rows with these primary keys as they were before a transaction. */
export function rowsBefore(table: string, keys: readonly WholeKey[], tx: string): string {
  const rows = keys.map(
    (key) => `SELECT * FROM ${quoteName(table)} BEFORE TX ${tx} WHERE ${conditionOf(key)}`,
  )
  return inOne(rows)
}

/** A statement that returns some revisions of a row with their numbers, newest first. */
export function revisionsOf(table: string, key: WholeKey, limit: number, offset: number): string {
  const from = `(HISTORY OF ${quoteName(table)})`
  return `SELECT * FROM ${from} WHERE ${newestFirst(key, limit, offset)};`
}

/** A statement that returns the row as it was after a transaction. */
export function rowAsOf(table: string, key: WholeKey, tx: string): string {
  return `SELECT * FROM ${quoteName(table)} UNTIL TX ${tx} WHERE ${conditionOf(key)};`
}

/** A statement that returns the row as it was after each of some transactions, in their order. */
export function rowAsOfEach(table: string, key: WholeKey, txs: readonly string[]): string {
  return inOne(txs.map((tx) => rowAsOf(table, key, tx).slice(0, -1)))
}

/** Read backwards, because the server finds each revision by walking back from the newest. */
function newestFirst(key: WholeKey, limit: number, offset: number): string {
  const order = key.map(({ column }) => `${quoteName(column)} DESC`).join(', ')
  const skip = offset > 0 ? ` OFFSET ${offset}` : ''
  return `${conditionOf(key)} ORDER BY ${order} LIMIT ${limit}${skip}`
}
