import { isProven, type TrustRecord } from './record'
import type { Persistence } from './store'
import { late } from './store'
import type { Trust } from './trust'

/** Why a history that is never kept is never more than a first contact. */
export const forgotten = {
  cause: 'memory',
  why: 'This browser keeps nothing for this page: the trusted state is kept in memory only, and the next visit begins with a first contact again.',
} as const

/**
 * A trust as it may be shown: without storage nobody knows what was recorded before, so that
 * nothing goes on from it. What is broken is broken all the same.
 */
export function withPersistence(trust: Trust, keeping: Persistence): Trust {
  if (keeping === 'kept' || (trust.kind !== 'first' && trust.kind !== 'consistent')) return trust
  const { record, why, cause } = trust
  if (keeping === 'late') return { kind: 'unchecked', ...(why === null ? late : { why, cause }) }
  return { kind: 'first', record, ...(why === null ? forgotten : { why, cause }) }
}

/** Whether proofs held for a record that is only called a first contact: the page keeps nothing. */
export function isOfPageAlone(record: TrustRecord): boolean {
  return isProven(record)
}

/** Whether the server has just proven that its state goes on from the point, kept or not. */
export function isCurrent(trust: Trust): boolean {
  if (trust.kind === 'unchecked') return trust.cause === 'late'
  if (trust.kind !== 'first' && trust.kind !== 'consistent') return false
  return trust.why === null || trust.cause === 'memory'
}
