import type { TableFinding } from './compare-tables'
import type { AuditCounts, AuditEnd } from './deep-audit'
import type { Exceptions } from './exceptions'
import type { Context, TrustedState } from './kernel/context'
import type { Schema } from './kernel/schema'
import type { ProofError } from './kernel/steps'
import type { Kind } from './kernel/verify'
import type { SavedDeepAudit } from './saved-audit'

/** The messages between the page and the worker of an audit. */
export type AuditOrder =
  | StartAudit
  /** A token of the same user after the last one was lost; null when nobody signed in again. */
  | { kind: 'token'; token: string | null }
  | { kind: 'pause' }
  /** The trusted state as it is now. */
  | { kind: 'target'; target: TrustedState }

export type StartAudit = {
  kind: 'start'
  /** The base address of the server's API. */
  baseURL: string
  /** The id of the server in the host's list; null without one. */
  listedAs: string | null
  /** Whether the server takes tokens in a header of their own. */
  takesOwnHeader: boolean
  database: string
  /** The id that the server must have. */
  server: string
  token: string | null
  /** Milliseconds by which its clock is ahead. */
  clockOffset: number
  /** As in what is known before an answer, see `Context`. */
  hasNewerForm: boolean
  mayLackAdvance?: boolean
  /** Where a paused audit continues, or where a new one begins. */
  from: { resume: unknown } | ({ since: unknown; withTables: boolean } & Fresh) | Fresh
}

/** `withTables` above: whether it goes on deriving the tables, too. */
export type Fresh = { target: TrustedState; withValues: boolean }

export type AuditProgress = {
  /** The transaction it began with, its position and its target. */
  first: string
  txId: string
  last: string
  withValues: boolean
  entries: number
  counts: AuditCounts
  exceptions: Exceptions
  /** Documents and large values that are still to be fetched. */
  pending: number
  /** Milliseconds of work so far, and transactions per second of late. */
  active: number
  rate: number
  step: 'transactions' | 'tables'
}

export type AuditNews =
  /** `saved` comes now and then, when the audit can pause at this place. */
  | { kind: 'progress'; progress: AuditProgress; saved: SavedDeepAudit | null; calls: number }
  /** Continues by itself once the server answers again, or after a new login. */
  | { kind: 'waiting'; why: 'token' | 'server'; words: string }
  | { kind: 'going-on' }
  /** Asks for the newest trusted state, because differing tables may have been altered since. */
  | { kind: 'target-wanted' }
  | { kind: 'paused' }
  | {
      kind: 'ended'
      /** Null when the tables cannot be derived from the history. */
      tables: TableFinding[] | null
      /** The proven tables, and the known numbers of collections. */
      schemas: Schema[]
      collections: [number, string | number][]
      /** Collections whose proven name the history itself contains. */
      named: readonly (readonly [name: string, number: number])[]
      /** Digests of the names of collections in the history, by number; null for a deleted one. */
      nameDigests: ReadonlyMap<number, string | null>
      /** The last transaction that changed any of these, as far as it can be told; 0 for none. */
      catalogTx: string
      /** The collections that the server lists, where some documents were given by none. */
      listed: readonly string[]
      end: AuditEnd | null
      target: TrustedState
    }
  /** The saved audit cannot be continued. */
  | { kind: 'unreadable' }
  /** Cannot continue, which says nothing about the history. */
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
