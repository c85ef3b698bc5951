import type { Client } from '~/api/client'
import { isBecause } from '~/api/errors'
import {
  readDocumentProof,
  readVerifiableEntry,
  readVerifiableRow,
  readVerifiableTx,
} from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { withRetries } from '~/lib/retry'
import { formatTx } from '~/lib/text'
import type { RefusedProof } from '~/proof/evidence'
import { withHiddenValue } from '~/proof/hidden-value'
import type { Context, TrustedState } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import type { FactsOf, Kind } from '~/proof/kernel/verify'
import { readRangeOf } from './audit/audit-store'
import { breakOf, incidentOf } from './findings'
import { noteIncident, tellProven } from './incidents'
import { advanceFor, pinnedFor, pinSeen } from './pins'
import { refusedOf, verifyInWorker } from './proof-worker'
import { keepRefused, refusedBefore, withRefused } from './refused-before'
import type { Persistence } from './store'
import { DamagedKey, UnreadRecord } from './stored-records'
import { isCurrent, knownOf, setTrust, type Trust } from './trust'
import type { ReadRange, TrustRecord } from './trust-record'
import { trustedStatesAtom } from './trusted-states'
import type { ObjectKind, ProofOutcome, Question, QuestionOf, Verification } from './verification'
import { isOfKey, noteAdvance, noteFinding, verifyState } from './verify-state'

/** Most rounds, because new writes or a refused proof need another one. */
const mostRounds = 5

/**
 * Verifies one object against the trusted state. Rejects with `ApiError` when the server could not
 * be asked, which says nothing about its history.
 */
export async function verifyObject<K extends ObjectKind>(
  io: Io,
  question: QuestionOf<K>,
  through: Through = {},
): Promise<Verification<K>> {
  const wanted: Wanted<K> = { ...question, ...through }
  const { database } = question
  const known = knownOf(io, database)
  // Waits for a first contact in progress, or there would be nothing to compare with.
  const isUnmet = known?.kind === 'checking' && known.record === null
  if (!known || known.kind === 'unchecked' || isUnmet) await verifyState(io, database)
  const id = io.get(databaseIdAtom)(database)
  const asking: Asking = { id, refused: refusedBefore(io, id, question) }
  try {
    return await inRounds(io, asking, wanted)
  } catch (error) {
    if (!(error instanceof UnreadRecord)) throw error
    return unproven(io, wanted, error.why)
  } finally {
    keepRefused(io, asking.id, question, asking.refused)
    showRefused(io, asking.id)
  }
}

/** How a question is asked, where that is not by the question alone. */
export type Through = {
  signal?: AbortSignal
  /** Asks and takes from the answer what must not be kept; `since` as of {@link ask}. */
  asks?: (since: string) => Promise<unknown>
}

type Wanted<K extends ObjectKind> = QuestionOf<K> & Through

/** The database, and a refused answer that is to be requested again. */
type Asking = { id: DatabaseId; refused: Verification | null }

async function inRounds<K extends ObjectKind>(
  io: Io,
  asking: Asking,
  wanted: Wanted<K>,
): Promise<Verification<K>> {
  const { database } = asking.id
  let isReset = false
  let isConfirmed = false
  for (let round = 0; round < mostRounds; round += 1) {
    const { id } = asking
    // If storage answers after this line, the reads below did not come from it.
    const keeping = await io.get(trustedStatesAtom).keeping()
    const record = await io.get(trustedStatesAtom).read(id)
    const known = { record, keeping }
    const done: Done<K> = await attempted(io, id, known, wanted, isConfirmed)
    const now = io.get(databaseIdAtom)(database)
    if (now.server !== id.server) {
      // Another server answered, which says nothing about what is known of this one.
      asking.id = now
      asking.refused = refusedBefore(io, now, wanted)
      await verifyState(io, database)
      continue
    }
    if (done.kind === 'behind') {
      // The server does not have the trusted transaction, or has newer ones than it.
      if (isReset && done.error) throw done.error
      isReset = done.error !== null
      const trust = await verifyState(io, database)
      const halted = isReset ? null : haltedWhy(trust)
      if (halted !== null) return unproven(io, wanted, halted)
      isConfirmed = isCurrent(trust) && isReset
      continue
    }
    const { verification, refusal } = done
    if (verification.outcome.kind === 'ok') {
      asking.refused = null
      await noteProven(io, record, verification)
    }
    if (refusal && !isOurs(refusal)) {
      await noteIncident(io, id, incidentOf(breakOf(verification, refusal)))
    }
    if (!refusal || !isHistory(refusal)) return verification
    // To avoid a false alarm, trusted state, state and object are read once more.
    if (asking.refused) {
      asking.refused = null
      await noteFinding(io, id, record, breakOf(verification, refusal))
      return verification
    }
    asking.refused = verification
    await verifyState(io, database)
  }
  const why = 'New writes came faster than this could be verified. Try again.'
  return unproven(io, wanted, why)
}

