// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvReader } from '~/lib/csv'
import {
  type FieldRule,
  type ImportTypeName,
  isKept,
  readField,
  readType,
  typeText,
  type WireValue,
  writtenValue,
} from '~/sql/import-types'
import { csvField } from '~/sql/result-text'
import { corpusBytes } from '../support/corpus-bytes'
import { commas } from '../support/import-file'

const read = (name: ImportTypeName, text: string, length: number | null = null) =>
  readField({ name, length }, text)

describe('a field', () => {
  test.each<[ImportTypeName, string, object]>([
    ['INTEGER', '9223372036854775807', { n: '9223372036854775807' }],
    ['INTEGER', '-9223372036854775808', { n: '-9223372036854775808' }],
    ['INTEGER', '+007', { n: '7' }],
    ['INTEGER', '-0', { n: '0' }],
    ['INTEGER', '0000000000000000000000012', { n: '12' }],
    ['FLOAT', '-1.5e-7', { f: -1.5e-7 }],
    ['FLOAT', '-0', { s: '-0' }],
    ['FLOAT', '-0.0', { s: '-0' }],
    ['FLOAT', '+Infinity', { f: 'Infinity' }],
    ['FLOAT', 'NaN', { f: 'NaN' }],
    ['BOOLEAN', 'TRUE', { b: true }],
    ['BOOLEAN', '0', { b: false }],
    ['TIMESTAMP', '1970-01-01T00:00:00.000001Z', { ts: '1' }],
    ['TIMESTAMP', '1969-12-31 23:59:59.999999', { ts: '-1' }],
    ['TIMESTAMP', '2024-05-06 07:08:09.123456 UTC', { ts: '1714979289123456' }],
    ['TIMESTAMP', '2024-05-06T09:08:09,123456000+02:00', { ts: '1714979289123456' }],
    ['TIMESTAMP', '2024-05-06', { ts: '1714953600000000' }],
    ['TIMESTAMP', '0001-01-01T00:00:00Z', { ts: '-62135596800000000' }],
    ['UUID', '8D9A6D2E-1B3C-4F5A-9C1D-2E3F4A5B6C7D', { s: '8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d' }],
    ['JSON', '{"a": [1, null]}', { s: '{"a": [1, null]}' }],
    ['BLOB', '0x00FF', { bs: 'AP8=' }],
    ['BLOB', '0x', { bs: '' }],
    ['VARCHAR', '', { s: '' }],
    ['VARCHAR', 'a\0b', { s: 'a\0b' }],
  ])('of %s reads %j', (name, text, reads) => {
    expect(read(name, text)).toEqual({ reads })
  })

  test.each<[ImportTypeName, string, string]>([
    ['INTEGER', '9223372036854775808', 'is beyond 64 bits'],
    ['INTEGER', '1.0', 'is not a whole number'],
    ['INTEGER', '', 'is not a whole number'],
    ['INTEGER', '1 1', 'is not a whole number'],
    ['FLOAT', '1e999', 'is beyond the range of a FLOAT'],
    ['FLOAT', '1e-999', 'is too close to 0 for a FLOAT'],
    ['FLOAT', '1,5', 'is not a number'],
    ['BOOLEAN', 'maybe', 'is neither true nor false'],
    ['TIMESTAMP', '2024-02-30', 'is not a time such as 2024-05-06T07:08:09.123456Z'],
    ['TIMESTAMP', '2024-05-06T24:00:00', 'is not a time such as 2024-05-06T07:08:09.123456Z'],
    [
      'TIMESTAMP',
      '2024-05-06T07:08:09.1234567Z',
      'is more exact than the microseconds of TIMESTAMP',
    ],
    ['UUID', 'x', 'is not a UUID'],
    ['JSON', '{', 'is not JSON'],
    ['BLOB', 'AP8=', 'is not bytes such as 0x00ff'],
    ['VARCHAR', 'a\udcff', 'has bytes that are not text in the chosen encoding'],
  ])('of %s does not read %j', (name, text, why) => {
    expect(read(name, text)).toEqual({ why })
  })

  test('has a length in bytes', () => {
    expect(read('VARCHAR', 'éé', 4)).toEqual({ reads: { s: 'éé' } })
    expect(read('VARCHAR', 'ééé', 5)).toEqual({ why: 'is longer than 5 bytes' })
    expect(read('BLOB', '0x000102', 2)).toEqual({ why: 'is longer than 2 bytes' })
  })
})

/** A value as a result has it, written by the exact export and read back. */
function roundTrip(name: ImportTypeName, value: string) {
  const [record] = csvReader(commas).read(`${csvField(name, value, false)},\r\n`)
  return readField({ name, length: null }, record?.cells[0] ?? '')
}

test('whatever was exported as exact CSV is the same value again', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  fc.assert(
    fc.property(
      int64,
      fc.double(),
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array(),
      (n, f, s, b) => {
        const base64 = Buffer.from(b).toString('base64')
        expect(roundTrip('INTEGER', String(n))).toEqual({ reads: { n: String(n) } })
        expect(roundTrip('TIMESTAMP', String(n))).toEqual({ reads: { ts: String(n) } })
        expect(roundTrip('VARCHAR', s)).toEqual({ reads: { s } })
        expect(roundTrip('BLOB', base64)).toEqual({ reads: { bs: base64 } })
        const float = Object.is(f, -0) ? '-0' : String(f)
        const { reads } = roundTrip('FLOAT', float) as { reads: WireValue }
        expect(Number(Object.values(reads)[0])).toBe(f)
        expect(isKept('FLOAT', float, reads)).toBe(true)
      },
    ),
  )
})

