import { lowerAscii } from './names'

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

const maxLength = 2000

/** Puts an error text of immudb 1.11.1 into plain words; the original stays available. */
export function explainSqlError(message: string, context: ErrorContext = {}): SqlErrorText {
  const original = stripPrefix(message).slice(0, maxLength)
  const hint = quoteHint(original, context.sql) ?? dropHint(original, context.sql)
  const syntax = explainSyntax(original, context.offending)
  if (syntax !== undefined) return withHint({ text: syntax, original }, hint)
  const known = knownErrors.find((error) => error.pattern.test(original))
  if (known) return withHint({ text: known.text, original }, hint ?? known.hint)
  return withHint({ text: asSentence(original), original }, hint)
}

/** Removes `rpc error: code = … desc = `, which some answers carry in front, even twice. */
export function stripPrefix(message: string): string {
  return message.replace(/^(?:rpc error: code = \w+ desc = )+/, '')
}

function explainSyntax(message: string, offending: string | undefined): string | undefined {
  const match = /^syntax error: unexpected (.+?)(?:, expecting (.+))? at position \d+$/.exec(
    message,
  )
  if (!match) return undefined
  const found = withOffending(plainWord(match[1] ?? ''), offending)
  const text = `Syntax error: did not expect ${found} here.`
  if (match[2] === undefined) return text
  const expected = match[2].split(' or ').map(plainWord)
  return `${text} Expected ${expected.join(' or ')}.`
}

function plainWord(word: string): string {
  return parserWords.get(word) ?? word
}

function withOffending(word: string, offending: string | undefined): string {
  const shown = offending?.trim() ?? ''
  if (shown === '' || shown === ';' || word === parserWords.get('$end')) return word
  const short = shown.length > 40 ? `${shown.slice(0, 40)}…` : shown
  return word.includes(short) ? word : `${word} (${short})`
}

/** A column that is missing or out of place, and stands in double quotes, was probably meant as text. */
function quoteHint(message: string, sql = ''): string | undefined {
  const name = /^column does not exist \(([^)]*)\)/.exec(message)?.[1]
  const isQuoted =
    name === undefined
      ? message.includes('no row to evaluate') && sql.includes('"')
      : lowerAscii(sql).includes(`"${name}"`)
  if (!isQuoted) return undefined
  return `Double quotes mark a name here. For text, write '${name ?? '…'}' in single quotes.`
}

function dropHint(message: string, sql: string | undefined): string | undefined {
  const verb = /\b(DROP|TRUNCATE)\s+TABLE\b/i.exec(sql ?? '')?.[1]?.toLowerCase()
  if (verb === undefined || !message.includes('key not found')) return undefined
  return `This version of the server cannot ${verb} a table that has a CHECK constraint.`
}

function withHint(error: SqlErrorText, hint: string | undefined): SqlErrorText {
  return hint === undefined ? error : { ...error, hint }
}

/** The server's text with a capital and a full stop. */
function asSentence(message: string): string {
  const text = message.replace(/ at position \d+$/, '').trim()
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

/** A server text, recognised by its beginning or a part of it, and what it means to the operator. */
type KnownError = {
  readonly pattern: RegExp
  readonly text: string
  readonly hint?: string
}

/** Texts of immudb 1.11.1 that say too little or use words of its storage. First match wins. */
const knownErrors: readonly KnownError[] = [
  {
    pattern: /^database is read-only because it's a replica/,
    text: 'This database is a replica: it can only be read. Nothing was stored.',
    hint: 'Write to its primary; the change arrives here by itself.',
  },
  {
    pattern: /^result size limit (reached|exceeded)/,
    text: 'The result has more than 2,500 rows, the most this server returns at once.',
    hint: 'Add LIMIT and OFFSET, or narrow the result with WHERE.',
  },
  {
    pattern: /^grpc: received message larger than max/,
    text: 'The answer is larger than 4 MiB, the most this server passes on.',
    hint: 'Ask for fewer rows or fewer columns.',
  },
  {
    pattern: /^max number of entries per tx exceeded/,
    text: 'The statement writes more than 1,024 entries (rows and index entries), the most one transaction can hold. Nothing was stored.',
    hint: 'Split it into several statements.',
  },
  {
    pattern: /^nested tx are not supported/,
    text: 'A transaction cannot be begun inside another one.',
    hint: 'End each BEGIN with COMMIT or ROLLBACK and run the blocks one by one. A block that was already committed stays committed.',
  },
  {
    pattern: /^tx not properly closed/,
    text: 'BEGIN has no COMMIT or ROLLBACK behind it. Nothing was stored.',
  },
  {
    pattern: /^no ongoing transaction/,
    text: 'There is no transaction to end: COMMIT and ROLLBACK need a BEGIN before them.',
  },
  {
    pattern: /^illegal statement\. DQL statement expected/,
    text: 'The statement returns no rows, so it cannot run as a query.',
    hint: 'Run it as a command.',
  },
  {
    pattern: /database selection from SQL statements requires session/,
    text: 'The server does not switch databases by SQL here. Use the database switch of the console.',
  },
  {
    pattern: /^key already exists/,
    text: 'A row with this primary key or unique value already exists.',
  },
  {
    pattern: /^(tbtree: |embedded\/\w+: |store: )?key not found/,
    text: 'Not found: the server has no entry for this key.',
  },
  {
    pattern: /must appear in the group by clause/,
    text: 'A selected column is neither in GROUP BY nor inside an aggregate such as COUNT or MAX.',
  },
  {
    pattern: /^ON clause is required/,
    text: 'A join needs ON or USING; only CROSS JOIN goes without.',
  },
  {
    pattern: /^expected TYPE keyword/,
    text: 'ALTER COLUMN needs TYPE in front of the new type, or SET NOT NULL or DROP NOT NULL.',
  },
  {
    pattern: /no row to evaluate in current context/,
    text: 'A column cannot stand here, because there is no row to take it from.',
  },
  {
    pattern: /^(tx read conflict|embedded\/store: tx read conflict)/,
    text: 'Someone else changed the same data at the same time. Nothing was stored.',
    hint: 'Look at the current state and run it again.',
  },
  {
    pattern: /^already closed/,
    text: 'The database is unloaded on the server.',
  },
  {
    pattern: /DIFF requires both/,
    text: 'DIFF OF needs both ends of the period: SINCE or AFTER, and UNTIL or BEFORE.',
  },
  {
    pattern: /tx ID must be greater than 1/,
    text: 'A period cannot start with SINCE TX 1 or end with BEFORE TX 1.',
    hint: 'Write AFTER TX 1 or UNTIL TX 1.',
  },
  {
    pattern: /tx ID must be a positive integer/,
    text: 'The transaction number of a period must be 1 or more.',
  },
  {
    pattern: /^transactions can NOT combine DDL and DML/,
    text: 'One transaction cannot both change tables and write rows.',
    hint: 'Put the two parts into separate transactions.',
  },
]
