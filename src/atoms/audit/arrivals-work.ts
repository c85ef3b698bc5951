import { readTxPage, readVerifiableTx } from '~/api/proof'
import { formatTx } from '~/lib/text'
import { startBehind } from '~/proof/audit'
import type { AuditNews } from '~/proof/audit-messages'
import { startDeepAudit } from '~/proof/deep-audit'
import { ProofError } from '~/proof/failure'
import { anyFields, list } from '~/proof/read'
import { catalogTxOf, readTarget, type SavedDeepAudit, saveDeepAudit } from '~/proof/saved-audit'
import { clientAtom, ensureDatabaseToken } from '../client'
import { sentence } from '../failure'
import type { Io } from '../io'
import { openWorker } from '../open-worker'
import { believedOffset } from '../server-clock'
import { apiAddressAtom, callCountAtom, pointIdAtom, sessionAtom } from '../session'
import { checkTrust } from '../trust/check'
import { knownOf } from '../trust/known'
import type { PointId } from '../trust/point-id'
import type { Keeping } from '../trust/points-door'
import { keyOf, type TrustRecord } from '../trust/record'
import { isCurrent } from '../trust/shown'
import { isFollowed } from '../trust/trust'
import { trustedPointsAtom } from '../trust/trusted-points'
import {
  type ArrivalsCost,
  type ArrivalsState,
  areArrivalsCheckedAtom,
  arrivalsOfAtom,
  setArrivalsStateAtom,
} from './arrivals'
import { type Arrivals, findArrivals, findRecord, keepArrivals, laterTx } from './kept'
import { noteRefused, tokenOf } from './news'
import { fitOf } from './saved-fit'
import { openTabs, type Tabs } from './tabs'

/** A check at work in a worker of this tab. */
type Check = {
  worker: Worker
  io: Io
  id: PointId
  trust: TrustRecord
  keeping: Keeping
  user: string
  since: number
  arrivals: Arrivals
  last: string
}

const running = new Map<string, Check>()
/** Checks that are about to begin. */
const preparing = new Set<string>()

/** Reads what came since the last time, up to the trusted state. Never rejects. */
export async function readArrivals(io: Io, database: string): Promise<void> {
  const id = io.get(pointIdAtom)(database)
  const key = keyOf(id)
  if (running.has(key) || preparing.has(key)) return
  const trust = knownOf(io, database)
  if (!isFollowed(trust) || !isCurrent(trust) || io.get(sessionAtom) === null) return
  preparing.add(key)
  try {
    await begin(io, trust.record)
  } catch (error) {
    const words = error instanceof ProofError ? unprovenStart : sentence(error)
    stopped(io, id, words, 'It is tried again with the next state.', true)
  } finally {
    preparing.delete(key)
  }
}

const unprovenStart =
  'The proof of the trusted state could not be read, so there is nothing to begin with.'

async function begin(io: Io, trust: TrustRecord): Promise<void> {
  const { id, point } = trust
  await ensureDatabaseToken(io, io.get(clientAtom), id.database)
  const found = await beginningOf(io, trust)
  if (!found) return
  const start = found.resting ?? found.saved
  const { txId } = start.chain
  if (txId === point.txId && !found.resting) return tell(io, id, doneOf(found))
  const fit = await fitOf(io, trust, start.chain)
  if (fit.kind === 'unknown') return stopped(io, id, fit.why, 'It is tried again later.', true)
  if (fit.kind !== 'fits') return stopped(io, id, brokenWords, '', false)
  const worker = openWorker('audit')
  if (!worker) return stopped(io, id, noWorker, '', false)
  const keeping = await io.get(trustedPointsAtom).keeping()
  const session = io.get(sessionAtom)
  // Somebody left meanwhile, turned it off, or looks elsewhere.
  const isWanted = session !== null && isHere(io, id) && !document.hidden
  if (!isWanted) return worker.terminate()
  const check: Check = {
    worker,
    io,
    id,
    trust,
    keeping,
    user: session.user,
    since: Date.now(),
    arrivals: found,
    last: point.txId,
  }
  running.set(keyOf(id), check)
  others().claim(claimOf(check))
  tell(io, id, { kind: 'reading', txId, last: point.txId, words: null })
  worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
    if (running.get(keyOf(id)) === check) hear(check, data)
  })
  worker.addEventListener('error', () => {
    if (running.get(keyOf(id)) === check) halt(check, 'The check broke off.')
  })
  worker.postMessage({
    kind: 'start',
    baseURL: new URL(io.get(apiAddressAtom), location.href).href,
    database: id.database,
    server: id.server,
    token: tokenOf(session, id.database),
    clockOffset: believedOffset(io.get),
    from: { since: start, target: point, withValues: false },
  })
}

