import { atom } from 'jotai'
import { readTxPage } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import {
  databaseAtom,
  databaseIdAtom,
  openIdAtom,
  serverAtom,
  sessionAtom,
} from '~/core/session/session'
import { changeStoredPart, storedAtom } from '~/core/storage/stored'
import { formatTx } from '~/lib/text'
import type { AuditNews } from '~/proof/audit-messages'
import { anyFields, list } from '~/proof/kernel/read'
import { ProofError } from '~/proof/kernel/steps'
import { isCurrent, isFollowed, knownOf } from '../trust'
import { keyOf, type TrustRecord } from '../trust-record'
import { outdateRecords, trustedStatesAtom } from '../trusted-states'
import { verifyState } from '../verify-state'
import { type Source, savedStart, startAtTrusted } from './arrivals-start'
import { noteRefused } from './audit-findings'
import { AuditJob, type Work } from './audit-job'
import {
  type Arrivals,
  findArrivals,
  findRecord,
  keepArrivals,
  keepRecord,
  keepReportAlone,
  readRangeOf,
  readRecord,
} from './audit-store'
import { fitOf } from './saved-walk'

/** The state of the check of new transactions of one database. */
export type ArrivalsState =
  /** Nothing has been done in this page yet. */
  | { kind: 'waiting' }
  /** `words`: why it waits for the server; null while it reads. */
  | { kind: 'reading'; txId: string; last: string; words: string | null }
  /** Everything from `first` to `to` was read. */
  | { kind: 'done'; first: string; to: string; at: number }
  | { kind: 'paused' }
  /** Another tab of this browser does it. */
  | { kind: 'elsewhere' }
  /** Could not continue. It restarts with the next state only when `isTried`. */
  | { kind: 'stopped'; words: string; advice: string; isTried: boolean; saved?: Useless }

/** Why the saved progress cannot be continued, so that only a restart helps. */
export type Useless = 'damaged' | 'unfit'

/** Nothing was done, or its state no longer matters. */
export const waiting: ArrivalsState = { kind: 'waiting' }

const arrivalStatesAtom = atom<ReadonlyMap<string, ArrivalsState>>(new Map<string, ArrivalsState>())

/** The check of the open database. */
export const arrivalsAtom = atom(
  (get) => get(arrivalStatesAtom).get(keyOf(get(openIdAtom))) ?? waiting,
)

/** The last reported state of the check of a database. */
export const arrivalsOfAtom = atom(
  (get) => (id: DatabaseId) => get(arrivalStatesAtom).get(keyOf(id)) ?? waiting,
)

export function setArrivalsState({ get, set }: Io, id: DatabaseId, state: ArrivalsState) {
  return set(arrivalStatesAtom, new Map(get(arrivalStatesAtom)).set(keyOf(id), state))
}

/** Whether every transaction of the open database is read as it arrives. */
export const areArrivalsCheckedAtom = atom((get) => {
  const [server, database] = [get(serverAtom) ?? '', get(databaseAtom)]
  return get(storedAtom).arrivals.some((one) => one.server === server && one.database === database)
})

/** The cost of the check: what it reads at first, and the cost of each transaction. */
export type ArrivalsCost = {
  transactions: string
  calls: number
  bytes: number
  /** Average bytes of the newest transactions; null when there are none. */
  each: number | null
}

/** A check that could not continue. */
const stopped = (words: string, advice: string, isTried: boolean, saved?: Useless) =>
  ({ kind: 'stopped', words, advice, isTried, ...(saved && { saved }) }) as const

/** The check must not restart by itself: that would silently lose what was read before. */
const damaged = stopped(
  'The saved progress of this check could not be read.',
  'It was changed or damaged in the storage of this browser, not by the server. The console keeps the damaged record aside. Start at the trusted state to continue.',
  false,
  'damaged',
)

/** Shown once the alarm about it has ended. The check would raise the same alarm again. */
const unfit = stopped(
  'The transactions that this check read do not fit the trusted state.',
  'Start at the trusted state to continue. Transactions read before no longer count.',
  false,
  'unfit',
)

/** Without a complete tree, the check has nothing to start from. */
const lagging = stopped(
  'The tree over all transactions lags behind on this server.',
  'Run a deep audit first, then choose Continue. The check continues from its end.',
  false,
)

/** The reason why nothing is read without workers. */
const noWorker = 'This browser does not allow work in the background.'

/** What a check at work has read, and the record that it continues. */
type Reading = { arrivals: Arrivals; readonly source: Source; readonly last: string }

