import { atom } from 'jotai'
import { formatTx } from '~/lib/text'
import type { RefusedProof } from '~/proof/evidence'
import type { EntryFacts, TxFacts } from '~/proof/kernel/proven-facts'
import { provenContent } from '~/proof/proven-leaves'
import { type ComparedLeaf, compareShown, numberValue, objectLeaf, type Value } from '~/proof/shown'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { type NamedPart, openPartWords } from '~/words/shown'
import { lagWords, openWords } from '~/words/trusted-state'
import { breaksAtom, trustsAtom } from './trust'
import type { Proof, Verification } from './verification'

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

export function knownOfObject(proof: Proof): KnownOfObject {
  const { verification } = proof
  const { outcome } = verification
  const open = outcome.kind === 'ok' ? outcome.verified.open : []
  return {
    proof: proofOf(verification),
    ground: groundOf(verification),
    shown: comparedLeaves(proof),
    isOdd: false,
    open: isHeaderOnly(verification) ? [...open, 'header'] : open,
  }
}

/** Whether the names of its table or collection are only what the server says. */
export const isDescriptionOpen = ({ open }: Pick<KnownOfObject, 'open'>): boolean =>
  open.includes('description')

/** The same for the hash of a transaction, for which its header is enough. */
export function knownOfHash(proof: Proof): KnownOfObject {
  const known = knownOfObject(proof)
  return { ...known, open: known.open.filter((part) => part !== 'header') }
}

const compared = new WeakMap<Verification, readonly ComparedLeaf[]>()

/** Everything that is shown beside the mark, compared with what is proven. */
export function comparedLeaves({ verification, doubts = [] }: Proof): readonly ComparedLeaf[] {
  const found = compared.get(verification) ?? comparedNow(verification)
  compared.set(verification, found)
  return [...found, ...doubts]
}

function comparedNow({ kind, outcome, shown }: Verification): readonly ComparedLeaf[] {
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return []
  const { facts, steps } = outcome.verified
  const compared = compareShown(shown, provenContent(kind, facts, steps))
  const tx = 'tx' in facts ? facts.tx : 'id' in facts ? facts.id : null
  const { sentAfter, readAt } = shown
  const isNewer = tx !== null && readAt !== undefined && BigInt(tx) > BigInt(readAt)
  const leaves = isNewer
    ? compared.map((leaf) => (leaf.match === 'differs' ? { ...leaf, match: outdated } : leaf))
    : compared
  if (tx === null || sentAfter === undefined || BigInt(tx) > BigInt(sentAfter)) return leaves
  return [...leaves, { ...oldLeaf(sentAfter), proven: numberValue(tx), match: 'differs' }]
}

const outdated = 'outdated' as const

/** The newest transaction before a write, in which or before which the write cannot be. */
const oldLeaf = (sentAfter: string) =>
  objectLeaf('what was sent', numberValue(sentAfter), 'the transaction of what was sent')

/** The newest transaction before the write and the one that the server named; null for none. */
export function olderThanSent({ parts = [] }: Judged): { before: string; named: string } | null {
  const found = parts.find(({ name, match }) => name === 'what was sent' && match === 'differs')
  return found ? { before: found.value.of, named: found.proven?.of ?? '0' } : null
}

function isHeaderOnly({ kind, outcome }: Verification): boolean {
  if (kind !== 'tx' || outcome.kind !== 'ok' || outcome.verified.facts === null) return false
  const { entries, nentries } = outcome.verified.facts as TxFacts // those of its kind
  return !entries && nentries > 0
}

function proofOf({ outcome }: Verification): Known['proof'] {
  if (outcome.kind === 'refused') return proofOfRefusal(outcome.refusal)
  return outcome.kind === 'ok' && outcome.verified.verdict === 'ok' ? 'holds' : 'none'
}

/** Classifies a refusal: a table that is described otherwise is not a failed proof. */
export function proofOfRefusal({ reason }: Pick<RefusedProof, 'reason'>): Known['proof'] {
  return reason === 'schema-changed' || reason === 'older-form' ? 'redescribed' : 'refused'
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
