// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  newOperation,
  type OperationDraft,
  readOperation,
  readOperations,
  readScore,
} from '~/atoms/keys/operation-drafts'

const text = (of: string) => ({ text: of, format: 'text' as const })
const b = (of: string) => btoa(of)
const set = (key: string, more: Partial<OperationDraft> = {}) =>
  newOperation({ key: text(key), value: text('v'), ...more })

describe('a score', () => {
  test.each([
    ['1.5', 1.5],
    ['-0', -0],
    ['1e-3', 0.001],
    ['9007199254740992', 9_007_199_254_740_992],
    ['0.30000000000000004', 0.30000000000000004],
    ['-1.7976931348623157e308', -Number.MAX_VALUE],
    ['100000000000000000000', 1e20],
  ])('%s is exact', (typed, score) => expect(readScore(typed)).toBe(score))

  test.each([
    ['9007199254740993', 'It does not fit: it would be stored as 9007199254740992.'],
    ['0.12345678901234567891', 'It does not fit: it would be stored as 0.12345678901234568.'],
    ['1e999', 'It does not fit: the largest score is about 1.8e308.'],
    ['1e-999', 'It does not fit: it would be stored as 0.'],
    ['NaN', 'Write a number such as 1.5.'],
    ['', 'Write a number such as 1.5.'],
  ])('%s is refused', (typed, why) => expect(readScore(typed)).toBe(why))
})

describe('operations of one transaction', () => {
  test('become the request that the server reads', () => {
    const drafts = [
      set('a', { condition: 'must-not-exist' }),
      newOperation({
        kind: 'reference',
        key: text('r'),
        target: text('a'),
        atTx: '1,234',
        condition: 'not-modified-after',
        conditionTx: '7',
      }),
      newOperation({ kind: 'zadd', set: text('s'), score: '-0', key: text('a') }),
    ]
    expect(readOperations(drafts).body).toEqual({
      Operations: [
        { kv: { key: b('a'), value: b('v') } },
        { ref: { key: b('r'), referencedKey: b('a'), atTx: '1234', boundRef: true } },
        { zAdd: { set: b('s'), score: '-0', key: b('a') } },
      ],
      preconditions: [
        { keyMustNotExist: { key: b('a') } },
        { keyNotModifiedAfterTX: { key: b('r'), txID: '7' } },
      ],
    })
  })

  test('are none while one of them is wrong', () => {
    const wrong = newOperation({ kind: 'reference', key: text('a'), target: text('a') })
    expect(readOperation(wrong).errors).toEqual({ target: 'A key cannot refer to itself.' })
    expect(readOperations([set('b'), wrong]).body).toBeNull()
    expect(readOperations([]).body).toBeNull()
    expect(readOperation(set('')).errors.key).toBe('It has at least one byte.')
  })

  test('may write a key once', () => {
    const { body, problem } = readOperations([set('a'), set('a')])
    expect(body).toBeNull()
    expect(problem).toMatch(/^Two operations write the same key/)
    const entry = newOperation({ kind: 'zadd', set: text('s'), score: '1', key: text('a') })
    expect(readOperations([entry, { ...entry, score: '2' }]).problem).toBeNull()
    expect(readOperations([entry, entry]).problem).not.toBeNull()
  })

  test('are at most as many as a transaction has entries', () => {
    const many = Array.from({ length: 1_025 }, (_, at) => set(`k${at}`))
    expect(readOperations(many).problem).toBe('A transaction has at most 1024 entries.')
  })
})
