import { hexOf } from '~/lib/bytes'
import type { RefusedProof } from '~/proof/evidence'
import { factsAlone } from '~/proof/shown'
import type { Break, BreakKind } from './trust-record'
import type { Verification } from './verification'

/** What a refused proof means for the history it is about, kept to be shown and saved. */
export function breakOf(verification: Verification, refusal: RefusedProof): Break {
  const { reason, step, part, compared } = refusal
  const state = stateOf(verification.response)
  const isState = verification.kind === 'state'
  const expected = isState ? hexOf(verification.context?.trusted?.txHash ?? '') : ''
  const received = isState && typeof state?.txHash === 'string' ? hexOf(state.txHash) : ''
  return {
    kind: isState ? kindOf(refusal, verification) : 'object',
    reason,
    step,
    part,
    expected: compared.expected ?? expected,
    received: compared.computed ?? received,
    at: verification.at,
    what: verification.what,
    // A finding is about the answer; what a screen showed beside it stays in memory.
    verification: { ...verification, shown: factsAlone },
    acknowledgedAt: null,
  }
}

function kindOf({ reason }: RefusedProof, { context, response }: Verification): BreakKind {
  const state = stateOf(response)
  switch (reason) {
    case 'malformed':
    case 'wrong-database':
      return 'malformed'
    case 'rolled-back':
      return 'rolled-back'
    case 'signature':
      return state?.signature ? 'foreign-signature' : 'unsigned'
    case 'history-changed':
      return state?.txId === context?.trusted?.txId ? 'rewritten' : 'forked'
    default:
      return 'forked'
  }
}

/** The transaction that a hash of a finding is of; null for a hash of anything else. */
export function txOfHash({ verification, part, received }: Break, hash: string): string | null {
  const trusted = verification?.context?.trusted
  const state = stateOf(verification?.response)
  if (trusted && hash === hexOf(trusted.txHash)) return trusted.txId
  if (typeof state?.txHash === 'string' && hash === hexOf(state.txHash)) {
    return typeof state.txId === 'string' && /^\d{1,20}$/.test(state.txId) ? state.txId : '0'
  }
  // The proof's hash for the trusted transaction.
  return trusted && part === 'trusted' && hash === received ? trusted.txId : null
}

type State = { txId?: unknown; txHash?: unknown; signature?: unknown }

function stateOf(response: unknown): State | null {
  if (typeof response !== 'object' || response === null || !('state' in response)) return null
  const { state } = response
  return typeof state === 'object' ? state : null
}
