import { atom } from 'jotai'
import type { AuditProgress } from '~/proof/audit-messages'
import { openIdAtom } from '../session/session'
import type { DatabaseId } from '../trust/database-id'
import { type Break, keyOf } from '../trust/record'
import type { AuditReport, RestingProgress } from './record'

/** The audit of one database as this tab knows it. */
export type DeepAuditState =
  /** What is kept of it has not been read yet. */
  | { kind: 'unread' }
  | { kind: 'idle' }
  /** `waiting`: nothing moves until the server answers or somebody signed in again. */
  | { kind: 'running'; progress: AuditProgress | null; waiting: Waiting | null }
  | { kind: 'paused'; progress: RestingProgress; at: number }
  /** Another tab of this browser runs it. */
  | { kind: 'elsewhere' }
  | { kind: 'finished' }
  /** Could not go on, which says nothing about the history; resumable when `progress` is there. */
  | { kind: 'failed'; words: string; advice: string; details: string; progress: Progress | null }
  /**
   * The history is not what it was, which the trusted state's record says, too; `isBefore` when it
   * did so before the audit, which was not begun for that.
   */
  | { kind: 'broken'; broken: Break; isBefore: boolean }

type Progress = RestingProgress

export type Waiting = { why: 'token' | 'server'; words: string }

export type DeepAudit = {
  state: DeepAuditState
  /** What the last one found out that ended. */
  report: AuditReport | null
}

const unread: DeepAudit = { state: { kind: 'unread' }, report: null }

/** By the keys of databases, so that nothing is said of the same name on another server. */
export const deepAuditsAtom = atom<ReadonlyMap<string, DeepAudit>>(new Map<string, DeepAudit>())

/** The audit of the open database. */
export const deepAuditAtom = atom((get) => auditOf(get(deepAuditsAtom), get(openIdAtom)))

function auditOf(audits: ReadonlyMap<string, DeepAudit>, id: DatabaseId): DeepAudit {
  return audits.get(keyOf(id)) ?? unread
}

/** Notes a part of what is known of an audit. */
export const setDeepAuditAtom = atom(
  null,
  (get, set, id: DatabaseId, change: Partial<DeepAudit>) => {
    const audits = get(deepAuditsAtom)
    const next = { ...auditOf(audits, id), ...change }
    set(deepAuditsAtom, new Map(audits).set(keyOf(id), next))
  },
)

export type AuditChoice = {
  /** Every value is asked for, too; otherwise only the hashes that stand for them. */
  withValues: boolean
  /** From the first transaction, or from where the last audit of this database ended. */
  from: 'start' | 'last'
}

/** Looks away from what an audit ended with; what is kept of it is read again. */
export const leaveDeepAuditAtom = atom(null, (get, set) =>
  set(setDeepAuditAtom, get(openIdAtom), { state: { kind: 'unread' } }),
)
