// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatClock, formatElapsed, formatMoment, formatUptime, msPerHour } from '~/lib/time'

const s = 1_000
const m = 60 * s
const h = 60 * m
const d = 24 * h

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [-5 * s, '0 s'],
  [59 * s, '59 s'],
  [m + 42 * s, '1 m 42 s'],
  [h, '1 h'],
  [d + 5 * m, '1 d 5 m'],
  [3 * d + 4 * h + 5 * m + 6 * s, '3 d 4 h 5 m 6 s'],
  [8 * d + 4 * h + 5 * m + 6 * s, '1 w 1 d 4 h 5 m'],
  [365.25 * d, '1 y'],
  [400 * d + 3 * h, '1 y 1 mo 4 d 10 h'],
  [4.426739833333333e-5 * msPerHour, '0 s'],
  [1.5 * msPerHour, '1 h 30 m'],
])('an uptime of %s ms is written %s', (ms, text) => {
  expect(formatUptime(ms)).toBe(text)
})

describe('elapsed times', () => {
  test.each([
    [0, '0 ms'],
    [8.4, '8 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1_240, '1.24 s'],
    [59_994, '59.99 s'],
    [59_996, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('%d ms take %s', (ms, shown) => {
    expect(formatElapsed(ms)).toBe(shown)
  })

  test('no duration shows sixty of anything or a thousand of the smallest', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (ms) => {
        expect(formatElapsed(ms)).not.toMatch(/(?<!\.)\b60(\.00)? s|\b\d{4,} ms/)
      }),
    )
  })
})

describe('times', () => {
  const moment = Date.UTC(2026, 10, 21, 14, 3, 22)

  test('always show their zone', () => {
    expect(formatClock(moment, 'utc')).toBe('14:03:22 UTC')
    expect(formatClock(moment, 'Europe/Zagreb')).toBe('15:03:22 CET')
    expect(formatClock(moment, 'local')).toMatch(/\d\d:03:22 \S+/)
    expect(formatMoment(moment, 'utc')).toMatch(/21 Nov 2026.*14:03:22.*UTC/)
  })

  test.each([2 ** 63, -(2 ** 63), 9e15])('a time that no calendar has is no failure: %s', (ms) => {
    expect(formatMoment(ms, 'utc')).toBe(`${ms / 1_000} seconds since 1970`)
  })
})
