import type { AuditProgress } from '~/proof/audit-messages'
import type { TableFinding } from '~/proof/compare-tables'
import type { TrustedState } from '~/proof/context'
import type { AuditCounts, AuditEnd } from '~/proof/deep-audit'
import type { Exceptions } from '~/proof/exceptions'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import type { DatabaseId } from '../trust/database-id'
import type { TrustRecord } from '../trust/record'
import type { Persistence } from '../trust/store'
import type { Renumbered } from './collections'

/** What an audit of a whole database found out; as JSON. */
export type AuditReport = {
  id: DatabaseId
  /** The first contact of the trusted history that it is about; another one is another history. */
  contact: TrustRecord['firstContact']
  /** Whether that was recorded, or known to the page alone; absent where an older console kept it. */
  keeping?: Persistence
  /** The transaction it began with. */
  first: string
  /** The trusted state it ended at. */
  point: TrustedState
  /** Milliseconds since 1970, and of work. */
  finishedAt: number
  active: number
  withValues: boolean
  entries: number
  counts: AuditCounts
  exceptions: Exceptions
  tables: TablesReport | null
  /** What is left of the audits that it went on from; absent where nobody knows of them. */
  before?: Before | null
  /** Collections with another number than is pinned; absent where an older console kept it. */
  collections?: readonly Renumbered[]
  end: AuditEnd | null
}

/** What is left of the audits that another one went on from, which looks at none of it again. */
export type Before = {
  /** The first transaction that they read; absent where an older console kept it. */
  first?: string
  /** When the last of them ended, in milliseconds since 1970; absent as well. */
  endedAt?: number
  /** Whether somebody should look into it. */
  isOdd: boolean
  /** Whether it is known of all of them, and they saw everything they asked for. */
  isWhole: boolean
  /** Whether all of them read values, without which the history does not tell the tables. */
  withValues: boolean
  exceptions: Exceptions
  /** Tables that something was odd about then; the first of them are listed. */
  tables: readonly TableFinding[]
}

/** All tables are counted; the first of them are listed, those with something odd before others. */
export type TablesReport = {
  counts: Readonly<Record<TableFinding['kind'], number>>
  /** For how many of those that agree the proof of a row was compared, or was not given. */
  rows: { compared: number; refused: number }
  list: readonly TableFinding[]
}

/** How far a resting audit is; its exceptions are in what is resumed. */
export type RestingProgress = Omit<AuditProgress, 'exceptions' | 'rate' | 'step' | 'pending'>

/** What is kept of the audits of one database. */
export type AuditRecord = {
  /** An audit that rests: where it goes on, how far it is and since when it rests. */
  resting: { saved: SavedDeepAudit; progress: RestingProgress; at: number } | null
  /** The last one that ended, and where one that goes on from there begins. */
  report: AuditReport | null
  finished: SavedDeepAudit | null
}

export const noRecord: AuditRecord = { resting: null, report: null, finished: null }

/** The parts of the progress that are kept. */
export function restingOf(progress: AuditProgress): RestingProgress {
  const { exceptions: _, rate: __, step: ___, pending: ____, ...kept } = progress
  return kept
}

/** A last transaction with more entries than this is not kept for a later look at the end. */
const longestEnd = 8_000

export function reportOf(
  { id, firstContact }: TrustRecord,
  progress: AuditProgress,
  ended: {
    tables: readonly TableFinding[] | null
    collections?: readonly Renumbered[]
    end: AuditEnd | null
    target: TrustedState
    keeping: Persistence
    before: Before | null | undefined
  },
): AuditReport {
  const { first, active, withValues, entries, counts, exceptions } = progress
  const { tables, collections = [], end, target, keeping, before } = ended
  const isShort = JSON.stringify(end).length <= longestEnd
  return {
    id,
    contact: firstContact,
    keeping,
    first,
    point: target,
    finishedAt: Date.now(),
    active,
    withValues,
    entries,
    counts,
    exceptions,
    tables: tables && tablesReport(tables),
    ...(before === undefined ? {} : { before }),
    collections,
    end: isShort ? end : null,
  }
}

/** So many tables are listed, so that what is kept stays short. */
export const listedTables = 100

function tablesReport(tables: readonly TableFinding[]): TablesReport {
  const of = (kind: TableFinding['kind']) => tables.filter((one) => one.kind === kind)
  const agree = of('agrees')
  const odd = [...of('differs'), ...of('missing'), ...of('surplus')]
  const rows = (row: TableFinding['row']) => agree.filter((one) => one.row === row).length
  return {
    counts: {
      agrees: agree.length,
      differs: of('differs').length,
      missing: of('missing').length,
      surplus: of('surplus').length,
    },
    rows: { compared: rows('compared'), refused: rows('refused') },
    list: [...odd, ...agree].slice(0, listedTables),
  }
}
