// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { matcher, type Named } from '~/lib/name-match'
import { corpusBytes } from '../support/corpus-bytes'

const order = ['exact', 'exactButCase', 'beginning', 'words', 'inside', 'text'] as const
const rank = (search: string, of: Named | string) => {
  const found = matcher(search)(typeof of === 'string' ? { name: of } : of)
  return found === null ? null : order[found]
}

describe('a name', () => {
  test.each([
    ['orders', 'orders', 'exact'],
    [' orders ', 'orders', 'exact'],
    ['Orders', 'orders', 'exactButCase'],
    ['ord', 'orders', 'beginning'],
    ['items', 'order_items', 'words'],
    ['items order', 'order_items', 'words'],
    ['tems', 'order_items', 'inside'],
    ['invoice', 'orders', null],
    ['orders x', 'orders', null],
    ['', 'orders', 'beginning'],
  ])('is found by %j in %j: %s', (search, name, expected) => {
    expect(rank(search, name)).toBe(expected)
  })

  test('is found by its other names, its words, and last by a long text', () => {
    const of = { name: 'total', also: ['orders.total'], words: 'column', text: 'what a sum costs' }
    expect(rank('orders.total', of)).toBe('exact')
    expect(rank('orders.t', of)).toBe('words')
    expect(rank('orders', of)).toBe('words')
    expect(rank('column tot', of)).toBe('words')
    expect(rank('sum costs', of)).toBe('text')
    // Short words are in every text.
    expect(rank('a', of)).toBe('inside')
    expect(rank('um', { name: 'x', text: 'a sum' })).toBeNull()
  })

  test('of the hostile corpus is found by itself exactly, and never throws', () => {
    const names = corpusBytes('key')
      .map(({ bytes }) => bytes.toString().slice(0, 2_000))
      .filter((name) => name.trim() !== '')
    expect(names.length).toBeGreaterThan(90)
    for (const name of names) {
      expect(rank(name, name), JSON.stringify(name)).toBe('exact')
      for (const other of names) rank(name, other)
    }
  })
})
