// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { zoneOffset } from '~/lib/time'
import { isKnownZone, zoneNames } from '~/lib/time-zone'
import { formatMicroseconds } from '~/sql/cells'

describe('zones', () => {
  test('that can be shown are told from others', () => {
    expect(['local', 'utc', 'Asia/Tokyo', 'Mars/Phobos', '', 'UTC+99'].map(isKnownZone)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('every listed one can be shown', () => {
    const names = zoneNames()
    expect(names).toContain('UTC')
    expect(names).toContain('Europe/Vienna')
    expect([...names].sort()).toEqual(names)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(() => zoneOffset(0, name)).not.toThrow()
  })

  test.each([
    ['UTC', '2024-07-01T00:00:00Z', 0],
    ['Europe/Vienna', '2024-01-15T12:00:00Z', 60],
    ['Europe/Vienna', '2024-07-15T12:00:00Z', 120],
    ['Asia/Kathmandu', '2024-07-15T12:00:00Z', 345],
    ['America/St_Johns', '2024-01-15T12:00:00Z', -210],
    ['America/New_York', '2024-03-10T06:59:59Z', -300],
    ['America/New_York', '2024-03-10T07:00:00Z', -240],
  ])('%s at %s is %s minutes ahead', (zone, moment, minutes) => {
    expect(zoneOffset(Date.parse(moment), zone)).toBe(minutes)
  })

  test('offsets of old times are kept to the second', () => {
    expect(zoneOffset(-3e12, 'Europe/Berlin')).toBeCloseTo(53 + 28 / 60, 5)
  })

  test('a zone that does not exist is refused', () => {
    expect(() => zoneOffset(0, 'Mars/Olympus')).toThrow(RangeError)
  })
})

describe('SQL timestamps in a named zone', () => {
  test.each([
    ['1714979289123456', 'Europe/Vienna', '2024-05-06 09:08:09.123456 +02:00'],
    ['1714979289123456', 'Asia/Kathmandu', '2024-05-06 12:53:09.123456 +05:45'],
    ['1704067199000001', 'America/New_York', '2023-12-31 18:59:59.000001 -05:00'],
    ['-1', 'Europe/London', '1970-01-01 00:59:59.999999 +01:00'],
    ['1714979289123456', 'utc', '2024-05-06 07:08:09.123456 UTC'],
  ])('%s in %s', (microseconds, zone, text) => {
    expect(formatMicroseconds(microseconds, zone)).toBe(text)
  })

  test('the instant stays the same whatever the zone', () => {
    const shown = ['Europe/Vienna', 'Asia/Tokyo', 'America/Lima'].map((zone) =>
      formatMicroseconds('1714979289000000', zone),
    )
    const moments = shown.map((text) => Date.parse(text.replace(' ', 'T').replace(' ', '')))
    expect(new Set(moments)).toEqual(new Set([1714979289000]))
  })
})
