// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { cellMatch, keyValue } from '~/sql/row-source'

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
    ['1e+21', { type: 'FLOAT', value: 1e21 }, 'same'],
    ['Infinity', { type: 'FLOAT', value: Number.POSITIVE_INFINITY }, 'same'],
    ['1e999', { type: 'FLOAT', value: Number.POSITIVE_INFINITY }, 'differs'],
    ['1.00000000000000000001', { type: 'FLOAT', value: 1 }, 'differs'],
    ['', { type: 'FLOAT', value: 0 }, 'differs'],
    ['-0', { type: 'FLOAT', value: -0 }, 'same'],
    ['-0', { type: 'FLOAT', value: 0 }, 'differs'],
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

describe('shown JSON is the stored one only in the form that the server gives it', () => {
  // As Go's encoding/json writes what it read.
  it.each([
    ['{"a":1.5,"b":[1,2]}', '{ "b": [1, 2], "a": 1.50 }'],
    [
      '{"a":-0,"b":-0,"c":100000,"d":1e+21,"e":100000000000000000000,"f":0.000001,"g":1e-7,"h":1.2345678901234568e+29,"i":5e-324}',
      '{"b": -0, "a": -0.0, "c": 1E5, "d":1e21, "e":1e20, "f":0.000001, "g":0.0000001, "h":123456789012345678901234567890, "i":5e-324}',
    ],
    [
      '["\\u003ca\\u003e\\u0026\\u2028\\b\\u001f/é\ufffdx\\n"]',
      '["<a>&\\u2028\\u0008\\u001f\\/é\\ud800x\\n"]',
    ],
    [
      '{"":6,"10":3,"9":4,"__proto__":5,"￿":2,"😀":1}',
      '{"😀":1,"￿":2,"10":3,"9":4,"__proto__":5,"":6}',
    ],
    ['9007199254740992', '9007199254740993'],
    ['-0', '-1e-999'],
  ])('%s', (shown, value) => expect(cellMatch(shown, { type: 'JSON', value })).toBe('rewritten'))

  it.each([
    ['another number beyond a double', '{"a":1e999}', '{"a":null}'],
    ['one of two such numbers', '{"a":1e999}', '{"a":-2e999}'],
    ['a number that rounds to the stored one', '9007199254740993', '9007199254740992'],
    ['digits that a double drops', '{"a":0.1}', '{"a":0.10000000000000002}'],
    ['one more field of the same name', '{"role":"admin","role":"user"}', '{"role":"user"}'],
    ['one more field, in another order', '{"b":1,"a":1,"a":2}', '{"b":1,"a":2}'],
    ['a text for a number', '{"a":"1"}', '{"a":1}'],
    ['no JSON', '{', '{}'],
  ])('%s differs', (_what, shown, value) =>
    expect(cellMatch(shown, { type: 'JSON', value })).toBe('differs'),
  )

  it.each([
    ['repeated names in what is stored', '{"a":2}', '{"a":1,"a":2}'],
    ['the same fields in an order that no server writes', '{"b":1,"a":1}', '{"a": 1, "b": 1}'],
    ['white space', '{"a": 1}', '{"a":1}'],
    ['all digits of a number', '{"n":9007199254740993}', '{ "n": 9007199254740993 }'],
    ['escapes', '{"a":"<"}', '{ "a": "<" }'],
    ['more depth than can be compared', nested(20_000, ' '), nested(20_000, '')],
  ])('cannot be compared: %s', (_what, shown, value) =>
    expect(cellMatch(shown, { type: 'JSON', value })).toBe('unknown'),
  )
})

function nested(depth: number, inside: string): string {
  return `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`
}
