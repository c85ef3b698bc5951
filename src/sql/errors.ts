import type { SqlReason, SqlRefusal, SqlSubject } from '~/immudb/sql-refusal'
import { seeLimit } from '~/lib/limit-link'
import { cutText } from '~/lib/visible-text'
import { lowerAscii, nameOf, operatorOf } from './names'
import { type Offsets, typedRange, utf16Offset } from './send'
import { tableReferences } from './tables'
import { isTrivia, type Token, tokenize } from './tokens'

/** A server error in plain words, with the server's own text beside it. */
export type SqlErrorText = {
  readonly text: string
  /** What to do about it, when that is known. */
  readonly hint?: string
  /** The server's text, without transport prefixes, at most 2,000 characters. */
  readonly original: string
}

/** What was sent, for errors whose meaning depends on it. */
export type ErrorContext = {
  readonly sql?: string
  /** The text at the place of the error, as found by locateSqlError. */
  readonly offending?: string
}

/** Explains immudb 1.11.1's text about a statement in plain words; the original stays available. */
export function explainSqlError(refusal: SqlRefusal, context: ErrorContext = {}): SqlErrorText {
  const { original, reason, syntax } = refusal
  const hint =
    quoteHint(refusal, context.sql) ??
    dropHint(refusal, context.sql) ??
    typeHint(refusal, context.sql)
  if (syntax) return withHint({ text: explainSyntax(syntax, context.offending), original }, hint)
  const known = reason === null ? null : knownErrors[reason]
  if (known) return withHint({ text: known.text, original }, hint ?? known.hint)
  return withHint({ text: asSentence(refusal.plain), original }, hint)
}

function explainSyntax(
  { found, expected }: NonNullable<SqlRefusal['syntax']>,
  offending: string | undefined,
): string {
  const text = `Syntax error: did not expect ${withOffending(plainWord(found), offending)} here.`
  return expected.length === 0 ? text : `${text} Expected ${expected.map(plainWord).join(' or ')}.`
}

function plainWord(word: string): string {
  return parserWords.get(word) ?? word
}

function withOffending(word: string, offending: string | undefined): string {
  const shown = offending?.trim() ?? ''
  if (shown === '' || shown === ';' || word === parserWords.get('$end')) return word
  const short = cutText(shown, 40)
  return word.includes(short) ? word : `${word} (${short})`
}

/** A missing or misplaced column in double quotes was probably meant as text. */
function quoteHint({ missingColumn: name, reason }: SqlRefusal, sql = ''): string | undefined {
  const isQuoted =
    name === null
      ? reason === 'no-row-to-read' && sql.includes('"')
      : tokenize(sql).some((token) => token.kind === 'quoted' && nameOf(sql, token) === name)
  if (!isQuoted) return undefined
  return `Double quotes mark a name here. For text, write '${name ?? '…'}' in single quotes.`
}

function dropHint({ reason }: SqlRefusal, sql: string | undefined): string | undefined {
  const verb = /\b(DROP|TRUNCATE)\s+TABLE\b/i.exec(sql ?? '')?.[1]?.toLowerCase()
  if (verb === undefined || reason !== 'key-not-found') return undefined
  return `This version of the server cannot ${verb} a table that has a CHECK constraint.`
}

/** The type of a parameter is chosen where the statement does not tell it. */
function typeHint({ isOfTypes }: SqlRefusal, sql = ''): string | undefined {
  if (!isOfTypes || !tokenize(sql).some((token) => token.kind === 'parameter')) return undefined
  return 'Look at the types of the parameters: each must be that of the column it is used with.'
}

function withHint(error: SqlErrorText, hint: string | undefined): SqlErrorText {
  return hint === undefined ? error : { ...error, hint }
}

