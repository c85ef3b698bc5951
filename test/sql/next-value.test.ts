// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { neighbour } from '~/sql/next-value'

const found = (type: string, value: string | null, isSmaller: boolean, length?: number) =>
  neighbour({ type, ...(length ? { length } : {}) }, value, isSmaller)

describe('the neighbours of a value', () => {
  test.each([
    ['INTEGER', '-1', '0'],
    ['INTEGER', String(2n ** 53n), String(2n ** 53n + 1n)],
    ['TIMESTAMP', '-1', '0'],
    ['BOOLEAN', 'false', 'true'],
    ['UUID', '00000000-0000-0000-ffff-ffffffffffff', '00000000-0000-0001-0000-000000000000'],
  ])('%s %s and %s', (type, one, other) => {
    expect(found(type, one, false)).toEqual({ value: other })
    expect(found(type, other, true)).toEqual({ value: one })
  })

  test.each([
    ['INTEGER', String(-(2n ** 63n)), String(2n ** 63n - 1n)],
    ['TIMESTAMP', '-9223372036854775', '9223372036854775'],
    ['BOOLEAN', 'false', 'true'],
    ['UUID', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('%s begins with NULL and %s and ends with %s', (type, first, last) => {
    expect(found(type, null, false)).toEqual({ value: first })
    expect(found(type, first, true)).toEqual({ value: null })
    expect(found(type, null, true)).toBe('none')
    expect(found(type, last, false)).toBe('none')
  })

  test('of a time whose nanoseconds need more than 64 bits are those of its place in an index', () => {
    const endOf9999 = '253402300799999999'
    const place = BigInt.asIntN(64, BigInt(endOf9999) * 1_000n)
    const [next, before] = [
      found('TIMESTAMP', endOf9999, false),
      found('TIMESTAMP', endOf9999, true),
    ]
    if (typeof next !== 'object' || typeof before !== 'object') throw new Error('there are some')
    expect(Number(BigInt(next.value ?? 0) * 1_000n - place)).toBeGreaterThan(0)
    expect(Number(BigInt(next.value ?? 0) * 1_000n - place)).toBeLessThanOrEqual(1_000)
    expect(Number(place - BigInt(before.value ?? 0) * 1_000n)).toBeGreaterThan(0)
    expect(Number(place - BigInt(before.value ?? 0) * 1_000n)).toBeLessThanOrEqual(1_000)
  })

  test('are not known of fractions, nor of texts of any length', () => {
    expect(found('FLOAT', '1.5', false)).toBe('unknown')
    expect(found('VARCHAR', 'a', false)).toBe('unknown')
    expect(found('VARCHAR', 'a', true)).toBe('unknown')
    expect(found('VARCHAR', 'abcd', false, 4)).toBe('unknown')
  })
})

const length = 6
const character = fc.constantFrom(
  '\0',
  'a',
  'b',
  '\x7f',
  '\x80',
  '\u07ff',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '🙂',
  '\u{10ffff}',
)
const text = fc
  .array(character, { maxLength: 6 })
  .map((all) => all.join(''))
  .filter((all) => Buffer.byteLength(all) <= length)
const order = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

test('no text lies between a text and its neighbours', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [greater, smaller] = [
        found('VARCHAR', one, false, length),
        found('VARCHAR', one, true, length),
      ]
      if (typeof greater === 'object') {
        expect(order(other, one) > 0).toBe(order(other, greater.value ?? '') >= 0)
      }
      if (typeof smaller !== 'object') throw new Error('there is one')
      const isSmaller = smaller.value !== null && order(other, smaller.value) <= 0
      expect(order(other, one) < 0).toBe(isSmaller)
      expect(Buffer.byteLength(smaller.value ?? '')).toBeLessThanOrEqual(length)
    }),
    { numRuns: 2_000 },
  )
})

test('no bytes lie between bytes and their neighbours', () => {
  const bytes = fc.uint8Array({ maxLength: 3 })
  const compare = (one: Uint8Array, other: string) =>
    Buffer.compare(one, Buffer.from(other, 'base64'))
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const base64 = bytesToBase64(one)
      const [greater, smaller] = [found('BLOB', base64, false, 3), found('BLOB', base64, true, 3)]
      const sign = compare(other, base64)
      if (typeof greater === 'object')
        expect(sign > 0).toBe(compare(other, greater.value ?? '') >= 0)
      if (typeof smaller !== 'object') throw new Error('there is one')
      expect(sign < 0).toBe(smaller.value !== null && compare(other, smaller.value) <= 0)
    }),
    { numRuns: 2_000 },
  )
})
