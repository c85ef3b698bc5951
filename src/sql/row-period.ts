import { keywordOf } from './names'
import { isTrivia, type Token, tokenize } from './tokens'

/** One end of the period that a statement reads. */
export type PeriodEnd = {
  /** As the statement has it, such as `UNTIL TX 5`; null for a form that cannot be told apart. */
  readonly sql: string | null
  /**
   * Whether a transaction lies within it, by its number and its time in seconds since 1970, to
   * which the server compares; null when that cannot be told.
   */
  readonly admits: ((tx: bigint, seconds: bigint) => boolean) | null
}

/** The period that a statement about one table reads; null for an end that is open. */
export type RowPeriod = { readonly from: PeriodEnd | null; readonly until: PeriodEnd | null }

/** The period behind the table of a statement. */
export function rowPeriod(sql: string): RowPeriod {
  const tokens = tokenize(sql).filter((token) => !isTrivia(token))
  return {
    from: endOf(sql, tokens, ['SINCE', 'AFTER']),
    until: endOf(sql, tokens, ['UNTIL', 'BEFORE']),
  }
}

const point = /^(\w+)\s+(?:TX\s+(\d+)|CAST\(\s*'([^']*)'\s+AS\s+TIMESTAMP\s*\))/i

function endOf(sql: string, tokens: readonly Token[], words: readonly string[]): PeriodEnd | null {
  const token = tokens.find((one) => words.includes(keywordOf(sql, one)))
  if (!token) return null
  const [text, word = '', tx, time] = point.exec(sql.slice(token.from)) ?? []
  if (text === undefined) return { sql: null, admits: null }
  const bound = boundOf(word.toUpperCase())
  if (tx !== undefined) return { sql: text, admits: (found) => bound(found, BigInt(tx)) }
  const second = secondOf(time ?? '')
  const admits = second === null ? null : (_tx: bigint, at: bigint) => bound(at, second)
  return { sql: text, admits }
}

function boundOf(word: string): (one: bigint, other: bigint) => boolean {
  if (word === 'SINCE') return (one, other) => one >= other
  if (word === 'AFTER') return (one, other) => one > other
  return word === 'UNTIL' ? (one, other) => one <= other : (one, other) => one < other
}

/** The server drops what is below a second. */
function secondOf(time: string): bigint | null {
  const [, day, clock = '00:00', rest = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?$/.exec(time.trim()) ?? []
  const at = Date.parse(`${day}T${clock}${rest}Z`)
  return Number.isNaN(at) ? null : BigInt(at / 1_000)
}
