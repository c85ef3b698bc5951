import { atom } from 'jotai'
import { readVerifiableState } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, databaseIdAtom, sessionAtom } from '~/core/session/session'
import type { AuditNews, AuditProgress, StartAudit } from '~/proof/audit-messages'
import { namedBy } from '~/proof/deep-audit'
import type { TrustedState } from '~/proof/kernel/context'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import { tellProven } from '../incidents'
import { proofDrawerAtom, repeatProof } from '../proof-drawer'
import { knownOf, type Trust } from '../trust'
import { type Break, isSameContact, isSameId, keyOf, type TrustRecord } from '../trust-record'
import { trustedStatesAtom as trustedPointsAtom, trustedStatesAtom } from '../trusted-states'
import { verifyState } from '../verify-state'
import { noteAuditFindings, noteRefused } from './audit-findings'
import { AuditJob, tokenOf, type Work } from './audit-job'
import {
  type AuditRecord,
  type AuditReport,
  noRecord,
  type RestingProgress,
  reportOf,
  restingOf,
} from './audit-record'
import { type Found, findRecord, keepRecord, keepReportAlone } from './audit-store'
import { findRenumbered, numbersOf, type Renumbered, settleExceptions } from './collections'
import { beforeOf } from './earlier-audits'
import { fitOf } from './saved-walk'

/** The state of the audit of one database in this tab. */
export type DeepAuditState =
  /** The saved record has not been read yet. */
  | { kind: 'unread' }
  | { kind: 'idle' }
  /** `waiting`: it waits for the server or for a new login. */
  | { kind: 'running'; progress: AuditProgress | null; waiting: Waiting | null }
  | { kind: 'paused'; progress: RestingProgress; at: number }
  /** Another tab of this browser runs it. */
  | { kind: 'elsewhere' }
  | { kind: 'finished' }
  /**
   * Could not continue, which says nothing about the history; resumable when `progress` is there.
   */
  | { kind: 'failed'; words: string; advice: string; details: string; progress: Progress | null }
  /**
   * The history is broken, and the record of the trusted state says so too. `isBefore`: it was
   * broken before the audit, which therefore did not begin.
   */
  | { kind: 'broken'; broken: Break; isBefore: boolean }

type Progress = RestingProgress

export type Waiting = { why: 'token' | 'server'; words: string }

export type DeepAudit = {
  state: DeepAuditState
  /** The report of the last finished audit. */
  report: AuditReport | null
}

const unread: DeepAudit = { state: { kind: 'unread' }, report: null }

/** By database key, because another server may have a database with the same name. */
const deepAuditsAtom = atom<ReadonlyMap<string, DeepAudit>>(new Map<string, DeepAudit>())

/** The audit of a database by its name, whichever is open. */
export const deepAuditOfAtom = atom((get) => {
  const [audits, idOf] = [get(deepAuditsAtom), get(databaseIdAtom)]
  return (database: string) => auditOf(audits, idOf(database))
})

/** The audit of the open database. */
export const deepAuditAtom = atom((get) => get(deepAuditOfAtom)(get(databaseAtom) ?? ''))

function auditOf(audits: ReadonlyMap<string, DeepAudit>, id: DatabaseId): DeepAudit {
  return audits.get(keyOf(id)) ?? unread
}

/** Changes a part of an audit's state. */
export function setDeepAudit({ get, set }: Io, id: DatabaseId, change: Partial<DeepAudit>) {
  const audits = get(deepAuditsAtom)
  const next = { ...auditOf(audits, id), ...change }
  set(deepAuditsAtom, new Map(audits).set(keyOf(id), next))
}

export type AuditChoice = {
  /** Read every value too; otherwise only their hashes. */
  withValues: boolean
  /** From the first transaction, or from where the last audit of this database ended. */
  from: 'start' | 'last'
}

/** What is known of an audit that runs. */
type Running = {
  /** Milliseconds of work before the audit rested. */
  readonly before: number
  record: AuditRecord
  progress: AuditProgress | null
  /** What it waits for; it keeps reporting its working time. */
  waiting: Waiting | null
}

type Audit = Work<Running>

/** The deep audits of this tab. */
const audits = new AuditJob<Running>({
  prefix: '',
  hear,
  failed: (audit, details) => stop(audit, 'The audit stopped unexpectedly.', details),
  left: showUnread,
  taken: (io, id) => setDeepAudit(io, id, { state: { kind: 'elsewhere' } }),
  freed: showUnread,
  forgotten: endDeepAudit,
})

