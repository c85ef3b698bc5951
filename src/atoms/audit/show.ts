import type { AuditProgress } from '~/proof/audit-messages'
import type { StoreAccess } from '../storage/store-access'
import type { DatabaseId } from '../trust/database-id'
import { setDeepAuditAtom, type Waiting } from './deep-audit'
import type { RestingProgress } from './record'

export function showProgress(
  io: StoreAccess,
  id: DatabaseId,
  { progress, waiting = null }: { progress: AuditProgress | null; waiting?: Waiting | null },
): void {
  io.set(setDeepAuditAtom, id, { state: { kind: 'running', progress, waiting } })
}

/** An audit that cannot go on; `progress` when it rests where it was. */
export function showFailure(
  io: StoreAccess,
  id: DatabaseId,
  words: string,
  progress: RestingProgress | null,
  more: { advice?: string; details?: string } = {},
): void {
  const { advice = '', details = '' } = more
  io.set(setDeepAuditAtom, id, { state: { kind: 'failed', words, advice, details, progress } })
}

/** What an audit finds is about the history it began with, and about no other. */
export function showForgotten(io: StoreAccess, id: DatabaseId): void {
  io.set(setDeepAuditAtom, id, { report: null })
  const advice = 'What the audit had found was dropped with it.'
  showFailure(io, id, 'The trusted state was forgotten while it was being audited.', null, {
    advice,
  })
}

/** Damage in this browser, for which no server is to blame. */
export function showDamaged(io: StoreAccess, id: DatabaseId): void {
  io.set(setDeepAuditAtom, id, { report: null })
  const advice =
    'It was changed or damaged in the storage of this browser. The record is kept aside: see Verify. Start again from the first transaction.'
  showFailure(io, id, 'The saved progress of this audit could not be read.', null, { advice })
}
