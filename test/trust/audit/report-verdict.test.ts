// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { AuditProgress } from '~/proof/audit-messages'
import type { TableFinding } from '~/proof/compare-tables'
import { noExceptions } from '~/proof/exceptions'
import { listedTables, reportOf } from '~/trust/audit/audit-record'
import { standingOf } from '~/trust/audit/report-verdict'
import type { Persistence } from '~/trust/store'
import { type Break, startedRecord, type TrustRecord } from '~/trust/trust-record'

const id = { origin: 'http://here', server: 's', database: 'db' }
const point = { txId: '5', txHash: 'AAAA' }
const record: TrustRecord = startedRecord(id, point, 'first', 1_000)

const progress: AuditProgress = {
  first: '1',
  txId: '5',
  last: '5',
  withValues: true,
  entries: 5,
  counts: { values: 5, bytes: 10, documents: 0 },
  exceptions: noExceptions(),
  pending: 0,
  active: 1,
  rate: 1,
  step: 'transactions',
}

const reported = (tables: TableFinding[] | null = null, keeping: Persistence = 'kept') =>
  reportOf(record, progress, { tables, end: null, target: point, keeping, before: null })

const consistent = (change: Partial<TrustRecord> = {}) =>
  ({ kind: 'consistent', record: { ...record, ...change }, why: null }) as const

describe('a report', () => {
  test('stands while it ends at the trusted state', () => {
    expect(standingOf(reported(), consistent())).toEqual({ kind: 'newest', isRecorded: true })
  })

  test('stands for what it covers once the point moved on', () => {
    const moved = consistent({ point: { txId: '9', txHash: 'BBBB' } })
    expect(standingOf(reported(), moved)).toEqual({ kind: 'behind', newest: '9', isRecorded: true })
  })

  test.each(['memory', 'late'] as const)('was compared with nothing recorded in %s', (keeping) => {
    const report = reported(null, keeping)
    const moved = consistent({ point: { txId: '9', txHash: 'BBBB' } })
    expect(standingOf(report, consistent())).toMatchObject({ kind: 'newest', isRecorded: false })
    expect(standingOf(report, moved)).toMatchObject({ kind: 'behind', isRecorded: false })
  })

  test('was compared with nothing recorded before at a first contact', () => {
    const first = { kind: 'first', record, why: null } as const
    expect(standingOf(reported(), first)).toEqual({ kind: 'newest', isRecorded: false })
  })

  test('of an older console is one that was kept', () => {
    const { keeping: _, ...older } = reported()
    expect(standingOf(older, consistent())).toEqual({ kind: 'newest', isRecorded: true })
  })

  test('stands no more once the history is broken', () => {
    const broken = { kind: 'rolled-back', at: 2_000 } as Break // the rest is not looked at
    for (const known of [record, null]) {
      const trust = { kind: 'broken', record: known, broken } as const
      expect(standingOf(reported(), trust)).toEqual({ kind: 'broken', broken })
    }
  })

  test.each<[string, Partial<TrustRecord>]>([
    ['another first contact', { firstContact: { at: 7, txId: '5', txHash: 'AAAA' } }],
    ['another hash', { point: { txId: '5', txHash: 'BBBB' } }],
    ['an older transaction', { point: { txId: '4', txHash: 'CCCC' } }],
  ])('stands no more once its point is gone: %s', (_, change) => {
    expect(standingOf(reported(), consistent(change))).toEqual({ kind: 'forgotten' })
  })

  test('waits for the first check of the page', () => {
    const unchecked = { kind: 'unchecked', why: 'The server is away.' } as const
    expect(standingOf(reported(), unchecked)).toEqual(unchecked)
    const checking = { kind: 'checking', record: null } as const
    expect(standingOf(reported(), checking)).toEqual({ kind: 'unchecked', why: null })
  })
})

test('tables are counted all, and listed as far as there is room, the odd ones first', () => {
  const tables = (count: number, kind: TableFinding['kind'], row: TableFinding['row']) =>
    Array.from({ length: count }, (_, n) => ({ table: `${kind} ${row} ${n}`, kind, what: '', row }))
  const found = reported([
    ...tables(90, 'agrees', 'compared'),
    ...tables(40, 'agrees', 'none'),
    ...tables(5, 'agrees', 'refused'),
    ...tables(3, 'differs', 'compared'),
    ...tables(2, 'missing', 'none'),
    ...tables(120, 'surplus', 'none'),
  ]).tables
  expect(found?.counts).toEqual({ agrees: 135, differs: 3, missing: 2, surplus: 120 })
  expect(found?.rows).toEqual({ compared: 90, refused: 5 })
  expect(found?.list).toHaveLength(listedTables)
  expect(found?.list.filter(({ kind }) => kind === 'agrees')).toEqual([])
})
