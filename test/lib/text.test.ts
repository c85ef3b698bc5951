// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64ToBytes, base64ToText, bytesToBase64, textToBase64 } from '~/lib/bytes'
import { cookieLine, cookieValue } from '~/lib/cookies'
import { asSentence, counted, formatCount, formatTx, shorten } from '~/lib/text'

describe('sentences', () => {
  test.each([
    ['not logged in', 'Not logged in.'],
    ["'x' does not exist", "'x' does not exist."],
    ['  already closed \n', 'Already closed.'],
    ['Is it?', 'Is it?'],
    ['wait…', 'Wait…'],
    ['.', '.'],
    ['', ''],
    ['   ', ''],
    ['über', 'Über.'],
  ])('%j becomes %j', (text, sentence) => {
    expect(asSentence(text)).toBe(sentence)
  })

  test('a long text is cut at the limit and says how long it was', () => {
    expect(shorten('abc', 3)).toBe('abc')
    expect(shorten('abcd', 3)).toBe('abc… (4 characters)')
  })
})

describe('numbers', () => {
  test('counts have the noun that fits and stay exact', () => {
    expect([counted(0, 'row'), counted(1, 'row'), counted(2, 'row')]).toEqual([
      '0 rows',
      '1 row',
      '2 rows',
    ])
    expect(counted(1n, 'query', 'queries')).toBe('1 query')
    expect(counted(2n, 'query', 'queries')).toBe('2 queries')
    expect(formatCount(9_007_199_254_740_993n)).toBe('9,007,199,254,740,993')
  })

  test.each([
    ['12904', '12,904'],
    ['18446744073709551615', '18,446,744,073,709,551,615'],
    ['0', '0'],
    ['-1', '-1'],
    ['1e5', '1e5'],
    ['<b>', '<b>'],
    ['', ''],
  ])('transaction %s reads %s', (id, shown) => {
    expect(formatTx(id)).toBe(shown)
  })
})

describe('base64', () => {
  test('of text is that of its UTF-8 bytes, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(textToBase64(text)).toBe(Buffer.from(text).toString('base64'))
        expect(base64ToText(textToBase64(text))).toBe(text)
      }),
    )
  })

  test('of bytes works for lengths that do not fit one call', () => {
    const bytes = new Uint8Array(300_001).map((_byte, at) => at % 251)
    expect(bytesToBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    expect(Buffer.compare(base64ToBytes(bytesToBase64(bytes)), bytes)).toBe(0)
  })

  test('a byte order mark is part of the text', () => {
    expect(base64ToText(textToBase64('\uFEFFx'))).toBe('\uFEFFx')
  })

  test.each(['%', 'a', '/w==', 'gICA'])('%s is not text', (base64) => {
    expect(() => base64ToText(base64)).toThrow()
  })
})

describe('cookies', () => {
  test('name path, age and site', () => {
    expect(cookieLine('webconsole_banner', 'a b', 3_600)).toBe(
      'webconsole_banner=a%20b; Max-Age=3600; Path=/; SameSite=Lax',
    )
  })

  test.each([
    ['', null],
    ['other=1', null],
    ['xname=1', null],
    ['name', null],
    ['namex', null],
    ['name=', ''],
    ['a=1; name=b%20c; name=2', 'b c'],
    ['a=1; name=x=y', 'x=y'],
    ['name=%E0%A4%A', '%E0%A4%A'],
  ])('in %j the value is %j', (cookies, value) => {
    expect(cookieValue(cookies, 'name')).toBe(value)
  })
})
