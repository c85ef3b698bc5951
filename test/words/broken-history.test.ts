// @vitest-environment node
import { expect, test } from 'vitest'
import { breakWords, findingWords } from '~/words/broken-history'
import { reasonWords } from '~/words/refusal'

const kinds = [
  'rolled-back',
  'rewritten',
  'forked',
  'other-server',
  'unsigned',
  'foreign-signature',
  'malformed',
  'saved-audit',
  'object',
]

test('every kind of finding has words of its own, and says what to do', () => {
  const words = kinds.map(breakWords)
  for (const part of ['title', 'what', 'means'] as const) {
    expect(new Set(words.map((one) => one[part])).size).toBe(kinds.length)
  }
  for (const { todo } of words) expect(todo.length).toBeGreaterThan(20)
})

test('what was found in a proof is said by its reason, all else by its kind', () => {
  for (const reason of ['signature', 'audit', 'entry-not-included']) {
    expect(findingWords({ kind: 'object', reason })).toMatchObject(reasonWords(reason))
  }
  const rolledBack = { kind: 'rolled-back', reason: 'dual-proof' }
  expect(findingWords(rolledBack)).toEqual(breakWords('rolled-back'))
})

test('a kind that nobody knows still has words', () => {
  expect(breakWords('new').what).not.toBe('')
})
