import { counted, formatTx } from '~/lib/text'
import type { ExceptionReason } from '~/proof/exceptions'
import { isAlarming } from '~/words/audit'
import type { StoreAccess } from '../storage/store-access'
import { newIncident } from '../trust/incident-log'
import { noteIncident } from '../trust/incidents'
import type { Incident } from '../trust/record'
import { oddTables } from './earlier-audits'
import type { AuditReport } from './record'

/** So many findings of one audit are incidents of their own. */
const listedSingly = 10

/** Notes what an audit found: the next one that finds nothing takes the place of its report. */
export async function noteAuditFindings(io: StoreAccess, report: AuditReport): Promise<void> {
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

/** By where it was met first, which the next audit of the same transactions meets as well. */
function ofReason({ exceptions }: AuditReport, reason: ExceptionReason): Incident {
  const first = exceptions.list.find((one) => one.reason === reason)
  const at = first ? `, first at tx ${formatTx(first.tx)}` : ''
  return ofAudit('audit-reason', reason, `deep audit${at}`)
}

const ofCollection = (name: string) => ofAudit('audit-collection', 'number', `collection ${name}`)

/** Of a kind that older consoles know: they would take a log with another one for damage. */
function ofAudit(reason: string, part: string, what: string): Incident {
  return { ...newIncident('contradicted', what), reason, part }
}
