import { stripPrefix } from './errors'
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
 * Finds the place an error text of immudb 1.11.1 speaks of. Syntax errors give the number of UTF-8
 * bytes read when the parser stopped, which is the end of the token it could not use; other errors
 * only give a name. An empty range is the end of the statement.
 * @param around the text that holds the statement; the place then counts in that text
 */
export function locateSqlError(
  message: string,
  sentSql: string,
  offsets: Offsets,
  around: Surroundings,
): ErrorPlace | null {
  const sent = findInSent(stripPrefix(message), sentSql)
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

function findInSent(message: string, sql: string): Range | undefined {
  const position = /at position (\d+)$/.exec(message)?.[1]
  const all = tokenize(sql)
  if (position !== undefined) return tokenEndingAt(sql, all, Number(position))
  const tokens = all.filter((token) => !isTrivia(token))
  return (
    findCastText(message, sql, tokens) ??
    findParameter(message, sql, tokens) ??
    findName(message, sql, tokens)
  )
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

/** `can not cast string 'x' as a INTEGER` names the text that did not fit. */
function findCastText(message: string, sql: string, tokens: readonly Token[]): Range | undefined {
  const value = /can not cast string '(.*)' as/.exec(message)?.[1]
  if (value === undefined) return undefined
  const literal = `'${value.replaceAll("'", "''")}'`
  return tokens.find((token) => sql.slice(token.from, token.to) === literal)
}

/** `missing parameter(t)`; unnamed ones are called param1, param2 … */
function findParameter(message: string, sql: string, tokens: readonly Token[]): Range | undefined {
  const name = /^missing parameter\((\w+)\)/.exec(message)?.[1]
  if (name === undefined) return undefined
  const parameters = tokens.filter((token) => token.kind === 'parameter')
  const number = /^param(\d+)$/.exec(name)?.[1]
  const isNamed = (token: Token) => {
    const text = lowerAscii(sql.slice(token.from, token.to))
    return text === `@${name}` || (number !== undefined && text === `$${number}`)
  }
  return parameters.find(isNamed) ?? (number ? parameters[Number(number) - 1] : undefined)
}

/** Texts that name something: (x), (t.x), column: x, savepoint x … */
const namePatterns: readonly RegExp[] = [
  /^\((\w+(?:\.\w+)?)\): must appear/,
  /^[^(]*\((\w+(?:\.\w+)?)\)/,
  /column: (\w+)/,
  /column '(\w+)'/,
  /^invalid column: (\w+)/,
  /^cannot drop column (\w+)/,
  /unknown function (\w+)/,
  /^savepoint (\w+) does not exist/,
  /^sequence '(\w+)'/,
]

function findName(message: string, sql: string, tokens: readonly Token[]): Range | undefined {
  if (/^table does not exist$/.test(message)) return tableReferences(sql, tokens)[0]
  const name = namePatterns.map((pattern) => pattern.exec(message)?.[1]).find((match) => match)
  if (name === undefined) return undefined
  const [table, column] = name.includes('.') ? name.split('.') : [undefined, name]
  const tables = new Set(tableReferences(sql, tokens).map((reference) => reference.from))
  const places = tokens.flatMap((token, at) => (nameOf(sql, token) === column ? [at] : []))
  const isQualified = (at: number) =>
    operatorOf(sql, tokens[at - 1]) === '.' && nameOf(sql, tokens[at - 2]) === table
  const isRightKind = (at: number) =>
    tables.has(tokens[at]?.from ?? -1) === message.startsWith('table')
  const best = places.find(isQualified) ?? places.find(isRightKind) ?? places[0]
  return best === undefined ? undefined : tokens[best]
}
