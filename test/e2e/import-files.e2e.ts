import { describe, expect } from 'vitest'
import { nullWords } from '~/lib/csv'
import { textReader } from '~/lib/encoding'
import type { Setup } from '~/screens/tables/import/setup'
import { type FileRow, problemText } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { writtenValue } from '~/sql/import-types'
import { type Api, api } from '../support/api'
import { otherReader, type RealFile, realFiles } from '../support/csv-files'
import { test } from '../support/e2e'
import { ImportPage } from '../support/import-page'
import { chosen, guessedTarget, rowsOf } from '../support/imported'
import { unhurried } from '../support/looks'

/** Rows that do not come in as they are guessed, by the end of the path of their file. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'examples/bad.csv': ['Line 3: It has 2 fields and not 4.', 'Line 4: It has 3 fields and not 4.'],
  'examples/bad_skip_lines.csv': [
    'Line 6: It has 2 fields and not 4.',
    'Line 7: It has 3 fields and not 4.',
  ],
  'examples/join_a_short.csv': [
    'Line 2: It has 2 fields and not 3.',
    'Line 3: It has 1 field and not 3.',
  ],
  'examples/test_empty_columns.csv': ['Line 3: It has 4 fields and not 5.'],
  'examples/test_empty_columns_short_row.csv': ['Line 2: It has 2 fields and not 3.'],
  'examples/test_extra_header.csv': ['Line 2: It has 3 fields and not 4.'],
  'examples/test_join_short_rows.csv': [
    'Line 2: It has 2 fields and not 3.',
    'Line 3: It has 2 fields and not 3.',
  ],
}

type Cells = readonly (string | null)[]

/** The rows of the file as the other reader has them, below the header; null for nothing at all. */
async function othersRows({ source }: Setup, bytes: Uint8Array): Promise<Cells[]> {
  const decode = textReader(source.encoding)
  const text = decode.read(bytes) + decode.end()
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const parse = await otherReader()
  const records = parse(lines.slice(source.firstLine - 1).join(''), {
    cast: (text: string, { quoting }: { quoting: boolean }) =>
      text === '' && !quoting ? null : text,
    delimiter: source.format.separator,
    quote: source.format.quote || null,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: source.width > 1,
  })
  return records.slice(source.hasHeader ? 1 : 0)
}

const words: ReadonlySet<string> = new Set(nullWords)

/** What of a row is stored, in the order of the columns: a word is NULL where it is no text. */
function expectedOf({ columns }: ImportTarget, others: Cells): Cells {
  return columns.map(({ from, type }) => {
    const text = others[from] ?? null
    return text !== null && words.has(text) && type.name !== 'VARCHAR' ? null : text
  })
}

/** What a row would store where the other reader has another text; none when all is the same. */
function differences(row: FileRow, target: ImportTarget, others: Cells): string[] {
  const expected = expectedOf(target, others)
  return target.columns.flatMap(({ name, type }, at) => {
    const value = row.row?.values[at] ?? null
    const stored = value === null ? null : writtenValue(type.name, value)
    return stored === expected[at] ? [] : [`line ${row.line}, ${name}: ${stored}, ${expected[at]}`]
  })
}

const endsIn = (files: readonly RealFile[], end: string): RealFile => {
  const found = files.find(({ path }) => path.endsWith(end))
  if (!found) throw new Error(`No file ends in ${end}.`)
  return found
}

/** All rows of a table in the order in which they were inserted. */
async function storedIn(db: Api, table: string, target: ImportTarget) {
  const names = target.columns.map(({ name }) => `"${name}"`).join(', ')
  const rows: (readonly Readonly<Record<string, unknown>>[])[] = []
  for (;;) {
    const page = await db.query(
      `SELECT ${names} FROM ${table} WHERE "${target.key[0]}" > ${rows.length} ORDER BY "${target.key[0]}" ASC LIMIT 1000;`,
    )
    rows.push(...page)
    if (page.length < 1_000) return rows
  }
}

describe('real files of others', unhurried, () => {
  test('every row comes in as another reader has it, or is named with line and reason', async () => {
    const files = await realFiles()
    expect(files.length).toBe(134)
    let [rows, values] = [0, 0]
    const left = new Map<string, readonly string[]>()
    for (const { path, bytes } of files) {
      const setup = await chosen(bytes)
      if (setup.source.width === 0) {
        expect(new TextDecoder().decode(bytes).trim(), path).toBe('')
        continue
      }
      const target = guessedTarget(setup)
      const read = await rowsOf(setup, target)
      const others = await othersRows(setup, bytes)
      expect(read.length, path).toBe(others.length)
      expect(
        read.flatMap(({ changes }) => changes),
        path,
      ).toEqual([])
      const fit = read.filter(({ row }) => row !== null)
      const wrong = fit.flatMap((row) => differences(row, target, others[row.number - 1] ?? []))
      expect(wrong, path).toEqual([])
      const problems = read.flatMap(({ line, problem }) =>
        problem ? [`Line ${line}: ${problemText(problem)}`] : [],
      )
      if (problems.length > 0) left.set(path, problems)
      rows += fit.length
      values += fit.length * target.columns.length
    }
    expect(
      [...left].map(([path, problems]) => [path.split('/').slice(-2).join('/'), problems]),
    ).toEqual(Object.entries(refused))
    console.info(
      `${files.length} files: ${rows} rows with ${values} values come in, ${[...left.values()].flat().length} rows are named`,
    )
    expect(rows).toBeGreaterThan(111_000)
  })

  test('some come whole into a server, value by value', async ({ server, open }) => {
    const files = await realFiles()
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    const some = [
      'world-countries-5.1.0/package/dist/countries.csv',
      'realdata/Datagov_FY10_EDU_recp_by_State.csv',
      'csvkit-2.2.0/examples/test_utf16_big.csv',
      'csvkit-2.2.0/examples/test_latin1.csv',
      'agate-1.14.2/examples/test_cr.csv',
      'package/csvs/quotes_and_newlines.csv',
      'package/data/airports.csv',
    ]
    for (const [at, end] of some.entries()) {
      const { bytes } = endsIn(files, end)
      const setup = await chosen(bytes, `real_${at}.csv`)
      const target = guessedTarget(setup)
      await page.open()
      await page.choose(Buffer.from(bytes), `real_${at}.csv`)
      const key = page.dialog.getByRole('checkbox', { name: 'Primary key', checked: true })
      await page.dialog.getByRole('region', { name: 'Columns' }).waitFor()
      while ((await key.count()) > 0) await key.first().uncheck()
      await page.run()
      const others = await othersRows(setup, bytes)
      const auto = { ...target, key: [setup.fresh.autoKey], autoKey: setup.fresh.autoKey }
      const stored = await storedIn(db, `real_${at}`, auto)
      expect(stored.length, end).toBe(others.length)
      const texts = stored.map((row) =>
        row.map((value) => ('null' in value ? null : String(Object.values(value)[0]))),
      )
      expect(texts, end).toEqual(others.map((row) => expectedOf(target, row)))
      await page.button('Close').last().click()
    }
  })
})