function unproven<K extends ObjectKind>(io: Io, wanted: Wanted<K>, why: string): Verification<K> {
  return { ...blank(io, wanted), outcome: { kind: 'unproven', why } }
}

/** Why nothing newer than the trusted state can be verified; null when it may advance. */
function haltedWhy(trust: Trust): string | null {
  if (trust.kind !== 'broken' || !trust.record) return null
  const tx = formatTx(trust.record.point.txId)
  return `It is newer than the trusted state, tx ${tx}, which does not move while the history is broken. Choose “Resolve…” in the red bar first.`
}

function showRefused(io: Io, id: DatabaseId): void {
  const known = knownOf(io, id.database)
  const trust = known && withRefused(io, id, known)
  if (trust && trust !== known) setTrust(io, id.database, trust)
}

type Known = { record: TrustRecord | null; keeping: Persistence }

type Done<K extends Kind> =
  | { kind: 'done'; verification: Verification<K>; refusal: RefusedProof | null }
  | { kind: 'behind'; error: unknown }

async function attempted<K extends ObjectKind>(
  io: Io,
  id: DatabaseId,
  { record, keeping }: Known,
  wanted: Wanted<K>,
  /** The server has just proven that it has the trusted state. */
  isConfirmed: boolean,
): Promise<Done<K>> {
  const point = record?.point ?? null
  const basis = { contact: record?.firstContact ?? null, keeping }
  const publicKey = await io.get(trustedStatesAtom).pinnedKey(id.origin, id.server)
  // Without the record, the proof leaves more open.
  const read = record ? await readRangeOf(io, record).catch(() => null) : null
  const pinned = pinnedFor(record, wanted, read)
  const context: Context = {
    db: id.database,
    trusted: point,
    publicKey,
    ...pinned,
    ...advanceFor(id, record),
    ...rangeIn(read),
  }
  const asked = { ...blank(io, wanted), context, basis }
  const done = (
    outcome: ProofOutcome<K>,
    response: unknown,
    refusal: RefusedProof | null = null,
  ): Done<K> => ({ kind: 'done', verification: { ...asked, response, outcome }, refusal })
  const client = io.get(clientAtom)
  const question = wanted as Question // of one of the kinds
  const asks = wanted.asks ?? ((since) => ask(client, question, since, wanted.signal))
  let response: unknown
  try {
    response = await patiently(() => asks(point?.txId ?? '0'))
  } catch (error) {
    if (isBecause(error, 'illegal-state')) {
      if (!isConfirmed) return { kind: 'behind', error }
      response = { error: error.message }
    } else if (isNotFound(error)) {
      const why = 'The server finds nothing there. No proof can show that something is missing.'
      return done({ kind: 'unproven', why }, null)
    } else if (isBecause(error, 'tx-not-found')) {
      return done({ kind: 'unproven', why: noTxWhy(wanted.request, point) }, null)
    } else throw error
  }
  try {
    const verified = await verifyInWorker(wanted.kind, context, wanted.request, response)
    if (verified.verdict === 'unproven') {
      const older = wanted.kind === 'row' ? olderFormWhy : noAdvanceWhy
      const why = verified.why === 'older-form' ? older : untiedWhy
      return done({ kind: 'unproven', why }, response)
    }
    if (verified.hasAdvance) await noteAdvance(io, record)
    if (isAhead(record, verified.next?.txId ?? '0')) return { kind: 'behind', error: null }
    // Another proof pinned it in the meantime, and this one must match that.
    if (!(await pinSeen(io, record, wanted, response))) {
      return { kind: 'behind', error: null }
    }
    return done({ kind: 'ok', verified }, response)
  } catch (error) {
    if (isOfKey(error)) throw new DamagedKey()
    if (!(error instanceof ProofError)) throw error
    const refusal = refusedOf(error)
    return done({ kind: 'refused', refusal }, response, refusal)
  }
}

const rangeIn = (read: ReadRange | null) => read && { readFrom: read.readFrom, readTo: read.readTo }

const untiedWhy =
  'Its transaction is newer than the trusted state, and the proof does not tie the two together. The tree over all transactions lags behind on this server. Try again when the trusted state is newer.'

const noAdvanceWhy =
  'This cannot be checked: the tree over all transactions lagged behind there, and the answer lacks the proof for that. Servers of immudb before 1.4.1 send none, later ones do: if this server is one of these, do not trust the transaction. Nothing in the answer contradicts what this browser knows. A deep audit reads the transactions themselves.'

