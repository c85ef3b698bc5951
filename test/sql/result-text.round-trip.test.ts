// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writtenJson } from '~/immudb/json-match'
import { targetOf, withReading } from '~/screens/tables/import/setup'
import { withoutGuards } from '~/sql/formula-guard'
import { writtenValue } from '~/sql/import-types'
import type { ResultTable } from '~/sql/result'
import { type CsvKind, exportedRows, frameOf, guardedCells } from '~/sql/result-text'
import { chosen, guessedTarget, into, rowsOf, tableWith } from '../support/imported'

type Cell = string | null

/** A result with these columns, of which the first has no NULL. */
function resultOf(types: readonly string[], rows: readonly (readonly Cell[])[]): ResultTable {
  const columns = types.map((type, at) => ({
    name: `(t.c${at})`,
    table: 't',
    label: `c${at}`,
    type,
    values: rows.map((row) => row[at] ?? null),
  }))
  return { rowCount: rows.length, columns }
}

function fileOf(kind: CsvKind, result: ResultTable): string {
  return frameOf(kind, result).before + exportedRows(kind, result).join('')
}

/** Imports an export into a table of the same types; the values as a result has them. */
async function backIn(kind: CsvKind, result: ResultTable, takesGuards = kind !== 'exact-csv') {
  const types = result.columns.map(({ type }) => type)
  const guessed = await chosen(fileOf(kind, result))
  const comma = kind === 'semicolon-csv' ? 'comma' : null
  const read = withReading({ ...guessed, rules: types.map(() => comma) }, { takesGuards })
  const setup = { ...into(read, tableWith(types)), rules: types.map(() => comma) }
  const choice = targetOf(setup, [], 1_024)
  if ('why' in choice) throw new Error(choice.why)
  const rows = await rowsOf(setup, choice.target)
  return rows.map(({ row, problem }) =>
    row === null
      ? problem
      : row.values.map((value) => (value === null ? null : String(Object.values(value)[0]))),
  )
}

const kinds: readonly CsvKind[] = ['csv', 'mark-csv', 'semicolon-csv', 'exact-csv']

const awkward = [
  '-5',
  '+49 30 123',
  '@x',
  '=1+1',
  "'=1+1",
  "'tis",
  ';=1+1',
  'a\t=1',
  'a|@b',
  '',
  ' ',
  'NULL',
  '\\N',
  'NA',
  'two\r\nlines\nand\rmore',
  'a "quoted" word',
  '1,5;2.5',
  'sep=;',
  '\ufeffx',
  '00501',
  '1e3',
  'Größe 名前 🎉',
]

describe.for(kinds)('what was exported as %s', (kind) => {
  test('comes in again unchanged, whatever its texts look like', async () => {
    const rows = awkward.map((text, at) => [String(at), text, at % 2 ? null : text])
    const result = resultOf(['INTEGER', 'VARCHAR', 'VARCHAR'], rows)
    expect(await backIn(kind, result)).toEqual(rows)
  })

  test('comes in again unchanged with values of every type', async () => {
    const types = ['INTEGER', 'FLOAT', 'BOOLEAN', 'TIMESTAMP', 'UUID', 'JSON', 'BLOB', 'VARCHAR']
    const uuid = '8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d'
    const rows = [
      ['9223372036854775807', 'NaN', 'true', '-1', uuid, '{"a":"x,y"}', 'AP8=', '-5'],
      ['-9223372036854775808', '-Infinity', 'false', '1714979289123456', null, 'null', '', '"'],
      ['0', '-0', null, '-62135596800000000', null, '-5', null, null],
      ['1', '1.7976931348623157e+308', null, '9223372036854775807', null, '"=1"', null, ''],
      ['2', '5e-324', null, null, null, '[1.5,null]', null, 'x'],
    ]
    expect(await backIn(kind, resultOf(types, rows))).toEqual(rows)
  })

  test('comes in again unchanged, whatever is in it', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'=-+@\'";,|\t\r\n a\ufeff'.split('')) }),
      fc.constantFrom(...awkward),
    )
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
    const float = fc.double().map((one) => (Object.is(one, -0) ? '-0' : String(one)))
    const json = fc.json().map((one) => writtenJson(one) ?? 'null')
    const blob = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))
    const row = fc.tuple(
      int64,
      fc.option(text),
      fc.option(float),
      fc.option(json),
      fc.option(blob),
      fc.option(fc.boolean().map(String)),
      fc.option(int64),
    )
    const types = ['INTEGER', 'VARCHAR', 'FLOAT', 'JSON', 'BLOB', 'BOOLEAN', 'TIMESTAMP']
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        expect(await backIn(kind, resultOf(types, rows))).toEqual(rows)
      }),
      { numRuns: 60 },
    )
  })
})

test('exact values come into a new table as they stand, without a choice', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...awkward, '1.50', '-0'))
  const row = fc.tuple(fc.nat().map(String), text, fc.option(text))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const result = resultOf(['INTEGER', 'VARCHAR', 'VARCHAR'], rows)
      const setup = await chosen(fileOf('exact-csv', result))
      const target = guessedTarget(setup)
      const read = await rowsOf(setup, target)
      const written = read.map(({ row: sent }) =>
        sent?.values.map((value, at) =>
          value === null ? null : writtenValue(target.columns[at]?.type.name ?? 'VARCHAR', value),
        ),
      )
      expect(setup.heads).toEqual(['c0', 'c1', 'c2'])
      // A column with neither name nor value would be left out; these have names.
      expect(written).toEqual(rows)
      expect(read.flatMap(({ changes }) => changes)).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('the apostrophes of an export are counted, and stay until it is asked for', async () => {
  const result = resultOf(
    ['INTEGER', 'VARCHAR', 'FLOAT'],
    [
      ['-1', '=1+1', '-1.5'],
      ['-2', 'plain', '2'],
      ['-3', ';=1', '3'],
    ],
  )
  expect(kinds.map((kind) => guardedCells(kind, result))).toEqual([2, 2, 1, 0])
  const kept = await backIn('csv', result, false)
  expect(kept.map((row) => Array.isArray(row) && row[1])).toEqual(["'=1+1", 'plain', ";'=1"])
  expect(withoutGuards(";'=1", ',')).toBe(';=1')
})

test('a semicolon file has decimal commas and a byte order mark', () => {
  const result = resultOf(['INTEGER', 'FLOAT'], [['1', '-1.5e+300']])
  expect(fileOf('semicolon-csv', result)).toBe('\ufeffc0;c1\r\n1;-1,5e+300\r\n')
  expect(fileOf('mark-csv', result)).toBe('\ufeffc0,c1\r\n1,-1.5e+300\r\n')
})
