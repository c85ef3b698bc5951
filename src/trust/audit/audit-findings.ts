import type { Io } from '~/core/act'
import { databaseIdAtom } from '~/core/session/session'
import { counted, formatTx } from '~/lib/text'
import type { AuditNews } from '~/proof/audit-messages'
import type { ExceptionReason } from '~/proof/exceptions'
import { factsAlone } from '~/proof/shown'
import { isAlarming } from '~/words/audit'
import { breakOf, incidentOf, newIncident } from '../findings'
import { noteIncident } from '../incidents'
import { type Break, type Incident, isSameId } from '../trust-record'
import type { Verification } from '../verification'
import { noteFinding, verifyState } from '../verify-state'
import type { Work } from './audit-job'
import type { AuditReport } from './audit-record'
import { oddTables } from './earlier-audits'

/** Notes why a walk was refused. The state is checked once more before anything shows as broken. */
export async function noteRefused(
  { io, id, trust, keeping }: Pick<Work<unknown>, 'io' | 'id' | 'trust' | 'keeping'>,
  news: Extract<AuditNews, { kind: 'refused' }>,
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

/** Findings of one audit that become separate incidents. */
const listedSingly = 10

/** Notes an audit's findings as incidents, because the next report replaces this one. */
export async function noteAuditFindings(io: Io, report: AuditReport): Promise<void> {
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
