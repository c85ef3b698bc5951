// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatFor,
  indentedJson,
  inputText,
  isValue,
  readInput,
  roundsNumbers,
  typeAndLength,
} from '~/sql/cell-input'
import { formatMicroseconds } from '~/sql/cells'

const column = (type: string, length: number | null = null) => ({ name: 'c', type, length })

function read(type: string, text: string, length: number | null = null): string | null {
  const input = readInput(column(type, length), text)
  return isValue(input) ? input.value : `! ${input.error}`
}

test('the type of a column is read from the words of the server', () => {
  expect(typeAndLength('VARCHAR(64)')).toEqual({ type: 'VARCHAR', length: 64 })
  expect(typeAndLength('BLOB[16]')).toEqual({ type: 'BLOB', length: 16 })
  expect(typeAndLength('VARCHAR')).toEqual({ type: 'VARCHAR', length: null })
  expect(typeAndLength('INTEGER')).toEqual({ type: 'INTEGER', length: null })
})

test.each([
  ['INTEGER', '9223372036854775807', '9223372036854775807'],
  ['INTEGER', ' -0007 ', '-7'],
  ['INTEGER', '-0', '0'],
  ['INTEGER', '-9223372036854775808', '-9223372036854775808'],
  ['FLOAT', '-0', '-0'],
  ['FLOAT', '1e5', '100000'],
  ['FLOAT', '.5', '0.5'],
  ['FLOAT', '5e-324', '5e-324'],
  ['FLOAT', 'NaN', 'NaN'],
  ['FLOAT', '-Infinity', '-Infinity'],
  ['BOOLEAN', 'TRUE', 'true'],
  ['TIMESTAMP', '1970-01-01 00:00:00.000001', '1'],
  ['TIMESTAMP', '1969-12-31T23:59:59.999999Z', '-1'],
  ['TIMESTAMP', '2026-11-21 09:00', '1795251600000000'],
  ['TIMESTAMP', '2026-11-21', '1795219200000000'],
  ['TIMESTAMP', '2026-11-21 09:00:00 +02:00', '1795244400000000'],
  ['TIMESTAMP', '-9223372036854775808 µs since 1970', '-9223372036854775808'],
  ['UUID', 'A0000000-0000-4000-8000-00000000000B', 'a0000000-0000-4000-8000-00000000000b'],
  ['BLOB', '0x00 ff', 'AP8='],
  ['BLOB', '', ''],
  ['VARCHAR', '', ''],
  ['VARCHAR', 'NULL', 'NULL'],
  ['JSON', '{"b": 1}', '{"b": 1}'],
])('%s takes %j', (type, text, value) => {
  expect(read(type, text)).toBe(value)
})

test.each([
  ['INTEGER', '9223372036854775808'],
  ['INTEGER', '1.0'],
  ['INTEGER', ''],
  ['FLOAT', '1e999'],
  ['FLOAT', '0x10'],
  ['FLOAT', ''],
  ['BOOLEAN', '1'],
  ['TIMESTAMP', '2026-02-30 00:00:00'],
  ['TIMESTAMP', '2026-02-30'],
  ['TIMESTAMP', '2026-11-21 Z'],
  ['TIMESTAMP', 'now'],
  ['UUID', 'a0000000000040008000000000000000'],
  ['BLOB', 'abc'],
  ['JSON', '{a:1}'],
  ['JSON', 'null'],
  ['JSON', '"\ud800"'],
  ['VARCHAR', '\ud800'],
])('%s refuses %j', (type, text) => {
  expect(read(type, text)).toMatch(/^! /)
})

test('the length of a column counts bytes', () => {
  expect(read('VARCHAR', 'éé', 4)).toBe('éé')
  expect(read('VARCHAR', 'ééé', 4)).toBe('! 6 bytes: the column holds at most 4 bytes.')
  expect(read('BLOB', '000102', 2)).toBe('! 3 bytes: the column holds at most 2 bytes.')
})

test('a text that a field would change is edited by its bytes', () => {
  expect(formatFor('VARCHAR', 'a\r\nb')).toBe('hex')
  expect(formatFor('VARCHAR', 'a\0b')).toBe('hex')
  expect(formatFor('VARCHAR', 'a\nb')).toBe('text')
  expect(readInput(column('VARCHAR'), '610d0a', 'hex')).toEqual({ value: 'a\r\n' })
  expect(readInput(column('VARCHAR'), 'ff', 'hex')).toHaveProperty('error')
})

test('numbers that the server keeps as doubles are noticed', () => {
  expect(roundsNumbers('{"a":9007199254740993}')).toBe(true)
  expect(roundsNumbers('{"a":9007199254740992,"b":"9007199254740993"}')).toBe(false)
})