const openOf = (io: Io) => io.get(databaseAtom) ?? ''

/** Reads what is kept of the audits of a database, unless this tab runs one. */
export async function readDeepAudit(io: Io, database = openOf(io)): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  if (audits.of(id)) return
  const { trust, record, isDamaged } = await findRecord(io, id)
  if (audits.of(id)) return
  const { report, resting } = record
  if (isDamaged) {
    showDamaged(io, id)
  } else if (resting) {
    const { progress, at } = resting
    setDeepAudit(io, id, { state: { kind: 'paused', progress, at }, report })
  } else {
    setDeepAudit(io, id, { state: { kind: report ? 'finished' : 'idle' }, report })
  }
  followAudit(io, id, trust)
}

function followAudit(io: Io, id: DatabaseId, trust: TrustRecord | null): void {
  audits.follow(io, id, trust)
  audits.askOthers(id)
}

/** Checks the newest state and begins an audit up to it. */
export async function beginDeepAudit(
  io: Io,
  choice: AuditChoice,
  database = openOf(io),
): Promise<void> {
  const ready = await prepareAudit(io, database)
  if (!ready) return
  const { id, found, now, isWanted } = ready
  const { trust, record, isDamaged } = found
  if (isDamaged && choice.from === 'last') return showDamaged(io, id)
  const why = 'why' in now ? now.why : null
  const point = 'record' in now ? now.record?.point : undefined
  if (!point || !trust)
    return showFailure(io, id, why ?? 'The newest state could not be checked.', null)
  if (point.txId === '0') {
    return showFailure(io, id, 'There is nothing to audit yet: the database is empty.', null)
  }
  const { withValues, from } = choice
  const fresh = { target: point, withValues }
  const last = from === 'last' ? record.finished : null
  if (last && !isBehind(record.report?.point, point)) {
    return showFailure(io, id, 'Nothing has been written since the last audit.', null)
  }
  if (last && !(await isFitting(io, id, trust, last))) return
  const order = last ? { since: last, withTables: true, ...fresh } : fresh
  await begin(io, trust, { ...record, resting: null }, order, isWanted)
}

const isBehind = (one: TrustedState | undefined, other: TrustedState) =>
  one !== undefined && BigInt(one.txId) < BigInt(other.txId)

/** Continues a paused audit. */
export async function resumeDeepAudit(io: Io, database = openOf(io)): Promise<void> {
  const ready = await prepareAudit(io, database)
  if (!ready) return
  const { id, found, isWanted } = ready
  const { trust, record, isDamaged } = found
  if (isDamaged) return showDamaged(io, id)
  if (!trust || !record.resting) return readDeepAudit(io, database)
  if (!(await isFitting(io, id, trust, record.resting.saved))) return
  await begin(io, trust, record, { resume: record.resting.saved }, isWanted)
}

/**
 * Whether a saved audit still fits the trusted history; shows why when it does not. The saved audit
 * stays, because the other side may be wrong.
 */
async function isFitting(
  io: Io,
  id: DatabaseId,
  trust: TrustRecord,
  saved: SavedDeepAudit,
): Promise<boolean> {
  // The trusted state may have moved since the record was read with the saved audit.
  const newest = (await io.get(trustedStatesAtom).read(id)) ?? trust
  const fit = await fitOf(io, newest, saved.chain).catch((error: unknown) => ({
    kind: 'unknown' as const,
    why: sentence(error),
  }))
  if (fit.kind === 'fits') return true
  if (fit.kind === 'unknown') {
    const advice = 'The saved audit is still there. Try again later.'
    showFailure(io, id, fit.why, null, { advice })
  } else {
    const found = knownOf(io, id.database)
    const broken = 'broken' in fit ? fit.broken : found?.kind === 'broken' ? found.broken : null
    if (broken) {
      setDeepAudit(io, id, { state: { kind: 'broken', broken, isBefore: false } })
    } else {
      showFailure(io, id, 'The saved audit could not be compared with the trusted state.', null)
    }
  }
  return false
}

type Ready = { id: DatabaseId; found: Found; now: Trust; isWanted: () => boolean }

/** The server may not be known yet. */
const placeOf = ({ origin, database }: DatabaseId) => JSON.stringify([origin, database])

