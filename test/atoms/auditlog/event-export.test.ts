// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { eventExport } from '~/atoms/auditlog/event-export'
import { noFilter } from '~/atoms/auditlog/filter'
import { newestExportAtom, startExport, stopExport } from '~/core/files/exports'
import { connect, type Store } from '~/core/session/client'
import { sessionAtom } from '~/core/session/session'
import { AuditServer, liveSession, madeEvent } from '../../support/audit-server'
import { until } from '../../support/until'

let store: Store
let server: AuditServer

beforeEach(() => {
  server = new AuditServer(2_500)
  store = createStore()
  connect(store, '/api', server.answer)
  const databaseTokens = new Map()
  store.set(sessionAtom, { user: 'immudb', token: 't', databaseTokens, isStored: false, since: 0 })
})

const all = { from: null, to: null }
const textOf = (file: { parts: readonly (string | Blob)[] } | null) =>
  new Blob([...(file?.parts ?? [])]).text()

test('NDJSON has an object in each line, newest first, without any session ID', async () => {
  const file = await startExport(store, eventExport(noFilter, all), 'ndjson')
  const text = await textOf(file)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(2_500)
  expect(file?.name).toBe('audit-log-2500-events.ndjson')
  expect(text).not.toContain(liveSession)
  expect(lines.find(({ session }) => session === '(hidden)')).toBeDefined()
  expect(lines[0]).toMatchObject({
    time: '2026-11-23T17:55:00.000000000Z',
    outcome: 'failed',
    address_claimed: '203.0.113.9',
    address_seen: '127.0.0.1',
    tx: '2501',
    database: '',
  })
  expect(store.get(newestExportAtom)('audit log')).toEqual({
    of: '',
    state: 'complete',
    text: 'Complete: 2,500 events in audit-log-2500-events.ndjson.',
  })
  // A page after the other, each handed on.
  expect(server.scans).toHaveLength(3)
  expect(file?.parts).toHaveLength(3)
})

test('CSV is guarded against formulas, and has what fits the filter', async () => {
  server.make = (number) => ({
    ...madeEvent(number),
    user: number === 3 ? '=cmd()' : 'ada',
    ...(number === 3 ? { ip: '1.2.3.4\r\n"x", 127.0.0.1' } : {}),
  })
  const file = await startExport(store, eventExport({ ...noFilter, user: '=cmd()' }, all), 'csv')
  const text = await textOf(file)
  const [head = '', ...rest] = text.split('\r\n')
  expect(head.split(',').slice(0, 3)).toEqual(['time', 'user', 'kind'])
  expect(rest.join('\r\n')).toContain(`,'=cmd(),READ,`)
  expect(rest.join('\r\n')).toContain('"1.2.3.4\r\n""x"""')
  expect(file?.name).toBe('audit-log-1-events.csv')
})

test('says that the file is not complete when it is stopped or fails', async () => {
  let calls = 0
  server.fails = () => {
    calls += 1
    if (calls === 2) stopExport(store, 'audit log')
    return null as never
  }
  const stopped = await startExport(store, eventExport(noFilter, all), 'ndjson')
  expect(stopped?.name).toBe('audit-log-1000-events-incomplete.ndjson')
  expect(store.get(newestExportAtom)('audit log')).toMatchObject({
    state: 'stopped',
    text: 'Not complete: only the newest 1,000 events are in audit-log-1000-events-incomplete.ndjson. It was stopped.',
  })
  server.fails = () => Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
  expect(await startExport(store, eventExport(noFilter, all), 'ndjson')).toBeNull()
  expect(store.get(newestExportAtom)('audit log')?.text).toMatch(/^No file was written\. /)
})

test('runs once at a time', async () => {
  const first = startExport(store, eventExport(noFilter, all), 'csv')
  expect(await startExport(store, eventExport(noFilter, all), 'csv')).toBeNull()
  expect((await first)?.name).toBe('audit-log-2500-events.csv')
  await until(
    () => store.get(newestExportAtom)('audit log'),
    (made) => made?.state === 'complete',
  )
})

test('names what cannot be read, without its value', async () => {
  server.count = 1
  server.make = () => `no event ${liveSession}`
  const text = await textOf(await startExport(store, eventExport(noFilter, all), 'ndjson'))
  expect(JSON.parse(text)).toMatchObject({ outcome: 'unreadable', user: null, tx: '2' })
  expect(text).not.toContain(liveSession)
})
