import { readVerifiableState } from '~/api/proof'
import { workers } from '~/lib/build'
import type { AuditNews, AuditOrder, AuditProgress, StartAudit } from '~/proof/audit-messages'
import { clientAtom, ensureDatabaseToken } from './client'
import { type AuditChoice, setDeepAuditAtom } from './deep-audit'
import {
  type AuditRecord,
  noRecord,
  type RestingProgress,
  readRecord,
  reportOf,
  restingOf,
} from './deep-audit-record'
import { apiAddressAtom, callCountAtom, type Session, sessionAtom } from './session'
import { pointIdAtom } from './trust'
import { breakOf } from './trust-break'
import { checkTrust, type Io, noteFinding } from './trust-check'
import type { Break, PointId } from './trust-record'
import { trustedPointsAtom } from './trusted-points'
import type { Verification } from './verification'

type Running = {
  worker: Worker
  io: Io
  id: PointId
  user: string
  /** Milliseconds of work before the audit rested. */
  before: number
  last: Last
}

/** What is known of an audit that runs. */
type Last = { record: AuditRecord; progress: AuditProgress | null }

/** One audit for each database; a worker belongs to the tab. */
const running = new Map<string, Running>()

export async function readKept(io: Io, database: string): Promise<void> {
  if (running.has(database)) return
  const { report, resting } = await recordOf(io, io.get(pointIdAtom)(database))
  const idle = resting
    ? ({ kind: 'paused', progress: resting.progress, at: resting.at } as const)
    : ({ kind: report ? 'finished' : 'idle' } as const)
  if (!running.has(database)) io.set(setDeepAuditAtom, database, { state: idle, report })
}

async function recordOf(io: Io, id: PointId): Promise<AuditRecord> {
  const kept = await io
    .get(trustedPointsAtom)
    .readAudit(id)
    .catch(() => null)
  return readRecord(kept)
}

export async function startAudit(io: Io, database: string, choice: AuditChoice): Promise<void> {
  if (running.has(database)) return
  show(io, database, { progress: null })
  const trust = await checkTrust(io, database)
  if (trust.kind === 'broken') {
    io.set(setDeepAuditAtom, database, { state: { kind: 'broken', broken: trust.broken } })
    return
  }
  const point = 'record' in trust ? trust.record?.point : undefined
  const why = 'why' in trust ? trust.why : null
  if (!point) return fail(io, database, why ?? 'The newest state could not be checked.', null)
  if (point.txId === '0') {
    return fail(io, database, 'There is nothing to audit yet: the database is empty.', null)
  }
  const id = io.get(pointIdAtom)(database)
  const record = await recordOf(io, id)
  const { withValues, from } = choice
  const fresh = { target: point, withValues }
  const isNewer = record.report !== null && BigInt(record.report.point.txId) < BigInt(point.txId)
  if (from === 'last' && record.finished && !isNewer) {
    return fail(io, database, 'Nothing was written since the last audit.', null)
  }
  const since = from === 'last' && record.finished ? { since: record.finished, ...fresh } : fresh
  await begin(io, id, { ...record, resting: null }, since)
}

export async function resumeAudit(io: Io, database: string): Promise<void> {
  if (running.has(database)) return
  const id = io.get(pointIdAtom)(database)
  const record = await recordOf(io, id)
  if (!record.resting) return readKept(io, database)
  show(io, database, { progress: null })
  const { saved } = record.resting
  await begin(io, id, record, { resume: saved })
}

export function pauseAudit(database: string): void {
  const audit = running.get(database)
  if (audit) send(audit, { kind: 'pause' })
}

export async function dropAudit(io: Io, database: string): Promise<void> {
  const id = io.get(pointIdAtom)(database)
  const record = await recordOf(io, id)
  await io.get(trustedPointsAtom).writeAudit(id, { ...record, resting: null })
  await readKept(io, database)
}

async function begin(
  io: Io,
  id: PointId,
  record: AuditRecord,
  from: StartAudit['from'],
): Promise<void> {
  const { database } = id
  const worker = openWorker()
  if (!worker) {
    const words =
      'This browser does not let the console work in the background, which an audit needs.'
    return fail(io, database, words, record.resting?.progress ?? null)
  }
  await ensureDatabaseToken(io, io.get(clientAtom), database).catch(() => {})
  const session = io.get(sessionAtom)
  const audit: Running = {
    worker,
    io,
    id,
    user: session?.user ?? '',
    before: record.resting?.progress.active ?? 0,
    last: { record, progress: null },
  }
  running.set(database, audit)
  worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
    if (running.get(database) === audit) hear(audit, data)
  })
  worker.addEventListener('error', (event) => {
    if (running.get(database) === audit) stop(audit, 'The audit broke off.', event.message ?? '')
  })
  send(audit, {
    kind: 'start',
    baseURL: new URL(io.get(apiAddressAtom), location.href).href,
    database,
    server: id.server,
    token: tokenOf(session, database),
    from,
  })
}

function openWorker(): Worker | null {
  const file = workers.get('audit')
  if (file === undefined || typeof Worker === 'undefined') return null
  try {
    // Every script of a build lies in the same folder.
    return new Worker(new URL(file, import.meta.url))
  } catch {
    return null
  }
}

function tokenOf(session: Session | null, database: string): string | null {
  return session?.databaseTokens.get(database) ?? session?.token ?? null
}

