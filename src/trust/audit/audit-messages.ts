import { readVerifiableState } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { callCountAtom, databaseIdAtom, type Session, sessionAtom } from '~/core/session/session'
import { counted, formatTx } from '~/lib/text'
import type { AuditNews } from '~/proof/audit-messages'
import { namedBy } from '~/proof/deep-audit'
import type { ExceptionReason } from '~/proof/exceptions'
import { factsAlone } from '~/proof/shown'
import { isAlarming } from '~/words/audit'
import { breakOf } from '../break'
import { tellProven } from '../broken-history'
import { incidentOf, newIncident } from '../incident-log'
import { noteIncident } from '../incidents'
import { type Break, type Incident, isSameContact, isSameId } from '../trust-record'
import { trustedStatesAtom } from '../trusted-states'
import type { Verification } from '../verification'
import { noteFinding, verifyState } from '../verify-state'
import { type AuditReport, noRecord, reportOf, restingOf } from './audit-record'
import { findRenumbered, numbersOf, settleExceptions } from './collections'
import { setDeepAudit } from './deep-audit'
import { beforeOf, oddTables } from './earlier-audits'
import {
  end,
  endForgone,
  type Running,
  runningOf,
  send,
  showDamaged,
  showFailure,
  showProgress,
} from './running-audits'
import { keepRecord, keepReportAlone } from './store'

type News<K extends AuditNews['kind']> = Extract<AuditNews, { kind: K }>

/** Handles a message from the worker of an audit. */
export function handleNews(audit: Running, news: AuditNews): void {
  const { io, id, last } = audit
  if (io.get(sessionAtom)?.user !== audit.user) {
    end(audit)
    setDeepAudit(io, id, { state: { kind: 'unread' } })
  } else if (news.kind === 'progress') {
    hearProgress(audit, news)
  } else if (news.kind === 'waiting') {
    last.waiting = news
    showProgress(io, id, last)
    if (news.why === 'token') void renew(audit)
  } else if (news.kind === 'going-on') {
    last.waiting = null
    showProgress(io, id, last)
  } else if (news.kind === 'target-wanted') {
    void tellTarget(audit)
  } else if (news.kind === 'paused') {
    rest(audit)
  } else if (news.kind === 'failed') {
    stopAudit(audit, news.words, news.details)
  } else if (news.kind === 'unreadable') {
    void drop(audit)
  } else if (news.kind === 'ended') {
    void finish(audit, news)
  } else {
    void handleRefused(audit, news)
  }
}

function hearProgress(audit: Running, { progress: now, saved, calls }: News<'progress'>): void {
  const { io, id, last } = audit
  const progress = { ...now, active: audit.before + now.active }
  last.progress = progress
  io.set(callCountAtom, (count) => count + calls)
  showProgress(io, id, last)
  if (!saved) return
  const resting = { saved, progress: restingOf(progress), at: Date.now() }
  last.record = { ...last.record, resting }
  void keep(audit)
}

function rest(audit: Running): void {
  const { io, id, last } = audit
  const { resting } = last.record
  end(audit)
  const state = resting
    ? ({ kind: 'paused', progress: resting.progress, at: resting.at } as const)
    : ({ kind: 'unread' } as const)
  setDeepAudit(io, id, { state })
}

/** If saving fails, the audit repeats this part after a reload. */
async function keep({ io, trust, last }: Running): Promise<void> {
  await keepRecord(io, trust, last.record).catch(() => {})
}

/** Makes a call to the server. If the token is lost, this shows the login and waits for it. */
async function renew(audit: Running): Promise<void> {
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
  send(audit, { kind: 'token', token: isAnswered || token !== before ? token : null })
}

/**
 * Null when there is no token of this database; any other would lead the audit into another
 * history.
 */
export function tokenOf(session: Session | null, database: string): string | null {
  return session?.databaseTokens.get(database) ?? null
}

async function tellTarget(audit: Running): Promise<void> {
  const found = await verifyState(audit.io, audit.id.database)
  const record = 'record' in found ? found.record : null
  const isSame =
    record !== null && isSameId(record.id, audit.id) && isSameContact(audit.trust, record)
  const target = isSame ? record.point : audit.last.record.resting?.saved.target
  if (target) send(audit, { kind: 'target', target })
}

async function drop(audit: Running): Promise<void> {
  const { io, id, trust, last } = audit
  end(audit)
  const { report } = last.record
  await keepReportAlone(io, trust, report).catch(() => {})
  showDamaged(io, id)
}

