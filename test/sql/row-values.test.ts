// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { cellMatch, keyValue } from '~/sql/row-values'

describe('a cell as a value of a primary key', () => {
  it.each([
    ['INTEGER', '-9223372036854775808', { n: '-9223372036854775808' }],
    ['VARCHAR', '', { s: '' }],
    ['UUID', '123e4567-e89b-12d3-a456-426614174000', { s: '123e4567-e89b-12d3-a456-426614174000' }],
    ['BOOLEAN', 'false', { b: false }],
    ['BLOB', 'AP8=', { bs: 'AP8=' }],
    ['TIMESTAMP', '-1', { ts: '-1' }],
    ['FLOAT', '1.5', { f: 1.5 }],
  ])('%s', (type, value, expected) => expect(keyValue(type, value)).toEqual(expected))

  it.each([
    ['FLOAT', '-0'],
    ['FLOAT', 'NaN'],
    ['FLOAT', 'Infinity'],
    ['JSON', '{}'],
    ['ANY', '1'],
    ['INTEGER', null],
  ])('cannot be asked for exactly: %s %s', (type, value) =>
    expect(keyValue(type, value)).toBeNull(),
  )
})

describe('a shown cell beside the proven one', () => {
  it.each([
    ['9007199254740993', { type: 'INTEGER', value: '9007199254740993' }, 'same'],
    ['9007199254740992', { type: 'INTEGER', value: '9007199254740993' }, 'differs'],
    [null, null, 'same'],
    ['', null, 'differs'],
    [null, { type: 'VARCHAR', value: '' }, 'differs'],
    ['true', { type: 'BOOLEAN', value: true }, 'same'],
    ['AP8=', { type: 'BLOB', value: '00ff' }, 'same'],
    ['AP8=', { type: 'BLOB', value: '00fe' }, 'differs'],
    ['NaN', { type: 'FLOAT', value: Number.NaN }, 'same'],
    ['1e21', { type: 'FLOAT', value: 1e21 }, 'same'],
    ['0', { type: 'FLOAT', value: -0 }, 'same'],
    ['0.1', { type: 'FLOAT', value: 0.10000000000000002 }, 'differs'],
    ['{"a":1}', { type: 'JSON', value: '{"a":1}' }, 'same'],
    ['{"a":1.5,"b":[1,2]}', { type: 'JSON', value: '{ "b": [1, 2], "a": 1.50 }' }, 'rewritten'],
    ['{"a":[2,1]}', { type: 'JSON', value: '{"a":[1,2]}' }, 'differs'],
    ['{"a":1}', { type: 'JSON', value: '{"a":"1"}' }, 'differs'],
    ['{"__proto__":1}', { type: 'JSON', value: '{}' }, 'differs'],
    ['12345678901234567000', { type: 'JSON', value: '12345678901234567890' }, 'rewritten'],
  ])('%s', (shown, proven, expected) => expect(cellMatch(shown, proven)).toBe(expected))
})
