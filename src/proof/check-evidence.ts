import { base64Of, bytesToBase64 } from '~/lib/bytes'
import { cutText } from '~/lib/visible-text'
import {
  asFields,
  type Checked,
  type Evidence,
  type RecordedOutcome,
  readEvidence,
  readEvidenceBytes,
  recordOutcome,
} from './evidence'
import { auditTx, resumeAudit, startAudit } from './kernel/audit'
import { fromBase64 } from './kernel/bytes'
import type { Context, TrustedState } from './kernel/context'
import { hashSize } from './kernel/hash'
import type { ForkSide } from './kernel/proven-facts'
import type { OpenPart } from './kernel/proven-tx'
import { claimedSchema, type Schema } from './kernel/schema'
import { ProofError, type Step } from './kernel/steps'
import { type FactsOf, type Kind, type Verified, verify } from './kernel/verify'
import { type ProvenSubject, subjectOf } from './subject'

/**
 * What a file cannot prove by itself. `gave`: that the server gave this answer. `still`: that it
 * still does. `point`: who vouches for the trusted state. `none`: there is no trusted state. `key`:
 * whose key signed. `unsigned`: no key was known. `newer`: that the history continued from the
 * trusted state to the content. `current`: that the content is the newest. `names`: names of a
 * table and its columns. `collection`: the name of a collection. `entries`: the entries of a
 * transaction. `others`: the entries beside the requested one. `values`: their values. `hidden`: a
 * value that was left out on purpose. `tree`: the place in the chain. `target`: the target of a
 * reference. `audit`: which transactions an audit read. `sides`: which servers the sides of a fork
 * are. `which`: which side is the true history. `words`: the description, author, time and server.
 */
export type Unchecked =
  | 'gave'
  | 'still'
  | 'point'
  | 'none'
  | 'key'
  | 'unsigned'
  | 'newer'
  | 'current'
  | 'names'
  | 'collection'
  | 'entries'
  | 'others'
  | 'tree'
  | 'values'
  | 'hidden'
  | 'target'
  | 'audit'
  | 'sides'
  | 'which'
  | 'words'

/**
 * A transaction with its hash according to a file. One that `vouches` was compared with the
 * content, or is the content's own transaction. Any other can only contradict what is known.
 */
export type Claim = TrustedState & { vouches: boolean }

export type Rechecked = {
  outcome: Checked['outcome']
  /** Whether the file records the same outcome; if not, it was changed after it was saved. */
  agrees: boolean
  unchecked: readonly Unchecked[]
  /** How the answer describes its table or collection, if it has one. */
  described: Described | null
}

/** A description that no proof covers, as the server gave it. */
export type Described =
  | { kind: 'table'; schema: Schema }
  | { kind: 'collection'; name: string; number: number }

/** The parts of a file that a screen shows: all but the large answer, and the report as text. */
export type EvidenceFile = Omit<Evidence, 'request' | 'response' | 'report' | 'outcome'> & {
  outcome: Pick<Evidence['outcome'], 'verdict'>
  report: string | null
}

export type OpenedEvidence =
  | {
      evidence: EvidenceFile
      rechecked: Rechecked
      claims: readonly Claim[]
      /** What the proven facts are about; null where there are none. */
      subject: ProvenSubject | null
      /** The content was checked in full but is too long for a page. */
      isTooLong: boolean
      /** Both sides of a fork that is proven; null for anything else. */
      fork: readonly [ForkParty, ForkParty] | null
    }
  | { error: string }

/** A side of a fork by what the file says of it, with what is proven of it. */
export type ForkParty = {
  name: string
  server: Evidence['server']
  db: string
  /** Base64 of the key that signed its state; null when nobody did. */
  key: string | null
  claims: readonly Claim[]
}

/** Progress of reading a file; `share` from 0 to 1. */
export type EvidenceProgress = { step: 'reading'; share: number } | { step: 'checking' }

/**
 * Reads a file and verifies its content again. The result is plain data, small enough for a page to
 * receive from a worker at once; `error` is a sentence.
 * @param known transactions recorded here; claims of an audit about others cannot be compared
 * @param tell is waited for before the check, so that a page can be drawn meanwhile
 */
