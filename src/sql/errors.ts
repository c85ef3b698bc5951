import { knownErrors, parserWords } from './error-words'
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
