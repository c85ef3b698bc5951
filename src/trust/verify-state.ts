import { ApiError, isBecause } from '~/api/errors'
import { readVerifiableState, readVerifiableTx } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, databaseIdAtom, serverAtom } from '~/core/session/session'
import type { RefusedProof } from '~/proof/evidence'
import type { Context, TrustedState } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import type { Verified } from '~/proof/kernel/verify'
import { factsAlone } from '~/proof/shown'
import { breakOf, incidentOf, isSameFinding } from './findings'
import { type Halt, haltOf, noteIncident, noteStranger, unnamedRecord } from './incidents'
import { advanceFor } from './pins'
import { refusedOf, verifyInWorker } from './proof-worker'
import { keepRefused, refusedBefore, refusedOnce, withRefused } from './refused-before'
import { DamagedKey, UnreadRecord } from './stored-records'
import {
  isFollowed,
  knownOf,
  setTrust,
  type Trust,
  trustOf,
  trustsAtom,
  type Why,
  withPersistence,
} from './trust'
import {
  type Break,
  isLagging,
  isObjectBreak,
  isSameState,
  type StateChange,
  type TrustRecord,
} from './trust-record'
import { type TrustedStates, trustedStatesAtom } from './trusted-states'
import type { Verification } from './verification'

type Options = {
  /** A state that was answered; asked for again before anything is said to be wrong. */
  seen?: unknown
  /** It was looked at before, and may be of another server by now, or of a database made again. */
  isOld?: boolean
  /** An operator wants it: what was found wrong before may end, and the point may move on. */
  isForced?: boolean
  /** The alarm about an object that may end, because the object has just been proven. */
  ended?: Break | null
  /** Why an operator has it checked, for the log. */
  reason?: string
}

/** Checks under way, one after the other for each store and database. */
const running = new WeakMap<object, Map<string, Promise<Trust>>>()

/**
 * The state transition: asks for the newest state, proves that it goes on from the trusted state,
 * and only then moves the point. Never rejects.
 */
export function verifyState(
  io: Io,
  database = io.get(databaseAtom) ?? '',
  options: Options = {},
): Promise<Trust> {
  const client = io.get(clientAtom)
  const queues = running.get(client) ?? new Map<string, Promise<Trust>>()
  running.set(client, queues)
  const before = queues.get(database) ?? Promise.resolve()
  const next = before.then(() => transition(io, database, options))
  queues.set(database, next)
  return next
}

/**
 * Checks a state that was just answered. An unreadable one is fetched again, because it would be a
 * finding, while a failed call is none.
 */
export function watchState(
  io: Io,
  database: string,
  { data, error }: { data: unknown; error: unknown },
): Promise<Trust> {
  if (!error) return verifyState(io, database, { seen: data, isOld: wasSeen(data) })
  if (error instanceof ApiError && error.kind === 'bad-answer') return verifyState(io, database)
  const trust = keepKnown(knownOf(io, database), { why: sentence(error) })
  setTrust(io, database, trust)
  return Promise.resolve(trust)
}

const statesSeen = new WeakSet<object>()

/** Whether this answer was already checked, such as a cached one. */
function wasSeen(state: unknown): boolean {
  if (typeof state !== 'object' || state === null) return false
  const isOld = statesSeen.has(state)
  statesSeen.add(state)
  return isOld
}

async function transition(io: Io, database: string, options: Options): Promise<Trust> {
  const known = knownOf(io, database)
  if (!known || known.kind === 'unchecked') {
    setTrust(io, database, { kind: 'checking', record: null })
  }
  const before = io.get(trustsAtom).get(database)
  const { trust, keeping } = await foundIn(io, database, options, known)
  const now = knownOf(io, database)
  // What an object or an audit found meanwhile is not undone by a state that agrees.
  if (now?.kind === 'broken' && now !== before && trust.kind !== 'broken') return now
  const told = withPersistence(withRefused(io, io.get(databaseIdAtom)(database), trust), keeping)
  setTrust(io, database, told)
  return told
}

