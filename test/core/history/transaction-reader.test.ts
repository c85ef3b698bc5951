// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { type ReadProgress, readRange } from '~/core/history/transaction-reader'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { fromBase64 } from '~/proof/kernel/bytes'
import { type StoredEntry, storedEntry } from '~/proof/stored-entry'
import { mixedTxs, PastServer, pastTxs } from '../../support/past-server'

let server: PastServer
let store: Store

beforeEach(() => {
  server = new PastServer()
  store = createStore()
  connect(store, '/api', server.answer)
  openQueryCache(store)
})

/** The pages that were asked for since. */
const pagesAsked = () => server.asked.splice(0).filter((one) => !one.startsWith('/'))

const io = () => ({ get: store.get, set: store.set })
const read = (from: number, to: number, options = {}) =>
  readRange(io(), 'odd', { from: BigInt(from), to: BigInt(to) }, options)

const stored = (key: string): StoredEntry => storedEntry(fromBase64(key) ?? new Uint8Array())

describe('an entry of the catalogue', () => {
  const withMetadata = (metadata: object) => {
    const key = Buffer.from('\x02CTL.TABLE.\0\0\0\x01\0\0\0\x63', 'latin1').toString('base64')
    const entry = { key, hValue: '', vLen: 0, metadata }
    server.txs = [...pastTxs, { header: { id: '32', prevAlh: '', ts: '1' }, entries: [entry] }]
  }
  const tableOf = async () => {
    const { catalogue } = await read(32, 32)
    return catalogue.map(({ of }) => of)
  }

  test('is a change of the tables', async () => {
    withMetadata({})
    expect(await tableOf()).toEqual([{ part: 'table', tableId: 99 }])
  })

  test.each([
    ['in no index', { nonIndexable: true }],
    ['with an expiry', { expiration: { expiresAt: '4000000000' } }],
  ])('%s is none, as immudb does not read it', async (_, metadata) => {
    withMetadata(metadata)
    expect(await tableOf()).toEqual([])
  })
})

describe('a range of transactions', () => {
  test('has no entries of indexes, of tables or of collections', async () => {
    server.txs = mixedTxs
    const { writes } = await read(9, 14)
    const kinds = [...writes.keys()].map((key) => stored(key).kind)
    expect(kinds.toSorted()).toEqual(['document', 'row'])
  })

  test('says which keys, rows and documents were written, and how', async () => {
    const { writes } = await read(1, 31)
    const kinds = [...writes.keys()].map((key) => stored(key).kind)
    expect(new Set(kinds)).toEqual(new Set(['key', 'sorted-set', 'row', 'document']))
    const greeting = writes.get(Buffer.from('\0greeting').toString('base64')) ?? []
    expect(greeting.map(({ tx, isDeleted }) => [tx, isDeleted])).toEqual([
      ['1', false],
      ['2', false],
      ['31', true],
    ])
  })

  test('says how the catalogue changed, with what the server gives of it', async () => {
    const { catalogue } = await read(7, 27)
    const of = (tx: string) => catalogue.filter((change) => change.tx === tx)
    expect(of('9')).toMatchObject([
      { of: { part: 'index', tableId: 2, indexId: 1 }, value: 'AQAAAAIA', isDeleted: false },
    ])
    expect(of('25')).toMatchObject([{ of: { part: 'index' }, value: null, isDeleted: true }])
    expect(of('27').every(({ isOfCollections, value }) => isOfCollections && value === null)).toBe(
      true,
    )
  })

  test('is asked for once, and only where it is not remembered', async () => {
    await read(3, 5)
    await read(10, 12)
    await read(1, 14)
    expect(pagesAsked()).toEqual(['3 3', '10 3', '1 2', '6 4', '13 2'])
    await read(1, 14)
    expect(server.asked).toEqual([])
  })

  test('names transactions that are too wide, and reads all others', async () => {
    server.wide = new Set(['4'])
    const { unlisted, writes } = await read(1, 6)
    expect(unlisted).toEqual(['4'])
    expect(writes.has(Buffer.from('\0ref').toString('base64'))).toBe(true)
    expect(writes.has(Buffer.from('\0bound').toString('base64'))).toBe(false)
  })

  test('tells how far it is', async () => {
    server.wide = new Set(['3'])
    const told: ReadProgress[] = []
    await read(1, 5, { onProgress: (progress: ReadProgress) => told.push(progress) })
    expect(told.at(-1)).toEqual({ read: 5, of: 5 })
    expect(told.map((progress) => progress.read)).toEqual([1, 2, 3, 4, 5])
  })

  test('stops when cancelled, and continues where it stopped', async () => {
    server.wide = new Set(['20'])
    const stop = new AbortController()
    const cancelled = read(1, 31, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    expect(pagesAsked().length).toBeGreaterThan(0)
    await read(1, 31)
    expect(pagesAsked().find((one) => one.startsWith('1 '))).toBeUndefined()
  })

  test('ends early when the server has fewer', async () => {
    const { writes } = await read(30, 60)
    expect(writes.size).toBe(2)
  })

  test('of another history is not mixed with what was read before', async () => {
    await read(1, 5)
    server.txs = pastTxs.map((tx) =>
      tx.header.id === '6' ? { ...tx, header: { ...tx.header, prevAlh: 'AAAA' } } : tx,
    )
    await read(6, 6)
    pagesAsked()
    await read(1, 5)
    expect(pagesAsked()).toEqual(['1 5'])
  })
})
