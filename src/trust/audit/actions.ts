import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { openWorker, workerAddress } from '~/core/session/open-worker'
import { believedOffset } from '~/core/session/server-clock'
import { databaseAtom, databaseIdAtom, openIdAtom, sessionAtom } from '~/core/session/session'
import type { AuditNews, StartAudit } from '~/proof/audit-messages'
import type { TrustedState } from '~/proof/context'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import { proofDrawerAtom, repeatProof } from '../proof-drawer'
import { knownOf, type Trust } from '../trust'
import { isSameId, keyOf, type TrustRecord } from '../trust-record'
import { trustedStatesAtom } from '../trusted-states'
import { verifyState } from '../verify-state'
import { handleNews, stopAudit, tokenOf } from './audit-messages'
import type { AuditRecord } from './audit-record'
import { type AuditChoice, deepAuditsAtom, setDeepAudit } from './deep-audit'
import {
  endOf,
  enter,
  follow,
  forgetAudit,
  type Running,
  runningOf,
  send,
  showDamaged,
  showFailure,
  showProgress,
} from './running-audits'
import { fitOf } from './saved-fit'
import { type Found, findRecord, keepRecord } from './store'

/** Reads what is kept of the audits of a database, unless this tab runs one. */
export async function readKept(io: Io, database: string): Promise<void> {
  const id = io.get(databaseIdAtom)(database)
  if (runningOf(id)) return
  const { trust, record, isDamaged } = await findRecord(io, id)
  if (runningOf(id)) return
  const { report, resting } = record
  if (isDamaged) {
    showDamaged(io, id)
  } else if (resting) {
    const { progress, at } = resting
    setDeepAudit(io, id, { state: { kind: 'paused', progress, at }, report })
  } else {
    setDeepAudit(io, id, { state: { kind: report ? 'finished' : 'idle' }, report })
  }
  follow(io, id, trust)
}