const send = ({ worker }: Running, order: AuditOrder) => worker.postMessage(order)

function hear(audit: Running, news: AuditNews): void {
  const { io, id, last } = audit
  const { database } = id
  if (io.get(sessionAtom)?.user !== audit.user) {
    end(audit)
  } else if (news.kind === 'progress') {
    hearProgress(audit, news)
  } else if (news.kind === 'waiting') {
    show(io, database, { progress: last.progress, waiting: news })
    if (news.why === 'token') void renew(audit)
  } else if (news.kind === 'going-on') {
    show(io, database, { progress: last.progress })
  } else if (news.kind === 'target-wanted') {
    void tellTarget(audit)
  } else if (news.kind === 'paused') {
    end(audit)
    void readKept(io, database)
  } else if (news.kind === 'failed') {
    stop(audit, news.words, news.details)
  } else if (news.kind === 'ended') {
    void finish(audit, news)
  } else {
    void hearRefused(audit, news)
  }
}

function hearProgress(
  audit: Running,
  { progress: now, saved, calls }: Extract<AuditNews, { kind: 'progress' }>,
): void {
  const { io, id, last } = audit
  const progress = { ...now, active: audit.before + now.active }
  last.progress = progress
  io.set(callCountAtom, (count) => count + calls)
  show(io, id.database, { progress })
  if (!saved) return
  const resting = { saved, progress: restingOf(progress), at: Date.now() }
  last.record = { ...last.record, resting }
  void keep(audit)
}

/** What cannot be kept is worked out again after a reload. */
async function keep({ io, id, last }: Running): Promise<void> {
  await io
    .get(trustedPointsAtom)
    .writeAudit(id, last.record)
    .catch(() => {})
}

/** Asks the server something, which shows the login and waits for it when the token is lost. */
async function renew(audit: Running): Promise<void> {
  const { io, id } = audit
  const { database } = id
  const isBack = await readVerifiableState(io.get(clientAtom), { database, isPoll: true }).then(
    () => true,
    () => false,
  )
  send(audit, { kind: 'token', token: isBack ? tokenOf(io.get(sessionAtom), database) : null })
}

async function tellTarget(audit: Running): Promise<void> {
  const trust = await checkTrust(audit.io, audit.id.database)
  const record = 'record' in trust ? trust.record : null
  const old = audit.last.record.resting?.saved.target
  const target = record?.point ?? old
  if (target) send(audit, { kind: 'target', target })
}

async function finish(audit: Running, ended: Extract<AuditNews, { kind: 'ended' }>): Promise<void> {
  const { io, id, last } = audit
  const { progress, record } = last
  if (!progress) return
  const report = reportOf(id, progress, ended)
  const saved = record.resting?.saved
  const finished = saved ? { ...saved, exceptions: { counts: {}, list: [] } } : record.finished
  last.record = { ...noRecord, report, finished }
  end(audit)
  await keep(audit)
  io.set(setDeepAuditAtom, id.database, { state: { kind: 'finished' }, report })
  const points = io.get(trustedPointsAtom)
  const pins = ended.schemas.map((schema) => points.pinSchema(id, schema.table, schema))
  const numbers = ended.collections.map(([name, number]) => points.pinCollection(id, name, number))
  await Promise.all([...pins, ...numbers]).catch(() => {})
}

/** Nothing is said to be broken before the state was looked at once more. */
async function hearRefused(
  audit: Running,
  news: Extract<AuditNews, { kind: 'refused' }>,
): Promise<void> {
  const { io, id } = audit
  const { database, server } = id
  end(audit)
  const trust = await checkTrust(io, database)
  if (trust.kind === 'broken') {
    io.set(setDeepAuditAtom, database, { state: { kind: 'broken', broken: trust.broken } })
    return
  }
  const { of: kind, what, context, request, response, refusal } = news
  const outcome = { kind: 'refused', refusal } as const
  const asked = { database, server, kind, what, context, request, response }
  const verification: Verification = { ...asked, at: Date.now(), outcome }
  const broken = auditBreak(breakOf(verification, refusal))
  const record = 'record' in trust ? trust.record : null
  await noteFinding(io, id, record, broken)
  io.set(setDeepAuditAtom, database, { state: { kind: 'broken', broken } })
}

/** A walk over the whole history that ends elsewhere says more than the proof of one object. */
function auditBreak(broken: Break): Break {
  if (broken.reason !== 'audit') return broken
  if (broken.part === 'trusted') return { ...broken, kind: 'rewritten' }
  return broken.part === 'txs' ? { ...broken, kind: 'rolled-back' } : broken
}

function stop(audit: Running, words: string, details: string): void {
  const { record } = audit.last
  end(audit)
  fail(audit.io, audit.id.database, words, record.resting?.progress ?? null, details)
}

function end({ worker, id }: Running): void {
  worker.terminate()
  running.delete(id.database)
}

function show(
  io: Io,
  database: string,
  {
    progress,
    waiting = null,
  }: {
    progress: AuditProgress | null
    waiting?: { why: 'token' | 'server'; words: string } | null
  },
): void {
  io.set(setDeepAuditAtom, database, { state: { kind: 'running', progress, waiting } })
}

function fail(
  io: Io,
  database: string,
  words: string,
  progress: RestingProgress | null,
  details = '',
): void {
  io.set(setDeepAuditAtom, database, { state: { kind: 'failed', words, details, progress } })
}
