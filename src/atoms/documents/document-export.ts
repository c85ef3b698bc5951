import { atom } from 'jotai'
import { readState } from '~/api/server'
import type { Io } from '~/core/act'
import { linesEnding, plainNames, typeOfLines } from '~/core/files/export-rows'
import type { ExportFile, Made } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { documentJson } from '~/immudb/document-json'
import { counted } from '~/lib/text'
import { releaseSearch } from './search'
import { closeAt, readSearchPage, type SearchOf, type SearchPlace, start } from './search-pages'
import { NoDocumentSession } from './session'

/** An export in progress, or its result. */
export type DocumentExport = Omit<Made, 'of'> & { readonly of: SearchOf }

const statedAtom = atom<DocumentExport | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The newest export; null while none was asked for. */
export const documentExportAtom = atom((get) => get(statedAtom))

export function stopDocumentExport({ get }: Io) {
  return get(controlAtom)?.abort()
}

const changedMeanwhile =
  'It was read in several parts, and the database changed in between: documents may be missing or be in it twice.'

/**
 * Reads every document of a search into a file with one in each line. Its name and the message say
 * whether it is complete. Null when there is no file, or an export is already in progress.
 */
export async function exportDocuments(io: Io, of: SearchOf): Promise<ExportFile | null> {
  const { get, set } = io
  if (get(statedAtom)?.state === 'running') return null
  const control = new AbortController()
  set(controlAtom, control)
  const tell = (state: DocumentExport['state'], text: string) =>
    set(statedAtom, { state, of, text })
  tell('running', 'Reading…')
  // A session has one search.
  await releaseSearch(io)
  const parts: string[] = []
  let [count, tooLarge, problem, isApart] = [0, 0, '', false]
  const readTx = async () => (await readState(get(clientAtom), of.database, control.signal)).txId
  let place: SearchPlace | null = null
  try {
    const txBefore = await readTx()
    const pages = everyPage(
      start,
      (from) => readSearchPage(io, of, from, control.signal),
      ({ offset }) => offset,
    )
    for await (const page of pages) {
      parts.push(page.documents.map(({ document }) => `${documentJson(document)}\n`).join(''))
      count += page.documents.length
      tooLarge += page.tooLarge
      isApart ||= page.isApart
      place = page.next
      tell('running', `${counted(count, 'document')} so far…`)
    }
    if (isApart && (await readTx()) !== txBefore) problem = changedMeanwhile
  } catch (error) {
    problem = control.signal.aborted
      ? 'It was stopped.'
      : error instanceof NoDocumentSession
        ? 'The server has ended the session.'
        : sentence(error)
  }
  // One that was stopped is still open on the server.
  void closeAt(io, of, place)
  const lacks =
    tooLarge > 0 ? ` ${counted(tooLarge, 'document')} larger than 4 MiB are missing.` : ''
  const isComplete = problem === '' && tooLarge === 0
  const state = control.signal.aborted ? 'stopped' : problem === '' ? 'complete' : 'failed'
  if (count === 0 && problem !== '') {
    tell(state, `No file was written. ${problem}`)
    return null
  }
  const name = nameOf(of, count, isComplete)
  tell(
    isComplete || state !== 'complete' ? state : 'stopped',
    isComplete
      ? `Complete: ${counted(count, 'document')} in ${name}.`
      : `Not complete: ${counted(count, 'document')} in ${name}.${lacks} ${problem}`.trim(),
  )
  return { name, parts, type: typeOfLines }
}

function nameOf({ database, collection }: SearchOf, count: number, isComplete: boolean): string {
  return plainNames([database, collection]) + linesEnding(count, 'documents', isComplete)
}
