import { formatTx } from '~/lib/text'
import type { EntryFacts, TxFacts } from '~/proof/proven-facts'
import type { ComparedLeaf, Value } from '~/proof/shown'
import { type NamedPart, openPartWords } from '~/words/shown'
import { lagWords, openWords } from '~/words/trusted-state'
import { comparedLeaves, knownOfObject } from './object-verdict'
import type { Proof, Verification } from './verification'

/** What a proof leaves open of what is shown, in words; null for nothing that the verdict counts. */
export function gapOf(proof: Proof): string | null {
  const { kind } = proof.verification
  const { open, shown } = knownOfObject(proof)
  const engine = open
    .filter((part) => part !== 'tree' && part !== 'report' && part !== 'one-server')
    .map((part) => openWords(part, kind))
  const parts = openPartWords(namedParts(shown))
  const gaps = [...(parts === null ? [] : [parts]), ...engine]
  return gaps.length === 0 ? null : gaps.join('; ')
}

function namedParts(shown: readonly ComparedLeaf[]): NamedPart[] {
  return shown.flatMap((leaf) => {
    const { match } = leaf
    if (match === 'same' || match === 'differs' || match === 'outdated') return []
    const [drawn, proven] = [textOf(leaf.value), textOf(leaf.proven)]
    return [{ name: labelOf(leaf), match, shown: drawn, proven }]
  })
}

/** How sentences name a leaf. */
export const labelOf = ({ label, name }: Pick<ComparedLeaf, 'label' | 'name'>) => label ?? name

/** A value in a sentence or a table; what a proof does not have is a dash. */
export function textOf(value: Value | null): string {
  switch (value?.is) {
    case undefined:
      return '–'
    case 'nothing':
      return 'nothing'
    case 'null':
      return 'NULL'
    case 'bytes':
      return `0x${value.of}`
    case 'passed':
      return `before ${value.of}`
  }
  return value?.of ?? ''
}

/** Sentences about what a proof leaves open although it is verified, and where an entry is. */
export function notesOf({ kind, outcome, shown }: Verification): readonly string[] {
  if (outcome.kind !== 'ok') return []
  const { open, lags, facts } = outcome.verified
  const entries = kind === 'tx' ? ((facts as TxFacts | null)?.entries ?? []) : []
  const notes = [
    ...open.filter((part) => part === 'tree').map((part) => openWords(part, kind)),
    // A page that shows all entries shows their places.
    ...(shown.whole.length > 0 ? [] : placeNotes(shown.leaves, entries)),
  ]
  return lags ? [...notes, lagWords] : notes
}

/** Where in its transaction an entry is that was asked for by its key. */
function placeNotes(leaves: Verification['shown']['leaves'], entries: readonly EntryFacts[]) {
  const keys = new Set(
    leaves.flatMap(({ group, name }) => (group === 'entry' ? (name.split(' ')[0] ?? []) : [])),
  )
  const [key, ...others] = keys
  const at = others.length > 0 ? -1 : entries.findIndex((entry) => entry.key === key)
  if (at < 0) return []
  const number = formatTx(String(at + 1))
  return entries[at]?.meta.deleted
    ? [`Entry ${number} of this transaction deletes it.`]
    : [`It is entry ${number} of this transaction.`]
}

/** Of what is shown: everything that is not the same as proven. */
export const unequalLeaves = (proof: Proof): readonly ComparedLeaf[] =>
  comparedLeaves(proof).filter(({ match }) => match !== 'same')
