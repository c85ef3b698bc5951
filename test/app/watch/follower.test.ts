import { afterEach, expect, test, vi } from 'vitest'
import { followLater } from '~/app/watch/follower'
import { whenAtRest } from '~/app/watch/rest'
import { stateAtom } from '~/core/history/newest-state'
import { openQueryCache } from '~/core/session/query-client'
import { trustAtom } from '~/trust/trust'
import { verifyState } from '~/trust/verify-state'
import { grow, historyOf, keptDoor, ProvingServer, tabOf } from '../../support/proving-server'

function page() {
  const server = new ProvingServer(historyOf(3))
  const door = keptDoor()
  const store = tabOf(server, door)
  openQueryCache(store)
  return { server, store, door, end: followLater(store) }
}

const isKind = (of: ReturnType<typeof page>, kind: string) =>
  vi.waitFor(() => expect(of.store.get(trustAtom).kind).toBe(kind), 5_000)

afterEach(() => vi.doUnmock('~/trust/follow-history'))

test('a history is followed from when there is time for it until its store is replaced', async () => {
  const of = page()
  const { server, store, door, end } = of
  await isKind(of, 'first')
  grow(server.history)
  await store.get(stateAtom).refetch()
  await isKind(of, 'consistent')
  end()
  server.history = historyOf(2)
  await store.get(stateAtom).refetch()
  // As long as it takes another tab to find it.
  expect((await verifyState(tabOf(server, door))).kind).toBe('broken')
  expect(store.get(trustAtom).kind).toBe('consistent')
})

test('a store that is replaced before there was time is never followed', async () => {
  const of = page()
  of.end()
  await whenAtRest()
  await import('~/trust/follow-history')
  await of.store.get(stateAtom).refetch()
  expect(of.store.get(trustAtom).kind).toBe('unchecked')
})

test('what could not be fetched is asked for again with the next answer of the server', async () => {
  const fetched = vi.fn(() => {
    throw new Error('gone')
  })
  vi.doMock('~/trust/follow-history', fetched)
  const of = page()
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled(), 5_000)
  vi.doUnmock('~/trust/follow-history')
  await of.store.get(stateAtom).refetch()
  await isKind(of, 'first')
  of.end()
})
