import type { TableFinding } from './compare-tables'
import type { Context, TrustedState } from './context'
import type { AuditCounts, AuditEnd } from './deep-audit'
import type { Exceptions } from './exceptions'
import type { ProofError } from './failure'
import type { SavedDeepAudit } from './saved-audit'
import type { Schema } from './schema'
import type { Kind } from './verify'

/** What the page and the worker of an audit tell each other. */
export type AuditOrder =
  | StartAudit
  /** A token of the same user after the last one was lost; null when nobody signed in again. */
  | { kind: 'token'; token: string | null }
  | { kind: 'pause' }
  /** The trusted state as it is now. */
  | { kind: 'target'; target: TrustedState }

export type StartAudit = {
  kind: 'start'
  /** Where the interface of the server is. */
  baseURL: string
  database: string
  /** What the server must call itself. */
  server: string
  token: string | null
  /** Milliseconds that its clock is ahead. */
  clockOffset: number
  /** Where an audit that rests goes on; or where a new one begins. */
  from: { resume: unknown } | { since: unknown; target: TrustedState; withValues: boolean } | Fresh
}

export type Fresh = { target: TrustedState; withValues: boolean }

export type AuditProgress = {
  /** The transaction it began with, how far it is and where it ends. */
  first: string
  txId: string
  last: string
  withValues: boolean
  entries: number
  counts: AuditCounts
  exceptions: Exceptions
  /** Documents and large values that are still to be asked for. */
  pending: number
  /** Milliseconds of work so far, and transactions per second of late. */
  active: number
  rate: number
  step: 'transactions' | 'tables'
}

export type AuditNews =
  /** `saved` is there now and then, when the audit could rest here. */
  | { kind: 'progress'; progress: AuditProgress; saved: SavedDeepAudit | null; calls: number }
  /** Goes on by itself: once the server answers again, or once somebody signed in again. */
  | { kind: 'waiting'; why: 'token' | 'server'; words: string }
  | { kind: 'going-on' }
  /** Wants the newest trusted state, because tables differ that may have been altered since. */
  | { kind: 'target-wanted' }
  | { kind: 'paused' }
  | {
      kind: 'ended'
      /** Null without values, and when the history does not tell the tables. */
      tables: TableFinding[] | null
      /** The tables as they were proven, and what is known of the numbers of collections. */
      schemas: Schema[]
      collections: [number, string | number][]
      /** Collections that the history itself gives the name they were proven under. */
      named: readonly (readonly [name: string, number: number])[]
      /** The last transaction that changed any of these, as far as it can be told; 0 for none. */
      catalogTx: string
      /** The collections that the server lists, where some documents were given by none. */
      listed: readonly string[]
      end: AuditEnd | null
      target: TrustedState
    }
  /** What was kept of it is not what an audit can go on from. */
  | { kind: 'unreadable' }
  /** Cannot go on, which says nothing about the history. */
  | { kind: 'failed'; words: string; details: string }
  | RefusedAudit

export type RefusedAudit = {
  kind: 'refused'
  of: Kind
  what: string
  context: Context
  request: unknown
  response: unknown
  refusal: Pick<ProofError, 'reason' | 'step' | 'part' | 'compared' | 'steps'>
}
