// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Collection } from '~/immudb/collection'
import type { Operator } from '~/immudb/document-query'
import { comparedValue, hintOf } from '~/screens/documents/comparison-value'

const of: Collection = {
  name: 'c',
  idField: '_id',
  fields: [
    { name: '_id', type: 'STRING' },
    { name: 'i', type: 'INTEGER' },
    { name: 'd', type: 'DOUBLE' },
    { name: 'b', type: 'BOOLEAN' },
    { name: 'u', type: 'UUID' },
    { name: 's', type: 'STRING' },
  ],
  indexes: [],
}

const line = (field: string, operator: Operator, text: string | null) => ({
  id: 0,
  field,
  operator,
  text: text ?? '',
  isNull: text === null,
})

const uuid = '11111111-2222-3333-4444-55555555AAAA'

describe('what is compared with', () => {
  test.each([
    ['i', 'EQ', '9007199254740993', '9007199254740993'],
    ['d', 'LT', '-1.5e3', '-1.5e3'],
    ['b', 'EQ', ' true ', 'true'],
    ['u', 'EQ', uuid, `"${uuid}"`],
    ['u', 'GT', uuid.replaceAll('-', ''), `"${uuid.replaceAll('-', '')}"`],
    ['s', 'EQ', ' "x ', '" \\"x "'],
    ['s', 'LIKE', '%', '"%"'],
    ['u', 'NE', null, 'null'],
    ['_id', 'EQ', '6b0506840000000000000001ff748936', '"6b0506840000000000000001ff748936"'],
  ] as const)('%s %s %j is sent as %s', (field, operator, text, json) => {
    expect(comparedValue(of, line(field, operator, text))).toEqual({ json })
  })

  test.each([
    ['i', 'EQ', '1.5', /whole number/],
    ['d', 'EQ', 'NaN', /a number/],
    ['d', 'EQ', '1e999', /a number/],
    ['b', 'EQ', 'TRUE', /true or false/],
    ['u', 'EQ', 'nope', /Enter a UUID/],
    ['u', 'LIKE', '%', /of type UUID/],
    ['i', 'LT', null, /EQ or NE only/],
    ['_id', 'EQ', 'ff', /32 digits/],
    ['_id', 'LIKE', '%', /holds the ids/],
    ['gone', 'EQ', '1', /does not declare/],
  ] as const)('%s %s %j is not sent', (field, operator, text, problem) => {
    expect(comparedValue(of, line(field, operator, text))).toEqual({
      problem: expect.stringMatching(problem),
    })
  })

  test.each([
    ['i', 'EQ', '9007199254740993', /with 9007199254740992/],
    ['d', 'LT', '1', /without d as well/],
    ['b', 'NE', 'true', /without b as well/],
    ['s', 'NOT_LIKE', 'a', /without s as well/],
  ] as const)('%s %s %s says what it finds', (field, operator, text, hint) => {
    expect(hintOf(of, line(field, operator, text))).toMatch(hint)
  })

  test.each([
    ['d', 'EQ', '0.1'],
    ['d', 'GT', '1'],
    ['u', 'NE', null],
    ['i', 'LT', 'x'],
  ] as const)('%s %s %j needs no words', (field, operator, text) => {
    expect(hintOf(of, line(field, operator, text))).toBeUndefined()
  })
})
