// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  type AuditEvent,
  auditKeyAt,
  burstsAmong,
  eventInstant,
  eventTime,
  hiddenSession,
  readAuditEvent,
  splitAddress,
} from '~/immudb/audit-event'
import { encodeUtf8 } from '~/lib/bytes'

const key = 'audit:01795454681716825027_0000000000000035'
const stored = {
  ts: 1,
  user: 'immudb',
  ip: '127.0.0.1',
  method: '/immudb.schema.ImmuService/Set',
  type: 'WRITE',
  ok: true,
  dur_ms: 13,
}

const read = (value: unknown, name = key) =>
  readAuditEvent(
    { key: 'a2V5', tx: '7' },
    encodeUtf8(name),
    encodeUtf8(typeof value === 'string' ? value : JSON.stringify(value)),
  )

describe('an event', () => {
  test('has its time from the key, to the nanosecond', () => {
    const event = read(stored)
    expect(event).toMatchObject({ key: 'a2V5', tx: '7', at: '1795454681716825027' })
    expect(event.content).toMatchObject({ user: 'immudb', method: 'Set', hasSession: false })
    expect(eventInstant(event)).toBe('2026-11-23T17:24:41.716825027Z')
    expect(eventTime(event)).toBe(1_795_454_681_716)
    expect(auditKeyAt(1_795_454_681_716) < key).toBe(true)
    expect(auditKeyAt(1_795_454_681_717) > key).toBe(true)
  })

  test('loses its session ID wherever it stands', () => {
    const sid = 'hKPuUpjrXVgDHiaoHmO6wdkWdq4Vyt-9y18b3oZWf_c='
    const event = read({ ...stored, sid, ok: false, err: `session ${sid} ended` })
    expect(event.content?.hasSession).toBe(true)
    expect(event.content?.error).toBe(`session ${hiddenSession} ended`)
    expect(JSON.stringify(event)).not.toContain(sid)
  })

  test.each([
    '',
    'no json',
    '[]',
    'null',
    '{"sid":"secret"}',
    JSON.stringify({ ...stored, sid: 5 }),
    JSON.stringify({ ...stored, ok: 'yes' }),
  ])('that cannot be read keeps nothing of its value: %s', (value) => {
    const event = read(value)
    expect(event.content).toBeNull()
    expect(JSON.stringify(event)).not.toMatch(/secret|json|yes/)
  })

  test('under another key has no time', () => {
    const event = read(stored, 'audit:soon')
    expect([event.at, eventTime(event), eventInstant(event)]).toEqual([null, null, null])
  })
})

test.each([
  ['127.0.0.1', [], '127.0.0.1'],
  ['203.0.113.9, 127.0.0.1', ['203.0.113.9'], '127.0.0.1'],
  ['a,b ,, c', ['a', 'b'], 'c'],
  ['2001:db8::1, ::1', ['2001:db8::1'], '::1'],
  // Of a gRPC caller over IPv6 the server keeps what comes before the first colon.
  ['[', [], null],
  ['', [], null],
])('the address %s', (noted, claimed, seen) => {
  expect(splitAddress(noted)).toEqual({ claimed, seen })
})

describe('bursts', () => {
  const attempt = (second: number, ip = '127.0.0.1', ok = false): AuditEvent => {
    const name = `audit:${String(1_000 + second).padStart(11, '0')}000000000_${ip}${second}`
    const event = read({ ...stored, user: '', method: '/x/Login', ip, ok }, name)
    return { ...event, key: `${ip} ${second}` }
  }
  const found = (events: AuditEvent[]) => Object.fromEntries(burstsAmong(events))

  test('are five failed logins from one seen address within a minute', () => {
    expect(found([0, 15, 30, 45].map((at) => attempt(at)))).toEqual({})
    const five = [0, 15, 30, 45, 60].map((at) => attempt(at))
    expect(Object.values(found(five))).toEqual([5, 5, 5, 5, 5])
    expect(found([0, 15, 30, 45, 61].map((at) => attempt(at)))).toEqual({})
  })

  test('count in any order, and each with the most around it', () => {
    const events = [90, 0, 20, 10, 30, 40, 50].map((at) => attempt(at))
    expect(found(events)).toMatchObject({ '127.0.0.1 0': 6, '127.0.0.1 50': 6 })
    expect(found(events)['127.0.0.1 90']).toBeUndefined()
  })

  test('do not join addresses, take what the client claims, or count successes', () => {
    const mixed = [0, 1, 2, 3].map((at) => attempt(at))
    expect(found([...mixed, attempt(4, '10.0.0.1'), attempt(5, '127.0.0.1', true)])).toEqual({})
    const claims = [0, 1, 2, 3, 4].map((at) => attempt(at, `10.0.0.${at}, 127.0.0.1`))
    expect(Object.values(found(claims))).toEqual([5, 5, 5, 5, 5])
  })
})
