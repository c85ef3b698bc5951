import { hasOwnTime, isRead, tableReferences } from './tables'
import { isTrivia, tokenize } from './tokens'

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
