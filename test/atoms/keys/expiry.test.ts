// @vitest-environment node
import { expect, test } from 'vitest'
import { utcSeconds } from '~/atoms/keys/expiry'

test.each([
  ['1970-01-01 00:00:00', 0],
  [' 2026-11-21T09:00 ', Date.UTC(2026, 10, 21, 9) / 1_000],
  ['2024-02-29 23:59:59', Date.UTC(2024, 1, 29, 23, 59, 59) / 1_000],
  ['2026-02-29 00:00:00', null],
  ['2026-13-01 00:00:00', null],
  ['2026-11-21 24:01:00', null],
  ['2026-11-21', null],
  ['tomorrow', null],
  ['', null],
])('%j is %s seconds since 1970', (text, seconds) => {
  expect(utcSeconds(text)).toBe(seconds)
})
