import { literalOf } from './literals'
import { keywordOf, nameOf, operatorOf, quoteName } from './names'
import type { ResultTable } from './result'
import { meaningfulTokens, type Token } from './tokens'

/** The parts of a SELECT that matter for fetching its rows in pages. */
export type Shape = {
  /** The text without its own LIMIT, OFFSET and semicolon. */
  readonly body: string
  /** The number behind its own LIMIT; null when there is none. */
  readonly limit: number | null
  readonly offset: number
  /** A UNION and the like has to be wrapped: LIMIT would bind to its last SELECT alone. */
  readonly isCombined: boolean
  /** Set when it only reads rows of one table. */
  readonly simple: Simple | null
}

type Simple = {
  readonly table: string
  /** How the statement calls the table. */
  readonly qualifier: string
  /** The condition, with the offset where a missing one would go. */
  readonly where: { readonly from: number; readonly to: number } | null
  /** Where the rows' conditions end and ORDER BY begins, if there is one. */
  readonly tail: number
  readonly order: { readonly column: string; readonly isDescending: boolean } | null
  /** Items of the list of columns, each as its tokens. */
  readonly items: readonly (readonly Token[])[]
}

/** How to go from one page to the next. */
export type PagePlan =
  | { readonly kind: 'offset' }
  | {
      /** By the key: as fast at the end of a table as at its beginning. */
      readonly kind: 'key'
      readonly column: string
      /** INTEGER, VARCHAR, UUID or BLOB. */
      readonly type: string
      readonly isDescending: boolean
      /** What the result calls the key, such as `(t.id)`. */
      readonly resultName: string
    }

/** Where the next page begins. */
export type PagePlace = { readonly done: number; readonly last: string | null }

/** Top-level keywords after which the result is no longer plain rows of one table. */
const grouping: ReadonlySet<string> = new Set(['GROUP', 'HAVING', 'DISTINCT', 'JOIN', 'USE'])
const combining: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT'])

/** The parts of a statement, or null when its rows cannot be fetched in pages. */
export function shapeOf(sql: string): Shape | null {
  const tokens = meaningfulTokens(sql).filter(({ kind }) => kind !== 'semicolon')
  const first = keywordOf(sql, tokens[0])
  if (first !== 'SELECT' && first !== 'WITH') return null
  const top = topLevel(sql, tokens)
  const end = tailOf(sql, top)
  if (end === null) return null
  const last = end.at ?? tokens.length
  const isCombined = top.some(({ word }) => combining.has(word))
  const bodyEnd = tokens[last - 1]?.to ?? 0
  const simple = first === 'SELECT' && !isCombined ? simpleOf(sql, tokens, top, last) : null
  return {
    body: sql.slice(tokens[0]?.from ?? 0, bodyEnd),
    limit: end.limit,
    offset: end.offset,
    isCombined,
    simple: simple && shiftLimits(simple, tokens[0]?.from ?? 0),
  }
}

type Top = { readonly word: string; readonly at: number }

/** The keywords and commas outside of all brackets. */
function topLevel(sql: string, tokens: readonly Token[]): Top[] {
  const found: Top[] = []
  let depth = 0
  tokens.forEach((token, at) => {
    const operator = operatorOf(sql, token)
    if (operator === '(') depth++
    else if (operator === ')') depth--
    else if (depth > 0) return
    else if (operator === ',' || token.kind === 'keyword')
      found.push({ at, word: operator || keywordOf(sql, token) })
  })
  return found
}

type Tail = { readonly at: number | null; readonly limit: number | null; readonly offset: number }

/** LIMIT n OFFSET m at the end; null when either is not a plain number. */
function tailOf(sql: string, top: readonly Top[]): Tail | null {
  const words = top.map(({ word }) => word)
  if (words.includes('FETCH')) return null
  const limitAt = top[words.lastIndexOf('LIMIT')]?.at
  const offsetAt = top[words.lastIndexOf('OFFSET')]?.at
  const starts = [limitAt, offsetAt].flatMap((at) => at ?? [])
  if (starts.length === 0) return { at: null, limit: null, offset: 0 }
  const at = Math.min(...starts)
  const tokens = meaningfulTokens(sql).filter(({ kind }) => kind !== 'semicolon')
  if (tokens.length !== at + starts.length * 2) return null
  const limit = limitAt === undefined ? null : numberOf(sql, tokens[limitAt + 1])
  const offset = offsetAt === undefined ? 0 : numberOf(sql, tokens[offsetAt + 1])
  if (limit === undefined || offset === undefined) return null
  // LIMIT 0 means no limit to this server.
  return { at, limit: limit === 0 ? null : limit, offset }
}

function numberOf(sql: string, token: Token | undefined): number | undefined {
  if (token?.kind !== 'number') return undefined
  const value = Number(sql.slice(token.from, token.to))
  return Number.isSafeInteger(value) ? value : undefined
}

function simpleOf(
  sql: string,
  tokens: readonly Token[],
  top: readonly Top[],
  last: number,
): Simple | null {
  if (top.some(({ word }) => grouping.has(word))) return null
  const placeOf = (word: string) => top.find((one) => one.word === word)?.at
  const from = placeOf('FROM')
  if (from === undefined) return null
  const where = placeOf('WHERE')
  const order = placeOf('ORDER')
  const until = where ?? order ?? last
  if (top.some(({ word, at }) => word === ',' && at > from && at < until)) return null
  const table = nameOf(sql, tokens[from + 1])
  const behind = operatorOf(sql, tokens[from + 2])
  if (table === undefined || behind === '(' || behind === '.') return null
  const ordered = order === undefined ? null : orderOf(sql, tokens.slice(order + 2, last))
  if (ordered === undefined) return null
  const conditionEnd = order ?? last
  return {
    table,
    qualifier: aliasOf(sql, tokens.slice(from + 2, until)) ?? table,
    where: where === undefined ? null : span(tokens, where + 1, conditionEnd),
    tail: tokens[conditionEnd - 1]?.to ?? 0,
    order: ordered,
    items: itemsOf(sql, tokens.slice(1, from)),
  }
}

