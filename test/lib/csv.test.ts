// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvFormat, csvReader, quotedField } from '~/lib/csv'
import { textReader } from '~/lib/encoding'

const plain: CsvFormat = { separator: ',', quote: '"' }

function all(text: string, format: CsvFormat = plain) {
  const reader = csvReader(format)
  return [...reader.read(text), ...reader.end()]
}

/** The fields of each record; null for an empty one without quotes. */
const cellsOf = (text: string, format?: CsvFormat) =>
  all(text, format).map(({ cells, quoted }) =>
    cells.map((cell, at) => (cell === '' && !quoted[at] ? null : cell)),
  )

/** Parts of bytes, cut at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length]
  const sorted = [0, ...ends].sort((one, other) => one - other)
  return sorted.slice(1).map((end, at) => bytes.slice(sorted[at], end))
}

describe('a record', () => {
  test('has its fields, and knows an empty one from empty quotes', () => {
    expect(cellsOf('a,,""\r\n1,2,3')).toEqual([
      ['a', null, ''],
      ['1', '2', '3'],
    ])
  })

  test('may hold separators, line ends and quotes within quotes', () => {
    expect(cellsOf('"a,b","c\r\nd","say ""no"""\n')).toEqual([['a,b', 'c\r\nd', 'say "no"']])
  })

  test('ends with any of the three line ends', () => {
    expect(cellsOf('a\nb\r\nc\rd')).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  test('knows the line in which it begins', () => {
    const lines = all('a\n"b\nb\r\nb"\n\nc').map(({ line, isBlank }) => [line, isBlank])
    expect(lines).toEqual([
      [1, false],
      [2, false],
      [5, true],
      [6, false],
    ])
  })

  test('keeps a quote within a field as it is', () => {
    expect(all('5" pipe,x')[0]).toMatchObject({ cells: ['5" pipe', 'x'], problem: null })
  })

  test('is marked when text stands behind a closing quote', () => {
    expect(all('"a"b,c')[0]?.problem).toBe('Text stands behind a closing quote.')
  })

  test('is marked when its quote is never closed', () => {
    expect(all('x\n"a,b\nc')[1]).toMatchObject({
      line: 2,
      problem: 'A quote opens here and is never closed. All up to line 3 is taken for one field.',
    })
  })

  test('names the line to which a quote reaches', () => {
    expect(all('"a\nb\nc"d,e\n')[0]?.problem).toBe(
      'A quote opens here, and text stands behind the one that closes it in line 3.',
    )
    expect(all('"a\nb\nc')[0]?.problem).toBe(
      'A quote opens here and is never closed. All up to line 3 is taken for one field.',
    )
  })

  test('begins below the lines that are not read, whatever stands in them', () => {
    const reader = csvReader(plain, 4)
    const records = ['A "title\r', '\n\n"x\ra,b\n', '1,2'].flatMap((part) => reader.read(part))
    expect([...records, ...reader.end()].map(({ line, cells }) => [line, ...cells])).toEqual([
      [4, 'a', 'b'],
      [5, '1', '2'],
    ])
  })

  test('reads another separator and another quote', () => {
    const format = { separator: ';', quote: "'" }
    expect(all("'a;b';\\N;;'\\N'", format)[0]).toMatchObject({
      cells: ['a;b', '\\N', '', '\\N'],
      quoted: [true, undefined, undefined, true],
    })
    expect(cellsOf('"a\tb', { separator: '\t', quote: '' })).toEqual([['"a', 'b']])
  })
})

const field = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'a', 'é', '\u{1f30d}', '\ufeff') }),
)
const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 })

test('what was written is read again, wherever its bytes are cut', () => {
  fc.assert(
    fc.property(table, fc.array(fc.nat(), { maxLength: 8 }), (rows, places) => {
      const text = rows
        .map(
          (row) => `${row.map((cell) => (cell === null ? '' : quotedField(cell))).join(',')}\r\n`,
        )
        .join('')
      const reader = csvReader(plain)
      const decoder = textReader('utf-8')
      const bytes = new TextEncoder().encode(`\ufeff${text}`)
      const records = [
        ...cut(bytes, places).flatMap((part) => reader.read(decoder.read(part))),
        ...reader.read(decoder.end()),
        ...reader.end(),
      ]
      const read = records.map(({ cells, quoted }) =>
        cells.map((cell, at) => (cell === '' && !quoted[at] ? null : cell)),
      )
      expect(read).toEqual(rows)
      expect(records.every(({ problem }) => problem === null)).toBe(true)
    }),
  )
})

test('any text gives the same records whole and in parts', () => {
  const odd = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ') })
  fc.assert(
    fc.property(odd, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
      const reader = csvReader(plain)
      const bytes = new TextEncoder().encode(text)
      const parts = cut(bytes, places).map((part) => new TextDecoder().decode(part))
      expect([...parts.flatMap((part) => reader.read(part)), ...reader.end()]).toEqual(all(text))
    }),
  )
})

test('a long record in many parts takes time in proportion to its length', () => {
  const reader = csvReader(plain)
  const part = 'x'.repeat(65_536)
  const started = performance.now()
  reader.read('"')
  for (let count = 0; count < 200; count += 1) expect(reader.read(part)).toEqual([])
  expect(reader.held()).toBe(1 + 200 * 65_536)
  expect([...reader.read('"\n'), ...reader.end()][0]?.cells[0]).toHaveLength(200 * 65_536)
  expect(performance.now() - started).toBeLessThan(5_000)
})