type Check = Work<Reading>

/** The checks of this tab. Another tab is told of only where this one was stopped by it. */
const checks = new AuditJob<Reading>({
  prefix: 'arrivals ',
  hear,
  failed: (check) => halt(check, 'The check stopped unexpectedly.'),
  left: showWaiting,
  taken: (io, id) => {
    if (io.get(arrivalsOfAtom)(id).kind === 'reading')
      setArrivalsState(io, id, { kind: 'elsewhere' })
  },
  freed: (io, id) => {
    if (io.get(arrivalsOfAtom)(id).kind !== 'elsewhere') return
    showWaiting(io, id)
    if (!document.hidden) void readArrivals(io, id.database)
  },
  forgotten: (io, id) => void endArrivals(io, id),
})

/** Turns the check of the open database on or off, for this browser. */
export async function checkArrivals(io: Io, isOn: boolean) {
  const [server, database] = [io.get(serverAtom) ?? '', io.get(databaseAtom)]
  if (database === null) return
  await changeStoredPart(io, (stored) => {
    const others = stored.arrivals.filter(
      (one) => one.server !== server || one.database !== database,
    )
    return { ...stored, arrivals: isOn ? [...others, { server, database }] : others }
  })
  if (!isOn) await pauseArrivals(io, waiting)
}

/** Reads new transactions while the check is on and not paused. */
export async function readNewArrivals(io: Io) {
  const database = io.get(databaseAtom)
  if (database === null || !io.get(areArrivalsCheckedAtom)) return
  const { kind, ...state } = io.get(arrivalsAtom)
  if (kind === 'paused' || ('isTried' in state && !state.isTried)) return
  await readArrivals(io, database)
}

/** Pauses the check and keeps its progress. */
export async function pauseArrivals(io: Io, state: ArrivalsState = { kind: 'paused' }) {
  const id = io.get(openIdAtom)
  const kept = io.get(arrivalsOfAtom)(id).kind === 'waiting' ? null : stopArrivals(id)
  setArrivalsState(io, id, state)
  await kept
}

/** Continues after a pause or an obstacle. */
export async function resumeArrivals(io: Io) {
  setArrivalsState(io, io.get(openIdAtom), waiting)
  await readNewArrivals(io)
}

/** Sets aside a saved check that cannot continue, and begins at the trusted state. */
export async function restartArrivals(io: Io) {
  const state = io.get(arrivalsAtom)
  if (state.kind !== 'stopped' || !state.saved) return
  const isPut = await putAway(io, io.get(openIdAtom), state.saved)
  if (isPut) await resumeArrivals(io)
}

/** While this tab is hidden, another tab may do it. */
export async function leaveArrivals(io: Io) {
  const { kind } = io.get(arrivalsAtom)
  if (kind === 'reading') await pauseArrivals(io, waiting)
}

/** Reads new transactions up to the trusted state. Never rejects. */
async function readArrivals(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const key = keyOf(id)
  if (checks.of(id) || checks.isPreparing(key)) return
  const trust = knownOf(io, database)
  if (!isFollowed(trust) || !isCurrent(trust) || io.get(sessionAtom) === null) return
  const isMyTurn = checks.prepare(key)
  checks.follow(io, id, trust.record)
  try {
    const state = await begin(io, trust.record, isMyTurn)
    if (state && isMyTurn()) setArrivalsState(io, id, state)
  } catch (error) {
    const words = error instanceof ProofError ? unprovenStart : sentence(error)
    if (isMyTurn())
      setArrivalsState(io, id, stopped(words, 'The console tries again with the next state.', true))
  } finally {
    if (isMyTurn()) checks.cancel(key)
  }
}

const unprovenStart = 'The proof of the trusted state could not be read, so the check cannot begin.'

/** Begins to read. Resolves with null, or the reason why it did not begin. */
async function begin(
  io: Io,
  trust: TrustRecord,
  isMyTurn: () => boolean,
): Promise<ArrivalsState | null> {
  const { id, point } = trust
  await ensureDatabaseToken(io, io.get(clientAtom), id.database)
  const found = (await savedStart(io, trust)) ?? (await startAtTrusted(io, trust))
  if (found === 'damaged') return damaged
  if (found === 'lagging') return lagging
  const { arrivals, source } = found
  const start = arrivals.resting ?? arrivals.saved
  const { txId } = start.chain
  if (txId === point.txId && !arrivals.resting) return doneOf(arrivals)
  // A history forgotten in the meantime must not be stored again.
  if (!isMyTurn()) return null
  const fit = await fitOf(io, trust, start.chain)
  if (fit.kind === 'unknown') return stopped(fit.why, 'The console tries again later.', true)
  if (fit.kind === 'differs') return unfit
  if (fit.kind === 'broken') return stateWhenRefused(io, id)
  const isWanted = () => isMyTurn() && isHere(io, id) && isFollowed(knownOf(io, id.database))
  const begun = await checks.begin(io, trust, {
    own: { arrivals, source, last: point.txId },
    from: { since: start, target: point, withValues: false, withTables: false },
    isWanted,
  })
  if (begun === 'no-worker') return stopped(noWorker, '', false)
  return begun === 'begun' ? { kind: 'reading', txId, last: point.txId, words: null } : null
}

