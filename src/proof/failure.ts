/**
 * Why an answer is refused. `malformed` says that it cannot be read as what it claims to be; every
 * other reason says which of the checks it fails.
 */
export type Reason =
  | 'malformed'
  | 'wrong-database'
  | 'rolled-back'
  | 'history-changed'
  | 'not-anchored'
  | 'signature'
  | 'dual-proof'
  | 'linear-proof'
  | 'linear-advance-proof'
  | 'tx-mismatch'
  | 'value-mismatch'
  | 'entry-not-included'
  /** A transaction with two entries of one key, which immudb never writes. */
  | 'duplicate-key'
  | 'answer-mismatch'
  | 'schema-changed'
  | 'row-encoding'
  | 'document-encoding'
  | 'audit'

/** The rungs of a proof, from the content up to who vouches for it. */
export const rungs = ['value', 'entry', 'header', 'link', 'signature'] as const
export type Rung = (typeof rungs)[number]

/**
 * Where a check failed: on a rung, or before there was one to stand on: in what is known already
 * (`context`), in what was asked for (`request`) or in the form of the answer (`answer`), or in
 * the proven bytes when they are read as what they should hold (`content`).
 */
export type StepName = Rung | 'context' | 'request' | 'answer' | 'content'

/** One rung as it was climbed. Hashes are 64 hex digits. */
export type Step = {
  name: StepName
  /** `unchecked`: there was nothing to compare with, such as no pinned key or no trusted state. */
  result: 'ok' | 'failed' | 'unchecked'
  /** What went into the hash; bytes as hex digits, 64-bit integers as decimal digits. */
  inputs: Readonly<Record<string, string>>
  /** The hash made of the inputs; null where the rung makes none. */
  computed: string | null
  /** The hash it had to be; null where it is only made for the next rung. */
  expected: string | null
}

/** The hashes and inputs of the rung that failed, as far as there were any. */
export type Compared = Partial<Pick<Step, 'inputs' | 'computed' | 'expected'>>

/**
 * An answer that must not be shown as verified. All of it is for machines and for people
 * who read VERIFY.md; words for operators are made of it elsewhere.
 */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly reason: Reason
  readonly step: StepName
  /** The field of the answer, the request or the context that is not right. */
  readonly part: string
  readonly compared: Compared
  /** The rungs that were climbed, the failed one at the end. */
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

/** Reads something that is not the answer's, which is then what a refusal names as the place. */
export function within<T>(step: StepName, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProofError) return malformed(error.part, step)
    throw error
  }
}

/** Throws for what cannot be read: missing, surplus, of a wrong length or in another alphabet. */
export function malformed(part: string, step: StepName = 'answer'): never {
  throw new ProofError('malformed', step, part)
}
