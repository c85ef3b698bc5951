import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { inFormat, plainNames, rowsEnding, typeOfRows } from '~/core/files/export-rows'
import { type ExportFile, type Made, writeExport } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { exportPageRows } from '~/lib/constants'
import type { ResultTable } from '~/sql/result'
import type { ExportFormat } from '~/sql/result-text'
import type { OutputEntry } from './output'
import { placeBehind, readPage } from './result-pages'

const exportsAtom = atom<ReadonlyMap<number, Made>>(new Map())
const controllersAtom = atom<ReadonlyMap<number, AbortController>>(new Map())

/** Exports by the number of the result they are made from. */
export const exportAtom = atom((get) => get(exportsAtom))

export function stopExport({ get }: Io, number: number) {
  return get(controllersAtom).get(number)?.abort()
}

/**
 * Writes a whole result to a file: first the fetched rows, then the rest page by page. Null when an
 * export is already in progress.
 */
export async function exportResult(
  io: Io,
  entry: OutputEntry,
  format: ExportFormat,
): Promise<ExportFile | null> {
  const { get, set } = io
  const { result, number } = entry
  if (!result || get(exportsAtom).get(number)?.state === 'running') return null
  const controller = new AbortController()
  set(controllersAtom, new Map(get(controllersAtom)).set(number, controller))
  const names = [entry.database, ...entry.tables.slice(0, 2), `result-${number}`]
  const order = {
    of: String(number),
    what: 'row',
    kept: 'the first' as const,
    type: typeOfRows(format),
    pages: (signal: AbortSignal) =>
      inFormat(format, wholeResult(result, pagesBehind(io, entry, signal))),
    nameOf: (rows: number, isComplete: boolean) =>
      plainNames(names) + rowsEnding(format, rows, isComplete),
    sentence,
  }
  return writeExport(order, controller.signal, (made) =>
    set(exportsAtom, new Map(get(exportsAtom)).set(number, made)),
  )
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
      const asked = { database, signal }
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