/** What is found, and the storage that it was compared with. */
async function foundIn(io: Io, database: string, options: Options, known: Trust | undefined) {
  const points = io.get(trustedStatesAtom)
  const look = () =>
    verifyUntilSettled(io, database, options).catch((error: unknown): Trust => {
      const id = io.get(databaseIdAtom)(database)
      const isRefused = refusedBefore(io, id, questionOf(id)) !== null
      // Which server answers, and what was recorded as broken, may only be known by now.
      const latest = knownOf(io, database)
      const still = latest?.kind === 'broken' ? latest : latest && known
      return keepKnown(still, isRefused ? refusedOnce : { why: whyOf(error) })
    })
  const keeping = await points.keeping()
  const trust = await look()
  const isHereNow = keeping !== 'kept' && (await points.keeping()) === 'kept'
  return isHereNow ? { trust: await look(), keeping: 'kept' as const } : { trust, keeping }
}

/** What was known, while the newest state cannot be checked. */
function keepKnown(known: Trust | undefined, { why, cause }: Why): Trust {
  if (isFollowed(known) || known?.kind === 'broken') return { ...known, why, cause }
  return { kind: 'unchecked', why, cause }
}

function whyOf(error: unknown): string {
  if (error instanceof ApiError) return sentence(error)
  if (error === keepsChanging) return 'Other tabs moved the trusted state in the meantime.'
  if (error === notLinked) return notLinkedWhy
  if (error === noAdvance) return noAdvanceWhy
  if (error instanceof UnreadRecord) return error.why
  if (error instanceof ProofError) return 'What this browser keeps of it cannot be read.'
  if (error instanceof DOMException) return 'This browser could not read or keep the trusted state.'
  return 'The part of this console that checks proofs could not be loaded.'
}

const keepsChanging = new Error('the point keeps changing')
const notLinked = new Error('the newest state is not tied to the point')

const notLinkedWhy =
  'The newest state cannot be tied to the trusted one yet. The tree over all transactions lags behind on this server.'

const noAdvance = new Error('the proof lacks a part that old versions do not send')

const noAdvanceWhy =
  'The newest state cannot be tied to the trusted one: the tree over all transactions lagged behind there, and the answer lacks the proof for that. Servers of immudb before 1.4.1 send none.'

/** Rounds in which something else was in the way, such as another tab that moved the point. */
const mostRounds = 6

async function verifyUntilSettled(io: Io, database: string, options: Options): Promise<Trust> {
  const { seen, isOld = false, isForced, ended, reason = '' } = options
  if (io.get(serverAtom) === null) await askState(io, database)
  const points = io.get(trustedStatesAtom)
  let failure: unknown = null
  for (let round = 0; round < mostRounds; round += 1) {
    const id = io.get(databaseIdAtom)(database)
    const record = await points.read(id)
    const upgrade = record ? 'none' : await adoptUnnamed(io, id)
    if (upgrade === 'adopted') continue
    const stranger = await noteStranger(io, id, true)
    if (stranger) return stranger
    if (upgrade !== 'none') return upgrade
    const halt = haltOf(io, record, database)
    // It is known before the server says anything.
    if (halt && !isForced && knownOf(io, database)?.kind !== 'broken') {
      setTrust(io, database, halt)
    }
    const isEnded = halt && ended && isSameFinding(halt.broken, ended)
    const alarm = halt && isObjectBreak(halt.broken) && !isEnded ? halt : null
    // With nothing to compare it with, nobody could tell whether it is of what is there now.
    const isMet = record !== null && record.point.txId !== '0'
    const old = round === 0 && (isMet || !isOld) ? seen : undefined
    // A state that was answered a while ago may be behind a point that has moved since.
    const isSecond = old === undefined && refusedBefore(io, id, questionOf(id)) !== null
    const attempt = await attemptProof(io, id, record, old)
    // The answer itself may have told that another server answers by now.
    if (io.get(databaseIdAtom)(database).server !== id.server) continue
    if (attempt.kind === 'refused') {
      const found = breakOf(attempt.verification, attempt.refusal)
      // A state that was asked for before the trusted one moved is behind it in good faith.
      const isLate = old !== undefined && found.kind === 'rolled-back'
      if (!isLate) await noteIncident(io, id, incidentOf(found))
    }
    let trust: Trust | null = null
    if (attempt.kind === 'failed') {
      if (failure !== null) break
      failure = attempt.error
    } else if (attempt.kind === 'ok') {
      // While there is a finding, only the operator may let the trusted state advance.
      const isHeld = halt !== null && !isForced
      trust = isHeld ? halt : await keepProven(points, id, record, attempt.next, { alarm, reason })
    }
    // To avoid a false alarm, the trusted state and the state are read once more first.
    else if (isSecond) trust = await brokenOf(points, id, record, attempt, halt)
    const refused = attempt.kind === 'refused' ? attempt.verification : null
    if (trust || refused) keepRefused(io, id, questionOf(id), trust ? null : refused)
    if (trust) return trust
  }
  throw failure ?? keepsChanging
}