export async function openEvidence(
  text: string,
  known: ReadonlySet<string> = new Set(),
  tell: (progress: EvidenceProgress) => unknown = () => {},
): Promise<OpenedEvidence> {
  const found = readEvidence(text, (share) => void tell({ step: 'reading', share }))
  if ('error' in found) return found
  await tell({ step: 'checking' })
  const { evidence } = found
  const rechecked = await checkEvidence(evidence)
  const claims = claimsOf(evidence, rechecked.outcome, known)
  const isTooLong = rechecked.outcome.kind === 'ok' && isLong(rechecked.outcome.verified.facts)
  const fork = forkOf(evidence, rechecked.outcome)
  const shown = { evidence: shownOf(evidence), rechecked: plain(rechecked, isTooLong) }
  return { ...shown, claims, subject: subjectOf(evidence.kind, rechecked), isTooLong, fork }
}

/** The same with the bytes of a file, FORMAT.md 1. */
export async function openEvidenceFile(
  file: Pick<File, 'arrayBuffer'>,
  ...[known, tell]: [known?: ReadonlySet<string>, tell?: (progress: EvidenceProgress) => unknown]
): Promise<OpenedEvidence> {
  const read = readEvidenceBytes(new Uint8Array(await file.arrayBuffer()))
  return 'error' in read ? read : openEvidence(read.text, known, tell)
}

/** Messages from a worker drop the fields of an error. */
function plain({ outcome, ...rest }: Rechecked, isTooLong: boolean): Rechecked {
  if (outcome.kind === 'unproven')
    return { ...rest, outcome: { ...outcome, why: cut(outcome.why) } }
  if (outcome.kind === 'ok') {
    const { verified } = outcome
    const steps = shownSteps(verified.steps)
    // Without facts, no one reads their kind.
    const facts = isTooLong ? (null as never) : verified.facts
    return {
      ...rest,
      outcome: { kind: 'ok', verified: { ...verified, steps, facts } as Verified<never> },
    }
  }
  const { reason, step, part, compared, steps } = outcome.refusal
  const { computed = null, expected = null } = compared
  const refusal = { reason, step, part: cut(part), compared: { computed, expected } }
  return {
    ...rest,
    outcome: { kind: 'refused', refusal: { ...refusal, steps: shownSteps(steps) } },
  }
}

/** Characters of a name or sentence that are shown. */
const longestShown = 1_000
/** Characters of a step's inputs; long hash paths have most. */
const longestInput = 20_000

const cut = (text: string, most = longestShown) => cutText(text, most)
const cutOrNull = (text: string | null) => (text === null ? null : cut(text))

const shownSteps = (steps: readonly Step[]) =>
  steps.map((step) => ({
    ...step,
    inputs: Object.fromEntries(
      Object.entries(step.inputs).map(([name, text]) => [name, cut(text, longestInput)]),
    ),
  }))

const pointOf = ({ txId, txHash }: TrustedState) => ({ txId, txHash: cut(txHash) })

/** Field by field, because a file may contain further fields. */
function shownOf(evidence: Evidence): EvidenceFile {
  const { what, kind, checkedAt, server, console: by, firstContact, context, outcome } = evidence
  const { db, trusted, publicKey } = context
  return {
    what: cut(what),
    kind,
    checkedAt: cut(checkedAt),
    server: { uuid: cutOrNull(server.uuid), origin: cut(server.origin) },
    console: { version: cut(by.version), commit: cut(by.commit), bundle: cut(by.bundle) },
    firstContact: firstContact && { ...pointOf(firstContact), at: cut(firstContact.at) },
    context: { db: cut(db), trusted: trusted && pointOf(trusted), publicKey: cutOrNull(publicKey) },
    outcome: { verdict: outcome.verdict },
    report: writeReport(evidence.report),
  }
}

/** Limits up to which a page shows content without a noticeable pause. */
const [mostText, mostNodes, mostColumns] = [1_000_000, 50_000, 300]

function isLong(facts: FactsOf[Kind]): boolean {
  if (facts === null) return false
  if ('named' in facts && Object.keys(facts.named).length > mostColumns) return true
  let [text, nodes] = [0, 0]
  const uncheckedOf: unknown[] = [facts]
  while (uncheckedOf.length > 0) {
    const one = uncheckedOf.pop()
    nodes += 1
    if (typeof one === 'string') text += one.length
    else if (typeof one === 'object' && one !== null) {
      for (const [name, value] of Object.entries(one)) {
        text += name.length
        uncheckedOf.push(value)
      }
    }
    if (text > mostText || nodes > mostNodes) return true
  }
  return false
}