/** Checks the newest state; null, with a notice, when no audit can begin. */
async function prepareAudit(io: Io, database: string): Promise<Ready | null> {
  const asked = io.get(databaseIdAtom)(database)
  if (audits.of(asked)) return null
  // One that is paused in the meantime does not begin.
  const isWanted = audits.prepare(placeOf(asked))
  showProgress(io, asked, { progress: null })
  const now = await verifyState(io, database)
  if (!isWanted()) return null
  // The server may be known only now.
  const id = io.get(databaseIdAtom)(database)
  if (!isSameId(asked, id)) setDeepAudit(io, asked, { state: { kind: 'unread' } })
  if (audits.of(id)) return null
  if (now.kind === 'broken') {
    const state = { kind: 'broken', broken: now.broken, isBefore: true } as const
    setDeepAudit(io, id, { state })
    return null
  }
  showProgress(io, id, { progress: null })
  const found = await findRecord(io, id)
  if (!isWanted()) return null
  followAudit(io, id, found.trust)
  return { id, found, now, isWanted }
}

/**
 * Reads how the history describes tables and collections, which the audit that is under way or
 * paused does, or a new one: by digests, and with values only where the last one read them.
 * Resolves with null once they are read, or with the reason why they are not.
 */
export async function readDescriptions(io: Io, database: string): Promise<string | null> {
  const before = io.get(databaseIdAtom)(database)
  if (!audits.of(before)) {
    const { record } = await findRecord(io, before)
    const isKnown = (record.finished?.catalog ?? null) !== null
    const withValues = isKnown && record.report?.withValues === true
    if (record.resting) await resumeDeepAudit(io, database)
    else await beginDeepAudit(io, { withValues, from: isKnown ? 'last' : 'start' }, database)
  }
  const id = io.get(databaseIdAtom)(database)
  await audits.ended(id)
  const audit = io.get(deepAuditsAtom).get(keyOf(id))
  switch (audit?.state.kind) {
    case 'finished':
      return audit.report?.tables
        ? null
        : 'The history does not show the definitions of all tables. The report is on Verify.'
    case 'failed':
      return audit.state.words
    case 'broken':
      return 'The history is broken.'
    case 'elsewhere':
      return 'An audit of this database runs in another tab. Verify again when it has ended.'
    default:
      return 'Paused. It continues from here.'
  }
}

/** Pauses an audit, or stops it from beginning while the newest state is being checked. */
export async function pauseDeepAudit(io: Io, database = openOf(io)): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  const audit = audits.of(id)
  if (audit) return audits.send(audit, { kind: 'pause' })
  if (audits.cancel(placeOf(id))) await readDeepAudit(io, database)
}

/** Forgets an audit that rests; what the last one found out stays. */
export async function dropDeepAudit(io: Io, database = openOf(io)): Promise<void> {
  const { trust, record } = await findRecord(io, io.get(databaseIdAtom)(database))
  if (trust) await keepRecord(io, trust, { ...record, resting: null })
  await readDeepAudit(io, database)
}

/** Ends the audit of a forgotten history and drops its findings. */
export function endDeepAudit(io: Io, id: DatabaseId): void {
  if (!io.get(deepAuditsAtom).has(keyOf(id))) return
  const audit = audits.of(id)
  if (audit) {
    endForgone(audit)
    return
  }
  audits.cancel(placeOf(id))
  audits.unfollow(id)
  setDeepAudit(io, id, { state: { kind: 'unread' }, report: null })
}

/** Ends an audit of a trusted history that was forgotten, and says so. */
function endForgone(audit: Audit): void {
  const { io, id } = audit
  audits.unfollow(id)
  if (audits.isRunning(audit)) audits.end(audit)
  showForgotten(io, id)
}

/** Closes the result of an audit; what is kept is read again then. */
export function leaveDeepAudit(io: Io): void {
  showUnread(io, io.get(databaseIdAtom)(openOf(io)))
}

/** The same for the object whose proof is open, which is verified again then. */
export async function describeProof(io: Io, database: string): Promise<string | null> {
  const request = io.get(proofDrawerAtom)?.request
  const why = await readDescriptions(io, database)
  if (why === null && io.get(proofDrawerAtom)?.request === request) await repeatProof(io)
  return why
}

