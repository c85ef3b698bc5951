import type { SqlRefusal, SqlSubject } from '~/immudb/sql-refusal'
import { lowerAscii, nameOf, operatorOf } from './names'
import { type Offsets, typedRange, utf16Offset } from './offsets'
import { tableReferences } from './tables'
import { isTrivia, type Token, tokenize } from './tokens'

/** Where an error lies: UTF-16 offsets, and line and column counted from 1. */
export type ErrorPlace = {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly column: number
}

/** The whole text of the editor and where the statement begins in it. */
export type Surroundings = { readonly text: string; readonly from: number }

/**
 * Finds the place that a refusal of immudb 1.11.1 speaks of: syntax errors give a number of bytes,
 * others only give a name. An empty range is the end of the statement.
 * @param around the text that holds the statement; the place then counts in that text
 */
export function locateSqlError(
  refusal: SqlRefusal,
  sentSql: string,
  offsets: Offsets,
  around: Surroundings,
): ErrorPlace | null {
  const sent = findInSent(refusal, sentSql)
  if (!sent) return null
  const typed = typedRange(offsets, sent.from, sent.to)
  const from = around.from + typed.from
  return { from, to: around.from + typed.to, ...lineAndColumn(around.text, from) }
}

/** Line and column of an offset as the editor counts them: from 1, in UTF-16 units, lines by `\n`. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

type Range = { readonly from: number; readonly to: number }

function findInSent({ position, subjects }: SqlRefusal, sql: string): Range | undefined {
  const all = tokenize(sql)
  if (position !== null) return tokenEndingAt(sql, all, position)
  const tokens = all.filter((token) => !isTrivia(token))
  for (const subject of subjects) {
    const found = findSubject(subject, sql, tokens)
    if (found) return found
  }
  return undefined
}

function findSubject(
  subject: SqlSubject,
  sql: string,
  tokens: readonly Token[],
): Range | undefined {
  switch (subject.kind) {
    case 'text':
      return findText(subject.name, sql, tokens)
    case 'parameter':
      return findParameter(subject.name, sql, tokens)
    case 'first-table':
      return tableReferences(sql, tokens)[0]
    default:
      return findName(subject, sql, tokens)
  }
}

/** The token whose last byte is the given one. Beyond the text it is the end, or an open quote. */
function tokenEndingAt(sql: string, tokens: readonly Token[], bytes: number): Range | undefined {
  const at = utf16Offset(sql, bytes - 1)
  const index = tokens.findIndex((token) => at >= token.from && at < token.to)
  const found = tokens[index]
  if (!found) {
    const last = tokens.findLast((token) => !isTrivia(token))
    return last?.unfinished ? last : { from: last?.to ?? 0, to: last?.to ?? 0 }
  }
  // A lone colon makes the server read one character more.
  const before = tokens[index - 1]
  return before && sql.slice(before.from, before.to) === ':' ? before : found
}

/** A text that did not fit. */
function findText(value: string, sql: string, tokens: readonly Token[]): Range | undefined {
  const literal = `'${value.replaceAll("'", "''")}'`
  return tokens.find((token) => sql.slice(token.from, token.to) === literal)
}

/** Unnamed parameters are called param1, param2 … */
function findParameter(name: string, sql: string, tokens: readonly Token[]): Range | undefined {
  const parameters = tokens.filter((token) => token.kind === 'parameter')
  const number = /^param(\d+)$/.exec(name)?.[1]
  const isNamed = (token: Token) => {
    const text = lowerAscii(sql.slice(token.from, token.to))
    return text === `@${name}` || (number !== undefined && text === `$${number}`)
  }
  return parameters.find(isNamed) ?? (number ? parameters[Number(number) - 1] : undefined)
}

function findName(
  { kind, name }: Extract<SqlSubject, { name: string }>,
  sql: string,
  tokens: readonly Token[],
): Range | undefined {
  const [table, column] = name.includes('.') ? name.split('.') : [undefined, name]
  const tables = new Set(tableReferences(sql, tokens).map((reference) => reference.from))
  const places = tokens.flatMap((token, at) => (nameOf(sql, token) === column ? [at] : []))
  const isQualified = (at: number) =>
    operatorOf(sql, tokens[at - 1]) === '.' && nameOf(sql, tokens[at - 2]) === table
  const isRightKind = (at: number) => tables.has(tokens[at]?.from ?? -1) === (kind === 'table')
  const best = places.find(isQualified) ?? places.find(isRightKind) ?? places[0]
  return best === undefined ? undefined : tokens[best]
}