/** Whether this tab shows this database to a user with the check turned on. */
function isHere(io: Io, id: DatabaseId): boolean {
  return (
    io.get(sessionAtom) !== null &&
    !document.hidden &&
    keyOf(io.get(databaseIdAtom)(id.database)) === keyOf(id) &&
    io.get(areArrivalsCheckedAtom) &&
    io.get(arrivalsOfAtom)(id).kind !== 'paused'
  )
}

/** The screen shows that the history is broken; the check continues when the alarm has ended. */
function stateWhenRefused(io: Io, id: DatabaseId): ArrivalsState {
  if (knownOf(io, id.database)?.kind === 'broken') return waiting
  const words = 'The server could not prove the transaction that this check had reached.'
  return stopped(words, 'The console tries again with the next state.', true)
}

function showWaiting(io: Io, id: DatabaseId): void {
  setArrivalsState(io, id, waiting)
}

function doneOf({ first, saved, at }: Arrivals): ArrivalsState {
  return { kind: 'done', first, to: saved.chain.txId, at }
}

function hear(check: Check, news: AuditNews): void {
  const { io, id, own } = check
  if (isIdle(news) && knownOf(io, id.database)?.kind === 'broken') {
    // The check stops until the alarm has ended.
    checks.end(check)
    showWaiting(io, id)
  } else if (news.kind === 'progress') {
    const { progress, saved } = news
    if (saved) own.arrivals = { ...own.arrivals, resting: saved }
    const { txId, last } = progress
    const now = io.get(arrivalsOfAtom)(id)
    const words = now.kind === 'reading' ? now.words : null
    setArrivalsState(io, id, { kind: 'reading', txId, last, words })
    if (saved) void keep(check, own.arrivals)
  } else if (news.kind === 'waiting' && news.why === 'server') {
    setArrivalsState(
      io,
      id,
      readingOf(check, `${news.words} The console tries again until it answers.`),
    )
  } else if (news.kind === 'waiting') {
    halt(check, 'Your session ended. The check continues after you log in.')
  } else if (news.kind === 'going-on') {
    setArrivalsState(io, id, readingOf(check, null))
  } else if (news.kind === 'failed') {
    halt(check, news.words)
  } else if (news.kind === 'unreadable') {
    void putDamagedAside(check)
  } else if (news.kind === 'ended') {
    void finish(check)
  } else if (news.kind === 'refused') {
    void handleRefused(check, news)
  } else if (news.kind === 'paused') {
    checks.end(check)
  }
}

/** Whether the message is only a progress report. */
function isIdle({ kind }: AuditNews): boolean {
  return kind === 'progress' || kind === 'waiting' || kind === 'going-on'
}

/** If saving fails, the next page reads the transactions again. */
function keep(check: Check, arrivals: Arrivals): Promise<void> {
  return checks.keep(check, () => keepArrivals(check.io, check.trust, arrivals))
}

/** The record is complete and well-formed, but the engine cannot continue from it. */
async function putDamagedAside(check: Check): Promise<void> {
  const { io, id, trust } = check
  checks.end(check)
  if (check.own.source === 'arrivals') {
    await io
      .get(trustedStatesAtom)
      .setAuditAside(id, 'arrivals')
      .catch(() => {})
  } else {
    const { report } = (await findRecord(io, id)).record
    await keepReportAlone(io, trust, report).catch(() => {})
  }
  outdateRecords(io)
  setArrivalsState(io, id, damaged)
}

function readingOf(
  { io, id, own: { arrivals, last } }: Check,
  words: string | null,
): ArrivalsState {
  const now = io.get(arrivalsOfAtom)(id)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  return { kind: 'reading', txId: now.kind === 'reading' ? now.txId : txId, last, words }
}

