import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { openIdAtom } from '~/core/session/session'
import type { AuditProgress } from '~/proof/audit-messages'
import { type Break, keyOf } from '../trust-record'
import type { AuditReport, RestingProgress } from './audit-record'

/** The state of the audit of one database in this tab. */
export type DeepAuditState =
  /** The saved record has not been read yet. */
  | { kind: 'unread' }
  | { kind: 'idle' }
  /** `waiting`: it waits for the server or for a new login. */
  | { kind: 'running'; progress: AuditProgress | null; waiting: Waiting | null }
  | { kind: 'paused'; progress: RestingProgress; at: number }
  /** Another tab of this browser runs it. */
  | { kind: 'elsewhere' }
  | { kind: 'finished' }
  /**
   * Could not continue, which says nothing about the history; resumable when `progress` is there.
   */
  | { kind: 'failed'; words: string; advice: string; details: string; progress: Progress | null }
  /**
   * The history is broken, and the record of the trusted state says so too. `isBefore`: it was
   * broken before the audit, which therefore did not begin.
   */
  | { kind: 'broken'; broken: Break; isBefore: boolean }

type Progress = RestingProgress

export type Waiting = { why: 'token' | 'server'; words: string }

export type DeepAudit = {
  state: DeepAuditState
  /** The report of the last finished audit. */
  report: AuditReport | null
}

const unread: DeepAudit = { state: { kind: 'unread' }, report: null }

/** By database key, because another server may have a database with the same name. */
export const deepAuditsAtom = atom<ReadonlyMap<string, DeepAudit>>(new Map<string, DeepAudit>())

/** The audit of the open database. */
export const deepAuditAtom = atom((get) => auditOf(get(deepAuditsAtom), get(openIdAtom)))

function auditOf(audits: ReadonlyMap<string, DeepAudit>, id: DatabaseId): DeepAudit {
  return audits.get(keyOf(id)) ?? unread
}

/** Changes a part of an audit's state. */
export function setDeepAudit({ get, set }: Io, id: DatabaseId, change: Partial<DeepAudit>) {
  const audits = get(deepAuditsAtom)
  const next = { ...auditOf(audits, id), ...change }
  set(deepAuditsAtom, new Map(audits).set(keyOf(id), next))
}

export type AuditChoice = {
  /** Read every value too; otherwise only their hashes. */
  withValues: boolean
  /** From the first transaction, or from where the last audit of this database ended. */
  from: 'start' | 'last'
}

/** Closes the result of an audit and reads the saved record again. */
export function leaveDeepAudit(io: Io) {
  return setDeepAudit(io, io.get(openIdAtom), { state: { kind: 'unread' } })
}
