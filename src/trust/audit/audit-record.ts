import type { DatabaseId } from '~/core/session/database-id'
import type { AuditProgress } from '~/proof/audit-messages'
import type { TableFinding } from '~/proof/compare-tables'
import type { AuditCounts, AuditEnd } from '~/proof/deep-audit'
import type { Exceptions } from '~/proof/exceptions'
import type { TrustedState } from '~/proof/kernel/context'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import type { Persistence } from '../store'
import type { TrustRecord } from '../trust-record'
import type { Renumbered } from './collections'

/** The report of an audit of a whole database, as JSON. */
export type AuditReport = {
  id: DatabaseId
  /** The first contact of its trusted history; a different one means a different history. */
  contact: TrustRecord['firstContact']
  /** Whether that was recorded or only known to the page; absent in records of older consoles. */
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
  /** What remains of the audits that it continued from; absent when unknown. */
  before?: Before | null
  /** Collections whose number differs from the pinned one; absent in records of older consoles. */
  collections?: readonly Renumbered[]
  end: AuditEnd | null
}

/**
 * What remains of earlier audits that another one continued from. It does not read their
 * transactions again.
 */
export type Before = {
  /** The first transaction that they read; absent in records of older consoles. */
  first?: string
  /** When the last of them ended, in milliseconds since 1970; may be absent too. */
  endedAt?: number
  /** Whether someone should look into it. */
  isOdd: boolean
  /** Whether all of them are known and read everything that they requested. */
  isWhole: boolean
  /**
   * Whether all of them read values. Older consoles derived the tables only with values.
   */
  withValues: boolean
  exceptions: Exceptions
  /** Tables with findings at that time; only the first are listed. */
  tables: readonly TableFinding[]
}

/** All tables are counted; the first are listed, those with findings before others. */
export type TablesReport = {
  counts: Readonly<Record<TableFinding['kind'], number>>
  /** For matching tables: how many had a row's proof compared, or refused by the server. */
  rows: { compared: number; refused: number }
  list: readonly TableFinding[]
}

/** The progress of a paused audit; its exceptions are in the saved audit. */
export type RestingProgress = Omit<AuditProgress, 'exceptions' | 'rate' | 'step' | 'pending'>

/** What is kept of the audits of one database. */
export type AuditRecord = {
  /** A paused audit: its saved state, its progress and the time of the pause. */
  resting: { saved: SavedDeepAudit; progress: RestingProgress; at: number } | null
  /** The last finished audit, and where its continuation begins. */
  report: AuditReport | null
  finished: SavedDeepAudit | null
}

export const noRecord: AuditRecord = { resting: null, report: null, finished: null }

/** The parts of the progress that are kept. */
export function restingOf(progress: AuditProgress): RestingProgress {
  const { exceptions: _, rate: __, step: ___, pending: ____, ...kept } = progress
  return kept
}

/** A last transaction with more entries than this is not saved for a later check of the end. */
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

/** Tables listed in a record, so that it stays short. */
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
