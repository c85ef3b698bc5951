import { atom } from 'jotai'
import { type Judged, verdictOf } from '~/proof/verdict'
import { historyStandingAtom } from './history-standing'
import { type KnownOfObject, knownOfObject } from './object-verdict'
import type { Verification } from './verification'

/** The verdict on the hash of a transaction, of which its header is enough. */
export function hashVerdictThen(verification: Verification): Judged {
  return verdictOf({ ...knownOfHash(verification), history: 'followed' })
}

/** The same by what is known of its history now. */
export const hashVerdictAtom = atom(
  (get) =>
    (verification: Verification): Judged =>
      verdictOf({
        ...knownOfHash(verification),
        history: get(historyStandingAtom)(verification),
      }),
)

function knownOfHash(verification: Verification): KnownOfObject {
  const { outcome } = verification
  const { proof, ground } = knownOfObject({ verification })
  return {
    proof,
    ground,
    content: 'same',
    open: outcome.kind === 'ok' ? outcome.verified.open : [],
  }
}
