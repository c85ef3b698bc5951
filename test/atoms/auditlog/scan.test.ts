// @vitest-environment node
import { notifyManager } from '@tanstack/query-core'
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { type AuditFilter, type AuditRange, noFilter } from '~/atoms/auditlog/filter'
import { auditScans } from '~/atoms/auditlog/scan'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'
import { timeOfKey } from '../../support/audit-key'
import { AuditServer, keyOfEvent } from '../../support/audit-server'
import { until } from '../../support/until'

let store: Store
let server: AuditServer

// What is known is shown at once.
notifyManager.setScheduler((tell) => tell())

beforeEach(() => {
  server = new AuditServer(1_000_000)
  store = createStore()
  connect(store, '/api', server.answer)
  openQueryCache(store)
  const databaseTokens = new Map()
  store.set(sessionAtom, { user: 'immudb', token: 't', databaseTokens, isStored: false, since: 0 })
})

const everything: AuditRange = { from: null, to: null }

async function search(filter: Partial<AuditFilter>, range = everything) {
  const names = [JSON.stringify({ ...noFilter, ...filter }), JSON.stringify(range)]
  const scan = store.get(auditScans.listsAtom)(...names)
  store.sub(scan, () => {})
  const now = () => {
    const { data, isFetching, isAdding, error, problem } = store.get(scan)
    const looked = data ?? { found: [], looked: 0, last: null, isWhole: false }
    return { ...looked, isBusy: isFetching || isAdding, failure: error ?? problem }
  }
  await until(now, ({ isBusy }) => !isBusy)
  return {
    now,
    further: () => auditScans.more(store, ...names),
    stop: () => auditScans.stop(store, ...names),
  }
}

test('looks at 2,000 events in a go, and says how far it came', async () => {
  const { now, further } = await search({ user: 'nobody' })
  expect(now()).toMatchObject({ found: [], looked: 2_000, isWhole: false })
  expect(now().last?.tx).toBe('998002')
  expect(server.scans).toHaveLength(4)
  await further()
  expect(now()).toMatchObject({ found: [], looked: 4_000 })
  expect(server.scans).toHaveLength(8)
})

test('stops early at 200 matches', async () => {
  const { now } = await search({ kind: 'READ' })
  expect(now().found.length).toBeGreaterThanOrEqual(200)
  expect(now().looked).toBe(500)
})

test.each([
  [{ outcome: 'failed' }, 100],
  [{ outcome: 'failed', method: 'login' }, 100],
  [{ method: '/immudb.schema.ImmuService/Login' }, 100],
  [{ address: '203.0.113.9' }, 100],
  [{ address: '203.0.113.9, 127.0.0.1' }, 100],
  [{ address: '203.0.113' }, 0],
  [{ user: 'ada' }, 300],
  [{ user: 'Ada' }, 0],
  [{ user: 'ada', kind: 'WRITE' }, 43],
] as const)('%j finds what fits', async (filter, count) => {
  server.count = 1_000
  const { now, further } = await search(filter)
  while (!now().isWhole) await further()
  expect(now()).toMatchObject({ looked: 1_000, isWhole: true })
  expect(now().found).toHaveLength(count)
})

test('keeps to a range', async () => {
  const range = { from: timeOfKey(keyOfEvent(10)), to: timeOfKey(keyOfEvent(50)) }
  const { now } = await search({ outcome: 'failed' }, range)
  expect(now()).toMatchObject({ looked: 41, isWhole: true })
  expect(now().found).toHaveLength(5)
})

test('keeps what was found when the server fails, and goes on from there', async () => {
  const { now, further } = await search({ outcome: 'failed' })
  const before = now().found.length
  server.fails = () => Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
  await further()
  expect(now().failure).not.toBeNull()
  expect(now().found).toHaveLength(before)
  server.fails = null
  await further()
  expect(now()).toMatchObject({ failure: null, looked: 4_000 })
})

test('stops when told, and finds no event that cannot be read', async () => {
  server.make = () => 'not an event'
  const { now, further, stop } = await search({ outcome: 'failed' })
  expect(now().found).toEqual([])
  const { looked } = now()
  const going = further()
  stop()
  await going
  expect(now().looked).toBe(looked)
  expect(now().isBusy).toBe(false)
})