/**
 * Goes on with what was recorded while the server gave no id, if its state proves that it continues
 * that history. A refused proof is asked for twice, and is then a finding.
 */
async function adoptUnnamed(io: Io, id: DatabaseId): Promise<'adopted' | 'none' | Halt> {
  const unnamed = await unnamedRecord(io, id)
  if (!unnamed) return 'none'
  for (let again = 0; ; again += 1) {
    const attempt = await attemptProof(io, id, unnamed, undefined, unnamed.id.server)
    if (attempt.kind === 'failed') throw attempt.error
    if (io.get(databaseIdAtom)(id.database).server !== id.server) return 'none'
    if (attempt.kind === 'ok') {
      await io.get(trustedStatesAtom).adopt(unnamed, id)
      return 'adopted'
    }
    const broken = breakOf(attempt.verification, attempt.refusal)
    if (again > 0) return { kind: 'broken', record: null, broken }
  }
}

type Refusal = { kind: 'refused'; verification: Verification; refusal: RefusedProof }

type Next = TrustedState & Pick<StateChange, 'lags'>

type Attempt = { kind: 'ok'; next: Next } | { kind: 'failed'; error: unknown } | Refusal

/** Fetches the state and its link to the trusted state, and checks both. */
async function attemptProof(
  io: Io,
  id: DatabaseId,
  record: TrustRecord | null,
  seen: unknown,
  /** The server whose pinned key must have signed. */
  signer = id.server,
): Promise<Attempt> {
  const { origin, server, database } = id
  const keeping = await io.get(trustedStatesAtom).keeping()
  const publicKey = await io.get(trustedStatesAtom).pinnedKey(origin, signer)
  const advance = advanceFor(id, record)
  const context: Context = { db: database, trusted: record?.point ?? null, publicKey, ...advance }
  const state = seen ?? (await askState(io, database))
  const what = whatOf(database)
  let proof: unknown
  try {
    proof = await askProof(io, database, context.trusted, state)
  } catch (error) {
    // Its state is not behind the point, so that no proof from there can be missing.
    if (!isBecause(error, 'illegal-state')) throw error
    proof = { error: error.message }
  }
  const response = proof === undefined ? { state } : { state, proof }
  try {
    const verified = await verifyInWorker('state', context, {}, response)
    const { verdict, next } = verified
    if (verdict === 'unproven') {
      return { kind: 'failed', error: verified.why === 'older-form' ? noAdvance : notLinked }
    }
    if (verified.hasAdvance) await noteAdvance(io, record)
    const lags = lagsIn(verified, record)
    return next
      ? { kind: 'ok', next: { ...next, ...(lags ? { lags: true as const } : {}) } }
      : { kind: 'failed', error: new Error('no state') }
  } catch (error) {
    if (isOfKey(error)) throw new DamagedKey()
    if (!(error instanceof ProofError) || error.step === 'context') throw error
    const refusal = refusedOf(error)
    const asked = { database, server, kind: 'state', what, context, request: {}, response } as const
    const basis = { contact: record?.firstContact ?? null, keeping }
    const outcome = { kind: 'refused', refusal } as const
    return {
      kind: 'refused',
      verification: { ...asked, basis, shown: factsAlone, at: Date.now(), outcome },
      refusal,
    }
  }
}

/**
 * Notes that a server sends linear advance proofs, without which its proofs are wrong from now on.
 * What cannot be noted is noted another time.
 */
export async function noteAdvance(io: Io, record: TrustRecord | null): Promise<void> {
  if (!record || record.hasAdvance) return
  await io
    .get(trustedStatesAtom)
    .noteAdvance(record)
    .catch(() => null)
}

