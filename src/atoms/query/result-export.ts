import type { Io } from '~/core/act'
import { inFormat, plainNames, rowsEnding, typeOfRows } from '~/core/files/export-rows'
import type { Exportable } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { exportPageRows } from '~/lib/constants'
import type { ResultTable } from '~/sql/result'
import type { ExportFormat } from '~/sql/result-text'
import type { OutputEntry } from './output-entry'
import { pagesOf, placeBehind, readPage } from './result-pages'

/** A whole result: first the rows that were fetched, then the rest page by page. */
export function resultExport(entry: OutputEntry, result: ResultTable): Exportable<ExportFormat> {
  const { database, tables, number } = entry
  return {
    kind: `result ${number}`,
    name: String(number),
    begin: (io, format) => ({
      what: 'row',
      kept: 'the first',
      type: typeOfRows(format),
      pages: (signal) => inFormat(format, wholeResult(result, pagesBehind(io, entry, signal))),
      nameOf: (rows, isComplete) =>
        plainNames([database, ...tables.slice(0, 2), `result-${number}`]) +
        rowsEnding(format, rows, isComplete),
      sentence,
    }),
  }
}

async function* wholeResult(fetched: ResultTable, behind: AsyncIterable<ResultTable>) {
  yield fetched
  yield* behind
}

/** The rows of the whole result that the entry does not have yet. */
async function* pagesBehind(io: Io, entry: OutputEntry, signal: AbortSignal) {
  const { paging, result, database } = entry
  if (!paging || !result || paging.isComplete) return
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const pages = everyPage(
    { paging, place: placeBehind(result, paging) },
    async ({ paging, place }) => {
      const asked = pagesOf(entry, signal)
      const { rows, progress } = await readPage(client, asked, paging, place, exportPageRows)
      const isEnd = progress.isComplete || rows.rowCount === 0
      const { last } = placeBehind(rows, paging)
      const behind = { done: place.done + rows.rowCount, last }
      return { rows, next: isEnd ? null : { paging: { ...paging, ...progress }, place: behind } }
    },
    ({ place }) => place.last ?? place.done,
  )
  for await (const { rows } of pages) yield rows
}
