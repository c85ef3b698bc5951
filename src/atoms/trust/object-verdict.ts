import { atom } from 'jotai'
import type { Refused } from '~/proof/evidence'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { historyStandingAtom } from './history-standing'
import { gapOf } from './open-parts'
import type { Proof } from './proof-drawer'
import type { Verification } from './verification'

/** What a verdict on an object follows from, but for what has become of its history since. */
export type KnownOfObject = Omit<Known, 'history'>

export function knownOfObject({
  verification,
  compared = [],
  gap,
  conflict,
}: Proof): KnownOfObject {
  const { outcome } = verification
  const verified = outcome.kind === 'ok' ? outcome.verified : null
  const isOther = conflict !== undefined || compared.some(({ match }) => match === 'differs')
  const isPartial = (gap ?? gapOf(verification).gap) !== undefined
  const isUnclear = isPartial || compared.some(({ match }) => match === 'unknown')
  return {
    proof: proofOf(verification),
    ground: groundOf(verification),
    content: isOther ? 'different' : 'same',
    open: [...(verified?.open ?? []), ...(isUnclear ? (['content'] as const) : [])],
  }
}

function proofOf({ outcome }: Verification): Known['proof'] {
  if (outcome.kind === 'refused') return proofOfRefusal(outcome.refusal)
  return outcome.kind === 'ok' && outcome.verified.verdict === 'ok' ? 'holds' : 'none'
}

/** What a refused answer is: a table that was altered is no proof that fails. */
export function proofOfRefusal({ reason }: Pick<Refused, 'reason'>): Known['proof'] {
  return reason === 'schema-changed' ? 'redescribed' : 'refused'
}

/** The verdict on an object at the time it was checked, when its history was followed. */
export function verdictWhenChecked(proof: Proof): Judged {
  return verdictOf({ ...knownOfObject(proof), history: 'followed' })
}

/** The verdict on an object by what is known of its history now. */
export const objectVerdictAtom = atom(
  (get) =>
    (proof: Proof): Judged =>
      verdictOf({
        ...knownOfObject(proof),
        history: get(historyStandingAtom)(proof.verification),
      }),
)

/** What a check was compared with; a recorded answer brings its own state to compare with. */
function groundOf({ outcome, basis }: Verification): Known['ground'] {
  const hasFirstUse = outcome.kind !== 'ok' || outcome.verified.firstUse
  if (basis === 'example') return hasFirstUse ? 'first' : 'recorded'
  if (basis && basis.keeping !== 'kept') return basis.keeping
  return hasFirstUse || !basis?.contact ? 'first' : 'recorded'
}