/** All hashes of transactions that a file claims. */
function claimsOf(
  { context, kind, request, response }: Evidence,
  outcome: Checked['outcome'],
  known: ReadonlySet<string>,
): Claim[] {
  const { trusted } = context
  // A state older than the content does not vouch for it but may contradict it.
  const claims: (Claim | null)[] = [trusted && { ...trusted, vouches: !isNewer(context, outcome) }]
  if (outcome.kind === 'ok') {
    const { next, facts, steps } = outcome.verified
    if (next) claims.push({ ...next, vouches: true })
    const header = steps.find(({ name }) => name === 'header')?.computed
    const tx = facts && ('tx' in facts ? facts.tx : 'id' in facts ? facts.id : null)
    if (header && tx) claims.push({ txId: tx, txHash: base64Of(header), vouches: true })
    if (kind === 'audit') claims.push(...walkedOf(request, response, known))
  }
  return claims.filter((claim) => claim !== null).filter(isClaim)
}

/** What is no hash of a transaction contradicts none; a file that proves nothing may say anything. */
const isClaim = ({ txId, txHash }: TrustedState) =>
  txId !== '0' && fromBase64(txHash)?.length === hashSize

const claimOf = (txId: string, hash: string, vouches: boolean): Claim => ({
  txId,
  txHash: base64Of(hash),
  vouches,
})

/** The names were looked at when the fork was verified. */
type WrittenSide = { name: string; server: Evidence['server'] }

function forkOf(
  { kind, response }: Evidence,
  outcome: Checked['outcome'],
): readonly [ForkParty, ForkParty] | null {
  const facts = outcome.kind === 'ok' && kind === 'fork' ? outcome.verified.facts : null
  if (!facts || !('sides' in facts)) return null
  const { first, second } = response as { first: WrittenSide; second: WrittenSide }
  const partyOf = ({ name, server }: WrittenSide, side: ForkSide): ForkParty => ({
    name: cut(name),
    server: { uuid: cutOrNull(server.uuid ?? null), origin: cut(server.origin) },
    db: side.db,
    key: side.key,
    claims: [
      claimOf(side.stateTx, side.stateHash, true),
      claimOf(String(BigInt(facts.after) + 1n), side.alh, true),
      // Anyone who knows the history up to there can make up another continuation.
      claimOf(facts.after, facts.prevAlh, false),
    ].filter(({ txId }) => txId !== '0'),
  })
  const [one, other] = facts.sides
  return [partyOf(first, one), partyOf(second, other)]
}

/** For an audit: its claimed start and the transactions it read, as far as they are known here. */
function walkedOf(request: unknown, response: unknown, known: ReadonlySet<string>): Claim[] {
  const after = asFields(asFields(request)?.after)
  const audit = after ? resumeAudit(after) : startAudit()
  const found: Claim[] = []
  const note = () => {
    const txId = String(audit.txId)
    if (known.has(txId)) found.push({ txId, txHash: bytesToBase64(audit.alh), vouches: false })
  }
  note()
  const txs = asFields(response)?.txs
  for (const tx of Array.isArray(txs) ? txs : []) {
    auditTx(audit, tx)
    note()
  }
  return found
}

/** Characters of a report that are shown; the file has all of it. */
const shownLength = 200_000

function writeReport(report: unknown): string | null {
  return report === undefined ? null : cut(JSON.stringify(report, null, 2), shownLength)
}

/**
 * Verifies the content of a file again, from the file alone.
 * @throws only when the code for signatures cannot be loaded, which says nothing about the file
 */
export async function checkEvidence(evidence: Evidence): Promise<Rechecked> {
  const outcome = await outcomeNow(evidence)
  const agrees =
    canonical(compared(recordOutcome(outcome))) === canonical(compared(evidence.outcome))
  return {
    outcome,
    agrees,
    unchecked: left(evidence, outcome),
    described: describedIn(evidence, outcome),
  }
}

/**
 * What FORMAT.md 7.1 compares. Of a refusal it is the reason: what else is recorded are the words of
 * the program that wrote the file. More fields than these do no harm.
 */
function compared(outcome: RecordedOutcome): unknown {
  const { verdict } = outcome
  if (verdict === 'unproven') return { verdict }
  if (verdict === 'refused') return { verdict, reason: outcome.reason }
  const { firstUse, signed, facts } = outcome
  return { verdict, firstUse, signed, facts }
}

