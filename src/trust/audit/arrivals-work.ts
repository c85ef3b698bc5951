import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { openWorker, workerAddress } from '~/core/session/open-worker'
import { believedOffset } from '~/core/session/server-clock'
import { callCountAtom, databaseIdAtom, sessionAtom } from '~/core/session/session'
import { formatTx } from '~/lib/text'
import type { AuditNews } from '~/proof/audit-messages'
import { ProofError } from '~/proof/steps'
import type { Persistence } from '../store'
import { isCurrent, isFollowed, knownOf } from '../trust'
import { isSameContact, keyOf, type TrustRecord } from '../trust-record'
import { outdateRecords } from '../trust-records'
import { type TrustedStates, trustedStatesAtom } from '../trusted-states'
import {
  type ArrivalsState,
  areArrivalsCheckedAtom,
  arrivalsOfAtom,
  setArrivalsState,
  type Useless,
  waiting,
} from './arrivals'
import { type Source, savedStart, startAtTrusted } from './arrivals-start'
import { damaged, lagging, noWorker, stopped, unfit } from './arrivals-words'
import { openTabs, type Tabs } from './audit-claims'
import { noteRefused, tokenOf } from './audit-messages'
import { fitOf } from './saved-fit'
import {
  type Arrivals,
  findArrivals,
  findRecord,
  keepArrivals,
  keepRecord,
  keepReportAlone,
  readRecord,
} from './store'

/** A check at work in a worker of this tab. */
type Check = {
  worker: Worker
  io: Io
  id: DatabaseId
  trust: TrustRecord
  keeping: Persistence
  user: string
  since: number
  arrivals: Arrivals
  source: Source
  last: string
  /** The save in progress. */
  keepingNow: Promise<void>
}

const running = new Map<string, Check>()
/** Checks about to begin; a cancelled one loses its turn. */
const preparing = new Map<string, symbol>()

/** Reads new transactions up to the trusted state. Never rejects. */
export async function readArrivals(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const key = keyOf(id)
  if (running.has(key) || preparing.has(key)) return
  const trust = knownOf(io, database)
  if (!isFollowed(trust) || !isCurrent(trust) || io.get(sessionAtom) === null) return
  const turn = Symbol()
  const isMyTurn = () => preparing.get(key) === turn
  preparing.set(key, turn)
  follow(io, trust.record)
  try {
    const state = await begin(io, trust.record, isMyTurn)
    if (state && isMyTurn()) tell(io, id, state)
  } catch (error) {
    const words = error instanceof ProofError ? unprovenStart : sentence(error)
    if (isMyTurn())
      tell(io, id, stopped(words, 'The console tries again with the next state.', true))
  } finally {
    if (isMyTurn()) preparing.delete(key)
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
  const keeping = await io.get(trustedStatesAtom).keeping()
  const session = io.get(sessionAtom)
  // The user may have logged out, turned it off or opened another database.
  const isFollowedNow = isMyTurn() && isFollowed(knownOf(io, id.database))
  const isWanted = session !== null && isHere(io, id) && !document.hidden && isFollowedNow
  if (!isWanted) return null
  const worker = openWorker('audit')
  if (!worker) return stopped(noWorker, '', false)
  const check: Check = {
    worker,
    io,
    id,
    trust,
    keeping,
    user: session.user,
    since: Date.now(),
    arrivals,
    source,
    last: point.txId,
    keepingNow: Promise.resolve(),
  }
  running.set(keyOf(id), check)
  others().claim(claimOf(check))
  tell(io, id, { kind: 'reading', txId, last: point.txId, words: null })
  worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
    if (running.get(keyOf(id)) === check) hear(check, data)
  })
  worker.addEventListener('error', () => {
    if (running.get(keyOf(id)) === check) halt(check, 'The check stopped unexpectedly.')
  })
  worker.postMessage({
    kind: 'start',
    ...workerAddress(io.get),
    database: id.database,
    server: id.server,
    token: tokenOf(session, id.database),
    clockOffset: believedOffset(io.get),
    from: { since: start, target: point, withValues: false, withTables: false },
  })
  return null
}

