// @vitest-environment node
import { beforeAll, expect, test } from 'vitest'
import type { TxEntries } from '~/api/transactions'
import { kindsOf, touchedBy } from '~/atoms/transactions/content'
import { readPast } from '../../support/past-server'

let past: (id: number) => TxEntries

beforeAll(async () => {
  const txs = await readPast()
  past = (id) => {
    const tx = txs[id - 1]
    if (!tx) throw new Error(`no transaction ${id}`)
    return tx
  }
})

test.each([
  [1, ['keys']],
  [5, ['keys']],
  [7, ['catalogue']],
  [13, ['sql']],
  [27, ['catalogue']],
  [28, ['documents']],
])('the kinds of transaction %i', (id, kinds) => expect(kindsOf(past(id))).toEqual(kinds))

test('a truncation is one, although it writes the catalogue again', () => {
  const { header, entries } = past(7)
  const metadata = { truncatedTxID: '3', extra: '' }
  expect(kindsOf({ header: { ...header, metadata }, entries })).toEqual(['truncation'])
})

test('kinds are unknown without the entries', () => {
  expect(kindsOf({ ...past(7), entries: null })).toBeNull()
})

test.each([
  [2, [key('greeting'), key('0xfffe'), key('soon')]],
  [5, [key('scores')]],
  [10, [{ kind: 'table', id: 1, count: 2 }]],
  [13, [{ kind: 'table', id: 2, count: 1 }]],
  [22, [{ kind: 'table', id: 3, count: 0 }]],
  [23, [key('s1')]],
  [28, [{ kind: 'collection', id: 1, count: 2 }]],
])('what transaction %i touched', (id, touched) => {
  expect(touchedBy(past(id).entries ?? [])).toEqual(touched)
})

function key(name: string) {
  return { kind: 'key', name }
}
