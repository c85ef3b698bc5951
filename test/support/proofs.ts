import { readFileSync } from 'node:fs'
import type { Context, TrustedState } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import { type FactsOf, type Kind, type Verified, verify } from '~/proof/kernel/verify'

/** A recorded answer and the verdict it must get. */
export type Vector = {
  name: string
  verify: Kind
  context?: Context
  request?: unknown
  response: unknown
  expect: {
    verdict: 'ok' | 'fail' | 'unproven'
    reason?: string
    facts?: unknown
    next?: TrustedState
    firstUse?: boolean
    signed?: boolean
  }
}

export const vectorFiles = [
  '01-state',
  '02-long-linear',
  '03-kv',
  '04-write',
  '05-fork',
  '06-sql',
  '07-document',
  '08-header-v0',
  '09-audit',
  '10-no-advance',
  '11-agreed',
] as const

export function fixture(name: string): unknown {
  return JSON.parse(readFileSync(`test/fixtures/proofs/${name}.json`, 'utf8'))
}

export function vectorsOf(file: (typeof vectorFiles)[number]): Vector[] {
  return (fixture(file) as { vectors: Vector[] }).vectors
}

export type Verdict =
  | ({ refused: false } & Verified<FactsOf[Kind]>)
  | { refused: true; error: ProofError }

/** Verifies; anything but a refusal of the answer is thrown on. */
export async function verdictOf(
  { verify: kind, context, request }: Pick<Vector, 'verify' | 'context' | 'request'>,
  response: unknown,
): Promise<Verdict> {
  try {
    return { refused: false, ...(await verify(kind, context, request, response)) }
  } catch (error) {
    if (error instanceof ProofError) return { refused: true, error }
    throw error
  }
}

/** What an answer proves; throws for one that proves nothing. */
export async function proven<K extends Kind>(
  ...[kind, context, request, response]: [K, Context | null | undefined, unknown, unknown]
): Promise<Extract<Verified<FactsOf[K]>, { verdict: 'ok' }>> {
  const found: Verified<FactsOf[K]> = await verify(kind, context, request, response)
  if (found.verdict === 'ok') return found
  throw new Error(`the answer of kind ${kind} is unproven`)
}
