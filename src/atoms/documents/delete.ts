import { atom, type Getter, type Setter } from 'jotai'
import { deleteDocument } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { checkWrite, placeIn } from '~/core/write'
import { formatTx } from '~/lib/text'
import { afterEvent, idle, type Refused, type Write } from '~/lib/write-state'
import { verifyWriteAtom } from '~/trust/receipts'
import { documentWrite } from '~/trust/sent'
import { runWrite } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocumentsAtom } from './collections'
import { readDocument } from './document'
import { refusalOfRenamed } from './id-field'
import { repeatSearchAtom } from './search'
import { writtenDocumentAtom } from './written'

const deletingAtom = atom<Write<string | null>>(idle)
/** The present or last deletion. */
export const documentDeletionAtom = atom((get) => get(deletingAtom))

export const resetDocumentDeletionAtom = atom(null, (get, set) =>
  set(deletingAtom, afterEvent(get(deletingAtom), { kind: 'forget' })),
)

type DocumentName = { collection: string; id: string; idField: string }

/** Deletes a document logically, once. */
export const deleteDocumentAtom = atom(
  null,
  async (get, set, of: DocumentName): Promise<boolean> => {
    const database = get(databaseAtom)
    if (database === null) return false
    const txBefore = newestKnown(get, database)
    const ended = await runWrite<string | null>(set, placeIn(get, set, deletingAtom), {
      database,
      confirm: () => refusalOfRenamed(get, set, { database, ...of }),
      send: async () => {
        await deleteDocument(get(clientAtom), { database, ...of })
        return null
      },
      settle: async (outcome) => {
        if (outcome.kind !== 'committed') return outcome
        // The answer does not name the transaction, nor whether there is one.
        const tx = await deletedIn(get, database, of).catch(() => undefined)
        if (tx === null) return stillThere
        tellDeleted(set, { database, tx: tx ?? null, txBefore, ...of })
        return idle
      },
    })
    return ended?.kind === 'idle'
  },
)

/** Checks the outcome of a deletion without an answer. */
export const checkDocumentDeletionAtom = atom(
  null,
  async (get, set, of: DocumentName): Promise<boolean> => {
    const database = get(databaseAtom)
    if (database === null || get(deletingAtom).kind !== 'unknown') return false
    const found = await checkWrite<string | null>(
      placeIn(get, set, deletingAtom),
      async (isOver) => {
        await ensureDatabaseToken({ get, set }, get(clientAtom), database)
        const tx = await deletedIn(get, database, of)
        if (isOver()) return null
        if (tx === null) return notSoFar('Not deleted so far.', 'delete it')
        tellDeleted(set, { database, tx, txBefore: '0', ...of })
        return idle
      },
    )
    return found?.kind === 'idle'
  },
)

const stillThere: Refused = {
  kind: 'refused',
  text: 'The server answered, and the document is still there.',
  details: 'no deletion',
}

/** The transaction that deleted a document; null while it is there. */
async function deletedIn(
  get: Getter,
  database: string,
  { collection, id }: DocumentName,
): Promise<string | null> {
  const client = get(clientAtom)
  await waitForIndex(client, { database })
  const now = await readDocument(client, { database, collection, id }, 'newest')
  return now.kind === 'deleted' ? now.revision.tx : null
}

function tellDeleted(
  set: Setter,
  of: DocumentName & { database: string; tx: string | null; txBefore: string },
): void {
  const { database, collection, id, tx, txBefore } = of
  const where = tx === null ? '' : ` in tx ${formatTx(tx)}`
  const text = `Deleted${where}. Earlier revisions stay.`
  set(writtenDocumentAtom, { database, collection, id, tx, text })
  // Who deleted it before this was sent was someone else.
  if (tx !== null && BigInt(tx) > BigInt(txBefore)) {
    const write = { database, tx, txBefore }
    const questions = documentWrite(write, { collection, id, json: null, idField: null })
    void set(verifyWriteAtom, { database, tx, of: `document ${id}`, questions })
  }
  void set(refreshDocumentsAtom, database)
  set(repeatSearchAtom)
}
