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
    const { body, problem } = readOperations([set('a'), set('b'), set('a')])
    expect(body).toBeNull()
    expect(problem).toMatch(/^Operations 1 and 3 are the same to immudb/)
  })

  const zadd = (name: string, key: string, more: Partial<OperationDraft> = {}) =>
    newOperation({ kind: 'zadd', set: text(name), key: text(key), ...more })
  // Each of these was refused by 1.11.1, or taken by it.
  test.each([
    ['a key with two scores', false, [zadd('s', 'a'), zadd('s', 'a', { score: '2' })]],
    ['a key bound and not', true, [zadd('s', 'a'), zadd('s', 'a', { atTx: '7' })]],
    ['sets and keys that read alike', false, [zadd('a', 'bc'), zadd('ab', 'c')]],
    ['a key that reads like an entry', false, [set('ab0'), zadd('a', 'b')]],
    [
      'a key that reads like a reference',
      false,
      [newOperation({ kind: 'reference', key: text('p'), target: text('q') }), set('pq0')],
    ],
    ['other keys', true, [set('ab'), zadd('a', 'b')]],
  ])('%s: fits in one transaction is %s', (_name, fits, drafts) => {
    expect(readOperations(drafts).problem === null).toBe(fits)
  })

  test('set keys before anything refers to them', () => {
    const reference = newOperation({ kind: 'reference', key: text('r'), target: text('a') })
    expect(readOperations([reference, set('a')]).body).toMatchObject({
      Operations: [{ kv: { key: b('a') } }, { ref: { key: b('r') } }],
    })
  })

  test('may let a value expire', () => {
    const { body } = readOperations([set('a', { expiry: '2099-01-01 00:00:00' })])
    const expiresAt = String(Date.UTC(2099, 0, 1) / 1_000)
    expect(body).toMatchObject({
      Operations: [{ kv: { metadata: { expiration: { expiresAt } } } }],
    })
    const { expiry } = readOperation(set('a', { expiry: '2001-01-01 00:00:00' })).errors
    expect(expiry).toBe('This time has passed.')
  })

  test('are at most as many as a transaction has entries', () => {
    const many = Array.from({ length: 1_025 }, (_, at) => set(`k${at}`))
    expect(readOperations(many).problem).toBe(
      'The console sends at most 1,024 operations in one transaction.',
    )
    expect(readOperations(many.slice(1)).problem).toBeNull()
  })
})
