import { atom } from 'jotai'
import { pageRows } from '~/lib/constants'
import { counted, formatCount } from '~/lib/text'
import { type ExportFormat, exportedRows, frameOf } from '~/sql/export'
import type { ResultTable } from '~/sql/result'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import type { StoreAccess } from '../storage/storage'
import { firstPlace, type Place, type RowsView, readRowsPage } from './rows'

/** An export in progress, or its result. */
export type TableExport = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  /** Says which table. */
  readonly of: string
  readonly text: string
}

type Exported = Omit<RowsView, 'place' | 'size'>
type File = { readonly name: string; readonly parts: readonly string[]; readonly type: string }

export const exportName = ({ database, table }: Pick<Exported, 'database' | 'table'>) =>
  JSON.stringify([database, table])

const statedAtom = atom<TableExport | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The newest export of a table; null while none was asked for. */
export const tableExportAtom = atom((get) => get(statedAtom))

export const stopTableExportAtom = atom(null, (get) => get(controlAtom)?.abort())

/**
 * Writes all rows that the filter lets through to a file, page by page in the order that is shown.
 * The file name and the message say whether it is complete. Null when an export is already in
 * progress, or nothing could be read.
 */
export const exportTableAtom = atom(
  null,
  async (get, set, of: Exported, format: ExportFormat): Promise<File | null> => {
    if (get(statedAtom)?.state === 'running') return null
    const control = new AbortController()
    set(controlAtom, control)
    const tell = (state: TableExport['state'], text: string) =>
      set(statedAtom, { state, text, of: exportName(of) })
    tell('running', 'Reading…')
    const parts: string[] = []
    let [rows, after, isComplete, problem] = [0, '', false, '']
    try {
      for await (const page of pagesOf({ get, set }, of, control.signal)) {
        const frame = frameOf(format, page)
        if (parts.length === 0) parts.push(frame.before)
        const text = exportedRows(format, page).join(frame.between)
        if (text !== '') parts.push(rows > 0 ? frame.between + text : text)
        after = frame.after
        rows += page.rowCount
        tell('running', `${counted(rows, 'row')} so far…`)
      }
      isComplete = true
    } catch (error) {
      problem = control.signal.aborted ? 'It was stopped.' : sentence(error)
    }
    if (parts.length === 0) {
      tell(control.signal.aborted ? 'stopped' : 'failed', `No file was written. ${problem}`)
      return null
    }
    parts.push(after)
    const name = nameOf(of, format, { rows, isComplete })
    if (isComplete) tell('complete', `Complete: ${counted(rows, 'row')} in ${name}.`)
    else {
      const text = `Not complete: only the first ${counted(rows, 'row')} are in ${name}. ${problem}`
      tell(control.signal.aborted ? 'stopped' : 'failed', text)
    }
    return { name, parts, type: format === 'json' ? 'application/json' : 'text/csv;charset=utf-8' }
  },
)

async function* pagesOf(
  io: StoreAccess,
  of: Exported,
  signal: AbortSignal,
): AsyncGenerator<ResultTable> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, of.database)
  for (let place: Place | null = firstPlace; place !== null; ) {
    const page: Awaited<ReturnType<typeof readRowsPage>> = await readRowsPage(
      client,
      { ...of, place, size: pageRows },
      signal,
    )
    yield page.rows
    place = page.next
  }
}

/** Letters, digits, `_` and `-` only: the names come from the database. */
function nameOf(
  { database, table, period, filter }: Exported,
  format: ExportFormat,
  { rows, isComplete }: { rows: number; isComplete: boolean },
): string {
  const at = /TX (\d+)/.exec(period)
  const of = [database, table, ...(at ? [`tx${at[1]}`] : period === '' ? [] : ['past'])]
  const plain = of.map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '-')).join('-')
  const part = filter.conditions.length > 0 ? '-filtered' : ''
  const exact = format === 'exact-csv' ? '-exact' : ''
  const amount = `-${formatCount(rows).replaceAll(',', '')}-rows`
  const ending = format === 'json' ? 'json' : 'csv'
  return `${plain.slice(0, 80)}${part}${exact}${amount}${isComplete ? '' : '-incomplete'}.${ending}`
}
