import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { outputLimit } from '~/lib/constants'
import type { ResultHit } from '~/sql/find-in-result'
import type { PagePlan, Shape } from '~/sql/paging'
import type { ResultTable } from '~/sql/result'
import type { Moment } from '~/sql/time-travel'

/** The status of one statement. `unknown`: sent, and not known whether it was committed. */
export type RunStatus = 'running' | 'done' | 'failed' | 'unknown' | 'cancelled' | 'not-run'

export type Failure = {
  /** What happened, in plain words. */
  text: string
  /** What to do about it. */
  hint: string | null
  /** The server's own text and the technical facts of the call. */
  details: string
  /** Place in the statement as typed, from 1; null when the server named none. */
  place: { line: number; column: number } | null
  /** Nothing was stored, and the same statement may well succeed now. */
  mayRunAgain?: boolean
  /** A refusal that may mean that an earlier attempt was committed. */
  mayBeDone?: boolean
}

/** What “check now” found about a write with an unknown outcome. */
export type CheckResult = { text: string; rows: ResultTable | null }

/** The time a statement reads: the present, a chosen moment, or its own period. */
export type RunAt = { kind: 'present' } | { kind: 'past'; moment: Moment } | { kind: 'own' }

/** A result with only its first rows fetched. */
export type Paging = {
  readonly shape: Shape
  readonly plan: PagePlan
  /** The transaction all pages are read at; null when rows may change between two pages. */
  readonly tx: string | null
  /** Rows asked for at once; fewer when they are large. */
  readonly size: number
  readonly isComplete: boolean
  readonly isFetching: boolean
  /** Why the last page failed. */
  readonly problem: string | null
}

export type OutputEntry = {
  kind: 'entry'
  /** Result numbers count up in a tab and are never used twice. */
  number: number
  stream: 'rows' | 'error'
  status: RunStatus
  database: string
  /** Line of the statement in the editor, from 1. */
  line: number
  /** The statement as typed and, when it differs, as sent. */
  source: string
  sent: string | null
  notes: readonly string[]
  /** The transaction the statement made; null for reads and for writes that stored nothing. */
  tx: string | null
  /** Whether a past transaction was looked at. */
  timeTravel: boolean
  /**
   * Null until it is sent. For the present, `txBefore` is the newest transaction known at that
   * time.
   */
  at: RunAt | null
  /** Milliseconds since 1970 when it was started. */
  timestamp: number
  /** The same by the server's clock, which nobody sets here in the meantime. */
  sentAt: number
  /** Milliseconds from sending to the whole answer, null while running. */
  elapsed: number | null
  result: ResultTable | null
  /** How to fetch the rest of the result, when only the first rows were fetched. */
  paging: Paging | null
  message: string | null
  failure: Failure | null
  /** The newest transaction known before it was sent, where the check of a write begins. */
  txBefore: string
  tables: readonly string[]
  finding: CheckResult | null
  /** A warning although the statement succeeded. */
  warning: string | null
}

/** The rows of a result as rows that can be proven. */
export function rowSetOfResult(
  { database, number, source, sent, txBefore }: OutputEntry,
  rows: ResultTable,
): RowSet {
  return { database, number, sql: sent ?? source, rows, txBefore }
}

/** A line between the results of one run and the next. */
export type Divider = { kind: 'divider'; number: number }

/** Whether to show the sent text, because it differs from the typed one. */
export function isSentShown({ sent, notes, paging }: OutputEntry): boolean {
  return sent !== null && (notes.length > 0 || paging !== null)
}

/** The place of a failure in its statement, or an empty text. */
export function placeWords({ place }: Failure): string {
  return place ? `line ${place.line}, column ${place.column}` : ''
}

export type OutputItem = OutputEntry | Divider
export type SeverityFilter = 'all' | OutputEntry['stream']

const itemsAtom = atom<readonly OutputItem[]>([])
/**
 * Where a searched text stands: in a statement, in what is said about it, in the folded details of
 * its failure, or in its rows.
 */
