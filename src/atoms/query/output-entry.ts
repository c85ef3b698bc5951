import type { PagePlan, Shape } from '~/sql/paging'
import type { GivenParameter } from '~/sql/parameter-values'
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
  /** The values of its names, which go with whatever asks for it again. */
  given: readonly GivenParameter[]
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

/** A line between the results of one run and the next. */
export type Divider = { kind: 'divider'; number: number }

export type OutputItem = OutputEntry | Divider

/** A result that is to be appended. */
export type NewEntry = Omit<OutputEntry, 'kind' | 'number'>
