// @vitest-environment node
import { createHash } from 'node:crypto'
import { createStore } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { describe, expect, test, vi } from 'vitest'
import {
  lookedThroughAtom,
  lookOn,
  lookThrough,
  scanAtom,
  stopLooking,
} from '~/atoms/finder/look-through'
import type { Scan } from '~/atoms/finder/thing'
import { connect } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'
import { textToBase64 } from '~/lib/bytes'
import { soon } from '../../support/store'

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')
const padded = (at: number) => `key/${String(at).padStart(9, '0')}`

/** A server with very many keys and transactions, none of which is kept anywhere. */
class VastServer {
  asked: string[] = []
  /** Answers nothing from this request on. */
  failsAt = Number.POSITIVE_INFINITY
  /** Transactions that it does not give. */
  missing = -1
  readonly #count: number

  constructor(count: number) {
    this.#count = count
  }

  open() {
    const store = createStore()
    connect(store, '/api', this.fetch)
    openQueryCache(store)
    store.set(sessionAtom, {
      user: 'immudb',
      token: 't',
      databaseTokens: new Map([['shop', 't']]),
      isStored: false,
      since: 0,
    })
    return store
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const path = String(input).replace(/^.*\/api/, '')
    this.asked.push(path)
    // As any network does, it lets timers run.
    if (this.asked.length % 4 === 0) await new Promise((resolve) => setTimeout(resolve))
    if (this.asked.length >= this.failsAt) {
      return new Response('{"error":"out of order","code":2,"message":"out of order"}', {
        status: 500,
        headers: { 'content-type': 'application/json' },
      })
    }
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const answer =
      path === '/db/state'
        ? { db: 'shop', txId: String(this.#count), txHash: digestOf('state') }
        : path === '/db/tx'
          ? { txs: this.#transactions(Number(body.initialTx), Number(body.limit)) }
          : { entries: this.#keys(body) }
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  }

  #transactions(from: number, limit: number) {
    const last = Math.min(this.#count, from + limit - 1)
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at)
      .filter((id) => id !== this.missing)
      .map((id) => ({
        header: {
          id: String(id),
          prevAlh: id === 2_500 ? digestOf('state 2499') : prevAlh,
          ts: '1795291699',
          nentries: 1,
          eH: ofEntries,
          blTxId: String(id - 1),
          blRoot: other,
          version: 1,
        },
        entries: [{ key: 'AGs=', hValue: id % 10_000 === 7 ? digestOf('value') : other, vLen: 1 }],
      }))
  }

  #keys({ seekKey, offset = '0', limit }: Record<string, string>) {
    const first = seekKey ? Number(atob(seekKey).slice(4)) + 1 : 0
    const start = first + Number(offset)
    const end = Math.min(this.#count, start + Number(limit))
    return Array.from({ length: Math.max(0, end - start) }, (_, at) => ({
      tx: '1',
      key: btoa(padded(start + at)),
      value: 'AA==',
      revision: '1',
    }))
  }
}

const prevAlh = digestOf('before')
const other = digestOf('other')
const ofEntries = digestOf('entries')

function begin(server: VastServer, scan: Scan) {
  const store = server.open()
  store.sub(lookedThroughAtom, () => {})
  lookThrough(store, scan)
  const list = () => store.get(lookedThroughAtom)
  const rest = () =>
    soon(() => {
      if (!list() || list()?.isFetching || list()?.isAdding) throw new Error('it still looks')
      return list()
    })
  return { store, list, rest }
}

const forKey = (text: string): Scan => ({ kind: 'keys', database: 'shop', text })
const forHash = (text: string): Scan => ({ kind: 'transactions', database: 'shop', text })

describe('looking through 1,000,000 keys', () => {
  test('finds one by a part of it, and keeps only what it found', async () => {
    const server = new VastServer(1_000_000)
    const { store, list } = begin(server, forKey('00999999'))
    await soonIn(60_000, () => expect(list()?.data?.next).toBeNull())
    expect(list()?.data?.looked).toBe(1_000_000)
    expect(list()?.data?.found.map(({ name }) => name)).toEqual(['key/000999999'])
    const kept = () =>
      JSON.stringify(
        store
          .get(queryClientAtom)
          .getQueryCache()
          .getAll()
          .map(({ queryKey, state }) => [queryKey, state]),
      )
    expect(kept().length).toBeLessThan(10_000)
    expect(server.asked.length).toBeLessThanOrEqual(2_002)
    // With the search everything of it is forgotten, also what was looked for.
    lookThrough(store, null)
    await soon(() => expect(kept()).not.toContain('00999999'))
  }, 90_000)

  test('stops once enough is found, and goes on from there', async () => {
    const { store, list, rest } = begin(new VastServer(1_000_000), forKey('KEY/'))
    await rest()
    const first = list()?.data
    expect(first?.found.length).toBeGreaterThanOrEqual(20)
    expect(first?.looked).toBeLessThan(2_000)
    lookOn(store)
    await soon(() => expect(list()?.data?.looked).toBeGreaterThan(first?.looked ?? 0))
    await rest()
    const names = list()?.data?.found.map(({ name }) => name) ?? []
    expect(new Set(names).size).toBe(names.length)
  })

  test('can be stopped, says how far it was, and goes on there', async () => {
    const server = new VastServer(1_000_000)
    const { store, list, rest } = begin(server, forKey('00999999'))
    await soon(() => expect(list()?.data?.looked ?? 0).toBeGreaterThan(5_000))
    stopLooking(store)
    await rest()
    const looked = list()?.data?.looked ?? 0
    expect(list()?.data?.next).not.toBeNull()
    expect(looked).toBeLessThan(1_000_000)
    server.asked = []
    lookOn(store)
    await soon(() => expect(list()?.data?.looked ?? 0).toBeGreaterThan(looked))
    stopLooking(store)
    await rest()
    // It did not begin again; the last request may have been given up.
    const more = (list()?.data?.looked ?? 0) - looked
    expect(more).toBeGreaterThan((server.asked.length - 2) * 500)
    expect(more).toBeLessThanOrEqual(server.asked.length * 500)
  })

  test('keeps what was found when the server fails, and goes on where it was', async () => {
    const server = new VastServer(20_000)
    server.failsAt = 5
    const { store, list, rest } = begin(server, forKey('00019999'))
    await rest()
    expect(list()?.problem ?? list()?.error).toBeTruthy()
    const looked = list()?.data?.looked ?? 0
    expect(looked).toBe(2_000)
    server.failsAt = Number.POSITIVE_INFINITY
    lookOn(store)
    await soonIn(20_000, () => expect(list()?.data?.next).toBeNull())
    expect(list()?.data?.looked).toBe(20_000)
    expect(list()?.data?.found.map(({ name }) => name)).toEqual(['key/000019999'])
  })
})

describe('looking through transactions', () => {
  test('begins with the newest and says how far down it is', async () => {
    const { list, store } = begin(new VastServer(100_000), forHash(digestOf('value')))
    await soonIn(40_000, () => expect(list()?.data?.next).toBeNull())
    const found = list()?.data?.found ?? []
    // Ten have it, which is not enough to stop.
    expect(found.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, at) => `tx ${90 - at * 10 > 0 ? `${90 - at * 10},007` : '7'}`),
    )
    expect(found[0]?.note).toBe('digest of one of its values')
    expect(list()?.data).toMatchObject({ looked: 100_000, next: null, unread: 0 })
    expect(store.get(scanAtom)?.text).toBe(digestOf('value'))
  }, 60_000)

  test.each([
    ['that of entries', ofEntries, 'tx 3,000', 'hash of its entries'],
    ['that of a state', digestOf('state 2499'), 'tx 2,499', 'hash of the state after it'],
    ['none that is not there', textToBase64('x'.repeat(32)), undefined, undefined],
  ])('finds by its hash %s', async (_, hash, name, note) => {
    const { list, rest } = begin(new VastServer(3_000), forHash(hash))
    await rest()
    expect(list()?.data?.found[0]).toEqual(name && expect.objectContaining({ name, note }))
  })

  test('that a server does not give stops, and claims nothing of them', async () => {
    const server = new VastServer(3_000)
    server.missing = 1_500
    const { list, rest } = begin(server, forHash(digestOf('value')))
    await rest()
    expect(list()?.problem ?? list()?.error).toBeTruthy()
    expect(list()?.data?.next ?? '').not.toBeNull()
    expect(list()?.data?.looked).toBe(1_000)
  })

  test('of an empty database is at its end at once', async () => {
    const { list, rest } = begin(new VastServer(0), forHash(other))
    await rest()
    expect(list()?.data).toMatchObject({ looked: 0, next: null })
  })
})

async function soonIn(timeout: number, check: () => void) {
  await vi.waitFor(check, { interval: 20, timeout })
}
