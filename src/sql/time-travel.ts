import { keywordOf } from './names'
import { hasOwnTime, isRead, tableReferences } from './tables'
import { meaningfulTokens, type Token } from './tokens'

/**
 * UNTIL and BEFORE show the rows as of a moment; BEFORE excludes it. SINCE and AFTER only show rows
 * whose latest revision is from that moment or later; AFTER excludes it.
 */
export type Bound = 'UNTIL' | 'BEFORE' | 'SINCE' | 'AFTER'

/** A moment in the history of a database: a transaction, or a time in UTC as SQL writes it. */
export type Moment = {
  readonly bound: Bound
  readonly at:
    | { readonly kind: 'tx'; readonly id: string }
    | { readonly kind: 'time'; readonly text: string }
}

/** How one statement reads its tables as of a moment. */
export type Travel = {
  /** What to insert behind which UTF-16 offset of the statement. */
  readonly periods: ReadonlyMap<number, string>
  /** Tables that it reads as of the moment. */
  readonly tables: readonly string[]
  /** Tables that keep their own period in the statement, or cannot have one. */
  readonly own: readonly string[]
  /** Views and catalogues: immudb 1.11.1 accepts a period there but silently shows the present. */
  readonly timeless: readonly string[]
}

/** The period as SQL, such as `UNTIL TX 42`. */
export function periodOf({ bound, at }: Moment): string {
  return at.kind === 'tx'
    ? `${bound} TX ${at.id}`
    : `${bound} CAST('${at.text.replaceAll("'", "''")}' AS TIMESTAMP)`
}

/**
 * Where the period of a moment goes in a statement that reads: behind each table it names, in
 * front of the alias.
 * @param tables names of all tables of the database, without its views, in lower case
 */
export function insertPeriods(text: string, moment: Moment, tables: ReadonlySet<string>): Travel {
  const tokens = meaningfulTokens(text)
  const inserted = new Map<number, string>()
  const read = new Set<string>()
  const own = new Set<string>()
  const timeless = new Set<string>()
  for (const reference of tableReferences(text, tokens)) {
    const at = tokens.findIndex(({ from }) => from === reference.from)
    if (!isRead(text, tokens, at)) continue
    if (hasOwnTime(text, tokens, at)) own.add(reference.name)
    else if (!tables.has(reference.name)) timeless.add(reference.name)
    else {
      inserted.set(reference.to, ` ${periodOf(moment)}`)
      read.add(reference.name)
    }
  }
  return { periods: inserted, tables: [...read], own: [...own], timeless: [...timeless] }
}

/** Puts the periods into a text, for showing and for pages; offsets are those of `travel`. */
export function withPeriods(text: string, { periods }: Pick<Travel, 'periods'>): string {
  let shown = ''
  let from = 0
  for (const [at, period] of [...periods].sort(([a], [b]) => a - b)) {
    shown += text.slice(from, at) + period
    from = at
  }
  return shown + text.slice(from)
}

/** For a moment typed in a form: the number of a transaction from 1 to the newest one. */
export function txProblem(id: string, newest: string): string | undefined {
  if (!/^\d{1,20}$/.test(id)) return 'A transaction is a whole number.'
  if (BigInt(id) < 1n) return 'The first transaction is 1.'
  if (BigInt(id) > BigInt(newest)) return `The newest transaction is ${newest}.`
  return undefined
}

/** One end of the period that a statement reads. */
export type PeriodEnd = {
  /** As the statement has it, such as `UNTIL TX 5`; null for a form that cannot be told apart. */
  readonly sql: string | null
  /**
   * Whether a transaction lies within it, by its number and its time in seconds since 1970, the
   * server's precision; null when unknown.
   */
  readonly admits: ((tx: bigint, seconds: bigint) => boolean) | null
}

/** The period that a statement about one table reads; null for an end that is open. */
export type RowPeriod = { readonly from: PeriodEnd | null; readonly until: PeriodEnd | null }

/** The period behind the table of a statement. */
export function rowPeriod(sql: string): RowPeriod {
  const tokens = meaningfulTokens(sql)
  return {
    from: endOf(sql, tokens, ['SINCE', 'AFTER']),
    until: endOf(sql, tokens, ['UNTIL', 'BEFORE']),
  }
}

const point = /^(\w+)\s+(?:TX\s+(\d+)|CAST\(\s*'([^']*)'\s+AS\s+TIMESTAMP\s*\))(?!\s*[-+*/%|])/i

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

/** The server ignores fractions of a second. */
function secondOf(time: string): bigint | null {
  const [, day, clock = '00:00', rest = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?$/.exec(time.trim()) ?? []
  const at = Date.parse(`${day}T${clock}${rest}Z`)
  return Number.isNaN(at) ? null : BigInt(at / 1_000)
}
