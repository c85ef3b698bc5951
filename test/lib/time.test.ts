// @vitest-environment node
import { expect, test } from 'vitest'
import { formatUptime, msPerHour } from '~/lib/time'

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
