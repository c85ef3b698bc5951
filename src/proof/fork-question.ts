import type { Context } from './kernel/context'
import type { Kind } from './kernel/verify'
import type { Fork, Side, SourceState } from './same-history'

/** What a file about a fork is checked by: kind, context, request and response. */
export type ForkQuestion = {
  kind: Extract<Kind, 'fork'>
  context: Context
  request: { tx: string }
  response: unknown
}

/** What a side calls itself. */
export type SideNames = { name: string; server: { uuid: string | null; origin: string } }

/** A fork as `verify` checks it, VERIFY.md 7.9. */
export function forkQuestion(
  { after, proofs }: Fork,
  dbs: readonly [string, string],
  states: readonly [SourceState, SourceState],
  names: readonly [SideNames, SideNames],
): ForkQuestion {
  const [first, second] = [sideOf(0), sideOf(1)]
  function sideOf(side: Side) {
    const { dualProof } = (proofs[side] ?? {}) as { dualProof?: unknown }
    return { ...names[side], db: dbs[side], state: states[side].answer, dualProof }
  }
  const { point, key } = states[0]
  return {
    kind: 'fork',
    context: { db: dbs[0], trusted: point, publicKey: key },
    request: { tx: String(BigInt(after) + 1n) },
    response: { first, second },
  }
}
