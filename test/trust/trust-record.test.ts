// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { isDescribedAt } from '~/trust/trust-record'

/** An audit read transactions 1 to 10; the tables changed last in transaction 4. */
const span = { from: '4', to: '10' }
const read = (readFrom: string, readTo: string, catalogTx = '0') => ({
  readFrom,
  readTo,
  catalogTx,
})

describe('a table is described by the history', () => {
  test.each([
    ['in the state that the audit read', '10', null, true],
    ['in an older state that had the same tables', '4', null, true],
    ['but not before its last change', '3', null, false],
    ['but not in a newer state, which nobody read', '11', null, false],
    ['also in a newer state that was read from there', '12', read('11', '12'), true],
    ['also where all was read again', '12', read('1', '12', '4'), true],
    ['but not behind a gap', '13', read('12', '13'), false],
    ['but not further than it was read', '13', read('11', '12'), false],
    ['but not behind another change', '12', read('11', '12', '11'), false],
    ['by numbers and not by digits', '9', read('1', '12', '4'), true],
  ])('%s', (_, txId, range, isDescribed) => {
    expect(isDescribedAt(span, txId, range)).toBe(isDescribed)
  })

  test('by no audit at all', () => {
    expect(isDescribedAt(undefined, '1', read('1', '12'))).toBe(false)
  })
})
