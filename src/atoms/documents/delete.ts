import { atom, type Getter } from 'jotai'
import { deleteDocument as sendDeleteDocument } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { formatTx } from '~/lib/text'
import { idle, type Refused } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { documentWrite } from '~/trust/sent'
import { defineWrite, type Sent } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocuments } from './collections'
import { readDocument } from './document'
import { refusalOfRenamed } from './id-field'
import { repeatSearch } from './search'
import { writtenDocumentAtom } from './written'

type DocumentName = { collection: string; id: string; idField: string }

const deleting = defineWrite<DocumentName & { database: string }, string | null>({
  isSame: (one, other) =>
    one.database === other.database && one.collection === other.collection && one.id === other.id,
  confirm: refusalOfRenamed,
  send: async ({ get }, of) => {
    await sendDeleteDocument(get(clientAtom), of)
    return null
  },
  settle: async (io, sent, outcome) => {
    if (outcome.kind !== 'committed') return outcome
    // The answer does not name the transaction, nor whether there is one.
    const tx = await deletedIn(io.get, sent).catch(() => undefined)
    return tx === null ? stillThere : tellDeleted(io, sent, tx ?? null)
  },
  look: async (io, sent, isOver) => {
    await ensureDatabaseToken(io, io.get(clientAtom), sent.database)
    const tx = await deletedIn(io.get, sent)
    if (isOver()) return null
    return tx === null ? notSoFar('Not deleted so far.', 'delete it') : tellDeleted(io, sent, tx)
  },
})

/** The present or last deletion. */
export const documentDeletionAtom = atom((get) => get(deleting.stateAtom)(''))

export const resetDocumentDeletion = (io: Io) => deleting.forget(io, '')

/** Deletes a document logically, once. */
export async function deleteDocument(io: Io, of: DocumentName): Promise<boolean> {
  const database = io.get(databaseAtom)
  if (database === null) return false
  const ended = await deleting.write(io, { database, ...of })
  return ended?.kind === 'idle'
}

/** Checks the outcome of a deletion without an answer. */
export async function checkDocumentDeletion(io: Io): Promise<boolean> {
  const found = await deleting.check(io, '')
  return found?.kind === 'idle'
}

const stillThere: Refused = {
  kind: 'refused',
  text: 'The server answered, and the document is still there.',
  details: 'no deletion',
}

/** The transaction that deleted a document; null while it is there. */
async function deletedIn(
  get: Getter,
  { database, collection, id }: DocumentName & { database: string },
): Promise<string | null> {
  const client = get(clientAtom)
  await waitForIndex(client, { database })
  const now = await readDocument(client, { database, collection, id }, 'newest')
  return now.kind === 'deleted' ? now.revision.tx : null
}

function tellDeleted(
  io: Io,
  { database, collection, id, txBefore }: Sent<DocumentName & { database: string }>,
  tx: string | null,
): typeof idle {
  const where = tx === null ? '' : ` in tx ${formatTx(tx)}`
  const text = `Deleted${where}. Earlier revisions stay.`
  io.set(writtenDocumentAtom, { database, collection, id, tx, text })
  // Who deleted it before this was sent was someone else.
  if (tx !== null && BigInt(tx) > BigInt(txBefore)) {
    const write = { database, tx, txBefore }
    const questions = documentWrite(write, { collection, id, json: null, idField: null })
    void verifyWrite(io, { database, tx, of: `document ${id}`, questions })
  }
  void refreshDocuments(io, database)
  repeatSearch(io)
  return idle
}
