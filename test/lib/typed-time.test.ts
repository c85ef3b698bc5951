// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { formatMoment } from '~/lib/time'
import { typedTime } from '~/lib/typed-time'

const now = Date.UTC(2026, 10, 29, 2, 15, 12, 345)
const read = (text: string, zone = 'utc') => {
  const ms = typedTime(text, zone, now)
  return ms === null ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}

describe('a time is read', () => {
  test.each([
    ['2026-11-29 02:15:12', '2026-11-29T02:15:12Z'],
    ['2026-11-29T02:15:12', '2026-11-29T02:15:12Z'],
    ['2026-11-29T02:15:12Z', '2026-11-29T02:15:12Z'],
    ['2026-11-29t02:15:12.999z', '2026-11-29T02:15:12Z'],
    ['2026-11-29T02:15:12.123456789+01:00', '2026-11-29T01:15:12Z'],
    ['2026-11-29T02:15:12,5-0330', '2026-11-29T05:45:12Z'],
    ['2026-11-29 02:15 +05', '2026-11-28T21:15:00Z'],
    ['2026-11-29 02:15 GMT+5:30', '2026-11-28T20:45:00Z'],
    ['2026-11-29 02:15 UTC', '2026-11-29T02:15:00Z'],
    ['2026-11-29', '2026-11-29T00:00:00Z'],
    ['29 Nov 2026, 02:15:12 UTC', '2026-11-29T02:15:12Z'],
    ['  29  nov 2026,  02:15:12  utc ', '2026-11-29T02:15:12Z'],
    ['29 November 2026 at 02:15', '2026-11-29T02:15:00Z'],
    ['1 Sept 2026, 00:00:00 GMT-3', '2026-09-01T03:00:00Z'],
    ['29 Nov 2026', '2026-11-29T00:00:00Z'],
    ['now', '2026-11-29T02:15:12Z'],
    ['today', '2026-11-29T00:00:00Z'],
    ['Yesterday', '2026-11-28T00:00:00Z'],
    ['yesterday 14:00', '2026-11-28T14:00:00Z'],
    ['today at 1:05', '2026-11-29T01:05:00Z'],
    ['02:15:12 UTC', '2026-11-29T02:15:12Z'],
    ['1:05:09 GMT+1', '2026-11-29T00:05:09Z'],
    ['2026-11-29 02:15:12.499493976 +0000 UTC', '2026-11-29T02:15:12Z'],
    ['5 minutes ago', '2026-11-29T02:10:12Z'],
    ['1 min ago', '2026-11-29T02:14:12Z'],
    ['an hour ago', '2026-11-29T01:15:12Z'],
    ['3h ago', '2026-11-28T23:15:12Z'],
    ['90 s ago', '2026-11-29T02:13:42Z'],
    ['2 days ago', '2026-11-27T02:15:12Z'],
    ['a week ago', '2026-11-22T02:15:12Z'],
    ['in 5 minutes', '2026-11-29T02:20:12Z'],
    ['in an hour', '2026-11-29T03:15:12Z'],
    ['tomorrow', '2026-11-30T00:00:00Z'],
    ['tomorrow at 14:00', '2026-11-30T14:00:00Z'],
  ])('%s', (text, time) => expect(read(text)).toBe(time))

  test.each([
    '',
    'soon',
    '2026-02-30',
    '2026-13-01',
    '31 Apr 2026',
    '31 Foo 2026',
    '2026-11-29 24:30',
    '2026-11-29 02:60',
    '2026-11-29 02:15 CET',
    '2026-11-29 02:15 +19:00',
    '11/29/2026',
    '29.11.2026',
    '5 parsecs ago',
    'in 5 minutes ago',
    'in 999999999 weeks',
    '999999999 weeks ago',
    '1969-12-31',
    '02:15',
    '02:15:12',
    '25:15:12 UTC',
    '02:15:12 CET',
    '02:15:12 UTC and more',
    '2026-11-29 02:15:12 +0100 UTC',
    '<b>now</b>',
  ])('not from %j', (text) => expect(read(text)).toBeNull())

  test('without a zone in the one in which times are shown', () => {
    expect(read('2026-11-29 02:15', 'Asia/Kolkata')).toBe('2026-11-28T20:45:00Z')
    expect(read('2026-07-01', 'Europe/Berlin')).toBe('2026-06-30T22:00:00Z')
    // Where it is already the next day.
    expect(read('today', 'Pacific/Kiritimati')).toBe('2026-11-28T10:00:00Z')
    expect(read('yesterday', 'Pacific/Pago_Pago')).toBe('2026-11-27T11:00:00Z')
  })

  test('not where clocks jump over it', () => {
    expect(read('2026-03-29 02:30', 'Europe/Berlin')).toBeNull()
    expect(read('2026-03-29 03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00Z')
  })
})

describe.each([
  'utc',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
])('what the console writes in %s', (zone) => {
  test('is read back to the second, where clocks change too', () => {
    // An odd step, so that every hour, month and change of clocks is met.
    for (let ms = 0; ms < Date.UTC(2100, 0); ms += 27_654_321_000) {
      expect(typedTime(formatMoment(ms, zone), zone, now)).toBe(ms)
    }
    for (let ms = Date.UTC(2026, 2, 1); ms < Date.UTC(2026, 11, 1); ms += 1_801_000) {
      const written = formatMoment(ms, zone)
      expect(`${written} ${typedTime(written, zone, now)}`).toBe(`${written} ${ms}`)
    }
  })
})
