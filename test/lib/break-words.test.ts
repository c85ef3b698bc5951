// @vitest-environment node
import { expect, test } from 'vitest'
import { breakWords, stepWords } from '~/lib/break-words'

const kinds = [
  'rolled-back',
  'rewritten',
  'forked',
  'other-server',
  'unsigned',
  'foreign-signature',
  'malformed',
  'object',
]

test('every kind of finding has words of its own, and says what to do', () => {
  const words = kinds.map(breakWords)
  for (const part of ['title', 'what', 'means'] as const) {
    expect(new Set(words.map((one) => one[part])).size).toBe(kinds.length)
  }
  for (const { todo } of words) expect(todo.length).toBeGreaterThan(20)
})

test('a kind that nobody knows still has words', () => {
  expect(breakWords('new').what).not.toBe('')
  expect(stepWords('new')).toBe('new')
  expect(stepWords('link')).toBe('hash in the trusted history')
})
