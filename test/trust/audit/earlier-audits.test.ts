// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { TableFinding } from '~/proof/compare-tables'
import { type Exceptions, except, listedOfReason, noExceptions } from '~/proof/exceptions'
import { type AuditReport, reportOf } from '~/trust/audit/audit-record'
import { beforeOf, isOddReport } from '~/trust/audit/earlier-audits'
import { startedRecord } from '~/trust/trust-record'

const id = { origin: 'http://here', server: 's', database: 'db' }

type Content = { exceptions?: Exceptions; tables?: TableFinding[] | null; withValues?: boolean }

/** The report of an audit of some transactions, which went on from the one before. */
function audited(first: number, to: number, last: AuditReport | null, content: Content = {}) {
  const { exceptions = noExceptions(), tables = [], withValues = true } = content
  const point = { txId: String(to), txHash: 'AAAA' }
  const progress = {
    first: String(first),
    txId: String(to),
    last: String(to),
    withValues,
    entries: 5,
    counts: { values: 5, bytes: 10, documents: 0 },
    exceptions,
    pending: 0,
    active: 1,
    rate: 1,
    step: 'transactions',
  } as const
  const before = beforeOf(progress.first, last)
  const ended = { tables, end: null, target: point, keeping: 'kept', before } as const
  return reportOf(startedRecord(id, point, 'first', 1_000), progress, ended)
}

function refusedAt(...txs: number[]): Exceptions {
  const exceptions = noExceptions()
  for (const tx of txs)
    except(exceptions, { reason: 'refused', tx: String(tx), key: '', words: 'no' })
  return exceptions
}

describe('what audits left that another one went on from', () => {
  test('is nothing where each saw everything', () => {
    const third = audited(7, 9, audited(4, 6, audited(1, 3, null)))
    expect(third.before).toMatchObject({ isOdd: false, isWhole: true, withValues: true })
    // From the first of them, and up to the end of the last.
    expect(third.before).toMatchObject({ first: '1', endedAt: expect.any(Number) })
    expect(isOddReport(third)).toBe(false)
  })

  test('is carried on, however often one goes on from the next', () => {
    const first = audited(1, 3, null, { exceptions: refusedAt(2) })
    const third = audited(7, 9, audited(4, 6, first, { exceptions: refusedAt(5) }))
    expect(third.before?.exceptions).toEqual(refusedAt(2, 5))
    expect(third.exceptions).toEqual(noExceptions())
    expect(isOddReport(third)).toBe(true)
    expect(third.before?.isWhole).toBe(false)
  })

  test('is counted, and listed as far as there is room', () => {
    const all = Array.from({ length: listedOfReason }, (_, at) => at + 1)
    const first = audited(1, 20, null, { exceptions: refusedAt(...all) })
    const second = audited(21, 40, first, { exceptions: refusedAt(30) })
    const exceptions = audited(41, 50, second).before?.exceptions
    expect(exceptions?.counts).toEqual({ refused: listedOfReason + 1 })
    expect(exceptions?.list).toHaveLength(listedOfReason)
  })

  test('are tables, too, that something was odd about, each once', () => {
    const tables: TableFinding[] = [
      { table: 'orders', kind: 'missing', what: '', row: 'none' },
      { table: 'parts', kind: 'agrees', what: '', row: 'compared' },
    ]
    const second = audited(4, 6, audited(1, 3, null, { tables }), { tables })
    const third = audited(7, 9, second)
    expect(third.before?.tables).toEqual(tables.slice(0, 1))
    expect(isOddReport(third)).toBe(true)
  })

  test('is that its tables are not known, though values were read', () => {
    const second = audited(4, 6, audited(1, 3, null, { tables: null }), { withValues: false })
    expect(second.before?.isOdd).toBe(true)
    expect(isOddReport(second)).toBe(true)
  })

  test('is not the reason for tables that were not asked for', () => {
    const digests = { withValues: false, tables: null }
    const third = audited(7, 9, audited(4, 6, audited(1, 3, null, digests)), { tables: null })
    expect(third.before).toMatchObject({ isOdd: false, withValues: false })
    expect(isOddReport(third)).toBe(false)
  })

  test('is not known where an older console kept a report, or another one is there', () => {
    const { before: _, ...older } = audited(4, 6, audited(1, 3, null))
    expect(audited(7, 9, older).before).toMatchObject({ isOdd: false, isWhole: false })
    expect('before' in audited(8, 9, older)).toBe(false)
    expect('before' in audited(8, 9, null)).toBe(false)
  })

  test('is not a collection with another number, which is told until it is accepted', () => {
    const renumbered = { name: 'notes', pinned: 7, found: 8 }
    const first = { ...audited(1, 3, null), collections: [renumbered] }
    expect(isOddReport(first)).toBe(true)
    expect(audited(4, 6, first).before).toMatchObject({ isOdd: false })
  })

  test('is none where it begins with the first transaction', () => {
    const first = audited(1, 3, null, { exceptions: refusedAt(2) })
    expect(audited(1, 6, first).before).toBeNull()
  })
})
