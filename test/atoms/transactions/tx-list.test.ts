// @vitest-environment node
import { notifyManager } from '@tanstack/query-core'
import { createStore } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { readCatalogueHistory } from '~/atoms/tables/catalogue-history'
import type { TxFilter } from '~/atoms/transactions/tx-kind'
import {
  findTxAtTime,
  rememberedTxAtom,
  scanNames,
  scans,
  txPagesAtom,
} from '~/atoms/transactions/tx-list'
import { statesAtom } from '~/core/history/newest-state'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { endGeneration } from '~/core/session/renewed-databases'
import { PastServer, type PastTx, pastTxs } from '../../support/past-server'
import { until } from '../../support/until'

let server: PastServer
let store: Store

// What is known is shown at once.
notifyManager.setScheduler((tell) => tell())

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

const scan = (filter: TxFilter, upTo: string) =>
  store.get(scans.listsAtom)(...scanNames('odd', filter, upTo))
const look = (filter: TxFilter, upTo: string) =>
  scans.more(store, ...scanNames('odd', filter, upTo))

type Found = { found: readonly { header: { id: string } }[]; next: bigint; unclear: number }
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
        ({ isFetching, isAdding }) => !isFetching && !isAdding,
      )
    const first = (await ended()).data
    expect(first?.next).toBe(3_000n)
    expect(first?.found.every(({ header }) => Number(header.id) > 3_000)).toBe(true)
    void look(filter, '5000')
    const { data } = await until(
      () => store.get(atom),
      (now) => now.data?.next === 1_000n && !now.isAdding,
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
    scans.stop(store, ...scanNames('odd', filter, '5000'))
    const ended = () =>
      until(
        () => store.get(atom),
        ({ isFetching, isAdding }) => !isFetching && !isAdding,
      )
    expect((await ended()).error).toBeNull()
    expect(next()).toBe(4_500n)
    isHeld = false
    void look(filter, '5000')
    await ended()
    await until(next, (now) => now === 2_500n)
    expect(server.asked.slice(2)[0]).toBe('4251 250')
  })
})

/** Opens a scan and waits for the end of its first go. */
async function opened(filter: TxFilter, upTo: string) {
  const atom = scan(filter, upTo)
  store.sub(atom, () => {})
  const settled = () =>
    until(
      () => store.get(atom),
      ({ isPending, isFetching, isAdding }) => !isPending && !isFetching && !isAdding,
    )
  let { data, error, problem } = await settled()
  const noted = async () => {
    ;({ data, error, problem } = await settled())
  }
  const now = () => data && { ...data, ids: idsOf(data) }
  return {
    now,
    further: () => look(filter, upTo).then(noted),
    again: () => store.get(queryClientAtom).invalidateQueries().then(noted),
    error: () => error ?? problem,
  }
}

/** Waits until the newest transaction is known. */
async function stateOf(count: number): Promise<void> {
  const atom = store.get(statesAtom)('odd')
  store.sub(atom, () => {})
  void store.get(atom).refetch()
  await until(
    () => store.get(atom),
    ({ data }) => data?.txId === String(count),
  )
}

describe('a scan that was open', () => {
  const filter: TxFilter = { kind: 'documents', entries: 2, touched: '' }
  let isDown = false

  beforeEach(() => {
    isDown = false
    connect(store, '/api', async (input, init) =>
      isDown
        ? Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
        : server.answer(input, init),
    )
  })

  test.each([filter, { kind: null, entries: 0, touched: 'no such name' }])(
    'starts anew where it was not asked to go on: %j',
    async (filter: TxFilter) => {
      server.txs = longHistory(5_000)
      await stateOf(5_000)
      const { now, further, again } = await opened(filter, '5000')
      const first = now()?.ids
      await further()
      expect(now()?.next).toBe(1_000n)
      await again()
      expect(now()?.next).toBe(3_000n)
      expect(now()?.ids).toEqual(first)
    },
  )

  test('has nothing of another history that answers since', async () => {
    server.txs = longHistory(5_000)
    const { now, further, again } = await opened(filter, '5000')
    await further()
    expect(now()?.ids.length).toBeGreaterThan(0)
    server.txs = server.txs.map(({ header }) => ({ header: { ...header, ts: '7' }, entries: [] }))
    endGeneration(store, 'odd')
    await again()
    await further()
    await further()
    expect(now()).toMatchObject({ next: 0n, ids: [] })
  })

  test('starts anew as well after it could not do so at first', async () => {
    server.txs = longHistory(5_000)
    const { now, error, further, again } = await opened(filter, '5000')
    await further()
    isDown = true
    endGeneration(store, 'odd')
    await again()
    expect(error()).not.toBeNull()
    isDown = false
    await further()
    expect([error(), now()?.next]).toEqual([null, 3_000n])
  })

  test('goes on after a failure from where it came to', async () => {
    server.txs = longHistory(5_000)
    const { now, error, further } = await opened(filter, '5000')
    const first = now()?.ids.length ?? 0
    isDown = true
    await further()
    expect(error()).not.toBeNull()
    isDown = false
    await further()
    expect([error(), now()?.next]).toEqual([null, 1_000n])
    expect(now()?.ids.length).toBeGreaterThan(first)
  })
})

