import type { Client } from '~/api/client'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { inFormat, plainNames, rowsEnding, typeOfRows } from '~/core/files/export-rows'
import type { Exportable } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { exportPageRows } from '~/lib/constants'
import { type ResultTable, readResult } from '~/sql/result'
import type { ExportFormat } from '~/sql/result-text'
import { countSql, type RowPath, typesOf, unsureTime } from '~/sql/table-rows'
import { firstPlace, type RowsView, readRowsPage, refuseLacking } from './table-rows'

type Exported = Omit<RowsView, 'place' | 'size'>

/** Rows up to which a file keeps an order for which the server sorts all rows for each page. */
const mostSorted = 10_000

/**
 * All rows that the filter lets through, in the order that is shown; in the order `byKey` where that
 * has no index and the rows are many, which the message then says.
 */
export function tableExport(of: Exported, byKey: RowPath | null = null): Exportable<ExportFormat> {
  return {
    kind: 'table',
    name: JSON.stringify([of.database, of.table]),
    begin: (io, format) => {
      const read = { pages: 0, path: of.path }
      return {
        what: 'row',
        kept: 'the first',
        type: typeOfRows(format),
        pages: (signal) => inFormat(format, pagesOf(io, of, { byKey, signal, read })),
        nameOf: (rows, isComplete) =>
          nameOf({ ...of, path: read.path }, read.pages > 1) + rowsEnding(format, rows, isComplete),
        sentence,
        note: () => (read.path === of.path ? '' : inOrderOfKey),
      }
    },
  }
}

const inOrderOfKey =
  'The rows are in the order of the primary key, because no index has the order that is shown.'

type Reading = {
  readonly byKey: RowPath | null
  readonly signal: AbortSignal
  /** What became of it. */
  readonly read: { pages: number; path: RowPath }
}

async function* pagesOf(
  io: Io,
  of: Exported,
  { byKey, signal, read }: Reading,
): AsyncGenerator<ResultTable> {
  const client = io.get(clientAtom)
  refuseLacking(io.get, of)
  await ensureDatabaseToken(io, client, of.database)
  if (byKey && of.path.isSorted && !(await isAtMost(client, of, mostSorted, signal))) {
    read.path = byKey
  }
  const asked = { ...of, path: read.path, size: exportPageRows }
  const pages = everyPage(
    firstPlace,
    (place) => readRowsPage(client, { ...asked, place }, signal),
    (place) => ('values' in place ? place.values : place),
  )
  for await (const { rows } of pages) {
    read.pages += 1
    yield rows
  }
}

/** Whether a filter lets at most so many rows through; counting them all reads each once. */
async function isAtMost(
  client: Client,
  of: Exported,
  most: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { database } = of
  const asked = countSql(of, typesOf(of.columns))
  const result = readResult(await querySql(client, { database, ...asked, signal }))
  return BigInt(result.columns[0]?.values[0] ?? '0') <= BigInt(most)
}

function nameOf(of: Exported, isPaged: boolean): string {
  const { database, table, period, filter } = of
  const at = /TX (\d+)/.exec(period)
  const names = [database, table, ...(at ? [`tx${at[1]}`] : period === '' ? [] : ['past'])]
  const isUnsure = unsureTime(of, of.path, filter, isPaged) !== null
  return `${plainNames(names)}${filter.conditions.length > 0 ? '-filtered' : ''}${isUnsure ? '-times-may-be-missing' : ''}`
}
