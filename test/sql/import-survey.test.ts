// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { NullWord } from '~/sql/import-rows'
import { countNulls, firstNulls, guardCount, guessType, offersFor } from '~/sql/import-survey'
import { typeText } from '~/sql/import-types'
import { surveyOf } from '../support/import-file'

/** The field of a column with these texts, as they stand in a file. */
function fieldOf(...texts: string[]) {
  const { fields } = surveyOf(`v,end\n${texts.map((text) => `${text},x\n`).join('')}`)
  if (!fields[0]) throw new Error('no field')
  return fields[0]
}
const typeOf = (...texts: string[]) => typeText(guessType(fieldOf(...texts), firstNulls()))

test.each([
  [['1', '-2', ''], 'INTEGER'],
  [['9223372036854775807', '-9223372036854775808'], 'INTEGER'],
  [['1', '2.5', '-0', '1e+21'], 'FLOAT'],
  [['1.5', 'NaN', '-Infinity'], 'FLOAT'],
  [['true', 'false'], 'BOOLEAN'],
  [['2024-05-06T07:08:09Z', '2024-05-06 07:08:09.123456 UTC'], 'TIMESTAMP'],
  [['8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d'], 'UUID'],
  [['"{""a"":1}"', '[]'], 'JSON'],
  [['0x00ff', '0x'], 'BLOB'],
  [['x'.repeat(100)], 'VARCHAR[256]'],
  [['x'.repeat(10_000)], 'VARCHAR'],
  [['', ''], 'VARCHAR[64]'],
  [['NaN', 'NaN'], 'VARCHAR[64]'],
])('a type that keeps every value of %j is %s', (texts, type) => {
  expect(typeOf(...texts)).toBe(type)
})

test.each([
  [['1', '007']],
  [['1', '+4930123']],
  [['1', '-0', 'x']],
  [['1', '1e3']],
  [['1.5', '1.50']],
  [['1', ' 2']],
  [['1.5', '0.12345678901234567890']],
  [['9223372036854775808']],
  [['2015/01/01']],
  [['2015-01-01']],
  [['2015-01-01 10:00:00']],
  [['2015-01-01T10:00:00+02:00']],
  [['2015-01-01T10:00:00.1234567Z']],
  [['0xFF']],
  [['0x0']],
  [['TRUE', 'false']],
  [['yes', 'no']],
  [['8D9A6D2E-1B3C-4F5A-9C1D-2E3F4A5B6C7D']],
  [['"{""a"": 1}"']],
  [['"{""b"":1,""a"":2}"']],
  [['5/19/2006 0:00:00']],
  [['"6,718"', '"1,200"']],
  [['1', '""']],
])('%j is text, because another type would write a value otherwise', (texts) => {
  expect(typeOf(...texts)).toMatch(/^VARCHAR/)
})

test('one value at the end of a long file decides', () => {
  const codes = Array.from({ length: 33_333 }, (_, at) => String(39_950 - at).padStart(5, '0'))
  expect(codes.at(-1)).toMatch(/^0/)
  const found = fieldOf(...codes)
  expect(typeText(guessType(found, firstNulls()))).toBe('VARCHAR[64]')
  const [offer] = offersFor(found, firstNulls())
  expect(offer).toMatchObject({ type: 'INTEGER', rule: null, changed: 3_382 })
  expect(offer?.examples[0]).toMatchObject({ before: '09999', after: '9999' })
})