async function finish(audit: Running, ended: News<'ended'>): Promise<void> {
  const { io, id, trust, keeping, last } = audit
  const { progress, record } = last
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
  last.record = { ...noRecord, report, finished }
  if (pinned) await keep(audit)
  // The history may have been forgotten, which ended the audit.
  if (runningOf(id) !== audit) return
  if (!pinned) return endForgone(audit)
  end(audit)
  setDeepAudit(io, id, { state: { kind: 'finished' }, report })
  await tellProven(io, pinned)
}

async function handleRefused(audit: Running, news: News<'refused'>): Promise<void> {
  const { io, id } = audit
  end(audit)
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

/** Notes why a walk was refused. The state is checked once more before anything shows as broken. */
export async function noteRefused(
  { io, id, trust, keeping }: Pick<Running, 'io' | 'id' | 'trust' | 'keeping'>,
  news: News<'refused'>,
): Promise<Break | 'other-server' | 'forgotten'> {
  const { database, server } = id
  if (!isSameId(io.get(databaseIdAtom)(database), id)) return 'other-server'
  const now = await verifyState(io, database)
  const seen = 'record' in now ? now.record : null
  if (now.kind === 'broken' && !seen) return now.broken
  const { of: kind, what, context, request, response, refusal } = news
  const outcome = { kind: 'refused', refusal } as const
  const basis = { contact: trust.firstContact, keeping }
  const asked = { database, server, kind, what, context, basis, request, response }
  const shown = factsAlone
  const verification: Verification = { ...asked, shown, at: Date.now(), outcome }
  const finding = auditBreak(breakOf(verification, refusal))
  await noteIncident(io, id, incidentOf(finding))
  const broken = await noteFinding(io, id, trust, finding)
  return broken ?? 'forgotten'
}

/** A failed walk over the whole history says more than the failed proof of one object. */
function auditBreak(broken: Break): Break {
  if (broken.reason !== 'audit') return broken
  if (broken.part === 'trusted') return { ...broken, kind: 'rewritten' }
  return broken.part === 'txs' ? { ...broken, kind: 'rolled-back' } : broken
}

/** Keeps what the audit has proven so far, so that it can continue from there. */
export function stopAudit(audit: Running, words: string, details: string): void {
  const { record } = audit.last
  end(audit)
  showFailure(audit.io, audit.id, words, record.resting?.progress ?? null, { details })
}

/** Findings of one audit that become separate incidents. */
const listedSingly = 10

/** Notes an audit's findings as incidents, because the next report replaces this one. */
async function noteAuditFindings(io: Io, report: AuditReport): Promise<void> {
  const { exceptions, tables, collections = [] } = report
  const reasons = Object.keys(exceptions.counts) as ExceptionReason[] // as they are counted
  const odd = oddTables(tables?.list ?? [])
  const found = [
    ...reasons.filter(isAlarming).map((reason) => ofReason(report, reason)),
    ...collections.filter(({ isAccepted }) => !isAccepted).map(({ name }) => ofCollection(name)),
    ...odd.map(({ table, kind }) => ofAudit('audit-table', kind, `table ${table}`)),
  ]
  for (const one of found.slice(0, listedSingly)) await noteIncident(io, report.id, one)
  // The report lists the first of the tables, and counts all.
  const { differs, missing, surplus } = tables?.counts ?? { differs: 0, missing: 0, surplus: 0 }
  const more = found.length - odd.length + differs + missing + surplus - listedSingly
  if (more <= 0) return
  await noteIncident(io, report.id, ofAudit('audit-more', '', counted(more, 'more finding')))
}

/**
 * Named by its first place, so that the next audit of the same transactions gives the same
 * incident.
 */
function ofReason({ exceptions }: AuditReport, reason: ExceptionReason): Incident {
  const first = exceptions.list.find((one) => one.reason === reason)
  const at = first ? `, first at tx ${formatTx(first.tx)}` : ''
  return ofAudit('audit-reason', reason, `deep audit${at}`)
}

const ofCollection = (name: string) => ofAudit('audit-collection', 'number', `collection ${name}`)

/** A kind that older consoles know: they would treat a log with an unknown kind as damaged. */
function ofAudit(reason: string, part: string, what: string): Incident {
  return { ...newIncident('contradicted', what), reason, part }
}
