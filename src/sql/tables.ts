import { keywordOf, nameOf, operatorOf } from './names'
import { meaningfulTokens, type Token } from './tokens'

/** A table that a statement names, with the offsets of the name in the text. */
export type TableReference = {
  readonly name: string
  readonly alias?: string
  readonly from: number
  readonly to: number
}

/** Clauses behind which a comma no longer separates tables. */
const clauses: ReadonlySet<string> = new Set([
  ...[
    'WHERE',
    'GROUP',
    'HAVING',
    'ORDER',
    'LIMIT',
    'OFFSET',
    'FETCH',
    'UNION',
    'EXCEPT',
    'INTERSECT',
  ],
  ...['SELECT', 'SET', 'RETURNING'],
])

/** Keywords whose table name may be followed by a list of columns. */
const columnListers: ReadonlySet<string> = new Set(['TABLE', 'EXISTS', 'INTO', 'ON', 'REFERENCES'])

/**
 * The tables read or written by a statement, in order, given its tokens without spaces and comments.
 * Names that the statement defines with WITH, and function calls, are not tables.
 */
export function tableReferences(source: string, tokens: readonly Token[]): TableReference[] {
  const defined = definedNames(source, tokens)
  const found: TableReference[] = []
  const listOpen = [false]
  for (let at = 0; at < tokens.length; at++) {
    const operator = operatorOf(source, tokens[at])
    if (operator === '(') listOpen.push(false)
    if (operator === ')' && listOpen.length > 1) listOpen.pop()
    const keyword = keywordOf(source, tokens[at])
    if (keyword === 'FROM') listOpen[listOpen.length - 1] = true
    else if (clauses.has(keyword)) listOpen[listOpen.length - 1] = false
    const place =
      operator === ',' && listOpen.at(-1) ? at + 1 : namePlace(source, tokens, at, keyword)
    const reference = place === undefined ? undefined : readReference(source, tokens, place)
    if (reference && !defined.has(reference.name)) found.push(reference)
  }
  return found
}

/** Names given to subqueries: WITH name AS (…). */
function definedNames(source: string, tokens: readonly Token[]): Set<string> {
  const names = new Set<string>()
  tokens.forEach((token, at) => {
    const opens = operatorOf(source, tokens[at + 2]) === '('
    if (!opens || keywordOf(source, tokens[at + 1]) !== 'AS') return
    const name = nameOf(source, token)
    if (name !== undefined) names.add(name)
  })
  return names
}

/** The place of the table name after the keyword at `at`, if one follows. */
function namePlace(
  source: string,
  tokens: readonly Token[],
  at: number,
  keyword: string,
): number | undefined {
  const before = keywordOf(source, tokens[at - 1])
  const after = keywordOf(source, tokens[at + 1])
  switch (keyword) {
    case 'FROM':
      return isExtract(source, tokens, at) ? undefined : at + 1
    case 'JOIN':
      return after === 'LATERAL' ? at + 2 : at + 1
    case 'INTO':
    case 'REFERENCES':
      return at + 1
    case 'UPDATE':
      return before === 'DO' ? undefined : at + 1
    case 'OF':
      return before === 'HISTORY' || before === 'DIFF' ? at + 1 : undefined
    case 'TO':
      return before === 'RENAME' ? at + 1 : undefined
    case 'ON':
      return before === 'INDEX' || before === 'EXISTS' ? indexTable(source, tokens, at) : undefined
    case 'INDEX':
      return operatorOf(source, tokens[at + 2]) === '.' ? at + 1 : undefined
    case 'TABLE':
      return behindTable(source, tokens, at, after)
  }
  return undefined
}

/** CREATE INDEX … ON names a table; USE INDEX ON names columns. */
function indexTable(source: string, tokens: readonly Token[], at: number): number | undefined {
  const isHint =
    keywordOf(source, tokens[at - 1]) === 'INDEX' && keywordOf(source, tokens[at - 2]) === 'USE'
  return isHint ? undefined : at + 1
}

function behindTable(
  source: string,
  tokens: readonly Token[],
  at: number,
  after: string,
): number | undefined {
  if (operatorOf(source, tokens[at + 1]) === '(') return at + 2
  if (after !== 'IF') return at + 1
  const second = keywordOf(source, tokens[at + 2])
  if (second === 'EXISTS') return at + 3
  return second === 'NOT' ? at + 4 : at + 1
}

/** EXTRACT(YEAR FROM x) has a FROM without a table. */
export function isExtract(source: string, tokens: readonly Token[], at: number): boolean {
  return (
    operatorOf(source, tokens[at - 2]) === '(' && keywordOf(source, tokens[at - 3]) === 'EXTRACT'
  )
}

function readReference(
  source: string,
  tokens: readonly Token[],
  at: number,
): TableReference | undefined {
  const token = tokens[at]
  const name = nameOf(source, token)
  if (!token || name === undefined) return undefined
  // FROM f(…) calls a function, while INTO t (…) and CREATE TABLE t (…) list columns.
  const isCall =
    operatorOf(source, tokens[at + 1]) === '(' &&
    !columnListers.has(keywordOf(source, tokens[at - 1]))
  if (isCall) return undefined
  const alias = aliasAt(source, tokens, at + 1)
  return { name, from: token.from, to: token.to, ...(alias === undefined ? {} : { alias }) }
}

/** The alias behind a table name; a period such as UNTIL TX 5 may stand in between. */
function aliasAt(source: string, tokens: readonly Token[], start: number): string | undefined {
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at]
    const keyword = keywordOf(source, token)
    if (keyword === 'AS') return nameOf(source, tokens[at + 1])
    if (at === start && (token?.kind === 'identifier' || token?.kind === 'quoted'))
      return nameOf(source, token)
    const isPeriod = ['SINCE', 'AFTER', 'UNTIL', 'BEFORE', 'TX', 'CAST', 'TIMESTAMP'].includes(
      keyword,
    )
    const isValue =
      token?.kind === 'number' || token?.kind === 'string' || token?.kind === 'parameter'
    if (!isPeriod && !(at > start && isValue)) return undefined
  }
  return undefined
}

/** The distinct names of the tables, in order. */
export function tableNames(references: readonly TableReference[]): string[] {
  return [...new Set(references.map((reference) => reference.name))]
}

const periods: ReadonlySet<string> = new Set(['SINCE', 'AFTER', 'UNTIL', 'BEFORE'])

/** Whether a statement itself gives a period for reading a table. */
export function namesPeriod(text: string): boolean {
  const tokens = meaningfulTokens(text)
  return tableReferences(text, tokens).some(({ from }) => {
    const at = tokens.findIndex((token) => token.from === from)
    return isRead(text, tokens, at) && hasOwnTime(text, tokens, at)
  })
}

/**
 * Whether the statement reads rows of the table named at a place. SHOW TABLE t and the like read
 * none.
 */
export function isRead(text: string, tokens: readonly Token[], at: number): boolean {
  const before = keywordOf(text, tokens[at - 1])
  if (['FROM', 'JOIN', 'LATERAL', 'OF'].includes(before)) return true
  return operatorOf(text, tokens[at - 1]) === ','
}

/** Whether the statement gives the table named at a place its own period. */
export function hasOwnTime(text: string, tokens: readonly Token[], at: number): boolean {
  // HISTORY OF takes no period, and DIFF OF has both of its own.
  return keywordOf(text, tokens[at - 1]) === 'OF' || periods.has(keywordOf(text, tokens[at + 1]))
}