test('what is shown for editing is read back as the same value', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
  const float = fc.double().map((of) => (Object.is(of, -0) ? '-0' : String(of)))
  const base64 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))
  const values = fc.oneof(
    int64.map((of) => ['INTEGER', of] as const),
    int64.map((of) => ['TIMESTAMP', of] as const),
    float.map((of) => ['FLOAT', of] as const),
    base64.map((of) => ['BLOB', of] as const),
    fc.string({ unit: 'binary' }).map((of) => ['VARCHAR', of] as const),
    fc.uuid().map((of) => ['UUID', of] as const),
  )
  fc.assert(
    fc.property(values, ([type, value]) => {
      const format = formatFor(type, value)
      const input = readInput(column(type), inputText(type, value, format), format)
      expect(input).toEqual({ value })
    }),
    { numRuns: 1_000 },
  )
})

describe('a time in the zone in which it is shown', () => {
  const read = (text: string, zone: string) => readInput(column('TIMESTAMP'), text, 'text', zone)
  const micro = (iso: string) => ({ value: String(BigInt(Date.parse(iso)) * 1000n) })

  test('is read in it, unless it names another', () => {
    expect(read('2026-07-01 12:00:00', 'Europe/Berlin')).toEqual(micro('2026-07-01T10:00:00Z'))
    expect(read('2026-01-01 12:00:00', 'Europe/Berlin')).toEqual(micro('2026-01-01T11:00:00Z'))
    expect(read('2026-07-01 12:00:00 UTC', 'Europe/Berlin')).toEqual(micro('2026-07-01T12:00:00Z'))
    expect(read('2026-07-01T12:00:00Z', 'Asia/Tokyo')).toEqual(micro('2026-07-01T12:00:00Z'))
  })

  test('that clocks skip is refused, and one that comes twice must say which is meant', () => {
    expect(read('2026-03-29 02:30:00', 'Europe/Berlin')).toEqual({
      text: '2026-03-29 02:30:00',
      error: 'There is no 2026-03-29 02:30 in Europe/Berlin: clocks go forward over it.',
    })
    const twice = '2026-10-25 02:30 in Europe/Berlin comes twice. Write +02:00 or +01:00 behind it.'
    expect(read('2026-10-25 02:30:00', 'Europe/Berlin')).toHaveProperty('error', twice)
    expect(read('2026-10-25 02:30:00 +01:00', 'Europe/Berlin')).toEqual(
      micro('2026-10-25T01:30:00Z'),
    )
    // Half an hour only, and a day that Samoa left out.
    expect(read('2026-04-05 01:45:00', 'Australia/Lord_Howe')).toHaveProperty('error')
    expect(read('2011-12-30 12:00:00', 'Pacific/Apia')).toHaveProperty('error')
  })

  test('is written without the offset where it is clear, so that another date has its own', () => {
    const of = (iso: string) => inputText('TIMESTAMP', micro(iso).value, 'text', 'Europe/Berlin')
    expect(of('2026-07-01T10:00:00Z')).toBe('2026-07-01 12:00:00.000000')
    expect(of('2026-10-25T01:30:00Z')).toBe('2026-10-25 02:30:00.000000 +01:00')
  })

  test.each([
    'local',
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Monrovia',
  ])('comes back to the microsecond, as it is edited and as it is copied (%s)', (zone) => {
    // Years in which zones had odd seconds, and hours around changes of clocks.
    const year = 31_557_600_000_000n
    const values = fc.oneof(
      fc.bigInt({ min: -150n * year, max: 130n * year }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 1_792_890_000_000_000n, max: 1_792_900_000_000_000n }),
    )
    fc.assert(
      fc.property(values.map(String), (value) => {
        expect(read(inputText('TIMESTAMP', value, 'text', zone), zone)).toEqual({ value })
        const copied = formatMicroseconds(value, zone)
        if (/^\d{4}-/.test(copied)) expect(read(copied, 'utc')).toEqual({ value })
      }),
      { numRuns: 400 },
    )
  })
})

test('bytes are read as SQL writes them, too', () => {
  expect(readInput(column('BLOB'), "x'00FF'")).toEqual({ value: 'AP8=' })
})

test('JSON is written in lines, with its numbers and texts as they are', () => {
  expect(indentedJson('{"b":1e400,"1":[-0,12345678901234567890,{}],"t":"a, {b}: \\"c\\""}')).toBe(
    [
      '{',
      '  "b": 1e400,',
      '  "1": [',
      '    -0,',
      '    12345678901234567890,',
      '    {}',
      '  ],',
      '  "t": "a, {b}: \\"c\\""',
      '}',
    ].join('\n'),
  )
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = indentedJson(JSON.stringify(value))
      expect(text).toBe(JSON.stringify(value, null, 2))
      expect(indentedJson(text)).toBe(text)
    }),
  )
  const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`
  expect(indentedJson(deep).length).toBeLessThan(400_000)
})
