import { atom } from 'jotai'
import type { RefusedProof } from '~/proof/evidence'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { gapOf } from './open-parts'
import type { Proof } from './proof-drawer'
import { breaksAtom, trustsAtom } from './trust'
import type { Verification } from './verification'

/** What a check was compared with. */
export type Compared = Pick<Verification, 'database' | 'server' | 'basis'>

/** The present state of the history that something was compared with. */
type HistoryStanding =
  | 'followed'
  /** Nothing in the database may be called verified. */
  | 'broken'
  /** Its trusted state was forgotten, or another server answers now. */
  | 'forgotten'

/** Compares a check with the history that is trusted now, which may be a different one. */
export const historyStandingAtom = atom(
  (get) =>
    ({ database, server, basis }: Compared): HistoryStanding => {
      if (basis === 'example') return 'followed'
      if (get(isBrokenAtom)(database)) return 'broken'
      const contact = basis?.contact
      // A check without a comparison belongs to no history.
      if (!contact) return 'followed'
      const trust = get(trustsAtom).get(database)
      const record = trust && 'record' in trust ? trust.record : null
      const now = record?.id.server === server ? record.firstContact : null
      const isSame =
        now?.at === contact.at && now.txId === contact.txId && now.txHash === contact.txHash
      return isSame ? 'followed' : 'forgotten'
    },
)

/** Whether nothing in a database may be called verified. */
export const isBrokenAtom = atom(
  (get) => (database: string) => get(breaksAtom)(database).length > 0,
)

/** Everything that a verdict on an object depends on, except the present state of its history. */
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

/** Classifies a refusal: an altered table is not a failed proof. */
export function proofOfRefusal({ reason }: Pick<RefusedProof, 'reason'>): Known['proof'] {
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

/** What a check was compared with; a recorded example has its own state. */
function groundOf({ outcome, basis }: Verification): Known['ground'] {
  const hasFirstUse = outcome.kind !== 'ok' || outcome.verified.firstUse
  if (basis === 'example') return hasFirstUse ? 'first' : 'recorded'
  if (basis && basis.keeping !== 'kept') return basis.keeping
  return hasFirstUse || !basis?.contact ? 'first' : 'recorded'
}
