import type { TxFacts } from '~/proof/facts'
import type { Proof } from './proof-drawer'
import type { Verification } from './verification'

/** What the proof of a transaction leaves open when the answer did not give its entries. */
export function entriesGap({ kind, outcome }: Verification): Pick<Proof, 'gap'> {
  if (kind !== 'tx' || outcome.kind !== 'ok') return {}
  const { entries, nentries } = outcome.verified.facts as TxFacts // those of its kind
  return !entries && nentries > 0 ? { gap: noEntries } : {}
}

const noEntries =
  'the answer did not give the entries, so nothing is said about them: only the header is verified'
