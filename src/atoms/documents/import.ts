import { insertDocuments } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { type ItemsFound, uploader } from '~/core/upload'
import type { UploadPlan } from '~/core/upload-records'
import { verifyUpload, writeUpload } from '~/trust/upload-writes'
import { notSoFar } from '~/words/outcome'
import { writeRefusalAtom } from '../users/viewer'
import { refreshDocuments } from './collections'
import { batchesOf, type ImportFile, type SentLine } from './import-file'
import { repeatSearch } from './search'
import { firstRevision, isSent, writtenSince } from './sent-document'

/** What an import of documents does. */
export type DocumentPlan = UploadPlan & {
  /** By which the file was read. */
  readonly idField: string
  /** Whether documents that would be stored otherwise than written were left out of it. */
  readonly leavesWarned: boolean
}

/** The import of documents into a collection. Its source has only what is to be sent. */
export const documentImport = uploader({
  kind: 'documents',
  words: { one: 'document', many: 'documents' },
  batches: (file: ImportFile, plan: DocumentPlan, progress) => batchesOf(file, plan, progress),
  bodyOf: (_plan, items) => items.map(({ json }) => json),
  send: ({ get }, { database, into }, documents) =>
    insertDocuments(get(clientAtom), { database, collection: into, documents }),
  secondReasons: () => ['document-conflict'],
  refusal: (get) => get(writeRefusalAtom),
  find: findBatch,
  repeats: () =>
    'The server makes the ids, so documents that are sent again would be stored again. Check what became of them and decide.',
  write: writeUpload,
  onRest: (io, { database }, { lastTx }) => {
    verifyUpload(io, database, lastTx)
    void refreshDocuments(io, database)
    repeatSearch(io)
  },
})

/**
 * The transaction since another that wrote as many documents, the first and the last of which are
 * those that were sent.
 */
async function findBatch(
  io: Io,
  { database, into: collection }: DocumentPlan,
  items: readonly SentLine[],
  txBefore: string,
): Promise<ItemsFound> {
  const { get } = io
  await ensureDatabaseToken(io, get(clientAtom), database)
  await waitForIndex(get(clientAtom), { database })
  const { found } = await writtenSince(get, { database, txBefore })
  const isIt = async (id: string | undefined, tx: string, sent: SentLine | undefined) => {
    if (id === undefined || !sent) return false
    const first = await firstRevision(get, { database, collection }, id, tx)
    return first?.document ? isSent(sent.json, first.document, id) : false
  }
  for (const { tx, ids } of found) {
    if (ids.length !== items.length) continue
    const ordered = [...ids].sort()
    const isFirst = await isIt(ordered[0], tx, items[0])
    if (isFirst && (await isIt(ordered.at(-1), tx, items.at(-1)))) return { kind: 'committed', tx }
  }
  return { kind: 'open', text: notFound }
}

const notFound = notSoFar(
  'No transaction with these documents is there so far.',
  'commit it',
  'check again later and compare the count before you import these lines once more',
)
