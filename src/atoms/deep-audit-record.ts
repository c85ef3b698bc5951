import type { AuditProgress } from '~/proof/audit-messages'
import type { TableFinding } from '~/proof/compare-tables'
import type { TrustedPoint } from '~/proof/context'
import type { AuditCounts, AuditEnd } from '~/proof/deep-audit'
import type { Exceptions } from '~/proof/exceptions'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import type { PointId } from './trust-record'

/** What an audit of a whole database found out; as JSON. */
export type AuditReport = {
  id: PointId
  /** The transaction it began with. */
  first: string
  /** The trusted point it ended at. */
  point: TrustedPoint
  /** Milliseconds since 1970, and of work. */
  finishedAt: number
  active: number
  withValues: boolean
  entries: number
  counts: AuditCounts
  exceptions: Exceptions
  tables: TableFinding[] | null
  end: AuditEnd | null
}

/** How far a resting audit is; its exceptions are in what is resumed. */
export type RestingProgress = Omit<AuditProgress, 'exceptions' | 'rate' | 'step' | 'pending'>

/** What is kept of the audits of one database. */
export type AuditRecord = {
  format: typeof format
  /** An audit that rests: where it goes on, how far it is and since when it rests. */
  resting: { saved: SavedDeepAudit; progress: RestingProgress; at: number } | null
  /** The last one that ended, and where one that goes on from there begins. */
  report: AuditReport | null
  finished: SavedDeepAudit | null
}

const format = 1

export const noRecord: AuditRecord = { format, resting: null, report: null, finished: null }

/** What was kept, or nothing when another version of the console wrote it. */
export function readRecord(kept: unknown): AuditRecord {
  const isOurs = typeof kept === 'object' && kept !== null && 'format' in kept
  return isOurs && kept.format === format ? (kept as AuditRecord) : noRecord // as we wrote it
}

/** The parts of the progress that are kept. */
export function restingOf(progress: AuditProgress): RestingProgress {
  const { exceptions: _, rate: __, step: ___, pending: ____, ...kept } = progress
  return kept
}

/** A last transaction with more entries than this is not kept for a later look at the end. */
const longestEnd = 8_000

export function reportOf(
  id: PointId,
  progress: AuditProgress,
  ended: { tables: TableFinding[] | null; end: AuditEnd | null; target: TrustedPoint },
): AuditReport {
  const { first, active, withValues, entries, counts, exceptions } = progress
  const { tables, end, target } = ended
  const isShort = JSON.stringify(end).length <= longestEnd
  return {
    id,
    first,
    point: target,
    finishedAt: Date.now(),
    active,
    withValues,
    entries,
    counts,
    exceptions,
    tables: tables && listedTables(tables),
    end: isShort ? end : null,
  }
}

const mostTables = 100

/** What differs comes first and is never left out before what agrees. */
function listedTables(tables: readonly TableFinding[]): TableFinding[] {
  const odd = tables.filter(({ kind }) => kind !== 'agrees')
  return [...odd, ...tables.filter(({ kind }) => kind === 'agrees')].slice(0, mostTables)
}