/** Whether this is what the tab has open, with the check turned on. */
function isHere(io: Io, id: PointId): boolean {
  return (
    keyOf(io.get(pointIdAtom)(id.database)) === keyOf(id) &&
    io.get(areArrivalsCheckedAtom) &&
    io.get(arrivalsOfAtom)(id).kind !== 'paused'
  )
}

/** Nothing begins by itself then: what was read before would silently be read as less. */
const damaged: ArrivalsState = {
  kind: 'stopped',
  words: 'The saved progress of this check could not be read.',
  advice: 'It was changed or damaged in the storage of this browser.',
  isTried: false,
  isDamaged: true,
}

const brokenWords = 'This history is broken. Nothing more is read until you have decided.'
const noWorker = 'This browser does not let the console work in the background.'

/**
 * Where to begin: behind what was read before, by this check or by a deep audit, whichever leaves
 * no gap; else behind the trusted state. Null when that cannot be, which is told.
 */
async function beginningOf(io: Io, trust: TrustRecord): Promise<Arrivals | null> {
  const { id } = trust
  const known = await findArrivals(io, id, trust)
  if (known === 'damaged') {
    tell(io, id, damaged)
    return null
  }
  const { finished } = (await findRecord(io, id)).record
  const audited = finished && { first: '1', saved: finished, at: Date.now(), resting: null }
  if (!known) return audited ?? (await behindTrusted(io, trust))
  if (!audited) return known
  const [end, further] = [BigInt(audited.saved.chain.txId), BigInt(known.saved.chain.txId)]
  const isJoined = end + 1n >= BigInt(known.first)
  if (!isJoined || end > further) return audited
  const catalogTx = laterTx(catalogTxOf(audited.saved), catalogTxOf(known.saved))
  return { ...known, first: '1', saved: { ...known.saved, catalogTx } }
}

/** Begins with the trusted state, from which a proof of it has what is needed. */
async function behindTrusted(io: Io, trust: TrustRecord): Promise<Arrivals | null> {
  const { id, point } = trust
  const at = Date.now()
  if (point.txId === '0') {
    const saved = savedFrom(startDeepAudit(readTarget(point), false))
    return { first: '1', saved, at, resting: null }
  }
  const answer = await readVerifiableTx(io.get(clientAtom), {
    database: id.database,
    tx: point.txId,
    since: point.txId,
    entries: 'none',
  })
  const chain = startBehind(readTarget(point), anyFields(answer, 'answer').dualProof)
  if (!chain) {
    const words = 'The tree over all transactions lags behind on this server.'
    const advice = 'Run a deep audit first. This check then goes on from its end.'
    stopped(io, id, words, advice, false)
    return null
  }
  const first = chain.txId + 1n
  const saved = savedFrom({ ...startDeepAudit(readTarget(point), false), chain, first })
  const arrivals = { first: String(first), saved, at, resting: null }
  await keepArrivals(io, trust, arrivals)
  return arrivals
}

function savedFrom(audit: Parameters<typeof saveDeepAudit>[0]): SavedDeepAudit {
  const saved = saveDeepAudit(audit)
  if (!saved) throw new Error('there is nothing pending in it')
  return saved
}

const tell = (io: Io, id: PointId, state: ArrivalsState) => io.set(setArrivalsStateAtom, id, state)

function stopped(io: Io, id: PointId, words: string, advice: string, isTried: boolean): void {
  tell(io, id, { kind: 'stopped', words, advice, isTried })
}

function doneOf({ first, saved, at }: Arrivals): ArrivalsState {
  return { kind: 'done', first, to: saved.chain.txId, at }
}

function hear(check: Check, news: AuditNews): void {
  const { io, id } = check
  if (io.get(sessionAtom)?.user !== check.user) {
    end(check)
    tell(io, id, { kind: 'waiting' })
  } else if (news.kind === 'progress') {
    const { progress, saved, calls } = news
    io.set(callCountAtom, (count) => count + calls)
    if (saved) check.arrivals = { ...check.arrivals, resting: saved }
    const { txId, last } = progress
    const now = io.get(arrivalsOfAtom)(id)
    const words = now.kind === 'reading' ? now.words : null
    tell(io, id, { kind: 'reading', txId, last, words })
    if (saved) void keepArrivals(io, check.trust, check.arrivals).catch(() => {})
  } else if (news.kind === 'waiting' && news.why === 'server') {
    tell(io, id, readingOf(check, `${news.words} It is tried again until it answers.`))
  } else if (news.kind === 'waiting') {
    halt(check, 'Your session ended. The check continues after you log in.')
  } else if (news.kind === 'going-on') {
    tell(io, id, readingOf(check, null))
  } else if (news.kind === 'failed') {
    halt(check, news.words)
  } else if (news.kind === 'unreadable') {
    end(check)
    tell(io, id, damaged)
  } else if (news.kind === 'ended') {
    void finish(check)
  } else if (news.kind === 'refused') {
    void hearRefused(check, news)
  } else if (news.kind === 'paused') {
    end(check)
  }
}