function describedIn(
  { kind, context, request, response }: Evidence,
  outcome: Checked['outcome'],
): Described | null {
  const facts = outcome.kind === 'ok' ? asFields(outcome.verified.facts) : null
  const [asked, answer] = [asFields(request), asFields(response)]
  if (!facts || !asked || !answer) return null
  if (kind === 'row') {
    const { table } = asFields(asked.sqlGetRequest) ?? {}
    return { kind: 'table', schema: claimedSchema(answer, String(table), context.db) }
  }
  if (kind !== 'document') return null
  const { collectionName } = asked
  return { kind: 'collection', name: String(collectionName), number: Number(facts.collectionId) }
}

async function outcomeNow(evidence: Evidence): Promise<Checked['outcome']> {
  const { kind, context, request, response, outcome } = evidence
  // Content that was unproven when saved is still unproven.
  const why = outcome.verdict === 'unproven' ? outcome.why : 'The file contains no answer to check.'
  if (outcome.verdict === 'unproven' || response === null) return { kind: 'unproven', why }
  try {
    return { kind: 'ok', verified: await verify(kind, knownIn(context), request, response) }
  } catch (error) {
    if (error instanceof ProofError) return { kind: 'refused', refusal: error }
    throw error
  }
}

/**
 * What a file may say is known. It cannot know which transactions this browser read, or that an
 * audit of this browser derived a description.
 */
function knownIn({ db, trusted, publicKey, ...context }: Context): Context {
  const { schema, collectionId, hasNewerForm, mayLackAdvance } = context
  const pins = {
    ...(hasNewerForm === undefined ? {} : { hasNewerForm }),
    ...(mayLackAdvance === undefined ? {} : { mayLackAdvance }),
    ...(schema === undefined ? {} : { schema }),
    ...(collectionId === undefined ? {} : { collectionId }),
  }
  return { db, trusted, publicKey, ...pins, isOnlySeen: true }
}

/** The same text for the same value in any order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    const fields = asFields(each)
    return fields ? Object.fromEntries(Object.entries(fields).sort(byName)) : each
  })
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

function left(evidence: Evidence, outcome: Checked['outcome']): Unchecked[] {
  const { kind, context } = evidence
  const verified = outcome.kind === 'ok' && outcome.verified.verdict === 'ok'
  if (verified && kind === 'fork') {
    const isSigned = forkOf(evidence, outcome)?.some(({ key }) => key !== null)
    return ['sides', isSigned ? 'key' : 'unsigned', 'which', 'still', 'words']
  }
  const facts = verified ? asFields(outcome.verified.facts) : null
  const open: readonly OpenPart[] = verified ? outcome.verified.open : []
  const hasContent = kind !== 'state' && kind !== 'audit'
  const found: (Unchecked | false)[] = [
    // No one can invent a right answer that fits a state that someone vouches for; a wrong answer
    // anyone can.
    outcome.kind === 'refused' && 'gave',
    verified && outcome.verified.firstUse ? 'none' : context.trusted !== null && 'point',
    context.publicKey === null || (verified && !outcome.verified.signed) ? 'unsigned' : 'key',
    isNewer(context, outcome) && 'newer',
    verified && hasContent && 'current',
    verified && kind === 'row' && 'names',
    verified && kind === 'document' && 'collection',
    open.includes('tree') && 'tree',
    open.includes('entries') && 'others',
    verified && kind === 'tx' && leftOut(facts),
    verified && facts?.kind === 'hidden' && 'hidden',
    verified && facts?.kind === 'reference' && 'target',
    kind === 'audit' && 'audit',
    'still',
    'words',
  ]
  return found.filter((each) => each !== false)
}

/**
 * Anyone with a history up to a state can invent what follows; only a later state shows the truth.
 */
function isNewer({ trusted }: Evidence['context'], outcome: Checked['outcome']): boolean {
  const next = outcome.kind === 'ok' && !outcome.verified.firstUse ? outcome.verified.next : null
  return trusted !== null && next !== null && BigInt(next.txId) > BigInt(trusted.txId)
}

function leftOut(facts: ReturnType<typeof asFields>): Unchecked | false {
  const entries = facts?.entries
  if (!Array.isArray(entries)) return facts?.nentries !== 0 && 'entries'
  return entries.some((entry) => asFields(entry)?.value === undefined) && 'values'
}
