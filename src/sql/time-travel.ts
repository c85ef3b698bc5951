import { keywordOf, operatorOf } from './names'
import { tableReferences } from './tables'
import { isTrivia, type Token, tokenize } from './tokens'

/**
 * UNTIL and BEFORE show the rows as they were at a point, with it and without it. SINCE and AFTER
 * show only rows whose latest version was written from that point on.
 */
export type Bound = 'UNTIL' | 'BEFORE' | 'SINCE' | 'AFTER'

/** A point in the history of a database: a transaction, or a time in UTC as SQL writes it. */
export type Moment = {
  readonly bound: Bound
  readonly at:
    | { readonly kind: 'tx'; readonly id: string }
    | { readonly kind: 'time'; readonly text: string }
}

/** How the tables of one statement are read at a moment. */
export type Travel = {
  /** What to insert behind which UTF-16 offset of the statement. */
  readonly periods: ReadonlyMap<number, string>
  /** Tables that are read at the moment. */
  readonly tables: readonly string[]
  /** Tables that keep the period written in the statement, or have none by their nature. */
  readonly own: readonly string[]
  /** Views and catalogues: immudb 1.11.1 takes a period there and shows the present without a word. */
  readonly timeless: readonly string[]
}

/** The period as SQL, such as `UNTIL TX 42`. */
export function periodOf({ bound, at }: Moment): string {
  return at.kind === 'tx'
    ? `${bound} TX ${at.id}`
    : `${bound} CAST('${at.text.replaceAll("'", "''")}' AS TIMESTAMP)`
}

const periods: ReadonlySet<string> = new Set(['SINCE', 'AFTER', 'UNTIL', 'BEFORE'])

/**
 * Where the period of a moment goes in a statement that reads: behind each table it names, in
 * front of the alias.
 * @param tables names of all tables of the database, without its views, in lower case
 */
export function travel(text: string, moment: Moment, tables: ReadonlySet<string>): Travel {
  const tokens = tokenize(text).filter((token) => !isTrivia(token))
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

/** Whether a statement reads a table at a period that it names itself. */
export function namesPeriod(text: string): boolean {
  const tokens = tokenize(text).filter((token) => !isTrivia(token))
  return tableReferences(text, tokens).some(({ from }) => {
    const at = tokens.findIndex((token) => token.from === from)
    return isRead(text, tokens, at) && hasOwnTime(text, tokens, at)
  })
}

/** SHOW TABLE t and the like name a table without reading its rows. */
function isRead(text: string, tokens: readonly Token[], at: number): boolean {
  const before = keywordOf(text, tokens[at - 1])
  if (['FROM', 'JOIN', 'LATERAL', 'OF'].includes(before)) return true
  return operatorOf(text, tokens[at - 1]) === ','
}

function hasOwnTime(text: string, tokens: readonly Token[], at: number): boolean {
  // HISTORY OF takes no period, and DIFF OF has both of its own.
  return keywordOf(text, tokens[at - 1]) === 'OF' || periods.has(keywordOf(text, tokens[at + 1]))
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
