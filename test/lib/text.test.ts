// @vitest-environment node
import { describe, expect, test } from 'vitest'
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
