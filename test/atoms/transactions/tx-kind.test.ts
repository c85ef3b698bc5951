// @vitest-environment node
import { beforeAll, describe, expect, test } from 'vitest'
import type { TxEntries } from '~/api/transactions'
import { kindsOf, touchedBy } from '~/atoms/transactions/tx-kind'
import { mixedTxs, readPast } from '../../support/past-server'

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

describe('a table and a collection of the same number', () => {
  let mixed: readonly TxEntries[] = []
  beforeAll(async () => {
    mixed = await readPast(mixedTxs)
  })
  const table = (count: number) => ({ kind: 'table', id: 1, count })
  const collection = (count: number) => ({ kind: 'collection', id: 1, count })

  test.each([
    ['CREATE TABLE with a key of two columns', 5, ['catalogue'], [table(0)]],
    ['CREATE INDEX', 7, ['catalogue'], [table(0)]],
    ['INSERT', 8, ['sql'], [table(1)]],
    ['UPDATE of indexed columns', 9, ['sql'], [table(1)]],
    ['DELETE', 10, ['sql'], [table(1)]],
    ['a new collection', 11, ['catalogue'], [collection(0)]],
    ['a new document', 12, ['documents'], [collection(1)]],
    ['a document whose indexed fields change', 13, ['documents'], [collection(1)]],
    ['a document whose other fields change', 14, ['documents'], [collection(1)]],
    ['a deleted document', 15, ['documents'], [collection(1)]],
    ['a new field', 16, ['catalogue'], [collection(0)]],
    ['a new index of a collection', 17, ['catalogue'], [collection(0)]],
    ['a removed index of a collection', 18, ['catalogue'], [collection(0)]],
    ['a removed field', 19, ['catalogue'], [collection(0)]],
    ['a renamed id', 20, ['catalogue'], [collection(0)]],
    ['a deleted collection', 21, ['catalogue'], [collection(0)]],
    ['a deleted table', 31, ['catalogue'], [table(0)]],
  ])('%s, tx %i', (_what, id, kinds, touched) => {
    const tx = mixed[id - 1]
    expect(tx && kindsOf(tx)).toEqual(kinds)
    expect(touchedBy(tx?.entries ?? [])).toEqual(touched)
  })

  test('no transaction touches both', () => {
    const both = mixed.filter(({ entries }) => {
      const kinds = new Set(touchedBy(entries ?? []).map(({ kind }) => kind))
      return kinds.has('table') && kinds.has('collection')
    })
    expect(both).toEqual([])
    expect(mixed).toHaveLength(31)
  })
})

function key(name: string) {
  return { kind: 'key', name }
}
