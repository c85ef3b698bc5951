// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatFor,
  indentedJson,
  inputText,
  isValue,
  readInput,
  roundsNumbers,
  typeAndLength,
} from '~/sql/cell-input'

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