/** Begins or continues an audit of a trusted history in a worker. */
async function begin(
  io: Io,
  trust: TrustRecord,
  record: AuditRecord,
  from: StartAudit['from'],
  isWanted: () => boolean,
): Promise<void> {
  const { id } = trust
  await ensureDatabaseToken(io, io.get(clientAtom), id.database).catch(() => {})
  const before = record.resting?.progress.active ?? 0
  const own = { before, record, progress: null, waiting: null }
  const isHere = () => io.get(sessionAtom) !== null
  const begun = await audits.begin(io, trust, { own, from, isWanted: () => isWanted() && isHere() })
  // Its user left while it was prepared.
  if (begun === 'unwanted' && !isHere()) showUnread(io, id)
  if (begun !== 'no-worker') return
  const words = 'This browser does not allow work in the background, which an audit needs.'
  showFailure(io, id, words, record.resting?.progress ?? null)
}

/** Handles a message from the worker of an audit. */
function hear(audit: Audit, news: AuditNews): void {
  const { io, id, own } = audit
  if (news.kind === 'progress') {
    hearProgress(audit, news)
  } else if (news.kind === 'waiting') {
    own.waiting = news
    showProgress(io, id, own)
    if (news.why === 'token') void renew(audit)
  } else if (news.kind === 'going-on') {
    own.waiting = null
    showProgress(io, id, own)
  } else if (news.kind === 'target-wanted') {
    void tellTarget(audit)
  } else if (news.kind === 'paused') {
    rest(audit)
  } else if (news.kind === 'failed') {
    stop(audit, news.words, news.details)
  } else if (news.kind === 'unreadable') {
    void drop(audit)
  } else if (news.kind === 'ended') {
    void finish(audit, news)
  } else {
    void handleRefused(audit, news)
  }
}

type News<K extends AuditNews['kind']> = Extract<AuditNews, { kind: K }>

function hearProgress(audit: Audit, { progress: now, saved }: News<'progress'>): void {
  const { io, id, own } = audit
  const progress = { ...now, active: own.before + now.active }
  own.progress = progress
  showProgress(io, id, own)
  if (!saved) return
  const resting = { saved, progress: restingOf(progress), at: Date.now() }
  own.record = { ...own.record, resting }
  void keep(audit)
}

/** If saving fails, the audit repeats this part after a reload. */
function keep(audit: Audit): Promise<void> {
  const { io, trust, own } = audit
  return audits.keep(audit, () => keepRecord(io, trust, own.record))
}

function rest(audit: Audit): void {
  const { io, id, own } = audit
  const { resting } = own.record
  audits.end(audit)
  const state = resting
    ? ({ kind: 'paused', progress: resting.progress, at: resting.at } as const)
    : ({ kind: 'unread' } as const)
  setDeepAudit(io, id, { state })
}

/** Makes a call to the server. If the token is lost, this shows the login and waits for it. */
async function renew(audit: Audit): Promise<void> {
  const { io, id } = audit
  const { database } = id
  const client = io.get(clientAtom)
  const before = tokenOf(io.get(sessionAtom), database)
  const isAnswered = await readVerifiableState(client, { database, isPoll: true }).then(
    () => true,
    () => false,
  )
  // After a new login, another database may be open.
  await ensureDatabaseToken(io, client, database).catch(() => {})
  const token = tokenOf(io.get(sessionAtom), database)
  audits.send(audit, { kind: 'token', token: isAnswered || token !== before ? token : null })
}

async function tellTarget(audit: Audit): Promise<void> {
  const found = await verifyState(audit.io, audit.id.database)
  const record = 'record' in found ? found.record : null
  const isSame =
    record !== null && isSameId(record.id, audit.id) && isSameContact(audit.trust, record)
  const target = isSame ? record.point : audit.own.record.resting?.saved.target
  if (target) audits.send(audit, { kind: 'target', target })
}

async function drop(audit: Audit): Promise<void> {
  const { io, id, trust, own } = audit
  audits.end(audit)
  const { report } = own.record
  await keepReportAlone(io, trust, report).catch(() => {})
  showDamaged(io, id)
}