const olderFormWhy =
  'This row cannot be checked: the answer does not describe its table in full. Answers of immudb up to 1.5 are so, those of 1.9.5 and newer are not: if this server is one of these, do not trust the row. Nothing in the answer contradicts what this browser knows. The transaction that wrote the row can be verified.'

/** Only a proof of the state advances the trusted state; newer objects wait for it. */
function isAhead(record: TrustRecord | null, txId: string): boolean {
  return record !== null && BigInt(txId) > BigInt(record.point.txId)
}

/** The index may lag briefly after a write; this waits less than a second in total. */
function patiently(ask: () => Promise<unknown>): Promise<unknown> {
  return withRetries(ask, { retries: 3, mayRepeat: isNotFound })
}

function isNotFound(error: unknown): boolean {
  return isBecause(error, 'key-not-found', 'document-not-found')
}

/** A missing transaction proves nothing, but one up to the trusted state must exist. */
function noTxWhy(request: unknown, point: TrustedState | null): string {
  const says = 'The server says that there is no such transaction.'
  if (point === null) return says
  const tx = typeof request === 'object' && request && 'tx' in request ? String(request.tx) : ''
  const isKnown = /^\d+$/.test(tx) && BigInt(tx) <= BigInt(point.txId)
  return isKnown
    ? `${says} It must have one, for the trusted state is tx ${formatTx(point.txId)}: ask who runs the server.`
    : `${says} The newest that this browser knows of is tx ${formatTx(point.txId)}.`
}

/**
 * Whether a refusal says something about the history. How a table is described, a slip of ours and
 * the name of a collection's field for ids, which no hash covers, do not.
 */
function isHistory(refusal: RefusedProof): boolean {
  const isOfDescription = refusal.reason === 'schema-changed' || refusal.reason === 'older-form'
  const isOfName = refusal.part === 'documentIdFieldName'
  return !isOfDescription && !isOfName && !isOurs(refusal)
}

/** Whether the question was wrong, and not the answer. */
function isOurs({ reason, step }: RefusedProof): boolean {
  return reason === 'malformed' && (step === 'context' || step === 'request')
}

/**
 * Notes the first proof that links another transaction to the recorded one. A proof of the recorded
 * one itself says nothing about the history before or after it. See `isProven`.
 */
async function noteProven(
  io: Io,
  record: TrustRecord | null,
  { outcome }: Verification,
): Promise<void> {
  const isFirst = record !== null && record.point.txId !== '0' && record.provenAt === 0
  if (!isFirst || outcome.kind !== 'ok' || outcome.verified.firstUse) return
  if (txOf(outcome.verified.facts) === record.point.txId) return
  // What cannot be noted is proven again another time.
  const noted = await io
    .get(trustedStatesAtom)
    .noteProven(record)
    .catch(() => null)
  if (noted) await tellProven(io, noted)
}

/** The transaction that a proof is about; null where its facts name none. */
export function txOf(facts: FactsOf[Kind] | null): string | null {
  if (!facts) return null
  if ('tx' in facts) return facts.tx
  if ('id' in facts) return facts.id
  return 'txId' in facts ? facts.txId : null
}

function blank<K extends ObjectKind>(io: Io, wanted: Wanted<K>) {
  const { database, kind, what, request, shown } = wanted
  const { server } = io.get(databaseIdAtom)(database)
  const nothing = { context: null, basis: null, response: null }
  // The type of a question names its kind.
  return { database, server, kind: kind as K, what, shown, ...nothing, request, at: Date.now() }
}

/**
 * Asks the server what a question asks for.
 * @param since the trusted transaction, at which the proof begins or ends
 * @throws ApiError when the server cannot be asked
 */
export async function ask(
  client: Client,
  question: Question,
  since: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const from = { database: question.database, since, ...(signal ? { signal } : {}) }
  switch (question.kind) {
    case 'tx': {
      const entries = question.isHeaderOnly ? 'none' : 'all'
      return readVerifiableTx(client, { ...from, ...question.request, entries })
    }
    case 'get': {
      const { keyRequest, hidesValue = false } = question.request
      const answer = await readVerifiableEntry(client, { ...from, keyRequest })
      return hidesValue ? withHiddenValue(answer) : answer
    }
    case 'row':
      return readVerifiableRow(client, { ...from, ...question.request.sqlGetRequest })
    case 'document': {
      const { collectionName, documentId, transactionId } = question.request
      const wanted = { collection: collectionName, id: documentId, tx: transactionId }
      return readDocumentProof(client, { ...from, ...wanted })
    }
  }
}