/** Whether the tab has this database open with the check turned on. */
function isHere(io: Io, id: DatabaseId): boolean {
  return (
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

const tell = (io: Io, id: DatabaseId, state: ArrivalsState) => setArrivalsState(io, id, state)

function doneOf({ first, saved, at }: Arrivals): ArrivalsState {
  return { kind: 'done', first, to: saved.chain.txId, at }
}

function hear(check: Check, news: AuditNews): void {
  const { io, id } = check
  if (io.get(sessionAtom)?.user !== check.user) {
    end(check)
    tell(io, id, waiting)
  } else if (isIdle(news) && knownOf(io, id.database)?.kind === 'broken') {
    // The check stops until the alarm has ended.
    end(check)
    tell(io, id, waiting)
  } else if (news.kind === 'progress') {
    const { progress, saved, calls } = news
    io.set(callCountAtom, (count) => count + calls)
    if (saved) check.arrivals = { ...check.arrivals, resting: saved }
    const { txId, last } = progress
    const now = io.get(arrivalsOfAtom)(id)
    const words = now.kind === 'reading' ? now.words : null
    tell(io, id, { kind: 'reading', txId, last, words })
    if (saved) void keep(check, check.arrivals)
  } else if (news.kind === 'waiting' && news.why === 'server') {
    tell(io, id, readingOf(check, `${news.words} The console tries again until it answers.`))
  } else if (news.kind === 'waiting') {
    halt(check, 'Your session ended. The check continues after you log in.')
  } else if (news.kind === 'going-on') {
    tell(io, id, readingOf(check, null))
  } else if (news.kind === 'failed') {
    halt(check, news.words)
  } else if (news.kind === 'unreadable') {
    void putDamagedAside(check)
  } else if (news.kind === 'ended') {
    void finish(check)
  } else if (news.kind === 'refused') {
    void handleRefused(check, news)
  } else if (news.kind === 'paused') {
    end(check)
  }
}

/** Whether the message is only a progress report. */
function isIdle({ kind }: AuditNews): boolean {
  return kind === 'progress' || kind === 'waiting' || kind === 'going-on'
}

/** If saving fails, the next page reads the transactions again. */
function keep(check: Check, arrivals: Arrivals): Promise<void> {
  check.keepingNow = keepArrivals(check.io, check.trust, arrivals).catch(() => {})
  return check.keepingNow
}

/** The record is complete and well-formed, but the engine cannot continue from it. */
async function putDamagedAside(check: Check): Promise<void> {
  const { io, id, source, trust } = check
  end(check)
  if (source === 'arrivals') {
    await io
      .get(trustedStatesAtom)
      .setAuditAside(id, 'arrivals')
      .catch(() => {})
  } else {
    const { report } = (await findRecord(io, id)).record
    await keepReportAlone(io, trust, report).catch(() => {})
  }
  outdateRecords(io)
  tell(io, id, damaged)
}

function readingOf({ io, id, arrivals, last }: Check, words: string | null): ArrivalsState {
  const now = io.get(arrivalsOfAtom)(id)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  return { kind: 'reading', txId: now.kind === 'reading' ? now.txId : txId, last, words }
}

/** Keeps what was read; the next state tries again. */
function halt(check: Check, words: string): void {
  const { io, id, arrivals } = check
  end(check)
  const { txId } = (arrivals.resting ?? arrivals.saved).chain
  const advice = `The check has read up to transaction ${formatTx(txId)} and continues there with the next state.`
  tell(io, id, stopped(words, advice, true))
}

async function finish(check: Check): Promise<void> {
  const { io, id, arrivals } = check
  const { first, resting, saved } = arrivals
  const done: Arrivals = { first, saved: resting ?? saved, at: Date.now(), resting: null }
  await keep(check, done)
  if (running.get(keyOf(id)) !== check) return
  end(check)
  tell(io, id, doneOf(done))
  // More may have arrived in the meantime.
  await readArrivals(io, id.database)
}

async function handleRefused(
  check: Check,
  news: Extract<AuditNews, { kind: 'refused' }>,
): Promise<void> {
  const { io, id } = check
  end(check)
  const found = await noteRefused(check, news)
  const isOther = found === 'other-server'
  // The screen shows that the history is broken; this continues when the alarm has ended.
  tell(io, id, isOther ? stopped('Another server answers now.', '', true) : waiting)
}

function end({ worker, id }: Check): void {
  worker.terminate()
  running.delete(keyOf(id))
  others().free(tabKey(id))
}

/** Stops a check, or cancels one about to begin. Resolves when its progress is saved. */
export async function stopArrivals(id: DatabaseId): Promise<void> {
  preparing.delete(keyOf(id))
  const check = running.get(keyOf(id))
  if (check) end(check)
  await check?.keepingNow
}

/** Stops following a history: nothing more is read, saved or shown. */
export async function endArrivals(io: Io, id: DatabaseId): Promise<void> {
  followed.delete(keyOf(id))
  const kept = stopArrivals(id)
  if (io.get(arrivalsOfAtom)(id).kind !== 'paused') tell(io, id, waiting)
  await kept
}

/** Ends all checks of a page. */
export function endAll(io: Io): void {
  const client = io.get(clientAtom)
  for (const check of [...running.values()]) {
    if (check.io.get(clientAtom) !== client) continue
    end(check)
    tell(io, check.id, waiting)
  }
}

/** Histories that this tab reads, by their keys. */
const followed = new Map<string, { io: Io; trust: TrustRecord }>()
const watched = new WeakSet<TrustedStates>()

/** Listens to what other tabs do with a trusted history. */
function follow(io: Io, trust: TrustRecord): void {
  followed.set(keyOf(trust.id), { io, trust })
  const points = io.get(trustedStatesAtom)
  if (watched.has(points)) return
  watched.add(points)
  points.onChange(() => {
    for (const each of followed.values()) void endForgotten(each)
  })
}

async function endForgotten(then: { io: Io; trust: TrustRecord }): Promise<void> {
  const { io, trust } = then
  const record = await io
    .get(trustedStatesAtom)
    .read(trust.id)
    .catch(() => trust)
  if (followed.get(keyOf(trust.id)) !== then) return
  if (!record || !isSameContact(trust, record)) await endArrivals(io, trust.id)
}

/** Sets aside a record that cannot be continued; false, with a notice, when that fails. */
export async function putAway(io: Io, id: DatabaseId, why: Useless): Promise<boolean> {
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
    tell(io, id, stopped(sentence(error), advice, false, why))
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

/** A separate key, because deep audits of the same databases use the same channel. */
const tabKey = (id: DatabaseId) => `arrivals ${keyOf(id)}`

const tab = Math.random()
const claimOf = ({ id, since }: Check) => ({ key: tabKey(id), since, tab })
const checkOf = (key: string) => [...running.values()].find(({ id }) => tabKey(id) === key)

/** Databases that another tab reads, with the store that shows this. */
const elsewhere = new Map<string, { io: Io; id: DatabaseId }>()
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
      tell(known.io, known.id, waiting)
      if (!document.hidden) void readArrivals(known.io, known.id.database)
    },
  })
  return tabs
}
