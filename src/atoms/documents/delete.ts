import { atom, type Getter } from 'jotai'
import { deleteDocument as sendDeleteDocument } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { checkWrite, placeIn } from '~/core/write'
import { formatTx } from '~/lib/text'
import { afterEvent, idle, type Refused, type Write } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { documentWrite } from '~/trust/sent'
import { runWrite } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocuments } from './collections'
import { readDocument } from './document'
import { refusalOfRenamed } from './id-field'
import { repeatSearch } from './search'
import { writtenDocumentAtom } from './written'

const deletingAtom = atom<Write<string | null>>(idle)
/** The present or last deletion. */
export const documentDeletionAtom = atom((get) => get(deletingAtom))

export function resetDocumentDeletion({ get, set }: Io) {
  return set(deletingAtom, afterEvent(get(deletingAtom), { kind: 'forget' }))
}

type DocumentName = { collection: string; id: string; idField: string }

/** Deletes a document logically, once. */
export async function deleteDocument(io: Io, of: DocumentName): Promise<boolean> {
  const { get } = io
  const database = get(databaseAtom)
  if (database === null) return false
  const txBefore = newestKnown(get, database)
  const ended = await runWrite<string | null>(io, placeIn(io, deletingAtom), {
    database,
    confirm: () => refusalOfRenamed(io, { database, ...of }),
    send: async () => {
      await sendDeleteDocument(get(clientAtom), { database, ...of })
      return null
    },
    settle: async (outcome) => {
      if (outcome.kind !== 'committed') return outcome
      // The answer does not name the transaction, nor whether there is one.
      const tx = await deletedIn(get, database, of).catch(() => undefined)
      if (tx === null) return stillThere
      tellDeleted(io, { database, tx: tx ?? null, txBefore, ...of })
      return idle
    },
  })
  return ended?.kind === 'idle'
}

/** Checks the outcome of a deletion without an answer. */
export async function checkDocumentDeletion(io: Io, of: DocumentName): Promise<boolean> {
  const { get } = io
  const database = get(databaseAtom)
  if (database === null || get(deletingAtom).kind !== 'unknown') return false
  const found = await checkWrite<string | null>(placeIn(io, deletingAtom), async (isOver) => {
    await ensureDatabaseToken(io, get(clientAtom), database)
    const tx = await deletedIn(get, database, of)
    if (isOver()) return null
    if (tx === null) return notSoFar('Not deleted so far.', 'delete it')
    tellDeleted(io, { database, tx, txBefore: '0', ...of })
    return idle
  })
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
  database: string,
  { collection, id }: DocumentName,
): Promise<string | null> {
  const client = get(clientAtom)
  await waitForIndex(client, { database })
  const now = await readDocument(client, { database, collection, id }, 'newest')
  return now.kind === 'deleted' ? now.revision.tx : null
}

function tellDeleted(
  io: Io,
  of: DocumentName & { database: string; tx: string | null; txBefore: string },
): void {
  const { database, collection, id, tx, txBefore } = of
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
}