/** Whether the tree over all transactions ends earlier than it could, now or since an earlier proof. */
function lagsIn({ lags, steps }: Verified<unknown>, record: TrustRecord | null): boolean {
  const { id, blTxId } = steps.find(({ name }) => name === 'header')?.inputs ?? {}
  const isBehind = id !== undefined && blTxId !== undefined && BigInt(blTxId) < BigInt(id) - 1n
  return lags || (isBehind && record !== null && isLagging(record))
}

/** Whether the pinned key has the form of a key but is not a point of the curve. */
export function isOfKey(error: unknown): boolean {
  return error instanceof ProofError && error.step === 'context' && error.part === 'publicKey'
}

const whatOf = (database: string) => `the newest state of ${database}`
const questionOf = ({ database }: DatabaseId) =>
  ({ kind: 'state', what: whatOf(database), request: {} }) as const

async function askState(io: Io, database: string): Promise<unknown> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  return readVerifiableState(client, { database, isPoll: true })
}

/** The proof that links a newer state to the trusted one; `undefined` when none is needed. */
async function askProof(
  io: Io,
  database: string,
  point: TrustedState | null,
  state: unknown,
): Promise<unknown> {
  const tx = newestOf(state)
  if (!point || point.txId === '0' || tx === null || BigInt(tx) <= BigInt(point.txId)) return
  const request = { database, tx, since: point.txId, entries: 'none', isPoll: true } as const
  return readVerifiableTx(io.get(clientAtom), request)
}

function newestOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('txId' in state)) return null
  const { txId } = state
  return typeof txId === 'string' && /^\d{1,20}$/.test(txId) ? txId : null
}

/**
 * Saves a proven state; null when the trusted state has changed, so that it must be proven again.
 */
async function keepProven(
  points: TrustedStates,
  id: DatabaseId,
  known: TrustRecord | null,
  next: Next,
  /** An alarm that an agreeing state does not end, and the reason for ending one. */
  { alarm, reason }: { alarm: Halt | null; reason: string },
): Promise<Trust | null> {
  const from = known?.point ?? null
  // Only the first server of an address is accepted automatically. A record identifies this one.
  if (!known && !(await points.acceptServer(id.origin, id.server))) return null
  let record: TrustRecord | null
  if (from && isSameState(from, next)) record = await points.noteChecked(id, next)
  else {
    const isFirst = !from || from.txId === '0'
    const moved = await points.move(id, from, next, isFirst ? 'first' : 'state')
    record = moved.isMoved ? moved.record : null
  }
  if (record && alarm) return { ...alarm, record }
  // Only a finding from before the state was requested.
  if (record?.break && known?.break) record = await points.matchedAgain(id, known, reason)
  return record && trustOf(record)
}

/** Saves the finding; null when the trusted state has changed. */
async function brokenOf(
  points: TrustedStates,
  id: DatabaseId,
  known: TrustRecord | null,
  { verification, refusal }: Refusal,
  before: Halt | null,
): Promise<Trust | null> {
  const broken = sameOr(before, breakOf(verification, refusal))
  if (!known) return { kind: 'broken', record: null, broken }
  const { record, isNoted } = await points
    .noteBreak(id, known.point, broken)
    // A finding is shown even if it cannot be kept.
    .catch(() => ({ record: known, isNoted: true }))
  return isNoted ? { kind: 'broken', record, broken: record?.break ?? broken } : null
}

/** The earlier finding if it is the same, because it may not have been saved. */
function sameOr(before: Trust | null | undefined, found: Break): Break {
  return before?.kind === 'broken' && isSameFinding(before.broken, found) ? before.broken : found
}

/**
 * Saves and shows a finding about an object or an audit, unless its record was forgotten. Resolves
 * with the trust then shown, or null.
 */
export async function noteFinding(
  io: Io,
  id: DatabaseId,
  known: TrustRecord | null,
  finding: Break,
): Promise<Break | null> {
  const found = sameOr(knownOf(io, id.database), finding)
  const { record, isNoted } = await io
    .get(trustedStatesAtom)
    .noteFinding(id, known, found)
    // A finding is shown even if it cannot be kept.
    .catch(() => ({ record: known, isNoted: true }))
  if (!isNoted) return null
  const broken = record?.break ?? found
  setTrust(io, id.database, { kind: 'broken', record, broken })
  return broken
}