function readingOf({ io, id, arrivals, last }: Check, words: string | null): ArrivalsState {
  const now = io.get(arrivalsOfAtom)(id)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  return { kind: 'reading', txId: now.kind === 'reading' ? now.txId : txId, last, words }
}

/** What was read stays; the next state tries again. */
function halt(check: Check, words: string): void {
  const { io, id, arrivals } = check
  end(check)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  const advice = `It was read up to transaction ${formatTx(txId)} and continues there with the next state.`
  stopped(io, id, words, advice, true)
}

async function finish(check: Check): Promise<void> {
  const { io, id, trust, arrivals } = check
  const { first, resting, saved } = arrivals
  const done: Arrivals = { first, saved: resting ?? saved, at: Date.now(), resting: null }
  // What cannot be kept is read again by the next page.
  await keepArrivals(io, trust, done).catch(() => {})
  if (running.get(keyOf(id)) !== check) return
  end(check)
  tell(io, id, doneOf(done))
  // More may have come while it was read.
  await readArrivals(io, id.database)
}

async function hearRefused(
  check: Check,
  news: Extract<AuditNews, { kind: 'refused' }>,
): Promise<void> {
  const { io, id } = check
  end(check)
  const found = await noteRefused(check, news)
  if (found === 'other-server') return stopped(io, id, 'Another server answers now.', '', true)
  if (found === 'forgotten') return tell(io, id, { kind: 'waiting' })
  stopped(io, id, brokenWords, '', false)
}

function end({ worker, id }: Check): void {
  worker.terminate()
  running.delete(keyOf(id))
  others().free(tabKey(id))
}

/** Stops a check where it is. */
export function stopArrivals(id: PointId): void {
  const check = running.get(keyOf(id))
  if (check) end(check)
}

/** Forgets how far transactions were read, and what was wrong with that. */
export async function dropArrivals(io: Io, id: PointId): Promise<void> {
  stopArrivals(id)
  await io.get(trustedPointsAtom).dropAudit(id, 'arrivals')
}

/** Transactions of a sample, and of a page of the check. */
const [sampled, paged] = [20, 1_000]

export async function costOfArrivals(io: Io, database: string): Promise<ArrivalsCost> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const trust = knownOf(io, database)
  // Who has just opened a database may ask before its state was looked at.
  const known = trust && 'record' in trust && trust.record ? trust : await checkTrust(io, database)
  const record = 'record' in known ? known.record : null
  const newest = BigInt(record?.point.txId ?? '0')
  const arrivals = record ? await findArrivals(io, record.id, record) : null
  const { finished } = record ? (await findRecord(io, record.id)).record : { finished: null }
  const saved = arrivals && arrivals !== 'damaged' ? arrivals.saved : finished
  const from = saved ? BigInt(saved.chain.txId) : newest
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

/** Apart from the audits that an operator starts, which tell each other of the same databases. */
const tabKey = (id: PointId) => `arrivals ${keyOf(id)}`

const tab = Math.random()
const claimOf = ({ id, since }: Check) => ({ key: tabKey(id), since, tab })
const checkOf = (key: string) => [...running.values()].find(({ id }) => tabKey(id) === key)

/** Databases that another tab reads, with what shows it here. */
const elsewhere = new Map<string, { io: Io; id: PointId }>()
let tabs: Tabs | null = null

function others(): Tabs {
  tabs ??= openTabs({
    own: (key) => {
      const check = checkOf(key)
      return check ? claimOf(check) : null
    },
    taken: (key) => {
      const check = checkOf(key)
      if (!check) return
      check.worker.terminate()
      running.delete(keyOf(check.id))
      elsewhere.set(key, check)
      tell(check.io, check.id, { kind: 'elsewhere' })
    },
    freed: (key) => {
      const known = elsewhere.get(key)
      if (!known) return
      elsewhere.delete(key)
      tell(known.io, known.id, { kind: 'waiting' })
      if (!document.hidden) void readArrivals(known.io, known.id.database)
    },
  })
  return tabs
}
