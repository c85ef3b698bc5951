import { type Context, readContext, type TrustedState, writePoint } from './context'
import { Ladder } from './ladder'
import type {
  AuditFacts,
  DocumentFacts,
  ForkFacts,
  GetFacts,
  RowFacts,
  StateFacts,
  TxFacts,
} from './proven-facts'
import type { Check, OpenPart, Proven } from './proven-tx'
import { isMissing } from './read'
import { readRequest } from './request'
import { malformed, ProofError, type Step } from './steps'
import { verifyAudit } from './verify-audit'
import { verifyDocument } from './verify-document'
import { verifyFork } from './verify-fork'
import { verifyGet } from './verify-get'
import { verifyRow } from './verify-row'
import { verifyState } from './verify-state'
import { verifyTx, verifyWrite } from './verify-write'

/** What the answer of each kind proves when it is `ok`; `error` and `none` prove nothing. */
export type FactsOf = {
  state: StateFacts
  tx: TxFacts
  get: GetFacts
  write: TxFacts
  row: RowFacts
  document: DocumentFacts
  audit: AuditFacts
  fork: ForkFacts
  error: null
  none: null
}

export type Kind = keyof FactsOf

export type Verified<Facts> = {
  /** The trusted state afterwards; only a `state` should move the one that is kept. */
  next: TrustedState | null
  /** Nothing was known to compare with: the answer is consistent in itself, no more. */
  firstUse: boolean
  /** The pinned key signed it. */
  signed: boolean
  /** The newer tree of transactions ends earlier than it could, although the older one did not. */
  lags: boolean
  /** A linear advance proof was there and held, which only newer versions send. */
  hasAdvance?: true
  /** The steps of the proof, from the content up. */
  steps: readonly Step[]
} & (
  | {
      verdict: 'ok'
      facts: Facts
      /** What the proof leaves open; `tree` alone does not matter to the verdict. */
      open: readonly OpenPart[]
    }
  | {
      /** Neither right nor wrong. */
      verdict: 'unproven'
      /**
       * `none`: an error or a list, which has no proof. `untied`: a transaction newer than the
       * trusted one that the proof does not tie to it. `older-form`: the answer lacks what it would
       * need to prove anything, as answers of older versions do; what it has was checked.
       */
      why: 'none' | 'untied' | 'older-form'
      facts: null
      open: readonly []
    }
)

type Procedure<Facts> = (check: Check, response: unknown) => Proven<Facts>

type Provable = Exclude<Kind, 'error' | 'none'>

const procedures: { readonly [K in Provable]: Procedure<FactsOf[K]> } = {
  state: verifyState,
  tx: verifyTx,
  get: verifyGet,
  write: verifyWrite,
  row: verifyRow,
  document: verifyDocument,
  audit: verifyAudit,
  fork: verifyFork,
}

/**
 * Checks an answer of immudb's REST gateway against what is known and what was asked for, by the
 * rules of VERIFY.md, which are stricter than the Go client. It only fetches the code for
 * signatures, once, when a key is pinned, and it keeps nothing.
 * @param context may be missing for `error` and `none`
 * @param request the body as it was sent; `{ tx, … }` for `tx`; not looked at for `state`, `audit`
 * @param response the JSON as it came; `{ state, proof? }` for `state`
 * @returns what is proven; show only `facts` as verified
 * @throws ProofError for any wrong answer; another error only when the code for signatures cannot
 * be loaded, which says nothing about the answer
 */
export async function verify<K extends Kind>(
  kind: K,
  context: Context | null | undefined,
  request: unknown,
  response: unknown,
): Promise<Verified<FactsOf[K]>>
export async function verify(
  kind: Kind,
  context: Context | null | undefined,
  request: unknown,
  response: unknown,
): Promise<Verified<FactsOf[Kind]>> {
  // A fork has keys of its own.
  const isSigned = kind === 'fork' || (mayBeSigned(kind) && !isMissing(context?.publicKey))
  const signatures = isSigned ? await import('./signature') : null
  const ladder = new Ladder()
  try {
    if (kind === 'error' || kind === 'none') return unprovenResult(kind, context, response)
    const procedure = Object.hasOwn(procedures, kind) ? procedures[kind] : null
    if (!procedure) return malformed('kind', 'request')
    const known = readContext(context)
    const check = { known, request: readRequest(request), ladder, signatures }
    const proven = procedure(check, response)
    const { facts, next, firstUse, signed, isTied, lags, advance, open } = proven
    const isOlderForm = advance === 'lacking' || proven.isOlderForm === true
    const hasAdvance = advance === 'holds' && { hasAdvance: true as const }
    const about = { next: writePoint(next), firstUse, signed, lags, ...hasAdvance }
    const found = { ...about, steps: ladder.steps }
    const nothing = { ...found, verdict: 'unproven', facts: null, open: [] } as const
    if (isOlderForm) return { ...nothing, why: 'older-form' }
    if (!isTied) return { ...nothing, why: 'untied' }
    return { ...found, verdict: 'ok', facts, open }
  } catch (error) {
    throw refusalFrom(error, ladder)
  }
}

const mayBeSigned = (kind: Kind) => kind in procedures && kind !== 'audit'

function unprovenResult(
  kind: 'error' | 'none',
  context: Context | null | undefined,
  response: unknown,
): Verified<null> {
  if (kind === 'error' && saysIllegalState(response)) {
    throw new ProofError('rolled-back', 'answer', 'message')
  }
  const next = context?.trusted ?? null
  const nothing = { firstUse: false, signed: false, lags: false, steps: [], open: [] } as const
  return { verdict: 'unproven', why: 'none', facts: null, next, ...nothing }
}

/**
 * The server's error when it lacks the transaction at which a proof should start. Its history was
 * rolled back, which its state, read again, must confirm. `ErrIllegalState` of embedded/store. The
 * engine needs nothing of the rest of the console, so `api/errors.ts` has the pattern too.
 */
function saysIllegalState(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false
  const { error, message } = response as { error?: unknown; message?: unknown } // of any shape
  return [error, message].some((text) => typeof text === 'string' && /illegal state/i.test(text))
}

/** Any error while reading an answer counts as a refusal. */
function refusalFrom(error: unknown, ladder: Ladder): ProofError {
  const refusal =
    error instanceof ProofError ? error : new ProofError('malformed', 'answer', String(error))
  refusal.steps = ladder.failed(refusal)
  return refusal
}
