import { atom, type Getter } from 'jotai'
import { insertDocuments } from '~/api/documents'
import type { Collection } from '~/immudb/collection'
import { afterEvent, idle, isBusy } from '~/lib/write'
import { verifyWriteAtom } from '../query/receipts'
import { clientAtom } from '../session/client'
import { databaseAtom } from '../session/session'
import { checkWrite, placeIn, runWrite } from '../write/write'
import { refreshDocumentsAtom } from './collections'
import { findBatch } from './import-check'
import { batchFrom, type DocumentImport, type ImportFile } from './import-file'
import { documentImportAtom, importWriteAtom } from './import-state'
import { newestKnown } from './newest-known'
import { repeatSearchAtom } from './search'

/** Forgets a finished import. */
export const forgetImportAtom = atom(null, (get, set) => {
  if (get(documentImportAtom)?.state === 'running') return
  set(importWriteAtom, afterEvent(get(importWriteAtom), { kind: 'forget' }))
  set(documentImportAtom, null)
})

/** Lets the present transaction end and sends no other. */
export const cancelImportAtom = atom(null, (get, set) => {
  const now = get(documentImportAtom)
  if (now?.state === 'running') set(documentImportAtom, { ...now, isCancelled: true })
})

/** Imports a file, one bounded transaction after the other. */
export const startImportAtom = atom(
  null,
  async (get, set, collection: Collection, file: ImportFile): Promise<void> => {
    const database = get(databaseAtom)
    if (database === null || get(documentImportAtom)?.state === 'running') return
    set(importWriteAtom, idle)
    set(documentImportAtom, {
      database,
      collection,
      file,
      committed: [],
      done: 0,
      sent: 0,
      state: 'running',
      isCancelled: false,
      txBefore: newestKnown(get, database),
    })
    await set(runAtom)
  },
)

/** Continues a stopped import behind the last document that is committed for certain. */
export const continueImportAtom = atom(null, async (get, set): Promise<void> => {
  const now = get(documentImportAtom)
  // With an unknown outcome, a line could be stored twice.
  if (now?.state !== 'stopped' || get(importWriteAtom).kind === 'unknown') return
  set(importWriteAtom, idle)
  set(documentImportAtom, { ...now, state: 'running', isCancelled: false })
  await set(runAtom)
})

const runAtom = atom(null, async (get, set): Promise<void> => {
  for (;;) {
    const now = get(documentImportAtom)
    if (now?.state !== 'running') return
    const { database, collection, file, done } = now
    if (done >= file.documents.length || now.isCancelled) {
      const isComplete = done >= file.documents.length
      set(documentImportAtom, { ...now, state: isComplete ? 'complete' : 'stopped' })
      break
    }
    const sent = batchFrom(file.documents, done)
    const txBefore = newestOf(get, now)
    set(documentImportAtom, { ...now, sent, txBefore })
    const documents = file.documents.slice(done, done + sent).map(({ json }) => json)
    const ended = await runWrite<{ tx: string }>(set, placeIn(get, set, importWriteAtom), {
      database,
      send: () =>
        insertDocuments(get(clientAtom), { database, collection: collection.name, documents }),
      secondReasons: ['document-conflict'],
    })
    const after = get(documentImportAtom)
    if (!after || ended === null) return
    if (ended.kind !== 'committed') {
      set(documentImportAtom, { ...after, state: 'stopped' })
      break
    }
    set(documentImportAtom, withCommitted(after, ended.value.tx))
  }
  const ended = get(documentImportAtom)
  if (ended === null) return
  const { database, committed } = ended
  void set(refreshDocumentsAtom, database)
  set(repeatSearchAtom)
  const last = committed.at(-1)
  if (last) void set(verifyWriteAtom, { database, tx: last.tx })
})

function withCommitted(now: DocumentImport, tx: string): DocumentImport {
  const { documents } = now.file
  const [first, last] = [documents[now.done], documents[now.done + now.sent - 1]]
  const lines = { from: first?.line ?? 0, to: last?.line ?? 0, tx }
  return { ...now, committed: [...now.committed, lines], done: now.done + now.sent, sent: 0 }
}

/** The newest transaction that a request sent now cannot be in or before. */
function newestOf(get: Getter, { database, committed, txBefore }: DocumentImport): string {
  const known = [newestKnown(get, database), committed.at(-1)?.tx ?? '0', txBefore]
  return known.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other))
}

/** Looks for the last transaction, of which no answer came. */
export const checkImportAtom = atom(null, async (get, set): Promise<void> => {
  const now = get(documentImportAtom)
  if (now?.state !== 'stopped' || isBusy(get(importWriteAtom))) return
  const found = await checkWrite<{ tx: string }>(placeIn(get, set, importWriteAtom), async () => {
    const tx = await findBatch({ get, set }, now)
    return tx === null ? notFound : { kind: 'committed', value: { tx } }
  })
  if (found?.kind !== 'committed') return
  set(documentImportAtom, { ...withCommitted(now, found.value.tx), state: 'stopped' })
  const isComplete = now.done + now.sent >= now.file.documents.length
  const after = get(documentImportAtom)
  if (isComplete && after) set(documentImportAtom, { ...after, state: 'complete' })
  void set(refreshDocumentsAtom, now.database)
})

const notFound =
  'No transaction with these documents is there so far. A busy server may still commit it: check again later, and compare the count, before you import these lines once more.'
