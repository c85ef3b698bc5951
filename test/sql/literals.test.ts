// @vitest-environment node

import { describe, expect, it } from 'vitest'
import { keyValue } from '~/sql/literals'

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
