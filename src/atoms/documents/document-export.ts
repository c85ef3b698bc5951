import { readState } from '~/api/server'
import type { Io } from '~/core/act'
import { linesEnding, plainNames, typeOfLines } from '~/core/files/export-rows'
import { type Exportable, type ExportPage, endPages } from '~/core/files/exports'
import { everyPage } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { documentJson } from '~/immudb/document-json'
import { queryJson } from '~/immudb/document-query'
import { counted } from '~/lib/text'
import { releaseSearch } from './search'
import { closeAt, readSearchPage, type SearchOf, type SearchPlace, start } from './search-pages'
import { NoDocumentSession } from './session'

/** Every document of a search, one in each line. */
export const documentsExport = (of: SearchOf): Exportable<'ndjson'> => ({
  kind: 'documents',
  name: JSON.stringify([of.database, of.collection, queryJson(of.query)]),
  begin: (io) => ({
    what: 'document',
    kept: 'the first',
    type: typeOfLines,
    pages: (signal) => pagesOf(io, of, signal),
    nameOf: (count, isComplete) => nameOf(of, count, isComplete),
    sentence: (error) =>
      error instanceof NoDocumentSession ? 'The server has ended the session.' : sentence(error),
  }),
})

/** @throws behind the last page where something lacks, or may be of another moment */
async function* pagesOf(io: Io, of: SearchOf, signal: AbortSignal): AsyncGenerator<ExportPage> {
  // A session has one search.
  await releaseSearch(io)
  const readTx = async () => (await readState(io.get(clientAtom), of.database, signal)).txId
  let [tooLarge, isApart] = [0, false]
  let place: SearchPlace | null = null
  try {
    const txBefore = await readTx()
    const pages = everyPage(
      start,
      (from) => readSearchPage(io, of, from, signal),
      ({ offset }) => offset,
    )
    for await (const page of pages) {
      place = page.next
      tooLarge += page.tooLarge
      isApart ||= page.isApart
      const lines = page.documents.map(({ document }) => `${documentJson(document)}\n`)
      yield { parts: [lines.join('')], count: lines.length }
    }
    const lacks: string[] = []
    if (tooLarge > 0) lacks.push(`${counted(tooLarge, 'document')} larger than 4 MiB are missing.`)
    if (isApart && (await readTx()) !== txBefore) lacks.push(changedMeanwhile)
    endPages(lacks)
  } finally {
    // One that was stopped is still open on the server.
    void closeAt(io, of, place)
  }
}

const changedMeanwhile =
  'It was read in several parts, and the database changed in between: documents may be missing or be in it twice.'

function nameOf({ database, collection }: SearchOf, count: number, isComplete: boolean): string {
  return plainNames([database, collection]) + linesEnding(count, 'documents', isComplete)
}
