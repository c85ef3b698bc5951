// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readExpiry, settledExpiry } from '~/atoms/keys/expiry'

const now = Date.UTC(2026, 10, 29, 2, 15, 12, 345)

describe('an expiry', () => {
  test.each([
    ['2030-12-31 23:59', '2030-12-31T23:59:00Z'],
    [' 2030-12-31T23:59:01 ', '2030-12-31T23:59:01Z'],
    ['2030-12-31T23:59:00+01:00', '2030-12-31T22:59:00Z'],
    ['31 Dec 2030, 23:59:00 UTC', '2030-12-31T23:59:00Z'],
    ['31 Dec 2030', '2030-12-31T00:00:00Z'],
    ['in 5 minutes', '2026-11-29T02:20:12Z'],
    ['In an hour', '2026-11-29T03:15:12Z'],
    ['in 2d', '2026-12-01T02:15:12Z'],
    ['tomorrow 14:00', '2026-11-30T14:00:00Z'],
  ])('is read: %s', (text, time) => {
    const expiresAt = String(Date.parse(time) / 1_000)
    expect(readExpiry(text, now)).toEqual({ expiresAt, expiryError: null })
    // Read later, it is still the one that was meant.
    const settled = settledExpiry(text, now)
    expect(readExpiry(settled, 0)).toEqual({ expiresAt, expiryError: null })
    expect(settled).toBe(time.slice(0, 19).replace('T', ' '))
  })

  test.each(['now', '5 minutes ago', 'in 0 minutes', 'yesterday', '2026-11-29', '2001-01-01'])(
    'has passed: %s',
    (text) => {
      expect(readExpiry(text, now)).toEqual({
        expiresAt: null,
        expiryError: 'This time has passed.',
      })
      expect(settledExpiry(text, now)).toBe(text)
    },
  )

  test.each([
    'soon',
    '2030-02-30',
    '2030-01-01 24:01',
    'in five minutes',
    'in 5 parsecs',
    '1893456000',
    'in 999999999 weeks',
  ])('is none, and what is one is said: %s', (text) => {
    expect(readExpiry(text, now).expiryError).toBe(
      'Write a time, such as 2030-12-31 23:59, 31 Dec 2030 or in 5 minutes.',
    )
  })

  test('is none when nothing is typed', () => {
    expect(readExpiry(' ', now)).toEqual({ expiresAt: null, expiryError: null })
    expect(settledExpiry('', now)).toBe('')
  })
})
