// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { tokenExpiry } from '~/immudb/token'
import { bytesToBase64 } from '~/lib/bytes'

describe('the end of a token', () => {
  const tokenOf = (payload: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(payload))
    const signed = new Uint8Array([...bytes, ...new Uint8Array(64).fill(7)])
    const text = bytesToBase64(signed).replaceAll('+', '-').replaceAll('/', '_')
    return `v2.public.${text.replaceAll('=', '')}`
  }

  test('is read from its payload', () => {
    const exp = '2026-11-22T20:04:05+01:00'
    expect(tokenExpiry(tokenOf({ database: '0', exp, sub: 'immudb' }))).toBe(Date.parse(exp))
  })

  test.each([
    'v2.public.',
    'v2.local.abc',
    'v2.public.%%%',
    'v2.public.bm90IGEgdG9rZW4',
    tokenOf(null),
    tokenOf({ exp: 5 }),
    tokenOf({ exp: 'tomorrow' }),
    '',
  ])('is not known of %s', (token) => {
    expect(tokenExpiry(token)).toBeNull()
  })
})