describe('a scan for a name', () => {
  const touching = (touched: string): TxFilter => ({ kind: null, entries: 0, touched })

  test('starts anew when more is known of the name than before', async () => {
    server.txs = longHistory(6_000)
    await stateOf(6_000)
    const { now, further } = await opened(touching('gone'), '6000')
    const before = now()
    expect(before).toMatchObject({ next: 4_000n, sought: { isOfToday: true } })
    await readCatalogueHistory(store, 'odd')
    await further()
    expect(now()).toMatchObject({ next: 4_000n, sought: { isOfToday: false } })
    expect(now()?.ids.length).toBeGreaterThan(before?.ids.length ?? 0)
    await further()
    expect(now()?.next).toBe(2_000n)
    await further()
    // Each repetition of the history has the same ones.
    const inOne = pastTxs.length
    const last = now()?.ids.filter((id) => id <= inOne) ?? []
    const all = Array.from({ length: 6_000 }, (_, at) => at + 1)
    const again = all.filter((id) => last.includes(((id - 1) % inOne) + 1)).reverse()
    expect(now()).toMatchObject({ next: 0n, ids: again })
  })

  /** Transactions that change no catalogue, and then those of the recorded history. */
  function lateHistory(count: number): PastTx[] {
    const { header, entries = [] } = pastTxs[0] ?? { header: { id: '' } as never }
    const plain = Array.from({ length: count }, (_, at) => ({
      header: { ...header, id: String(at + 1), prevAlh: '' },
      entries,
    }))
    const late = pastTxs.map((tx, at) => {
      return { ...tx, header: { ...tx.header, id: String(count + at + 1), prevAlh: '' } }
    })
    connect(store, '/api', (input, init) =>
      server.answer(
        String(input).replace(/\/tx\/(\d+)\?/, (_, id) => `/tx/${Number(id) - count}?`),
        init,
      ),
    )
    return [...plain, ...late]
  }

  test.each([
    ['gone', [22]],
    ['orders', [29, 28, 27]],
  ])('finds %s, which was made after the history was read', async (touched, ids) => {
    const all = lateHistory(2_500)
    server.txs = all.slice(0, 2_500)
    await stateOf(2_500)
    await readCatalogueHistory(store, 'odd')
    server.txs = all
    await stateOf(2_531)
    const { now } = await opened(touching(touched), '2531')
    expect(now()).toMatchObject({ sought: { isOfToday: false } })
    expect(now()?.ids).toEqual(expect.arrayContaining(ids.map((id) => id + 2_500)))
  })

  test('says its limit where much was written after the history was read', async () => {
    const all = lateHistory(4_600)
    server.txs = all.slice(0, 2_500)
    await stateOf(2_500)
    await readCatalogueHistory(store, 'odd')
    server.txs = all
    await stateOf(4_631)
    server.asked.length = 0
    const { now } = await opened(touching('gone'), '4631')
    expect(now()).toMatchObject({ sought: { isOfToday: true } })
    expect(server.asked.filter((one) => /^2\d{3} /.test(one) && one < '2631')).toEqual([])
  })
})

describe('a time', () => {
  const at = (time: string) => findTxAtTime(store, 'odd', '31', BigInt(time))

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