/** Checks the newest state and begins an audit up to it. */
export async function startAudit(io: Io, database: string, choice: AuditChoice): Promise<void> {
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
export async function resumeAudit(io: Io, database: string): Promise<void> {
  const ready = await prepareAudit(io, database)
  if (!ready) return
  const { id, found, isWanted } = ready
  const { trust, record, isDamaged } = found
  if (isDamaged) return showDamaged(io, id)
  if (!trust || !record.resting) return readKept(io, database)
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

/** Audits about to begin, by database. One that is paused in the meantime does not begin. */
const preparing = new Map<string, symbol>()

/** The server may not be known yet. */
const placeOf = ({ origin, database }: DatabaseId) => JSON.stringify([origin, database])

/** Checks the newest state; null, with a notice, when no audit can begin. */
async function prepareAudit(io: Io, database: string): Promise<Ready | null> {
  const asked = io.get(databaseIdAtom)(database)
  if (runningOf(asked)) return null
  const turn = Symbol()
  preparing.set(placeOf(asked), turn)
  const isWanted = () => preparing.get(placeOf(asked)) === turn
  showProgress(io, asked, { progress: null })
  const now = await verifyState(io, database)
  if (!isWanted()) return null
  // The server may be known only now.
  const id = io.get(databaseIdAtom)(database)
  if (!isSameId(asked, id)) setDeepAudit(io, asked, { state: { kind: 'unread' } })
  if (runningOf(id)) return null
  if (now.kind === 'broken') {
    const state = { kind: 'broken', broken: now.broken, isBefore: true } as const
    setDeepAudit(io, id, { state })
    return null
  }
  showProgress(io, id, { progress: null })
  const found = await findRecord(io, id)
  if (!isWanted()) return null
  follow(io, id, found.trust)
  return { id, found, now, isWanted }
}

/**
 * Reads how the history describes tables and collections, which the audit that is under way or
 * paused does, or a new one: by digests, and with values only where the last one read them.
 * Resolves with null once they are read, or with the reason why they are not.
 */
export async function readDescriptions(io: Io, database: string): Promise<string | null> {
  const before = io.get(databaseIdAtom)(database)
  if (!runningOf(before)) {
    const { record } = await findRecord(io, before)
    const isKnown = (record.finished?.catalog ?? null) !== null
    const withValues = isKnown && record.report?.withValues === true
    if (record.resting) await resumeAudit(io, database)
    else await startAudit(io, database, { withValues, from: isKnown ? 'last' : 'start' })
  }
  const id = io.get(databaseIdAtom)(database)
  await endOf(id)
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
export async function pauseAudit(io: Io, id: DatabaseId): Promise<void> {
  const audit = runningOf(id)
  if (audit) return send(audit, { kind: 'pause' })
  if (preparing.delete(placeOf(id))) await readKept(io, id.database)
}

/** Forgets an audit that rests; what the last one found out stays. */
export async function dropAudit(io: Io, database: string): Promise<void> {
  const { trust, record } = await findRecord(io, io.get(databaseIdAtom)(database))
  if (trust) await keepRecord(io, trust, { ...record, resting: null })
  await readKept(io, database)
}

/** Ends the audit of a forgotten history and drops its findings. */
export function endAudit(io: Io, id: DatabaseId): void {
  forgetAudit(io, id)
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
  const { database, server } = id
  const worker = openWorker('audit')
  if (!worker) {
    const words = 'This browser does not allow work in the background, which an audit needs.'
    return showFailure(io, id, words, record.resting?.progress ?? null)
  }
  await ensureDatabaseToken(io, io.get(clientAtom), database).catch(() => {})
  const keeping = await io.get(trustedStatesAtom).keeping()
  if (!isWanted()) return
  const session = io.get(sessionAtom)
  const audit: Running = {
    worker,
    io,
    id,
    trust,
    keeping,
    user: session?.user ?? '',
    before: record.resting?.progress.active ?? 0,
    since: Date.now(),
    last: { record, progress: null, waiting: null },
  }
  enter(audit)
  worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
    if (runningOf(id) === audit) handleNews(audit, data)
  })
  worker.addEventListener('error', (event) => {
    if (runningOf(id) === audit)
      stopAudit(audit, 'The audit stopped unexpectedly.', event.message ?? '')
  })
  const token = tokenOf(session, database)
  const clockOffset = believedOffset(io.get)
  const address = workerAddress(io.get)
  send(audit, { kind: 'start', ...address, database, server, token, clockOffset, from })
}

/** Reads what is kept of the audits of the open database. */
export async function readDeepAudit(io: Io) {
  return readKept(io, io.get(databaseAtom) ?? '')
}

/** Begins an audit of the open database, up to its newest state. */
export async function beginDeepAudit(io: Io, choice: AuditChoice) {
  return startAudit(io, io.get(databaseAtom) ?? '', choice)
}

/** Continues a paused audit. */
export async function resumeDeepAudit(io: Io) {
  return resumeAudit(io, io.get(databaseAtom) ?? '')
}

export async function pauseDeepAudit(io: Io) {
  return pauseAudit(io, io.get(openIdAtom))
}

/** Forgets an audit that rests; what the last one found out stays. */
export async function dropDeepAudit(io: Io) {
  return dropAudit(io, io.get(databaseAtom) ?? '')
}

/** Ends all audit work of this tab on a forgotten history. */
export async function forgetDeepAudit(io: Io, id: DatabaseId) {
  if (!io.get(deepAuditsAtom).has(keyOf(id))) return
  endAudit(io, id)
}

/** The audits of databases, whichever is open. */
export const auditStateAtom = atom((get) => {
  const [audits, idOf] = [get(deepAuditsAtom), get(databaseIdAtom)]
  return (database: string) => audits.get(keyOf(idOf(database)))?.state ?? null
})

/** The same for the object whose proof is open, which is verified again then. */
export async function describeProof(io: Io, database: string) {
  const request = io.get(proofDrawerAtom)?.request
  const why = await readDescriptions(io, database)
  if (why === null && io.get(proofDrawerAtom)?.request === request) await repeatProof(io)
  return why
}

export async function pauseAuditOf(io: Io, database: string) {
  return pauseAudit(io, io.get(databaseIdAtom)(database))
}
