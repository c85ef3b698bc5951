import * as kernel from './kernel/verdict'
import type { ComparedLeaf } from './shown'

export type Known = kernel.Known<ComparedLeaf>
export type Judged = kernel.Judged<ComparedLeaf>
export type Verdict = kernel.Verdict
export type Cause = kernel.Cause

/** The verdict on everything known, with the parts that differ as screens show them. */
export const verdictOf: (known: Known) => Judged = kernel.verdictOf

/** The verdict before any check. */
export const unchecked: Judged = { verdict: 'unproven', cause: 'none' }

/** From the worst to the best. */
const order: readonly Verdict[] = [
  'failed',
  'contradicted',
  'unproven',
  'verified-in-part',
  'verified',
]

/** The worst of several verdicts; null for none. What may be innocent never hides what is not. */
export function gravestOf(all: readonly Judged[]): Judged | null {
  const rank = (one: Judged) => order.indexOf(one.verdict) + (toneOf(one) === 'warning' ? 0.5 : 0)
  return all.reduce<Judged | null>(
    (worst, one) => (worst === null || rank(one) < rank(worst) ? one : worst),
    null,
  )
}

export type Tone = 'verified' | 'neutral' | 'warning' | 'error'

/** Causes that can have an innocent reason. */
const mild: ReadonlySet<Cause> = new Set<Cause>(['odd', 'outdated', 'redescribed'])

/** How a verdict is coloured. */
export function toneOf({ verdict, cause }: Judged): Tone {
  if (verdict === 'verified') return 'verified'
  if (verdict === 'unproven' || verdict === 'verified-in-part') return 'neutral'
  return mild.has(cause) ? 'warning' : 'error'
}