async function finish(audit: Audit, ended: News<'ended'>): Promise<void> {
  const { io, id, trust, keeping, own } = audit
  const { progress, record } = own
  if (!progress) return
  const pinned = await io
    .get(trustedStatesAtom)
    .pinAudited(trust, {
      schemas: ended.tables || ended.schemas.length > 0 ? ended.schemas : null,
      collections: numbersOf(ended.collections),
      // Documents are proven by their number: what they were read under is tied to the history, too.
      named: [...ended.named, ...namedBy(ended.nameDigests, trust.collections)],
      span: { from: ended.catalogTx, to: ended.target.txId },
    })
    // The report is shown even if it cannot be saved.
    .catch(() => trust)
  const exceptions = settleExceptions(progress.exceptions, ended)
  const known = progress.first === '1' ? [] : record.report?.collections
  const collections = findRenumbered(ended.collections, pinned ?? trust, known)
  const before = beforeOf(progress.first, record.report)
  const found = { ...ended, collections, keeping, before }
  const report = reportOf(trust, { ...progress, exceptions }, found)
  await noteAuditFindings(io, report)
  const saved = record.resting?.saved
  const finished = saved ? { ...saved, exceptions } : record.finished
  own.record = { ...noRecord, report, finished }
  if (pinned) await keep(audit)
  // The history may have been forgotten, which ended the audit.
  if (!audits.isRunning(audit)) return
  if (!pinned) return endForgone(audit)
  audits.end(audit)
  setDeepAudit(io, id, { state: { kind: 'finished' }, report })
  await tellProven(io, pinned)
}

async function handleRefused(audit: Audit, news: News<'refused'>): Promise<void> {
  const { io, id } = audit
  audits.end(audit)
  const found = await noteRefused(audit, news)
  if (found === 'forgotten') return endForgone(audit)
  if (found === 'other-server') {
    return showFailure(
      io,
      id,
      'Another server answers at this address now. The audit was stopped.',
      null,
    )
  }
  setDeepAudit(io, id, { state: { kind: 'broken', broken: found, isBefore: false } })
}

/** Keeps what the audit has proven so far, so that it can continue from there. */
function stop(audit: Audit, words: string, details: string): void {
  const { record } = audit.own
  audits.end(audit)
  showFailure(audit.io, audit.id, words, record.resting?.progress ?? null, { details })
}

function showUnread(io: Io, id: DatabaseId): void {
  setDeepAudit(io, id, { state: { kind: 'unread' } })
}

function showProgress(
  io: Io,
  id: DatabaseId,
  { progress, waiting = null }: { progress: AuditProgress | null; waiting?: Waiting | null },
): void {
  setDeepAudit(io, id, { state: { kind: 'running', progress, waiting } })
}

/** Shows an audit that cannot continue; with `progress` when it is paused. */
function showFailure(
  io: Io,
  id: DatabaseId,
  words: string,
  progress: RestingProgress | null,
  more: { advice?: string; details?: string } = {},
): void {
  const { advice = '', details = '' } = more
  setDeepAudit(io, id, { state: { kind: 'failed', words, advice, details, progress } })
}

/** Findings of an audit are only about the history that it began with. */
function showForgotten(io: Io, id: DatabaseId): void {
  setDeepAudit(io, id, { report: null })
  const advice = 'The findings of the audit were dropped with it.'
  showFailure(io, id, 'The trusted state was forgotten during the audit.', null, {
    advice,
  })
}

/** Damage in this browser, which is not the server's fault. */
function showDamaged(io: Io, id: DatabaseId): void {
  setDeepAudit(io, id, { report: null })
  const advice =
    'It was changed or damaged in the storage of this browser. The console keeps the record aside: see Verify. Start again from the first transaction.'
  showFailure(io, id, 'The saved progress of this audit could not be read.', null, { advice })
}

const forgotten =
  'The trusted state of this audit has since been forgotten. Its report says nothing about the present history.'
const notKept = 'The new number could not be saved in this browser. Nothing was accepted.'

/**
 * Pins the number that an audit found for a collection, because the operator knows why it changed.
 * Resolves with null, or a sentence about why that is not possible.
 */
export async function acceptCollection(
  io: Io,
  report: AuditReport,
  wanted: Renumbered,
): Promise<string | null> {
  const { id, contact } = report
  const { name, found } = wanted
  const seen = { id, firstContact: contact }
  try {
    const isPinned = await io.get(trustedPointsAtom).pinCollection(seen, name, found)
    if (!isPinned) return forgotten
  } catch {
    return notKept
  }
  const collections = (report.collections ?? []).map((one) =>
    one.name === name && one.found === found ? ({ ...one, isAccepted: true } as const) : one,
  )
  const accepted = { ...report, collections }
  setDeepAudit(io, id, { report: accepted })
  const { trust, record } = await findRecord(io, id)
  if (trust && record.report?.finishedAt === report.finishedAt) {
    // If this cannot be saved, the screen only reports an accepted number again.
    await keepRecord(io, trust, { ...record, report: accepted }).catch(() => {})
  }
  return null
}
