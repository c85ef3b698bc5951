import type { DocumentRevision } from '~/api/documents'
import type { Io } from '~/core/act'
import { linesEnding, plainNames, typeOfLines } from '~/core/files/export-rows'
import { type Exportable, type ExportPage, endPages } from '~/core/files/exports'
import { readDocumentRevision } from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { documentJson } from '~/immudb/document-json'
import { inTurn } from '~/lib/job-queue'
import { counted } from '~/lib/text'
import type { PastDocument } from './past-list'

/** Documents as of a transaction, as their list has them. */
type PastDocuments = {
  readonly database: string
  readonly collection: string
  readonly tx: string
  readonly documents: readonly PastDocument[]
  /** Transactions that could not be listed. */
  readonly unlisted: number
}

type Named = Pick<PastDocuments, 'database' | 'collection' | 'tx'>

/** Documents as they were as of a transaction, one in each line. */
export const pastDocumentsExport = (of: PastDocuments): Exportable<'ndjson'> => ({
  kind: 'past documents',
  name: JSON.stringify([of.database, of.collection, of.tx]),
  begin: (io) => ({
    what: 'document',
    kept: 'the first',
    type: typeOfLines,
    pages: (signal) => pagesOf(io, of, signal),
    nameOf: (count, isComplete) =>
      plainNames([of.database, of.collection, `tx${of.tx}`]) +
      linesEnding(count, 'documents', isComplete),
    sentence,
  }),
})

/** Documents whose revisions are read before they are written, and at once. */
const [documentsEach, documentsAtOnce] = [16, 4]

async function* pagesOf(
  io: Pick<Io, 'get'>,
  of: PastDocuments,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const { documents, unlisted } = of
  const turn = inTurn(documentsAtOnce)
  let unread = 0
  for (let from = 0; from < documents.length; from += documentsEach) {
    const page = documents.slice(from, from + documentsEach)
    const found = await Promise.all(
      page.map((one) => turn(() => revisionThen(io, of, one, signal), signal)),
    )
    const lines = found.flatMap((one) => (one ? [`${documentJson(one.document)}\n`] : []))
    unread += page.length - lines.length
    if (lines.length > 0) yield { parts: [new Blob(lines)], count: lines.length }
  }
  const lacks: string[] = []
  if (unread > 0) lacks.push(`${counted(unread, 'document')} cannot be read as of then.`)
  if (unlisted > 0) {
    lacks.push(
      `${counted(unlisted, 'transaction')} could not be listed, so documents may be missing or wrong.`,
    )
  }
  endPages(lacks)
}

/** The revision of a document; null for one that cannot be read. */
async function revisionThen(
  io: Pick<Io, 'get'>,
  { database, collection }: Named,
  { id, revision, tx }: PastDocument,
  signal: AbortSignal,
): Promise<DocumentRevision | null> {
  const name = { database, collection, id, signal }
  const found = await readDocumentRevision(io.get(clientAtom), name, revision)
  // A transaction that could not be listed has moved the numbers.
  return found?.tx === tx && found.hidden === null && !found.isDeleted ? found : null
}
