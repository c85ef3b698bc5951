/**
 * Why an answer is refused. `malformed`: it does not have the form that it claims. Every other
 * reason names the failed check.
 */
export const reasons = [
  'malformed',
  'wrong-database',
  'rolled-back',
  'history-changed',
  'not-anchored',
  'signature',
  'dual-proof',
  'linear-proof',
  'linear-advance-proof',
  'tx-mismatch',
  'value-mismatch',
  'entry-not-included',
  /** A transaction with two entries of one key, which immudb never writes. */
  'duplicate-key',
  'answer-mismatch',
  'schema-changed',
  /** A description in a form that the server had left. */
  'older-form',
  'row-encoding',
  'document-encoding',
  'audit',
  /** Two sides of a fork whose transactions do not show one. */
  'no-fork',
] as const
export type Reason = (typeof reasons)[number]

/**
 * The steps of a proof, from the content up to who vouches for it. A kind of proof begins with one
 * of them (`lowest` in `screens/proof/steps-of-kind.ts`) and goes through all that follow. What each
 * says is in `words/proof-step.ts`, why one is refused in `words/refusal.ts`.
 */
export const proofSteps = ['value', 'entry', 'header', 'link', 'signature'] as const
export type ProofStep = (typeof proofSteps)[number]

/**
 * Where a check failed. Before all steps: what is known (`context`), what was asked for (`request`)
 * and the form of the answer (`answer`). After them: decoding the proven bytes (`content`).
 */
export type StepName = ProofStep | 'context' | 'request' | 'answer' | 'content'

/** One checked step. Hashes are 64 hex digits. */
export type Step = {
  name: StepName
  /** `unchecked`: there was nothing to compare with, such as no pinned key or no trusted state. */
  result: 'ok' | 'failed' | 'unchecked'
  /** The inputs of the hash; bytes as hex digits, 64-bit integers as decimal digits. */
  inputs: Readonly<Record<string, string>>
  /** The hash of the inputs; null when the step has none. */
  computed: string | null
  /** The expected hash; null when it only serves the next step. */
  expected: string | null
}

/** The hashes and inputs of the failed step, as far as there were any. */
export type Compared = Partial<Pick<Step, 'inputs' | 'computed' | 'expected'>>

/**
 * An answer that must not be shown as verified. It serves machines and readers of VERIFY.md;
 * `src/words/` makes sentences for operators of it.
 */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly reason: Reason
  readonly step: StepName
  /** The field of the answer, the request or the context that is not right. */
  readonly part: string
  readonly compared: Compared
  /** The checked steps, the failed one last. */
  steps: readonly Step[] = []

  constructor(reason: Reason, step: StepName, part: string, compared: Compared = {}) {
    super(`${reason}: ${part}`)
    this.reason = reason
    this.step = step
    this.part = part
    this.compared = compared
  }
}

/** Makes the refusals of one check. */
export type Refusal = (part: string, compared?: Compared) => ProofError

export function refusalOf(reason: Reason, step: StepName): Refusal {
  return (part, compared) => new ProofError(reason, step, part, compared)
}

/** Reads something other than the answer, and names it as the place of a refusal. */
export function within<T>(step: StepName, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProofError) return malformed(error.part, step)
    throw error
  }
}

/** Throws for unreadable parts: missing, surplus, of a wrong length or in another alphabet. */
export function malformed(part: string, step: StepName = 'answer'): never {
  throw new ProofError('malformed', step, part)
}