describe('what is offered for a text', () => {
  const offers = (...texts: string[]) =>
    offersFor(fieldOf(...texts), firstNulls()).map(({ type, rule, changed, examples }) => [
      type,
      rule,
      changed,
      examples[0]?.after,
    ])

  test.each<[string[], unknown[]]>([
    [['1.50', '2.5'], [['FLOAT', null, 1, '1.5']]],
    [['Y', 'N'], [['BOOLEAN', null, 2, 'true']]],
    [['2015/01/01'], [['TIMESTAMP', null, 1, '2015-01-01T00:00:00.000000Z']]],
    [
      ['5/19/2006 0:00:00', '5/4/2006 0:00:00'],
      [['TIMESTAMP', 'month-first', 2, '2006-05-19T00:00:00.000000Z']],
    ],
    [
      ['5/4/2006'],
      [
        ['TIMESTAMP', 'month-first', 1, '2006-05-04T00:00:00.000000Z'],
        ['TIMESTAMP', 'day-first', 1, '2006-04-05T00:00:00.000000Z'],
      ],
    ],
    [['"6,718.5"'], [['FLOAT', 'point', 1, '6718.5']]],
    [['"1,5"', '"2,25"'], [['FLOAT', 'comma', 2, '1.5']]],
    [
      ['"6,718"', '"1,200"'],
      [
        ['INTEGER', 'point', 2, '6718'],
        ['FLOAT', 'comma', 2, '6.718'],
      ],
    ],
    [['a', '1'], []],
    [['1', '2'], []],
    [['', ''], []],
  ])('of %j', (texts, expected) => {
    expect(offers(...texts)).toEqual(expected)
  })
})

describe('a word for NULL', () => {
  const ages = 'name,age\nAda,36\nNULL,NULL\n"NULL",12\nAlan,\n'
  const types = (text: string, nulls: readonly NullWord[]) =>
    surveyOf(text, { nulls }).fields.map((field) => typeText(guessType(field, nulls)))

  test('is NULL where the type has no such value, and a name stays a name', () => {
    const found = surveyOf(ages)
    const nulls = firstNulls()
    expect(types(ages, nulls)).toEqual(['VARCHAR[64]', 'INTEGER'])
    const chosen = found.fields.map((field) => ({ type: guessType(field, nulls), rule: null }))
    const count = (word: string) => {
      const where = nulls.find((one) => one.word === word)?.where ?? 'nowhere'
      return countNulls(found, { word, where }, chosen)
    }
    expect(count('NULL')).toEqual({ nulls: 1, texts: 1 })
    expect(count('')).toEqual({ nulls: 1, texts: 0 })
    expect(count('NA')).toEqual({ nulls: 0, texts: 0 })
  })

  test('that is never NULL makes a number a text', () => {
    expect(types(ages, [{ word: '', where: 'everywhere' }])).toEqual(['VARCHAR[64]', 'VARCHAR[64]'])
    expect(types('a,b\n1,\n', [])).toEqual(['INTEGER', 'VARCHAR[64]'])
  })

  test('may be any text', () => {
    const nulls: NullWord[] = [{ word: 'missing', where: 'typed' }]
    expect(types('a,b\n1,missing\nmissing,x\n', nulls)).toEqual(['INTEGER', 'VARCHAR[64]'])
  })

  test('is no value of JSON that is NULL there', () => {
    const text = 'a,b\n[],1\nnull,2\n'
    expect(types(text, firstNulls())).toEqual(['JSON', 'INTEGER'])
    const found = surveyOf(text)
    const json = [{ type: { name: 'JSON', length: null }, rule: null } as const, null]
    expect(countNulls(found, { word: 'null', where: 'typed' }, json)).toEqual({
      nulls: 0,
      texts: 1,
    })
  })
})

test('apostrophes of an export are found where nothing was left without', () => {
  expect(guardCount(surveyOf("a,b\n'=1+1,x\n'-5,y\n"))).toBe(2)
  expect(guardCount(surveyOf("a,b\n'=1+1,x\n@me,y\n"))).toBe(0)
  expect(guardCount(surveyOf("a,b\n'tis,x\n"))).toBe(0)
})

test('rows with bytes that are no text, and short ones, are counted', () => {
  expect(surveyOf('a,b\n1,\udcfc\n2\n3,\udcfc\n')).toMatchObject({
    broken: { first: 2, count: 2 },
    short: 1,
    rows: 3,
  })
  expect(surveyOf('a,\udcfc\n1,2\n').broken).toEqual({ first: 1, count: 1 })
})
