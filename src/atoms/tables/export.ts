import { atom } from 'jotai'
import { pageRows } from '~/lib/constants'
import { rounds } from '~/lib/rounds'
import type { ExportFormat } from '~/sql/export'
import type { ResultTable } from '~/sql/result'
import { unsureTime } from '~/sql/table-rows'
import { type ExportFile, exportsOfOneKind } from '../export/exports'
import { inFormat, plainNames, rowsEnding, typeOfRows } from '../export/rows'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import type { StoreAccess } from '../storage/storage'
import { firstPlace, type Place, type RowsView, readRowsPage } from './rows'

type Exported = Omit<RowsView, 'place' | 'size'>
export const exportName = ({ database, table }: Pick<Exported, 'database' | 'table'>) =>
  JSON.stringify([database, table])

const { newestAtom, stopAtom, makeAtom } = exportsOfOneKind()

/** The newest export of a table; null while none was asked for. */
export const tableExportAtom = newestAtom

export const stopTableExportAtom = stopAtom

/**
 * Writes all rows that the filter lets through to a file, page by page in the order that is shown.
 * Null when there is no file.
 */
export const exportTableAtom = atom(
  null,
  (get, set, of: Exported, format: ExportFormat): Promise<ExportFile | null> => {
    const read = { pages: 0 }
    return set(makeAtom, {
      of: exportName(of),
      what: 'row',
      kept: 'the first',
      type: typeOfRows(format),
      pages: (signal) => inFormat(format, pagesOf({ get, set }, of, signal, read)),
      nameOf: (rows, isComplete) =>
        nameOf(of, read.pages > 1) + rowsEnding(format, rows, isComplete),
      sentence,
    })
  },
)

async function* pagesOf(
  io: StoreAccess,
  of: Exported,
  signal: AbortSignal,
  read: { pages: number },
): AsyncGenerator<ResultTable> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, of.database)
  const round = rounds()
  for (let place: Place | null = firstPlace; place !== null; ) {
    round('values' in place ? place.values : place)
    read.pages += 1
    const page: Awaited<ReturnType<typeof readRowsPage>> = await readRowsPage(
      client,
      { ...of, place, size: pageRows },
      signal,
    )
    yield page.rows
    place = page.next
  }
}

function nameOf(of: Exported, isPaged: boolean): string {
  const { database, table, period, filter } = of
  const at = /TX (\d+)/.exec(period)
  const names = [database, table, ...(at ? [`tx${at[1]}`] : period === '' ? [] : ['past'])]
  const isUnsure = unsureTime(of, of.path, filter, isPaged) !== null
  return `${plainNames(names)}${filter.conditions.length > 0 ? '-filtered' : ''}${isUnsure ? '-times-may-be-missing' : ''}`
}
