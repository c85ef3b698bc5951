// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { login } from '~/api/auth'
import { listDatabases } from '~/api/databases'
import { deleteKey, getKey } from '~/api/keys'
import { readHealth, readState } from '~/api/server'
import { isWritingAtom, loadingAtom, popLoading, pushLoading } from '~/core/session/calls-under-way'
import { clientAtom } from '~/core/session/client'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

/** The labels that were there at each moment at which they changed. */
function watched(): (readonly string[])[] {
  const seen: (readonly string[])[] = []
  tab.store.sub(loadingAtom, () => seen.push(tab.store.get(loadingAtom)))
  return seen
}

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  server = fakeImmudb()
  tab = openTab(server)
  await signIn(tab)
  await Promise.resolve()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('labels of what is loading', () => {
  test('are pushed on top and each taken away by itself', () => {
    const label = { text: 'GET /health', isWrite: false }
    const [one, other] = [{ ...label }, { ...label }]
    pushLoading(tab.store, one)
    pushLoading(tab.store, other)
    expect(tab.store.get(loadingAtom)).toEqual(['GET /health', 'GET /health'])
    popLoading(tab.store, one)
    popLoading(tab.store, one)
    expect(tab.store.get(loadingAtom)).toEqual(['GET /health'])
    popLoading(tab.store, other)
    expect(tab.store.get(loadingAtom)).toEqual([])
  })

  test('are those of the calls under way, the oldest first', async () => {
    const seen = watched()
    const client = tab.store.get(clientAtom)
    await Promise.all([readHealth(client), listDatabases(client)])
    expect(seen).toContainEqual(['GET /health', 'POST /db/list'])
    expect(tab.store.get(loadingAtom)).toEqual([])
  })

  test('a write is told from a read that is a POST as well, and from a login', async () => {
    const seen: boolean[] = []
    tab.store.sub(isWritingAtom, () => seen.push(tab.store.get(isWritingAtom)))
    const client = tab.store.get(clientAtom)
    await Promise.all([
      readHealth(client),
      listDatabases(client),
      login(client, 'immudb', 'immudb'),
    ])
    expect(seen).toEqual([])
    await deleteKey(client, { database: 'defaultdb', key: 'YQ==' }).catch(() => {})
    expect(seen).toEqual([true, false])
  })

  test('a failed call clears its own, and the error goes on to anyone who asked', async () => {
    const seen = watched()
    server.unplug()
    vi.useFakeTimers()
    const health = readHealth(tab.store.get(clientAtom)).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(50)
    expect(tab.store.get(loadingAtom)).toEqual(['GET /health'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await health).toMatchObject({ kind: 'network' })
    expect(seen).toEqual([['GET /health'], []])
  })

  test('hold no keys and no names', async () => {
    const seen = watched()
    const key = btoa('secret key')
    await getKey(tab.store.get(clientAtom), { database: 'defaultdb', key }).catch(() => {})
    expect(seen).toEqual([['GET /db/get'], []])
  })

  test('are not there for a poll, for which nobody waits', async () => {
    const seen = watched()
    await readState(tab.store.get(clientAtom), 'defaultdb')
    await Promise.resolve()
    expect(seen).toEqual([])
  })
})
