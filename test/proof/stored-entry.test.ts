// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import { fromBase64 } from '~/proof/kernel/bytes'
import {
  keyContent,
  rowKeyOfIndexed,
  storedCheck,
  storedColumn,
  storedEntry,
  storedIndex,
  storedSequence,
} from '~/proof/stored-entry'
import { recorded } from '../support/recorded'

type Entry = { key: string; value?: string }
type Tx = { header: { id: string }; entries?: Entry[] }

const { txs } = recorded('past', 'page of digests').response.body as { txs: Tx[] }

/** The entries of a transaction, as a real server lists them. */
const keysOf = (id: number) =>
  (txs.find(({ header }) => header.id === String(id))?.entries ?? []).map(({ key }) =>
    storedEntry(bytes(key)),
  )

const bytes = (base64 = '') => fromBase64(base64) ?? new Uint8Array()

/** The entries of a transaction that was recorded with its values. */
const valuesOf = (name: string) =>
  (recorded('past', `values of ${name}`).response.body as Tx).entries?.map(({ key, value }) => ({
    entry: storedEntry(bytes(key)),
    value: bytes(value),
  })) ?? []

test('the key of a row follows from that of its entry in the primary index', () => {
  // As recorded beside a proof of row 1 of table 1, and as its transaction lists it.
  const indexed = bytes('Ak0uAAAAAQAAAACAgAAAAAAAAAGAgAAAAAAAAAE=')
  const stored = bytes('AlIuAAAAAQAAAAEAAAAAgIAAAAAAAAAB')
  expect(rowKeyOfIndexed(indexed)).toEqual(stored)
  expect(storedEntry(stored)).toMatchObject({ kind: 'row', tableId: 1 })
  expect(rowKeyOfIndexed(stored)).toBeNull()
  expect(rowKeyOfIndexed(indexed.subarray(0, -1))).toBeNull()
  expect(rowKeyOfIndexed(indexed.with(10, 1))).toBeNull()
  expect(rowKeyOfIndexed(indexed.with(12, 1))).toBeNull()
  expect(rowKeyOfIndexed(indexed.subarray(0, 11))).toBeNull()
})

describe('keys as a real server stores them', () => {
  test('plain ones, of bytes too', () => {
    expect(keysOf(1)).toEqual([{ kind: 'key', key: encodeUtf8('greeting') }])
    expect(keysOf(2)).toContainEqual({ kind: 'key', key: Uint8Array.of(0xff, 0xfe) })
  })

  test('members of sorted sets, bound to a transaction or not', () => {
    const member = { kind: 'sorted-set', set: encodeUtf8('scores'), key: encodeUtf8('greeting') }
    expect(keysOf(5)).toEqual([{ ...member, score: -1.5, atTx: 0n }])
    expect(keysOf(6)).toEqual([{ ...member, score: 12, atTx: 1n }])
  })

  test('rows, and what a changed row leaves in an index', () => {
    expect(keysOf(12)).toMatchObject([{ kind: 'row', tableId: 1 }])
    expect(keysOf(13)).toMatchObject([
      { kind: 'index-entry', tableId: 2, indexId: 1 },
      { kind: 'row', tableId: 2 },
    ])
  })

  test('documents with their collections', () => {
    expect(keysOf(28)).toMatchObject([
      { kind: 'document', collectionId: 1 },
      { kind: 'document', collectionId: 1 },
    ])
    expect(keysOf(27)).toContainEqual({
      kind: 'collection-catalogue',
      of: { part: 'table', tableId: 1 },
    })
  })

  test('the catalogue', () => {
    const parts = (id: number) => keysOf(id).map((entry) => ('of' in entry ? entry.of : null))
    expect(parts(8)).toEqual([
      { part: 'index', tableId: 2, indexId: 0 },
      { part: 'column', tableId: 2, columnId: 1, type: 'INTEGER' },
      { part: 'column', tableId: 2, columnId: 2, type: 'VARCHAR' },
      { part: 'column', tableId: 2, columnId: 3, type: 'INTEGER' },
      { part: 'check', tableId: 2, check: 0 },
      { part: 'table', tableId: 2 },
    ])
    expect(parts(23)).toEqual([{ part: 'sequence', name: 's1' }])
    expect(parts(26)).toEqual([{ part: 'check', tableId: 2, check: 0 }])
  })
})

describe('every key that immudb 1.11.1 writes', () => {
  const mixed = (recorded('entries', 'every kind of entry').response.body as { txs: Tx[] }).txs
  const kindsIn = (id: number) =>
    (mixed[id - 1]?.entries ?? []).map(({ key }) => storedEntry(bytes(key)))

  test('is of a known kind', () => {
    const unknown = mixed.flatMap(({ entries = [] }) =>
      entries.map(({ key }) => storedEntry(bytes(key))).filter(({ kind }) => kind === 'other'),
    )
    expect(unknown).toEqual([])
    const parts = mixed.flatMap(({ entries = [] }) =>
      entries.flatMap(({ key }) => {
        const entry = storedEntry(bytes(key))
        return 'of' in entry ? [entry.of.part] : []
      }),
    )
    expect(parts).not.toContain('unreadable')
  })

  test('of an index tells a table from a collection of the same number', () => {
    expect(kindsIn(9)).toMatchObject([
      { kind: 'index-entry', tableId: 1, indexId: 1 },
      { kind: 'index-entry', tableId: 1, indexId: 2 },
      { kind: 'row', tableId: 1 },
    ])
    expect(kindsIn(13)).toMatchObject([
      { kind: 'document-index-entry', collectionId: 1, indexId: 1 },
      { kind: 'document-index-entry', collectionId: 1, indexId: 2 },
      { kind: 'document', collectionId: 1 },
    ])
  })

  test('of a row has the key of both columns, and stays when it is deleted', () => {
    const [row] = kindsIn(8)
    expect(row).toMatchObject({ kind: 'row', tableId: 1 })
    expect(kindsIn(10)).toEqual([row])
  })

  test('has its owner behind the first byte alone', () => {
    const keys = mixed.flatMap(({ entries = [] }) => entries.map(({ key }) => bytes(key)))
    const owners = (prefix: number) =>
      keys
        .filter((key) => key[0] === prefix)
        .map((key) => storedEntry(key))
        .map((entry) => 'collectionId' in entry || entry.kind === 'collection-catalogue')
    expect(new Set(owners(2))).toEqual(new Set([false]))
    expect(new Set(owners(3))).toEqual(new Set([true]))
  })
})

