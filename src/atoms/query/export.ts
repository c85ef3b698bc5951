import { atom, type Getter, type Setter } from 'jotai'
import { counted, formatCount } from '~/lib/text'
import { type ExportFormat, exportedRows, frameOf } from '~/sql/export'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import type { OutputEntry } from './output'
import { placeBehind, readPage } from './result-pages'

/** An export in progress, or its result. */
export type Export = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  readonly rows: number
  /** The message for the operator. */
  readonly text: string
}

type File = { readonly name: string; readonly parts: readonly string[]; readonly type: string }

const exportsAtom = atom<ReadonlyMap<number, Export>>(new Map())
const controllersAtom = atom<ReadonlyMap<number, AbortController>>(new Map())

/** Exports by the number of the result they are made from. */
export const exportAtom = atom((get) => get(exportsAtom))

export const stopExportAtom = atom(null, (get, _set, number: number) =>
  get(controllersAtom).get(number)?.abort(),
)

/**
 * Writes a whole result to a file: first the fetched rows, then the rest page by page. The file
 * name and the message say whether it is complete. Null when an export is already in progress.
 */
export const exportResultAtom = atom(
  null,
  async (get, set, entry: OutputEntry, format: ExportFormat): Promise<File | null> => {
    const { result, number } = entry
    if (!result || get(exportsAtom).get(number)?.state === 'running') return null
    const controller = new AbortController()
    set(controllersAtom, new Map(get(controllersAtom)).set(number, controller))
    const tell = (state: Export['state'], rows: number, text: string) =>
      set(exportsAtom, new Map(get(exportsAtom)).set(number, { state, rows, text }))
    const frame = frameOf(format, result)
    const lines = exportedRows(format, result)
    const parts = [frame.before, lines.join(frame.between)]
    let rows = result.rowCount
    let isComplete = entry.paging === null || entry.paging.isComplete
    const problem = await (async () => {
      try {
        for await (const page of pagesBehind(get, set, entry, controller.signal)) {
          if (page.rowCount > 0) {
            const more = exportedRows(format, page).join(frame.between)
            parts.push(rows > 0 ? frame.between + more : more)
          }
          rows += page.rowCount
          tell('running', rows, `${counted(rows, 'row')} so far…`)
        }
        isComplete = true
        return null
      } catch (error) {
        return controller.signal.aborted ? 'It was stopped.' : sentence(error)
      }
    })()
    parts.push(frame.after)
    const name = nameOf(entry, format, rows, isComplete)
    const state = isComplete ? 'complete' : controller.signal.aborted ? 'stopped' : 'failed'
    const text = isComplete
      ? `Complete: ${counted(rows, 'row')} in ${name}.`
      : `Not complete: only the first ${counted(rows, 'row')} are in ${name}. ${problem}`
    tell(state, rows, text)
    return { name, parts, type: format === 'json' ? 'application/json' : 'text/csv;charset=utf-8' }
  },
)

/** The rows of the whole result that the entry does not have yet. */
async function* pagesBehind(get: Getter, set: Setter, entry: OutputEntry, signal: AbortSignal) {
  let { paging, result } = entry
  if (!paging || !result || paging.isComplete) return
  const client = get(clientAtom)
  await ensureDatabaseToken({ get, set }, client, entry.database)
  let place = placeBehind(result, paging)
  while (!paging.isComplete) {
    const { database } = entry
    const { rows, progress } = await readPage(client, { database, signal }, paging, place)
    yield rows
    if (rows.rowCount === 0) return
    const behind = placeBehind(rows, paging)
    place = { done: place.done + rows.rowCount, last: behind.last }
    paging = { ...paging, ...progress }
    result = rows
  }
}

/** Letters, digits, `_` and `-` only: the names come from the database. */
function nameOf(
  entry: OutputEntry,
  format: ExportFormat,
  rows: number,
  isComplete: boolean,
): string {
  const of = [entry.database, ...entry.tables.slice(0, 2), `result-${entry.number}`]
  const plain = of.map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '-')).join('-')
  const exact = format === 'exact-csv' ? '-exact' : ''
  const amount = `-${formatCount(rows).replaceAll(',', '')}-rows`
  const ending = format === 'json' ? 'json' : 'csv'
  return `${plain.slice(0, 80)}${exact}${amount}${isComplete ? '' : '-incomplete'}.${ending}`
}
