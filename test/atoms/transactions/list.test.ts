// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TxFilter } from '~/atoms/transactions/content'
import {
  findTxAtTimeAtom,
  rememberedTxAtom,
  scansAtom,
  stopLookingAtom,
  txPagesAtom,
} from '~/atoms/transactions/list'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { PastServer, type PastTx, pastTxs } from '../../support/past-server'
import { until } from '../../support/until'

let server: PastServer
let store: Store

beforeEach(() => {
  server = new PastServer()
  store = createStore()
  connect(store, '/api', server.answer)
  openQueryCache(store)
})

/** The answer of a query atom once it is there. */
async function settled<T>(atom: { read: unknown } & Parameters<Store['get']>[0]): Promise<T> {
  store.sub(atom, () => {})
  const read = () => store.get(atom) as { data?: T; error: unknown }
  const { data, error } = await until(read, (found) => Boolean(found.data ?? found.error))
  if (data === undefined) throw error
  return data
}

const scan = ({ kind, entries, touched }: TxFilter, upTo: string) =>
  store.get(scansAtom)('odd', kind ?? '', String(entries), touched, upTo)

type Found = { found: { header: { id: string } }[]; next: bigint; unclear: number }
const idsOf = ({ found }: Found) => found.map(({ header }) => Number(header.id))

/** A longer history: the recorded transactions again and again under new numbers. */
function longHistory(count: number): PastTx[] {
  return Array.from({ length: count }, (_, at) => {
    const { header, entries = [] } = pastTxs[at % pastTxs.length] ?? { header: { id: '' } as never }
    return { header: { ...header, id: String(at + 1), prevAlh: '' }, entries }
  })
}

describe('a page of the list', () => {
  test('has its transactions by number, asks once and is remembered', async () => {
    const pages = store.get(txPagesAtom)
    const page = await settled<Map<string, unknown>>(pages('odd', '11', '20'))
    expect([...page.keys()]).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 11)))
    expect(server.asked).toEqual(['11 10'])
    expect(store.get(rememberedTxAtom)('odd', '15')?.header.id).toBe('15')
    await settled(pages('odd', '11', '22'))
    expect(server.asked).toEqual(['11 10', '21 2'])
  })
})

describe('a scan', () => {
  test('finds what fits, newest first, and says that it saw all', async () => {
    const found = await settled<Found>(scan({ kind: 'documents', entries: 0, touched: '' }, '31'))
    expect(idsOf(found)).toEqual([30, 29, 28])
    expect(found.next).toBe(0n)
  })

  test('by the number of entries asks for headers alone', async () => {
    const found = await settled<Found>(scan({ kind: null, entries: 6, touched: '' }, '31'))
    expect(idsOf(found)).toEqual([27, 8, 7])
    expect(server.asked).toEqual(['1 31'])
  })

  test('counts transactions whose kind cannot be told', async () => {
    server.wide = new Set(['28'])
    const found = await settled<Found>(scan({ kind: 'documents', entries: 0, touched: '' }, '31'))
    expect([idsOf(found), found.unclear]).toEqual([[30, 29], 1])
  })

  test('stops after so many, and continues from there', async () => {
    server.txs = longHistory(5_000)
    const filter: TxFilter = { kind: 'documents', entries: 2, touched: '' }
    const atom = scan(filter, '5000')
    store.sub(atom, () => {})
    const ended = () =>
      until(
        () => store.get(atom),
        ({ isFetching }) => !isFetching,
      )
    const first = (await ended()).data
    expect(first?.next).toBe(3_000n)
    expect(first?.found.every(({ header }) => Number(header.id) > 3_000)).toBe(true)
    void store.get(atom).refetch()
    const { data } = await until(
      () => store.get(atom),
      (now) => now.data?.next === 1_000n && !now.isFetching,
    )
    expect(data?.found.map(({ header }) => Number(header.id))).toEqual(
      server.txs
        .filter(({ entries }, at) => at >= 1_000 && entries === pastTxs[27]?.entries)
        .map(({ header }) => Number(header.id))
        .reverse(),
    )
  })
})

describe('a scan that is stopped', () => {
  const filter: TxFilter = { kind: 'truncation', entries: 0, touched: '' }

  test('says how far it looked while it looks, keeps it, and continues from there', async () => {
    server.txs = longHistory(5_000)
    let isHeld = true
    connect(store, '/api', (input, init) =>
      isHeld && server.asked.length === 2
        ? new Promise<Response>((_, refuse) => {
            init?.signal?.addEventListener('abort', () => refuse(init.signal?.reason))
          })
        : server.answer(input, init),
    )
    const atom = scan(filter, '5000')
    store.sub(atom, () => {})
    const next = () => store.get(atom).data?.next
    await until(next, (now) => now === 4_500n)
    expect(store.get(atom).isFetching).toBe(true)
    store.set(stopLookingAtom, 'odd', filter, '5000')
    const ended = () =>
      until(
        () => store.get(atom),
        ({ isFetching }) => !isFetching,
      )
    expect((await ended()).error).toBeNull()
    expect(next()).toBe(4_500n)
    isHeld = false
    void store.get(atom).refetch()
    await ended()
    await until(next, (now) => now === 2_500n)
    expect(server.asked.slice(2)[0]).toBe('4251 250')
  })
})

describe('a time', () => {
  const at = (time: string) => store.set(findTxAtTimeAtom, 'odd', '31', BigInt(time))

  test('leads to the last transaction by then', async () => {
    server.txs = pastTxs.map((tx, index) => ({
      ...tx,
      header: { ...tx.header, ts: String(1_000 + index * 10) },
    }))
    expect(await at('1115')).toMatchObject({ kind: 'found', tx: '12', isAbout: false })
    expect(await at('9999')).toMatchObject({ kind: 'found', tx: '31' })
    expect(await at('999')).toEqual({ kind: 'before-first', first: '1000' })
  })

  test('is about right when the clock stepped back', async () => {
    server.txs = pastTxs.map((tx, index) => ({
      ...tx,
      header: { ...tx.header, ts: String(1_000 + (index < 10 ? index : index - 5)) },
    }))
    expect(await at('1007')).toMatchObject({ kind: 'found', isAbout: true })
  })
})
