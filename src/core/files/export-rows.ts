import type { ResultTable } from '~/sql/result'
import { type ExportFormat, exportedRows, frameOf, guardedCells } from '~/sql/result-text'
import type { ExportPage } from './exports'

/** Pages of rows as parts of one file. */
export async function* inFormat(
  format: ExportFormat,
  pages: AsyncIterable<ResultTable>,
): AsyncGenerator<ExportPage> {
  let [isFirst, hasRows] = [true, false]
  for await (const page of readAhead(pages)) {
    const { before, between, after } = frameOf(format, page)
    const text = exportedRows(format, page).join(between)
    const parts = [isFirst ? before : '', text !== '' && hasRows ? between + text : text]
    isFirst = false
    hasRows ||= page.rowCount > 0
    yield { parts, count: page.rowCount, after, guarded: guardedCells(format, page) }
  }
}

/** Has the next page read while one is written. */
async function* readAhead<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  const source = pages[Symbol.asyncIterator]()
  let coming = source.next()
  try {
    for (;;) {
      const { done, value } = await coming
      if (done) return
      coming = source.next()
      // It is told when its turn comes.
      coming.catch(() => {})
      yield value
    }
  } finally {
    await source.return?.()
  }
}

/** The type of a file of rows. */
export const typeOfRows = (format: ExportFormat) =>
  format === 'json' ? 'application/json' : 'text/csv;charset=utf-8'

/** Names from the database as a part of a file name: letters, digits, `_` and `-` only. */
export function plainNames(names: readonly string[]): string {
  const plain = names.map((name) => name.replace(/[^A-Za-z0-9_-]+/g, '-')).join('-')
  return plain.slice(0, 80)
}

/** What tells the files of the formats apart by their names. */
const kinds: Readonly<Record<ExportFormat, string>> = {
  csv: '',
  'mark-csv': '-excel',
  'semicolon-csv': '-excel-semicolons',
  'exact-csv': '-exact',
  json: '',
}

/** How a file of rows ends: how many it has, and whether that is all. */
export function rowsEnding(format: ExportFormat, rows: number, isComplete: boolean): string {
  const kind = kinds[format]
  const ending = format === 'json' ? 'json' : 'csv'
  return `${kind}-${rows}-rows${isComplete ? '' : '-incomplete'}.${ending}`
}

/** The type of a file with a JSON value in each line. */
export const typeOfLines = 'application/x-ndjson'

/** How such a file ends, behind its names: how many it has of what, and whether that is all. */
export function linesEnding(count: number, what: string, isComplete: boolean): string {
  return `-${count}-${what}${isComplete ? '' : '-incomplete'}.ndjson`
}
