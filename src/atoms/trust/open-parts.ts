import type { TxFacts } from '~/proof/facts'
import { lagWords, openWords } from '~/words/trusted-state'
import type { Proof } from './proof-drawer'
import type { Verification } from './verification'

/** What a proof leaves open, in words, as far as it matters for the verdict. */
export function gapOf({ kind, outcome }: Verification): Pick<Proof, 'gap'> {
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return {}
  const { facts, open } = outcome.verified
  const gaps = [
    ...(kind === 'tx' && isHeaderOnly(facts as TxFacts) ? [openWords('header', kind)] : []), // its kind
    ...open.filter((part) => part !== 'tree').map((part) => openWords(part, kind)),
  ]
  return gaps.length === 0 ? {} : { gap: gaps.join('; ') }
}

/** Sentences about what a proof leaves open although it is verified. */
export function notesOf({ kind, outcome }: Verification): readonly string[] {
  if (outcome.kind !== 'ok') return []
  const { open, lags } = outcome.verified
  const notes = open.filter((part) => part === 'tree').map((part) => openWords(part, kind))
  return lags ? [...notes, lagWords] : notes
}

const isHeaderOnly = ({ entries, nentries }: TxFacts) => !entries && nentries > 0