function span(tokens: readonly Token[], from: number, to: number): { from: number; to: number } {
  return { from: tokens[from]?.from ?? 0, to: tokens[to - 1]?.to ?? 0 }
}

/** `id`, `t.id`, each with ASC or DESC; undefined for any other order. */
function orderOf(sql: string, tokens: readonly Token[]): Simple['order'] | undefined {
  const word = keywordOf(sql, tokens.at(-1))
  const isDirected = word === 'ASC' || word === 'DESC'
  const name = isDirected ? tokens.slice(0, -1) : tokens
  const isQualified = name.length === 3 && operatorOf(sql, name[1]) === '.'
  if (name.length !== 1 && !isQualified) return undefined
  const column = nameOf(sql, name.at(-1))
  return column === undefined ? undefined : { column, isDescending: word === 'DESC' }
}

/** The alias is the last name behind the table, where a period may stand in between. */
function aliasOf(sql: string, tokens: readonly Token[]): string | undefined {
  const last = tokens.at(-1)
  return last?.kind === 'identifier' || last?.kind === 'quoted' ? nameOf(sql, last) : undefined
}

function itemsOf(sql: string, tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const operator = operatorOf(sql, token)
    if (operator === '(') depth++
    if (operator === ')') depth--
    if (operator === ',' && depth === 0) items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

/** Offsets count in the body, which begins at the first token. */
function shiftLimits(simple: Simple, by: number): Simple {
  const where = simple.where && { from: simple.where.from - by, to: simple.where.to - by }
  return { ...simple, where, tail: simple.tail - by }
}

/** Types whose values can be written down exactly, for the condition of the next page. */
const keyTypes: ReadonlySet<string> = new Set(['INTEGER', 'VARCHAR', 'UUID', 'BLOB'])

/**
 * Pages by key when the rows come from one table, its single key column is selected and there is no
 * other order; otherwise by counting.
 * @param keys the table's key columns with their types, such as `VARCHAR(64)`
 */
export function planOf(
  sql: string,
  { simple, offset }: Shape,
  keys: readonly { readonly name: string; readonly type: string }[],
): PagePlan {
  const [key] = keys
  if (!simple || key === undefined || keys.length !== 1 || offset > 0) return { kind: 'offset' }
  const type = /^\w*/.exec(key.type)?.[0] ?? ''
  const isOther = simple.order !== null && simple.order.column !== key.name
  if (isOther || !keyTypes.has(type) || !showsKey(sql, simple.items, key.name))
    return { kind: 'offset' }
  const resultName = `(${simple.qualifier}.${key.name})`
  const isDescending = simple.order?.isDescending ?? false
  return { kind: 'key', column: key.name, type, isDescending, resultName }
}

/** Whether the key is selected under its own name, and no other item has that name. */
function showsKey(sql: string, items: readonly (readonly Token[])[], key: string): boolean {
  const named = items.filter((item) => nameOf(sql, item.at(-1)) === key)
  const isPlain = (item: readonly Token[]) =>
    item.length === 1 || (item.length === 3 && operatorOf(sql, item[1]) === '.')
  const hasAll = items.some((item) => operatorOf(sql, item.at(-1)) === '*')
  return named.every(isPlain) && (named.length > 0 || hasAll)
}

/** The statement for one page, of at most `size` rows. */
export function pageSql(
  { simple, body, limit, offset, isCombined }: Shape,
  plan: PagePlan,
  { done, last }: PagePlace,
  size: number,
): string {
  const count = limit === null ? size : Math.min(size, limit - done)
  if (plan.kind === 'key' && simple) {
    const name = quoteName(plan.column)
    const sign = plan.isDescending ? '<' : '>'
    const after = last === null ? null : `${name} ${sign} ${literalOf(plan.type, last)}`
    const order = `ORDER BY ${name} ${plan.isDescending ? 'DESC' : 'ASC'}`
    return `${withCondition(body, simple, after)} ${order} LIMIT ${count};`
  }
  const all = isCombined ? `SELECT * FROM (${body}\n)` : body
  const skipped = offset + done
  return `${all} LIMIT ${count}${skipped > 0 ? ` OFFSET ${skipped}` : ''};`
}

/** The body up to its order, with one more condition; a comment may end any line of it. */
function withCondition(body: string, { where, tail }: Simple, condition: string | null): string {
  if (condition === null) return body.slice(0, tail)
  if (where === null) return `${body.slice(0, tail)}\nWHERE ${condition}`
  return `${body.slice(0, where.from)}(${body.slice(where.from, where.to)}\n) AND ${condition}`
}

/** Two pages as one table; the columns are those of the first. */
export function joinResults(one: ResultTable, other: ResultTable): ResultTable {
  return {
    rowCount: one.rowCount + other.rowCount,
    columns: one.columns.map((column, at) => ({
      ...column,
      values: column.values.concat(other.columns[at]?.values ?? []),
    })),
  }
}

/** The first `count` rows of the table. */
export function firstRows(table: ResultTable, count: number): ResultTable {
  if (table.rowCount <= count) return table
  const columns = table.columns.map((column) => ({
    ...column,
    values: column.values.slice(0, count),
  }))
  return { columns, rowCount: count }
}
