import type { TableFinding } from '~/proof/compare-tables'
import { joinExceptions, noExceptions } from '~/proof/exceptions'
import { isAlarming } from '~/words/audit'
import { type AuditReport, type Before, listedTables } from './audit-record'
import { isRenumbered } from './collections'

/**
 * What an audit that began with transaction `first` takes over from the report of the last audit
 * and of those before. Null for a full audit, undefined when that report no longer exists.
 */
export function beforeOf(first: string, last: AuditReport | null): Before | null | undefined {
  if (first === '1') return null
  if (!last || BigInt(last.point.txId) + 1n !== BigInt(first)) return undefined
  const { withValues, tables, before } = last
  const exceptions = joinExceptions(before?.exceptions ?? noExceptions(), last.exceptions)
  const isKnown = last.first === '1' || before?.isWhole === true
  // Findings about collections have their own list, until they are accepted.
  const isOdd = isOddReport({ ...last, collections: [] })
  return {
    first: before?.first ?? (before ? '1' : last.first),
    endedAt: last.finishedAt,
    isOdd,
    isWhole: isKnown && !isOdd && Object.keys(exceptions.counts).length === 0,
    withValues: withValues && before?.withValues !== false,
    exceptions,
    tables: uniqueTables([...(before?.tables ?? []), ...oddTables(tables?.list ?? [])]),
  }
}

/** Tables that the server describes differently from the history. */
export const oddTables = (tables: readonly TableFinding[]) =>
  tables.filter(({ kind }) => kind !== 'agrees')

/** Each finding once. */
function uniqueTables(tables: readonly TableFinding[]): TableFinding[] {
  const found = new Map(tables.map((one) => [`${one.kind} ${one.table}`, one]))
  return [...found.values()].slice(0, listedTables)
}

/** Whether the audit itself found something that an operator should look into. */
export function isOddItself({ exceptions, tables, collections }: AuditReport): boolean {
  const hasReason = Object.keys(exceptions.counts).some(isAlarming)
  return hasReason || oddTables(tables?.list ?? []).length > 0 || isRenumbered(collections)
}

/** Why the tables are not known although values were read. */
export type TablesGap =
  /** A part of their definitions is, or may be, in entries that were not read. */
  | 'unseen'
  /** An earlier audit did not read values. */
  | 'unread'
  /** They could not be saved or read. */
  | 'lost'

const hiding = ['catalog-unseen', 'entries-too-large', 'entries-withheld'] as const

/** Null when they are known, or in a report of an older console, which read values for them. */
export function tablesGapOf({ withValues, tables, exceptions, before }: AuditReport) {
  if (tables) return null
  const counts = { ...before?.exceptions.counts, ...exceptions.counts }
  if (hiding.some((reason) => counts[reason])) return 'unseen' satisfies TablesGap
  if (!withValues) return null
  return before?.withValues === false ? 'unread' : ('lost' satisfies TablesGap)
}

/**
 * Whether an operator should look into something that this audit, or one before, found or left
 * open.
 */
export function isOddReport(report: AuditReport): boolean {
  const gap = tablesGapOf(report)
  const isOpen = gap !== null && gap !== 'unread'
  return isOddItself(report) || isOpen || report.before?.isOdd === true
}