test('every hostile text is read as it is, and bytes that are no text are refused', () => {
  for (const { bytes, name } of corpusBytes()) {
    const text = bytes.toString('utf8')
    if (!Buffer.from(text, 'utf8').equals(bytes)) continue
    expect(roundTrip('VARCHAR', text), name).toEqual({ reads: { s: text } })
  }
})

describe('a value that stands otherwise in the file than it is written', () => {
  const written = (name: ImportTypeName, text: string) => {
    const found = read(name, text)
    if ('why' in found) return found.why
    return isKept(name, text, found.reads) ? 'kept' : writtenValue(name, found.reads)
  }

  test.each<[ImportTypeName, string, string]>([
    ['INTEGER', '501', 'kept'],
    ['INTEGER', '-9223372036854775808', 'kept'],
    ['INTEGER', '00501', '501'],
    ['INTEGER', '+4930123', '4930123'],
    ['INTEGER', '-0', '0'],
    ['INTEGER', ' 14 ', '14'],
    ['FLOAT', '1.5', 'kept'],
    ['FLOAT', '-0', 'kept'],
    ['FLOAT', '1e+21', 'kept'],
    ['FLOAT', '1.50', '1.5'],
    ['FLOAT', '1e3', '1000'],
    ['FLOAT', '.5', '0.5'],
    ['FLOAT', '12345678901234567', '12345678901234568'],
    ['FLOAT', '123456789.123456789123', '123456789.12345679'],
    ['FLOAT', '+Infinity', 'Infinity'],
    ['BOOLEAN', 'true', 'kept'],
    ['BOOLEAN', 'TRUE', 'true'],
    ['BOOLEAN', 'yes', 'true'],
    ['BOOLEAN', 'N', 'false'],
    ['TIMESTAMP', '2024-05-06T07:08:09Z', 'kept'],
    ['TIMESTAMP', '2024-05-06 07:08:09.123456 UTC', 'kept'],
    ['TIMESTAMP', '2024-05-06', '2024-05-06T00:00:00.000000Z'],
    ['TIMESTAMP', '2024-05-06 07:08:09', '2024-05-06T07:08:09.000000Z'],
    ['TIMESTAMP', '2024-05-06T09:08:09+02:00', '2024-05-06T07:08:09.000000Z'],
    ['TIMESTAMP', '2015/01/01', '2015-01-01T00:00:00.000000Z'],
    ['UUID', '8D9A6D2E-1B3C-4F5A-9C1D-2E3F4A5B6C7D', '8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d'],
    ['BLOB', '0x00ff', 'kept'],
    ['BLOB', '0x00FF', '0x00ff'],
    ['JSON', '{"a":1,"b":[2]}', 'kept'],
    ['JSON', '{"b": 1, "a": 1.0}', '{"a":1,"b":1}'],
    ['JSON', '{"a":12345678901234567890}', '{"a":12345678901234567000}'],
    ['JSON', '{"a":"12345678901234567890"}', 'kept'],
    ['VARCHAR', ' 007 ', 'kept'],
  ])('%s %j: %s', (name, text, expected) => {
    expect(written(name, text)).toBe(expected)
  })

  test.each<[ImportTypeName, string, FieldRule, object]>([
    ['INTEGER', '6,718', 'point', { n: '6718' }],
    ['INTEGER', '1 234 567', 'comma', { n: '1234567' }],
    ['FLOAT', '6,718.5', 'point', { f: 6718.5 }],
    ['FLOAT', '6.718,5', 'comma', { f: 6718.5 }],
    ['FLOAT', '-1,5', 'comma', { f: -1.5 }],
    ['FLOAT', 'NaN', 'comma', { f: 'NaN' }],
    ['TIMESTAMP', '5/19/2006 0:00:00', 'month-first', { ts: '1147996800000000' }],
    ['TIMESTAMP', '5/4/2006', 'month-first', { ts: '1146700800000000' }],
    ['TIMESTAMP', '5/4/2006', 'day-first', { ts: '1144195200000000' }],
    ['TIMESTAMP', '19.5.2006 1:30 PM', 'day-first', { ts: '1148045400000000' }],
  ])('%s %j is read by the rule %s', (name, text, rule, reads) => {
    expect(readField({ name, length: null }, text, rule)).toEqual({ reads })
  })

  test.each<[ImportTypeName, string, FieldRule | null]>([
    ['INTEGER', '6,718', null],
    ['INTEGER', '6,71', 'point'],
    ['FLOAT', '1.5', 'comma'],
    ['FLOAT', '1,5', 'point'],
    ['TIMESTAMP', '5/19/2006', null],
    ['TIMESTAMP', '19/5/2006', 'month-first'],
    ['TIMESTAMP', '5/19/06', 'month-first'],
  ])('%s %j is not read by the rule %s', (name, text, rule) => {
    expect(readField({ name, length: null }, text, rule)).toHaveProperty('why')
  })
})

test('types are read as the server tells them and written as it takes them', () => {
  expect(readType('VARCHAR(64)')).toEqual({ name: 'VARCHAR', length: 64 })
  expect(readType('BLOB[0]')).toEqual({ name: 'BLOB', length: null })
  expect(readType('INTEGER')).toEqual({ name: 'INTEGER', length: null })
  expect(readType('DECIMAL')).toBeNull()
  expect(typeText({ name: 'VARCHAR', length: 64 })).toBe('VARCHAR[64]')
})