test.each([
  ['nothing', []],
  ['an index entry of no table', [2, 0x4d, 0x2e, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['an index entry of no collection', [3, 0x4d, 0x2e, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['an index entry that ends early', [3, 0x4d, 0x2e, 0, 0, 0, 1, 0, 0, 0]],
  ['an unknown prefix', [9, 1]],
  ['a row of another index', [2, 0x52, 0x2e, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3]],
  ['a sorted set that ends early', [1, 0, 0, 0, 0, 0, 0, 0, 5, 0x61]],
  ['a sorted set with an endless name', [1, ...new Array<number>(8).fill(0xff), 0x61]],
  ['a document whose id is too long', [3, 0x52, 0x2e, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0x80]],
])('a key that is %s is of no known kind', (_what, found) => {
  expect(storedEntry(Uint8Array.from(found))).toEqual({ kind: 'other' })
})

test.each([
  'CTL.',
  'CTL.TABLE.',
  'CTL.COLUMN.\0\0\0\u0001\0\0\0\u0001',
  'CTL.NEW.\0\0\0\u0001\0\0\0\u0001',
])('a part of the catalogue that cannot be read is one: %j', (text) => {
  const entry = storedEntry(Uint8Array.of(2, ...encodeUtf8(text)))
  expect(entry).toMatchObject({ kind: 'catalogue', of: { part: 'unreadable' } })
})

describe('values as a real server stores them', () => {
  test('of keys and references', () => {
    const [first] = valuesOf('keys')
    expect(first && keyContent(first.value)).toEqual({
      kind: 'value',
      value: encodeUtf8('hello again'),
    })
    const reference = { kind: 'reference', key: encodeUtf8('greeting') }
    expect(keyContent(valuesOf('reference')[0]?.value ?? bytes())).toEqual({
      ...reference,
      atTx: 0n,
    })
    expect(keyContent(valuesOf('bound reference')[0]?.value ?? bytes())).toEqual({
      ...reference,
      atTx: 1n,
    })
    expect(keyContent(Uint8Array.of(7))).toBeNull()
    expect(keyContent(Uint8Array.of(1, 0))).toBeNull()
  })

  test('of columns, with and without a default', () => {
    const columns = valuesOf('table').flatMap(({ entry, value }) =>
      entry.kind === 'catalogue' && entry.of.part === 'column' ? [storedColumn(value)] : [],
    )
    expect(columns.slice(0, 4)).toEqual([
      column('region', { maxLen: 8 }),
      column('sack', { maxLen: 8 }),
      column('grade', {}),
      column('fine', { maxLen: 1, defaultSql: 'true' }),
    ])
    const parts = valuesOf('table with a check').map(({ value }) => value)
    expect(storedColumn(parts[1] ?? bytes())).toEqual(
      column('id', { maxLen: 8, isAutoIncrement: true }),
    )
    expect(storedColumn(parts[2] ?? bytes())).toEqual(
      column('name', { maxLen: 32, isNotNull: true }),
    )
  })

  test('of indexes, checks, sequences and names', () => {
    const parts = valuesOf('table with a check').map(({ value }) => value)
    expect(storedIndex(parts[0] ?? bytes())).toEqual({ isUnique: true, columnIds: [1] })
    expect(storedCheck(parts[4] ?? bytes())).toEqual({
      name: 'positive',
      expression: '(amount > 0)',
    })
    expect(decodeUtf8(parts[5] ?? bytes())).toBe('parts')
    expect(storedIndex(valuesOf('index')[0]?.value ?? bytes())).toEqual({
      isUnique: true,
      columnIds: [2],
    })
    expect(storedSequence(valuesOf('sequence')[0]?.value ?? bytes())).toEqual({
      current: 0n,
      increment: 1n,
    })
  })

  test('too short ones are not guessed at', () => {
    expect(storedColumn(bytes('AAAA'))).toBeNull()
    expect(storedColumn(Uint8Array.of(4, 0, 0, 0, 0, 0, 9, 1))).toBeNull()
    expect(storedIndex(bytes('AAAA'))).toBeNull()
    expect(storedCheck(Uint8Array.of(200, 1))).toBeNull()
    expect(storedSequence(bytes('AAAA'))).toBeNull()
  })
})

function column(name: string, more: object) {
  return { name, maxLen: 0, isAutoIncrement: false, isNotNull: false, defaultSql: null, ...more }
}
