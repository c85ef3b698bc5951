// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { csvReader } from '~/lib/csv'
import { columnNames, guessFormat, guessHeader, guessKey, guessType } from '~/sql/import-guess'
import { typeText } from '~/sql/import-types'

const records = (text: string) => {
  const reader = csvReader({ separator: ',', quote: '"', nullText: '' })
  return [...reader.read(text), ...reader.end()]
}

test.each([
  ['id,name\n1,"a;b"\n2,c\n', ',', '"', ''],
  ['id;name;note\n1;a,b;x\n2;c,d;y\n', ';', '"', ''],
  ["id|name\n1|'a|b'\n2|'c'\n", '|', "'", ''],
  ['id\tname\n1\t\\N\n', '\t', '"', '\\N'],
  ['only\none\n', ',', '"', ''],
])('the format of %j', (text, separator, quote, nullText) => {
  expect(guessFormat(text)).toEqual({ separator, quote, nullText })
})

test.each([
  [['1', '-2', null], 'INTEGER'],
  [['007', '8'], 'VARCHAR[64]'],
  [['9223372036854775808'], 'VARCHAR[64]'],
  [['1', '2.5', '1e3'], 'FLOAT'],
  [['true', 'FALSE'], 'BOOLEAN'],
  [['2024-05-06T07:08:09Z', '2024-05-06'], 'TIMESTAMP'],
  [['8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d'], 'UUID'],
  [['{"a":1}', '[]'], 'JSON'],
  [['0x00ff'], 'BLOB'],
  [['x'.repeat(100)], 'VARCHAR[256]'],
  [['x'.repeat(10_000)], 'VARCHAR'],
  [[null, null], 'VARCHAR[64]'],
  [['-0', '1'], 'FLOAT'],
  [['0.12345678901234567890'], 'VARCHAR[64]'],
])('the type of %j is %s', (fields, type) => {
  expect(typeText(guessType(fields))).toBe(type)
})

describe('a header', () => {
  test('names columns of another type', () => {
    expect(guessHeader(records('id,name\n1,a\n'))).toBe(true)
    expect(guessHeader(records('id,Name,name\n1,a,b\n'))).toBe(true)
    expect(guessHeader(records('1,a\n2,b\n'))).toBe(false)
  })

  test('is likely when texts look like names, and is not when one is missing or twice', () => {
    expect(guessHeader(records('first name,last_name\nAda,Lovelace\n'))).toBe(true)
    expect(guessHeader(records('a,\nb,c\n'))).toBe(false)
    expect(guessHeader(records('a,a\nb,c\n'))).toBe(false)
  })
})

test('names become such as the server takes, all different', () => {
  expect(columnNames(['First Name', 'first-name', 'Größe (cm)', '', null, '日本'])).toEqual([
    'first_name',
    'first_name_2',
    'gro_e_cm',
    'column_4',
    'column_5',
    'column_6',
  ])
})

test('the key is a column named so, with a value of its own in each row', () => {
  const types = [guessType(['a']), guessType(['1'])]
  const rows = records('a,1\na,2\n')
  expect(guessKey(['name', 'id'], types, rows)).toBe(1)
  expect(guessKey(['id', 'n'], types, rows)).toBe(-1)
})