export type OutputHit = { readonly entry: number } & (
  | { readonly kind: 'statement' | 'answer' | 'details' }
  | ResultHit
)

/** The hit that is shown; the search itself comes when it is opened (output-search.ts). */
export const shownHitAtom = atom<OutputHit | null>(null)

const lastNumberAtom = atom(0)
const pinnedAtom = atom<ReadonlySet<number>>(new Set<number>())

/** Results that stay on top, even when the output is cleared. */
export const pinnedResultsAtom = atom((get) => get(pinnedAtom))

/** Pins a result to the top of the output, or lets go of it. */
export function togglePin({ get, set }: Io, number: number) {
  const pinned = new Set(get(pinnedAtom))
  if (!pinned.delete(number)) pinned.add(number)
  set(pinnedAtom, pinned)
}

/** How many of the oldest results were dropped to keep the page quick. */
export const droppedCountAtom = atom(0)

/** Everything in the output, oldest first. */
export const outputAtom = atom((get) => get(itemsAtom))

/** Whether the output shows outcomes of writes, which are lost when the page closes. */
export const holdsOutcomeAtom = atom((get) =>
  get(itemsAtom).some(
    (item) => item.kind === 'entry' && (item.tx !== null || item.status === 'unknown'),
  ),
)

export const severityAtom = atom<SeverityFilter>('all')

/**
 * The output with only what the filter lets through, and no divider without a result. Pinned results
 * come first and are never filtered away.
 */
export const visibleOutputAtom = atom((get) => {
  const filter = get(severityAtom)
  const pinned = get(pinnedAtom)
  const items = get(itemsAtom)
  const isPinned = ({ number }: OutputItem) => pinned.has(number)
  const others = items.filter(
    (item) =>
      !isPinned(item) && (filter === 'all' || (item.kind === 'entry' && item.stream === filter)),
  )
  if (others.length === items.length) return items
  return [...items.filter(isPinned), ...others]
})

export type NewEntry = Omit<OutputEntry, 'kind' | 'number'>

/** Appends a result and a divider; returns the result's number. */
export function appendOutput({ get, set }: Io, entry: NewEntry): number {
  const number = get(lastNumberAtom) + 1
  set(lastNumberAtom, number)
  const items = [
    ...get(itemsAtom),
    { ...entry, kind: 'entry', number } as const,
    { kind: 'divider', number } as const,
  ]
  const dropped = surplusOf(items, get(pinnedAtom))
  if (dropped.size > 0) set(droppedCountAtom, (count) => count + dropped.size)
  set(itemsAtom, dropped.size > 0 ? items.filter((item) => !dropped.has(item.number)) : items)
  return number
}

/** The oldest results beyond the limit; pinned ones stay, and so does the newest. */
function surplusOf(items: readonly OutputItem[], pinned: ReadonlySet<number>): ReadonlySet<number> {
  const surplus = items.length / 2 - outputLimit
  if (surplus <= 0) return new Set()
  const numbers = items.flatMap(({ kind, number }) => (kind === 'entry' ? [number] : []))
  const free = numbers.slice(0, -1).filter((number) => !pinned.has(number))
  return new Set(free.slice(0, surplus))
}

/** Removes every result that is not pinned; numbers go on. */
export function clearOutput(io: Io) {
  const pinned = io.get(pinnedAtom)
  setOutput(
    io,
    io.get(itemsAtom).filter(({ number }) => pinned.has(number)),
  )
}

/** Changes a result in place, unless it was cleared in the meantime. */
export function changeOutput({ get, set }: Io, number: number, change: Partial<NewEntry>) {
  const isIt = (item: OutputItem) => item.kind === 'entry' && item.number === number
  set(
    itemsAtom,
    get(itemsAtom).map((item) => (isIt(item) ? { ...item, ...change } : item)),
  )
}

/** Sets the output as a whole; an empty list clears it, numbers go on. */
export function setOutput({ set }: Io, items: readonly OutputItem[]) {
  set(itemsAtom, items)
  set(droppedCountAtom, 0)
}
