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
    ['f8be', '3fd3333333333334', '0.30000000000000004'],
    ['f8le', '343333333333d33f', '0.30000000000000004'],
    ['f8be', '8000000000000000', '-0'],
    ['f8be', '0000000000000001', '5e-324'],
    ['f8be', '7ff0000000000000', 'Infinity'],
    ['f8be', '7ff8000000000000', 'NaN'],
    ['f8be', '436ce91e50ac590d', '65100926077290600'],
    ['f4be', '3dcccccd', '0.1'],
    ['f4le', 'cdcccc3d', '0.1'],
    ['f4be', '4b7fffff', '16777215'],
    ['f4be', '00000001', '1e-45'],
    ['f4be', 'ff800000', '-Infinity'],
    ['f4be', '7fc00000', 'NaN'],
  ] as const)('%s: %s is %s', (format, bytes, text) => {
    expect(writeNumber(hex(bytes), format)).toBe(text)
    expect(parsed(text, format)).toBe(bytes)
  })

  test.each([
    ['u1', '256', 'It does not fit: the largest is 255.'],
    ['u8be', '18446744073709551616', 'It does not fit: the largest is 18446744073709551615.'],
    ['f8be', '0.10000000000000000001', 'It does not fit: the nearest is 0.1.'],
    ['f8be', '9007199254740993', 'It does not fit: the nearest is 9007199254740992.'],
    ['f4be', '16777217', 'It does not fit: the nearest is 16777216.'],
    ['f4be', '1e39', 'It does not fit: the nearest is Infinity.'],
    ['f8be', '1e-400', 'It does not fit: the nearest is 0.'],
    ['f8be', '٣', 'Write a number such as -1.5 or 2e10, NaN or Infinity.'],
    ['f8be', '', 'Write a number such as -1.5 or 2e10, NaN or Infinity.'],
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