/** The server's text with a capital and a full stop. */
function asSentence(text: string): string {
  if (text === '') return 'The server gave no reason.'
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** Words of the server's grammar that reach its error texts, in plain English. This file is data. */
const parserWords: ReadonlyMap<string, string> = new Map([
  ['ERROR', 'text that cannot be read'],
  ['$end', 'the end of the statement'],
  ['$unk', 'a character that SQL does not use'],
  ["';'", 'the end of the statement'],
  ['IDENTIFIER', 'a name'],
  ['CMPOP', 'a comparison sign'],
  ['NOT_MATCHES_OP', '!~'],
  ['JOINTYPE', 'a kind of join'],
  ['SCAST', '::'],
  ['ARROW', '->'],
  ['DOT', "'.'"],
  ['string literal', 'a text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['binary literal', 'a blob'],
  ['boolean', 'TRUE or FALSE'],
  ['named parameter', 'a parameter'],
  ['positional parameter', 'a parameter'],
  ['aggregate function', 'an aggregate function'],
])

/** Explanations where the server's text says too little or uses internal words. */
const knownErrors: Readonly<Record<SqlReason, { text: string; hint?: string }>> = {
  replica: {
    text: 'This database is a replica: it can only be read. Nothing was stored.',
    hint: 'Write to its primary; the change arrives here by itself.',
  },
  'too-many-rows': {
    text: 'The result has more than 2,500 rows, the most this server returns at once.',
    hint: `Add LIMIT and OFFSET, or narrow the result with WHERE. ${seeLimit('Rows of an answer')}`,
  },
  'answer-too-large': {
    text: 'The answer is larger than 4 MiB, the most this server passes on.',
    hint: `Ask for fewer rows or fewer columns. ${seeLimit('Answer size')}`,
  },
  'too-many-entries': {
    text: 'The statement writes more entries (rows and index entries) than one transaction can hold: 1,024, unless the database was created with another number. Nothing was stored.',
    hint: `Split it into several statements. ${seeLimit('Entries per transaction')}`,
  },
  'key-too-long': {
    text: 'The key of a row, or its entry in an index, is longer than the database allows. Nothing was stored.',
    hint: seeLimit('Longest key'),
  },
  'value-too-long': {
    text: 'A row has more bytes than the database allows. Nothing was stored.',
    hint: seeLimit('Longest value'),
  },
  'reads-too-much': {
    text: 'The statement reads more than one transaction of the database may. Nothing was stored.',
    hint: `Change fewer rows at one time. ${seeLimit('Read set')}`,
  },
  'begin-in-begin': {
    text: 'A transaction cannot be begun inside another one.',
    hint: 'End each BEGIN with COMMIT or ROLLBACK and run the blocks one by one. A block that was already committed stays committed.',
  },
  'no-commit': {
    text: 'BEGIN has no COMMIT or ROLLBACK behind it. Nothing was stored.',
  },
  'no-begin': {
    text: 'There is no transaction to end: COMMIT and ROLLBACK need a BEGIN before them.',
  },
  'no-rows-to-return': {
    text: 'The statement returns no rows, so it cannot run as a query.',
    hint: 'Run it as a command.',
  },
  'use-database': {
    text: 'The server does not switch databases by SQL here. Use the database switch of the console.',
  },
  'row-exists': {
    text: 'A row with this primary key or unique value already exists.',
  },
  'row-twice': {
    text: 'A row was written a second time in one transaction, which immudb cannot do. Nothing of this transaction was stored.',
    hint: 'Write each row once, or run the statements one by one.',
  },
  'key-not-found': {
    text: 'Not found: the server has no entry for this key.',
  },
  'value-gone': {
    text: 'The server no longer has a value that this statement reads. A truncation may have removed it.',
  },
  'not-grouped': {
    text: 'A selected column is neither in GROUP BY nor inside an aggregate such as COUNT or MAX.',
  },
  'join-needs-on': {
    text: 'A join needs ON or USING; only CROSS JOIN goes without.',
  },
  'alter-column': {
    text: 'ALTER COLUMN needs TYPE in front of the new type, or SET NOT NULL or DROP NOT NULL.',
  },
  'no-row-to-read': {
    text: 'A column cannot stand here, because there is no row to take it from.',
  },
  conflict: {
    text: 'Someone else changed the same data at the same time. Nothing was stored.',
    hint: 'Look at the current state and run it again.',
  },
  unloaded: {
    text: 'The database is unloaded on the server.',
  },
  'diff-needs-both-ends': {
    text: 'DIFF OF needs both ends of the period: SINCE or AFTER, and UNTIL or BEFORE.',
  },
  'tx-below-two': {
    text: 'A period cannot start with SINCE TX 1 or end with BEFORE TX 1.',
    hint: 'Write AFTER TX 1 or UNTIL TX 1.',
  },
  'tx-below-one': {
    text: 'The transaction number of a period must be 1 or more.',
  },
  'mixes-tables-and-rows': {
    text: 'One transaction cannot both change tables and write rows.',
    hint: 'Put the two parts into separate transactions.',
  },
}

/** Where an error lies: UTF-16 offsets, and line and column counted from 1. */
type ErrorPlace = {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly column: number
}

/** The whole text of the editor and where the statement begins in it. */
type Surroundings = { readonly text: string; readonly from: number }

/**
 * Finds the place that a refusal of immudb 1.11.1 is about. Syntax errors give a number of bytes,
 * others only a name. An empty range is the end of the statement.
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

/** The token that ends at the given byte. Beyond the text it is the end, or an open quote. */
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
