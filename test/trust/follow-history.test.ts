import { beforeEach, expect, test, vi } from 'vitest'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { arrivalsAtom, checkArrivals } from '~/trust/audit/arrivals'
import { acknowledgeBreak } from '~/trust/decisions'
import { followHistory } from '~/trust/follow-history'
import { trustAtom } from '~/trust/trust'
import { verifyState } from '~/trust/verify-state'
import { grow, historyOf, ProvingServer, tabOf } from '../support/proving-server'

vi.mock('~/lib/build', () => ({
  build: { version: 'test', commit: 'test' },
  workers: new Map([['audit', 'audit.js']]),
}))

/** A worker that never tells anything, as while it waits for the server. */
class SilentWorker extends EventTarget {
  static all: SilentWorker[] = []
  isEnded = false

  constructor() {
    super()
    SilentWorker.all.push(this)
  }

  postMessage() {}

  terminate() {
    this.isEnded = true
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', SilentWorker)
  SilentWorker.all = []
})

const isReading = (store: Store, count: number) =>
  vi.waitFor(() => {
    expect(SilentWorker.all).toHaveLength(count)
    expect(store.get(arrivalsAtom).kind).toBe('reading')
  })

/** A page that reads what has arrived. */
async function reading() {
  const server = new ProvingServer(historyOf(3))
  const store = tabOf(server)
  openQueryCache(store)
  const end = followHistory(store)
  await verifyState(store)
  await checkArrivals(store, true)
  await vi.waitFor(() => expect(store.get(arrivalsAtom).kind).toBe('done'))
  grow(server.history)
  await verifyState(store)
  await isReading(store, 1)
  return { server, store, end }
}

test('a page that is left reads nothing any more of what arrives', async () => {
  const { end } = await reading()
  end()
  await vi.waitFor(() => expect(SilentWorker.all[0]?.isEnded).toBe(true))
})

test('an alarm stops the check of what arrives at once, and its end lets it go on', async () => {
  const { server, store, end } = await reading()
  const { history } = server
  server.history = historyOf(2)
  await verifyState(store)
  expect(store.get(trustAtom).kind).toBe('broken')
  await vi.waitFor(() => expect(SilentWorker.all[0]?.isEnded).toBe(true))
  server.history = history
  await acknowledgeBreak(store, 'check', 'a backup')
  await isReading(store, 2)
  end()
})
