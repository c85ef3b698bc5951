// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Collection } from '~/immudb/collection'
import type { Operator } from '~/immudb/document-query'
import {
  comparedValues,
  hintOf,
  operatorsOf,
  typedOf,
  wordsOfComparison,
} from '~/screens/documents/comparison-value'

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

const line = (field: string, operator: Operator, text: string, upTo = '') => ({
  id: 0,
  field,
  operator,
  text,
  upTo,
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
    ['_id', 'EQ', '6b0506840000000000000001ff748936', '"6b0506840000000000000001ff748936"'],
  ] as const)('%s %s %j is sent as %s', (field, operator, text, json) => {
    expect(comparedValues(of, line(field, operator, text))).toEqual({ values: [json] })
  })

  test.each([
    ['i', 'EQ', '1.5', /whole number/],
    ['d', 'EQ', 'NaN', /a number/],
    ['d', 'EQ', '1e999', /a number/],
    ['b', 'EQ', 'TRUE', /true or false/],
    ['u', 'EQ', 'nope', /Enter a UUID/],
    ['u', 'LIKE', '%', /of type UUID/],
    ['_id', 'EQ', 'ff', /32 digits/],
    ['_id', 'LIKE', '%', /holds the ids/],
    ['gone', 'EQ', '1', /does not declare/],
    ['i', 'CONTAINS', '1', /“contains” compares text, and i is of type INTEGER/],
    ['s', 'CONTAINS', '', /Enter some text/],
    ['s', 'STARTS', '', /Enter some text/],
    // The server compares the bytes of a pattern one by one.
    ['s', 'CONTAINS', 'Zoë', /only ASCII characters inside a text, not “ë”\. Use “starts with”/],
    ['s', 'LIKE', '%日%', /not “日”\. Write “_”/],
    ['s', 'NOT_LIKE', '😀', /not “😀”/],
    ['i', 'IN', '1, x', /whole number/],
    ['i', 'IN', ' , ', /Enter values/],
    ['s', 'IN', '"a', /double quotes/],
  ] as const)('%s %s %j is not sent', (field, operator, text, problem) => {
    expect(comparedValues(of, line(field, operator, text))).toEqual({
      problem: expect.stringMatching(problem),
    })
  })

  test.each([
    ['i', 'EQ', '9007199254740993', /with 9007199254740992/],
    ['d', 'LT', '1', /without d as well/],
    ['b', 'NE', 'true', /without b as well/],
    ['s', 'NOT_LIKE', 'a', /documents without s/],
    ['s', 'CONTAINS', 'a', /no text with a line break/],
    ['i', 'IN', '1, 9007199254740993', /with 9007199254740992/],
  ] as const)('%s %s %s says what it finds', (field, operator, text, hint) => {
    expect(hintOf(of, line(field, operator, text))).toMatch(hint)
  })

  test.each([
    ['d', 'EQ', '0.1'],
    ['d', 'GT', '1'],
    ['u', 'NOT_NULL', ''],
    ['i', 'IN', '1, 2'],
    ['s', 'STARTS', 'Ü'],
    ['i', 'LT', 'x'],
  ] as const)('%s %s %j needs no words', (field, operator, text) => {
    expect(hintOf(of, line(field, operator, text))).toBeUndefined()
  })
})

describe('several values', () => {
  test('are typed with commas or in two boxes, and come back as typed', () => {
    const list = line('s', 'IN', 'Ann, "Lee, Bo", "", 4')
    const read = comparedValues(of, list)
    expect(read).toEqual({ values: ['"Ann"', '"Lee, Bo"', '""', '"4"'] })
    const values = 'values' in read ? read.values : []
    expect(typedOf(of, { field: 's', operator: 'IN', values }, 0)).toEqual(list)
    const range = line('i', 'BETWEEN', '1', '9007199254740993')
    expect(comparedValues(of, range)).toEqual({ values: ['1', '9007199254740993'] })
    const back = { field: 'i', operator: 'BETWEEN', values: ['1', '9007199254740993'] } as const
    expect(typedOf(of, back, 0)).toEqual(range)
    expect(comparedValues(of, line('i', 'BETWEEN', '1', ''))).toHaveProperty('problem')
  })

  test('are said in the words of all filters', () => {
    const words = (operator: Operator, ...values: string[]) =>
      wordsOfComparison({ field: 'f', operator, values })
    expect(words('GE', '4')).toBe('f ≥ 4')
    expect(words('CONTAINS', '"An"')).toBe('f contains “An”')
    expect(words('BETWEEN', '1', '2')).toBe('f is between 1 and 2')
    expect(words('IN', '1', '"a"')).toBe('f is one of 1, “a”')
    expect(words('NOT_NULL')).toBe('f is not NULL')
  })

  test('a field offers what its type can be compared with', () => {
    expect(operatorsOf(of, 'b')).toEqual(['EQ', 'NE', 'NULL', 'NOT_NULL'])
    expect(operatorsOf(of, 'i')).not.toContain('CONTAINS')
    expect(operatorsOf(of, 's')).toContain('CONTAINS')
    expect(operatorsOf(of, '_id')).not.toContain('NULL')
  })
})
