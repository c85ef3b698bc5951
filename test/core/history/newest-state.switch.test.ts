import type { Atom } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import { isCatalogueComingAtom } from '~/atoms/tables/catalogue-history'
import { asOfAtom } from '~/core/history/as-of'
import { noteAddressedMoment, presentTxAtom, stateAtom } from '~/core/history/newest-state'
import { recentTransactionsAtom } from '~/core/history/transactions'
import { fakeImmudb } from '../../support/fake-immudb'
import { type FakeServer, withMetrics } from '../../support/fake-metrics'
import { openTab, signIn, type Tab } from '../../support/store'

let server: FakeServer
let tab: Tab
/** The transactions with which the asked ranges begin. */
let asked: string[]

const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const mount = (of: Atom<unknown>) => tab.store.sub(of, () => {})

beforeEach(async () => {
  vi.useFakeTimers()
  const whole = withMetrics(fakeImmudb({ databases: ['defaultdb', 'bakery', 'empty'] }))
  whole.databases.set('defaultdb', { isLoaded: true, txId: 1_234, tables: new Map() })
  whole.databases.set('bakery', { isLoaded: true, txId: 40, tables: new Map() })
  asked = []
  server = {
    ...whole,
    fetch: (input, init) => {
      const { initialTx } = Object(JSON.parse(String(init?.body ?? '{}')))
      if (initialTx !== undefined) asked.push(initialTx)
      return whole.fetch(input, init)
    },
  }
  tab = openTab(server)
  await signIn(tab)
  for (const of of [stateAtom, presentTxAtom]) mount(of)
  await passing(50)
})

afterEach(() => vi.useRealTimers())

const choose = async (name: string) => {
  await openDatabase(tab.store, name)
  await passing(30_000)
}

const watchers: readonly (readonly [string, () => void])[] = [
  ['the recent transactions', () => mount(recentTransactionsAtom)],
  [
    'the moment of a time',
    () => {
      for (const name of ['defaultdb', 'bakery', 'empty']) {
        noteAddressedMoment(tab.store, name, '2025-01-01T00:00:00Z')
      }
      mount(asOfAtom)
    },
  ],
  [
    'the catalogue of each database',
    () => {
      for (const name of ['defaultdb', 'bakery', 'empty']) {
        mount(tab.store.get(isCatalogueComingAtom)(name))
      }
    },
  ],
]

test.each(watchers)('%s never ask for transaction 0 of a database', async (_what, watch) => {
  watch()
  await passing(1_000)
  for (const name of ['bakery', 'empty', 'defaultdb', 'empty', 'bakery']) await choose(name)
  expect(asked).not.toContain('0')
})

test('the transactions of each database are asked for from its own newest one', async () => {
  mount(recentTransactionsAtom)
  await passing(1_000)
  for (const name of ['bakery', 'empty', 'defaultdb']) await choose(name)
  // The first again, as the list is older than a minute by then.
  expect(asked).toEqual(['1234', '40', '1234'])
  expect(tab.store.get(recentTransactionsAtom)?.error ?? null).toBeNull()
})
