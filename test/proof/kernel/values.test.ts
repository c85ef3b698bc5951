// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToBase64, encodeUtf8, hexToBytes } from '~/lib/bytes'
import { emptyCatalog, readCatalogEntry, schemasOf } from '~/proof/catalog'
import { concat, u8, u16, u32 } from '~/proof/kernel/bytes'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { withValues } from '~/proof/kernel/values'
import { History, type Json } from '../../support/history'
import { proven, vectorsOf } from '../../support/proofs'

const bytes = (digits = '') => hexToBytes(digits) ?? new Uint8Array()

describe('the catalog of a history', () => {
  const named = (name: string) => vectorsOf('06-sql').find((vector) => vector.name === name)

  test('says what the recorded schema says', async () => {
    const created = named('create-table-tx-raw')
    const { facts } = await proven('tx', created?.context, created?.request, created?.response)
    const catalog = emptyCatalog()
    for (const { key, value } of facts.entries ?? []) {
      expect(readCatalogEntry(catalog, bytes(key), bytes(value))).toBe(true)
    }
    const pinned = named('all-types-pinned-schema')?.context?.schema
    expect(schemasOf(catalog)).toEqual([pinned])
  })

  const entry = (name: string, ...ids: number[]) => concat(u8(2), encodeUtf8(name), ...ids.map(u32))
  const columnKey = (table: number, id: number, type: string) =>
    concat(entry('CTL.COLUMN.', 1, table, id), encodeUtf8(type))

  test('follows renaming, dropping, adding and defaults', () => {
    const catalog = emptyCatalog()
    const column = (name: string, maxLen = 0) => concat(u8(0), u32(maxLen), encodeUtf8(name))
    readCatalogEntry(catalog, entry('CTL.TABLE.', 1, 3), encodeUtf8('t'))
    readCatalogEntry(catalog, columnKey(3, 1, 'INTEGER'), column('id', 8))
    readCatalogEntry(catalog, columnKey(3, 2, 'VARCHAR'), column('name', 20))
    readCatalogEntry(
      catalog,
      entry('CTL.INDEX.', 1, 3, 0),
      concat(u8(1), u32(2), u8(0), u32(1), u8(0)),
    )
    readCatalogEntry(catalog, entry('CTL.INDEX.', 1, 3, 1), concat(u8(0), u32(2), u8(0)))
    readCatalogEntry(catalog, columnKey(3, 2, 'VARCHAR'), column('title', 20))
    readCatalogEntry(catalog, columnKey(3, 3, 'BLOB'), column('gone'))
    readCatalogEntry(catalog, columnKey(3, 3, 'BLOB'), null)
    const withDefault = concat(u8(4), u32(1), u16(2), encodeUtf8('ok'), encodeUtf8('true'))
    readCatalogEntry(catalog, columnKey(3, 4, 'BOOLEAN'), withDefault)
    readCatalogEntry(catalog, entry('CTL.TABLE.', 1, 4), encodeUtf8('dropped'))
    readCatalogEntry(catalog, entry('CTL.TABLE.', 1, 4), null)
    expect(schemasOf(catalog)).toEqual([
      {
        table: 't',
        tableId: 3,
        pk: [2, 1],
        maxColId: 4,
        cols: [
          { id: 1, name: 'id', type: 'INTEGER', maxLen: 8 },
          { id: 2, name: 'title', type: 'VARCHAR', maxLen: 20 },
          { id: 4, name: 'ok', type: 'BOOLEAN', maxLen: 1 },
        ],
      },
    ])
  })

  test('leaves other entries alone and refuses what it cannot read', () => {
    const catalog = emptyCatalog()
    for (const key of [
      plainKey(encodeUtf8('CTL.TABLE.')),
      entry('R.', 1, 3, 0),
      entry('CTL.CHECK.', 1),
    ]) {
      expect(readCatalogEntry(catalog, key, encodeUtf8('x'))).toBe(false)
    }
    const wrong: readonly (readonly [Uint8Array, Uint8Array])[] = [
      [entry('CTL.TABLE.', 1), encodeUtf8('t')],
      [entry('CTL.TABLE.', 2, 3), encodeUtf8('t')],
      [columnKey(3, 1, 'NOTHING'), concat(u8(0), u32(8), encodeUtf8('id'))],
      [columnKey(3, 1, 'INTEGER'), concat(u8(0), u32(8))],
      [columnKey(3, 1, 'INTEGER'), concat(u8(4), u32(8), u16(9), encodeUtf8('id'))],
      [entry('CTL.INDEX.', 1, 3, 0), concat(u8(1), u32(1))],
    ]
    for (const [key, value] of wrong) {
      expect(() => readCatalogEntry(catalog, key, value)).toThrow('row-encoding')
    }
  })
})

describe('values of a second answer', () => {
  const history = new History()
  const stored = ['1', '2', '3'].map((value) => plainValue(encodeUtf8(value)))
  history.add(stored.map((value, at) => ({ key: plainKey(encodeUtf8(`k${at}`)), value })))
  const context = { db: 'db', trusted: history.point(1), publicKey: null }
  const entries = history.tx(1).entries as Json[]
  const raw = (at: number, value = stored[at] ?? new Uint8Array()) => ({
    ...entries[at],
    value: bytesToBase64(value),
  })

  test('are added to the entries they belong to', async () => {
    const { facts } = await proven('tx', context, { tx: '1' }, history.verifiableTx(1, 1))
    const entriesProven = facts.entries ?? []
    const found = withValues(entriesProven, { header: {}, entries: [entries[0], raw(2)] })
    expect(found.map(({ value }) => value)).toEqual([undefined, undefined, '0033'])
    expect(found.map(({ value, ...entry }) => entry)).toEqual(entriesProven)
    const wrong = { entries: [raw(0, stored[1])] }
    expect(() => withValues(entriesProven, wrong)).toThrow('value-mismatch')
    const foreign = { entries: [{ ...raw(1), key: bytesToBase64(encodeUtf8('k')) }] }
    expect(() => withValues(entriesProven, foreign)).toThrow('tx-mismatch')
    const other = { entries: [{ ...raw(1), key: entries[0]?.key }] }
    expect(() => withValues(entriesProven, other)).toThrow('tx-mismatch')
    expect(() => withValues(entriesProven, { kvEntries: [{}] })).toThrow('malformed')
    for (const given of [
      [raw(2), raw(0)],
      [raw(1), raw(1)],
    ]) {
      expect(() => withValues(entriesProven, { entries: given })).toThrow('tx-mismatch')
    }
  })
})
