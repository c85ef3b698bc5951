// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditListsAtom, eventsOf, mostRows } from '~/atoms/auditlog/event-list'
import { isAuditReaderAtom } from '~/atoms/auditlog/reader'
import { connect, type Store } from '~/core/session/client'
import { permissionsAtom, sessionAtom } from '~/core/session/session'
import { timeOfKey } from '../../support/audit-key'
import { AuditServer, keyOfEvent, liveSession } from '../../support/audit-server'
import { until } from '../../support/until'

let store: Store
let server: AuditServer

beforeEach(() => start(1_000_000))

function start(count: number) {
  server = new AuditServer(count)
  store = createStore()
  connect(store, '/api', server.answer)
  const databaseTokens = new Map([['shop', 'v2.public.shop']])
  store.set(sessionAtom, {
    user: 'immudb',
    token: 'v2.public.shop',
    databaseTokens,
    isStored: false,
    since: 0,
  })
}

function open(from = '', to = '') {
  const list = store.get(auditListsAtom)(from, to)
  const close = store.sub(list.listAtom, () => {})
  const rows = (first: number, last: number) => list.readRows(store, { first, last })
  return { now: () => store.get(list.listAtom), rows, close, list }
}

const isOpen = (list: ReturnType<typeof open>) =>
  until(list.now, ({ state }) => state !== 'reading')
const keys = (list: ReturnType<typeof open>) =>
  eventsOf(list.now()).map(({ key }) => Buffer.from(key, 'base64').toString())

describe('the list', () => {
  test('of a million events opens with one call, and so do its pages', async () => {
    const list = open()
    await isOpen(list)
    expect(server.scans).toHaveLength(1)
    expect(keys(list)[0]).toBe(keyOfEvent(1_000_000))
    for (let last = 0; last < 20_000; last += 60) await list.rows(last, last + 60)
    expect(list.now().count).toBe(20_100)
    expect(server.scans).toHaveLength(201)
    expect(server.scans.every(({ limit }) => limit === '100')).toBe(true)
    // What is far from sight is not kept.
    expect(list.now().pages.size).toBe(30)
    await list.rows(0, 40)
    expect(server.scans).toHaveLength(202)
    expect(keys(list)[0]).toBe(keyOfEvent(1_000_000))
    expect(JSON.stringify([...list.now().pages])).not.toContain(liveSession)
  })

  test('begins with the event that was the newest, whatever comes', async () => {
    const list = open()
    await isOpen(list)
    server.count += 50
    for (let last = 0; last <= 5_000; last += 100) await list.rows(last, last)
    await list.rows(0, 0)
    expect(keys(list)[0]).toBe(keyOfEvent(1_000_000))
    const found = new Set(keys(list))
    expect(found.size).toBe(eventsOf(list.now()).length)
    await list.list.open(store)
    expect(keys(list)[0]).toBe(keyOfEvent(1_000_050))
  })

  test('ends with the first event, also when that fills a page', async () => {
    for (const [count, calls] of [
      [0, 1],
      [1, 1],
      [100, 2],
      [150, 2],
    ] as const) {
      start(count)
      const list = open()
      await isOpen(list)
      await list.rows(0, 150)
      await list.rows(100, 250)
      expect(list.now()).toMatchObject({ state: 'open', count, isWhole: true })
      expect(server.scans).toHaveLength(calls)
    }
  })

  test('keeps to a range by keys, both ends included', async () => {
    const [from, to] = [timeOfKey(keyOfEvent(40)), timeOfKey(keyOfEvent(60))]
    const list = open(String(from), String(to))
    await isOpen(list)
    expect(keys(list)).toHaveLength(21)
    expect([keys(list)[0], keys(list).at(-1)]).toEqual([keyOfEvent(60), keyOfEvent(40)])
    expect(list.now().isWhole).toBe(true)
  })

  test('stops growing where a browser cannot draw more', async () => {
    // Small events, for speed.
    server.make = () => '{}'
    const list = open()
    await isOpen(list)
    for (let last = 0; last < mostRows; last += 100) await list.rows(last, last + 100)
    const calls = server.scans.length
    await list.rows(mostRows - 10, mostRows + 50)
    expect(list.now()).toMatchObject({ count: mostRows, isWhole: false })
    expect(server.scans.length).toBe(calls)
  })

  test('keeps what was read when a page fails, and reads it again', async () => {
    const list = open()
    await isOpen(list)
    server.fails = () => Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
    await list.rows(0, 150)
    expect(list.now()).toMatchObject({ state: 'open', count: 100 })
    expect(list.now().failure).not.toBeNull()
    server.fails = null
    await list.rows(0, 150)
    expect(list.now()).toMatchObject({ failure: null, count: 200 })
  })

  test('that fails at once can be opened again', async () => {
    server.fails = () => Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
    const list = open()
    await isOpen(list)
    expect(list.now().state).toBe('failed')
    server.fails = null
    await list.list.open(store)
    expect(list.now()).toMatchObject({ state: 'open', failure: null, count: 100 })
  })

  test('takes nothing that comes after it was closed', async () => {
    const list = open()
    await isOpen(list)
    const late = list.rows(0, 150)
    list.close()
    await late
    expect(list.now().count).toBe(100)
  })
})

test('reads with a token of systemdb, and other calls keep theirs', async () => {
  const list = open()
  await isOpen(list)
  await list.rows(0, 150)
  expect(server.opened).toEqual(['systemdb'])
  expect(new Set(server.tokens)).toEqual(new Set(['Bearer v2.public.systemdb']))
  expect(store.get(sessionAtom)?.token).toBe('v2.public.shop')
})

test.each([
  [[{ database: '*', permission: 255 }], true],
  [[{ database: 'systemdb', permission: 1 }], true],
  [[{ database: 'defaultdb', permission: 254 }], false],
  [[], false],
])('who has %j may read it: %s', (permissions, isReader) => {
  store.set(permissionsAtom, permissions)
  expect(store.get(isAuditReaderAtom)).toBe(isReader)
})
