// @vitest-environment node
import { expect, test } from 'vitest'
import { peopleIn } from '~/atoms/auditlog/people'
import { readAuditEvent } from '~/immudb/audit-event'
import { encodeUtf8 } from '~/lib/bytes'
import { keyOfEvent, madeEvent } from '../../support/audit-server'

const events = Array.from({ length: 100 }, (_, at) =>
  readAuditEvent(
    { key: String(at), tx: '1' },
    encodeUtf8(keyOfEvent(at + 1)),
    encodeUtf8(JSON.stringify(madeEvent(at + 1))),
  ),
)

test('each user has a line over the time of the events, busiest first', () => {
  const found = peopleIn(events)
  expect(
    found?.people.map(({ user, count, failed, logins }) => [user, count, failed, logins]),
  ).toEqual([
    ['immudb', 60, 0, 0],
    ['ada', 30, 0, 0],
    ['', 10, 10, 10],
  ])
  expect(found && found.to - found.from).toBe(99_000)
  for (const { parts, count } of found?.people ?? []) {
    expect(parts).toHaveLength(60)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(count)
  }
})

test('one moment is one part, and nothing that has a time is nothing', () => {
  expect(peopleIn(events.slice(0, 1))?.people[0]?.parts[0]).toBe(1)
  expect(peopleIn([])).toBeNull()
  expect(peopleIn([{ key: 'a', tx: '1', at: null, content: null }])).toBeNull()
})
