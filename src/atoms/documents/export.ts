import { atom } from 'jotai'
import { documentJson } from '~/immudb/document-json'
import { counted } from '~/lib/text'
import { sentence } from '../session/failure'
import { releaseSearchAtom } from './search'
import { type DocumentPage, readSearchPage, type SearchOf } from './search-pages'
import { NoDocumentSession } from './session'

/** An export in progress, or its result. */
export type DocumentExport = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  readonly of: SearchOf
  readonly text: string
}

const statedAtom = atom<DocumentExport | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The newest export; null while none was asked for. */
export const documentExportAtom = atom((get) => get(statedAtom))

export const stopDocumentExportAtom = atom(null, (get) => get(controlAtom)?.abort())

type File = { readonly name: string; readonly parts: readonly string[] }

/**
 * Reads every document of a search into a file with one in each line. Its name and the message say
 * whether it is complete. Null when there is no file, or an export is already in progress.
 */
export const exportDocumentsAtom = atom(
  null,
  async (get, set, of: SearchOf): Promise<File | null> => {
    if (get(statedAtom)?.state === 'running') return null
    const control = new AbortController()
    set(controlAtom, control)
    const tell = (state: DocumentExport['state'], text: string) =>
      set(statedAtom, { state, of, text })
    tell('running', 'Reading…')
    // A session has one search.
    await set(releaseSearchAtom)
    const parts: string[] = []
    let [count, tooLarge, problem] = [0, 0, '']
    try {
      let place: DocumentPage['next'] | undefined
      do {
        const page: DocumentPage = await readSearchPage(
          { get, set },
          of,
          place ?? undefined,
          control.signal,
        )
        parts.push(page.documents.map(({ document }) => `${documentJson(document)}\n`).join(''))
        count += page.documents.length
        tooLarge += page.tooLarge
        place = page.next
        tell('running', `${counted(count, 'document')} so far…`)
      } while (place !== null)
    } catch (error) {
      problem = control.signal.aborted
        ? 'It was stopped.'
        : error instanceof NoDocumentSession
          ? 'The server has ended the session.'
          : sentence(error)
    }
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
    return { name, parts }
  },
)

/** Letters, digits, `_` and `-` only: the names come from the database. */
function nameOf({ database, collection }: SearchOf, count: number, isComplete: boolean): string {
  const plain = [database, collection].map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '-'))
  return `${plain.join('-').slice(0, 80)}-${count}-documents${isComplete ? '' : '-incomplete'}.ndjson`
}