/** Keeps what was read; the next state tries again. */
function halt(check: Check, words: string): void {
  const { io, id } = check
  const { arrivals } = check.own
  checks.end(check)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  const advice = `The check has read up to transaction ${formatTx(txId)} and continues there with the next state.`
  setArrivalsState(io, id, stopped(words, advice, true))
}

async function finish(check: Check): Promise<void> {
  const { io, id } = check
  const { first, resting, saved } = check.own.arrivals
  const done: Arrivals = { first, saved: resting ?? saved, at: Date.now(), resting: null }
  await keep(check, done)
  if (!checks.isRunning(check)) return
  checks.end(check)
  setArrivalsState(io, id, doneOf(done))
  // More may have arrived in the meantime.
  await readArrivals(io, id.database)
}

async function handleRefused(
  check: Check,
  news: Extract<AuditNews, { kind: 'refused' }>,
): Promise<void> {
  const { io, id } = check
  checks.end(check)
  const found = await noteRefused(check, news)
  const isOther = found === 'other-server'
  // The screen shows that the history is broken; this continues when the alarm has ended.
  setArrivalsState(io, id, isOther ? stopped('Another server answers now.', '', true) : waiting)
}

/** Stops a check, or cancels one about to begin. Resolves when its progress is saved. */
async function stopArrivals(id: DatabaseId): Promise<void> {
  checks.cancel(keyOf(id))
  const check = checks.of(id)
  if (check) checks.end(check)
  await check?.kept
}

/** Stops following a history: nothing more is read, saved or shown. */
export async function endArrivals(io: Io, id: DatabaseId): Promise<void> {
  if (!checks.isFollowedBy(io, id)) return
  checks.unfollow(id)
  const kept = stopArrivals(id)
  if (io.get(arrivalsOfAtom)(id).kind !== 'paused') setArrivalsState(io, id, waiting)
  await kept
}

/** Sets aside a record that cannot be continued; false, with a notice, when that fails. */
async function putAway(io: Io, id: DatabaseId, why: Useless): Promise<boolean> {
  const points = io.get(trustedStatesAtom)
  stopArrivals(id)
  try {
    if (why === 'unfit') await dropUnfit(io, id)
    else {
      if ((await findArrivals(io, id, null)) === 'damaged')
        await points.setAuditAside(id, 'arrivals')
      if ((await readRecord(io, id)).isDamaged) await points.setAuditAside(id)
      outdateRecords(io)
    }
    return true
  } catch (error) {
    const advice = 'Nothing was changed. Choose Start at the trusted state to try again.'
    setArrivalsState(io, id, stopped(sentence(error), advice, false, why))
    return false
  }
}

/** The record is undamaged; the incident list explains why it does not fit. */
async function dropUnfit(io: Io, id: DatabaseId): Promise<void> {
  const { trust, record } = await findRecord(io, id)
  const start = trust && (await savedStart(io, trust))
  if (!start || start === 'damaged') return
  if (start.source === 'audit') await keepRecord(io, trust, { ...record, finished: null })
  else await io.get(trustedStatesAtom).dropAudit(id, 'arrivals')
}

/** Transactions of a sample, and of a page of the check. */
const [sampled, paged] = [20, 1_000]

/** Estimates what the check costs, with one call. @throws ApiError when the call fails */
export async function estimateArrivals(io: Io): Promise<ArrivalsCost> {
  const database = io.get(databaseAtom) ?? ''
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const trust = knownOf(io, database)
  // The state may not be checked yet when a database was just opened.
  const known = trust && 'record' in trust && trust.record ? trust : await verifyState(io, database)
  const record = 'record' in known ? known.record : null
  const newest = BigInt(record?.point.txId ?? '0')
  const read = record && (await readRangeOf(io, record).catch(() => null))
  const from = read ? BigInt(read.readTo) : newest
  const transactions = newest > from ? newest - from : 0n
  const each = newest === 0n ? null : await sizeOfEach(io, database, newest)
  const calls = Math.ceil(Number(transactions) / paged)
  const bytes = Math.round(Number(transactions) * (each ?? 0))
  return { transactions: String(transactions), calls, bytes, each }
}

async function sizeOfEach(io: Io, database: string, newest: bigint): Promise<number> {
  const first = newest > BigInt(sampled) ? newest - BigInt(sampled) + 1n : 1n
  const asked = { database, initialTx: String(first), limit: sampled }
  const answer = await readTxPage(io.get(clientAtom), asked)
  const { length } = list(anyFields(answer, 'answer'), 'txs')
  return length === 0 ? 0 : Math.round(JSON.stringify(answer).length / length)
}
