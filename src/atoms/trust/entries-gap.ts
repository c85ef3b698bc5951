import type { TxFacts } from '~/proof/facts'
import type { Proof } from './proof-drawer'
import type { Verification } from './verification'

/** What a proof leaves open when the answer did not give the entries of the transaction. */
export function entriesGap({ kind, outcome }: Verification): Pick<Proof, 'gap'> {
  if (outcome.kind !== 'ok' || outcome.verified.verdict === 'unproven') return {}
  const { facts, open } = outcome.verified
  if (open.includes('entries')) return { gap: noOthers }
  if (kind !== 'tx') return {}
  const { entries, nentries } = facts as TxFacts // those of its kind
  return !entries && nentries > 0 ? { gap: noEntries } : {}
}

const noEntries =
  'the answer did not give the entries, so nothing is said about them: only the header is verified'

const noOthers =
  'the answer left out the other entries of its transaction, so another entry with the same key cannot be ruled out'
