// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isNumberFormat,
  type NumberFormat,
  numberFormats,
  numberName,
  parseNumber,
  reasonAgainstNumber,
  writeNumber,
} from '~/lib/number-formats'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const parsed = (text: string, format: NumberFormat) => {
  const found = parseNumber(text, format)
  return 'bytes' in found ? Buffer.from(found.bytes).toString('hex') : found.error
}

describe('numbers and times in bytes', () => {
  test('come back exactly from every format that shows them', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 9 }),
        fc.constantFrom(...numberFormats),
        (bytes, format) => {
          const text = writeNumber(bytes, format)
          if (text === null) expect(reasonAgainstNumber(bytes, format)).not.toBeNull()
          else expect(parsed(text, format)).toBe(Buffer.from(bytes).toString('hex'))
        },
      ),
    )
  })

  test.each([
    ['u1', 'ff', '255'],
    ['u2be', '0102', '258'],
    ['u2le', '0102', '513'],
    ['u3be', 'ffffff', '16777215'],
    ['u8be', 'ffffffffffffffff', '18446744073709551615'],
    ['u8le', '0100000000000080', '9223372036854775809'],
    ['sbe', '0000000000000000', '1970-01-01 00:00:00'],
    ['sbe', 'ffffffffffffffff', '1969-12-31 23:59:59'],
    ['msbe', '0000000000000001', '1970-01-01 00:00:00.001'],
    ['usle', '40420f0000000000', '1970-01-01 00:00:01.000000'],
    ['nsbe', '7fffffffffffffff', '2262-04-11 23:47:16.854775807'],
    ['nsbe', '8000000000000000', '1677-09-21 00:12:43.145224192'],
  ] as const)('%s: %s is %s', (format, bytes, text) => {
    expect(writeNumber(hex(bytes), format)).toBe(text)
    expect(parsed(text, format)).toBe(bytes)
  })

  test.each([
    ['u1', '256', 'It does not fit: the largest is 255.'],
    ['u8be', '18446744073709551616', 'It does not fit: the largest is 18446744073709551615.'],
    ['u4be', '-1', 'Write a whole number from 0 on, in digits.'],
    ['u4be', '1.0', 'Write a whole number from 0 on, in digits.'],
    ['sbe', '2026-04-31 00:00:00', 'Write a time in UTC such as 2026-11-21 09:00:00.'],
    ['sbe', '2026-04-30 00:00:00.5', 'It does not fit: seconds have 0 digits behind the second.'],
    [
      'msbe',
      '2026-04-30 00:00:00.0001',
      'It does not fit: milliseconds have 3 digits behind the second.',
    ],
    [
      'nsbe',
      '2300-01-01 00:00:00',
      'It does not fit: nanoseconds in 8 bytes do not reach that far.',
    ],
  ] as const)('%s: %s has no bytes', (format, text, why) => {
    expect(parsed(text, format)).toBe(why)
  })

  test('zeros behind the last digit lose nothing, and seconds may be left out', () => {
    expect(parsed('1970-01-01 00:00:00.001000', 'msbe')).toBe('0000000000000001')
    expect(parsed('1970-01-01T00:01Z', 'sbe')).toBe('000000000000003c')
  })

  test('say why bytes do not fit', () => {
    expect(reasonAgainstNumber(hex('01'), 'u2be')).toBe('It does not fit: it has 1 byte, not 2.')
    expect(reasonAgainstNumber(hex('7fffffffffffffff'), 'sbe')).toBe(
      'It does not fit: no such time in the years 0 to 9999.',
    )
  })

  test('have a name each', () => {
    expect(new Set(numberFormats.map(numberName)).size).toBe(numberFormats.length)
    expect(numberName('u4le')).toBe('Integer, 4 bytes, little-endian')
    expect(isNumberFormat('u9be')).toBe(false)
  })
})
