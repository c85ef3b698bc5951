import type { VerdictName } from '~/lib/evidence-words'
import type { Rechecked } from '~/proof/check-evidence'
import type { OwnPoint } from './own-point'

/**
 * How the signing key of a file stands to the one that is pinned here for the server that the file
 * names: `none` where none is pinned, `missing` where the file has none.
 */
export type OwnKey = 'same' | 'different' | 'missing' | 'none'

/**
 * What a file of evidence shows in this browser. Anyone can make up a history with proofs that fit
 * it, so only what this browser itself recorded or pinned makes a file more than consistent.
 */
export function evidenceVerdict(
  { agrees, outcome, unchecked }: Rechecked,
  own: OwnPoint,
  key: OwnKey,
): VerdictName {
  if (!agrees) return 'changed'
  if (outcome.kind === 'refused') return 'fails'
  if (own.kind === 'different') return 'contradicted'
  if (key === 'different') return 'foreign-key'
  if (outcome.kind === 'unproven' || outcome.verified.verdict === 'unproven') return 'unproven'
  const { firstUse, signed, open } = outcome.verified
  const isVouchedFor = own.kind === 'same' || (signed && key === 'same')
  if (isVouchedFor) return open.every((part) => part === 'tree') ? 'holds' : 'in-part'
  if (firstUse) return 'first'
  return unchecked.includes('newer') ? 'newer' : 'consistent'
}
