import { type ProofStep, proofSteps } from '~/proof/kernel/steps'
import type { Kind } from '~/proof/kernel/verify'

/** The lowest step of each kind: of a transaction no content is proven, of a state no entry. */
const lowest: Partial<Record<Kind, ProofStep>> = {
  row: 'value',
  get: 'value',
  document: 'value',
  write: 'value',
  tx: 'entry',
  state: 'header',
  fork: 'header',
}

/** The steps of each kind, to tell which ones a refused proof did not reach. */
export function stepsOfKind(kind: Kind): readonly ProofStep[] {
  const first = lowest[kind]
  return first === undefined ? [] : proofSteps.slice(proofSteps.indexOf(first))
}
