import { atom, type Getter } from 'jotai'
import {
  type DocumentRevision,
  insertDocuments,
  replaceDocument,
  deleteDocument as sendDeleteDocument,
} from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { unanswered } from '~/core/write'
import { formatTx } from '~/lib/text'
import { idle, type Refused, type Write } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { documentWrite } from '~/trust/sent'
import { defineWrite, type Sent } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocuments } from './collections'
import { readDocument } from './document'
import {
  changeDocument,
  type DocumentDraft,
  documentDraftAtom,
  documentDrafts,
  dropDocument,
  markDocumentSent,
} from './drafts'
import { refusalOfRenamed } from './id-field'
import { repeatSearch } from './search'
import { findInserted, findReplaced } from './sent-document'

/** What the last write did, shown beside its document. */
type WrittenDocument = {
  readonly database: string
  readonly collection: string
  readonly id: string
  readonly text: string
  readonly tx: string | null
}
export const writtenDocumentAtom = atom<WrittenDocument | null>(null)

/** The reason of a refusal before anything is sent: the document changed since the draft began. */
export const hasChanged = 'document-changed'

/** A document to be stored; `id` is null for a new one. */
type Save = {
  readonly database: string
  readonly collection: string
  readonly id: string | null
  /** JSON without the id. */
  readonly json: string
  /** The revision that it is to replace. */
  readonly revision: string
  /** The field for ids; null where it was sent before the page was loaded. */
  readonly idField: string | null
}

/** `revision`: the number of the new one; null for an insert. */
type Done = { tx: string; id: string; revision: string | null }

/** The state of a save. Without an answer, it is about the sent text, not about newer typing. */
export type DocumentSaveState = Write<Done>

/** Sent by a page that was left, or by another tab. */
const unseen = unanswered('it', 'the page was left, or another tab sent it')

const saving = defineWrite<Save, Done>({
  slot: ({ database }) => database,
  confirm: async (io, { id, idField, ...of }) =>
    id === null || idField === null ? null : refusalOfReplacement(io, { ...of, idField }, id),
  send: ({ get }, sent) => send(get, sent),
  secondReasons: ({ id }) => (id === null ? [] : ['document-conflict']),
  settle: (io, sent, outcome) => {
    if (outcome.kind !== 'committed') return outcome
    const { tx, id, revision } = outcome.value
    if (tx === '') return gone
    const text = `Stored in tx ${formatTx(tx)}.${overtakenWords(sent.revision, revision)}`
    return finish(io, sent, { id, tx, text })
  },
  look: async (io, sent, isOver) => {
    await ensureDatabaseToken(io, io.get(clientAtom), sent.database)
    const { id } = sent
    const told =
      id === null ? await findInserted(io.get, sent) : await findReplaced(io.get, sent, id)
    if (isOver()) return null
    if (typeof told === 'string') return told
    // What was there before this was sent has no receipt of this write.
    const isOld = BigInt(told.tx) <= BigInt(sent.txBefore)
    return finish(io, sent, isOld ? { ...told, tx: null } : told)
  },
  mark: (io, database, sent) => markDocumentSent(io, database, sent && { txBefore: sent.txBefore }),
  lost: (get, database) => {
    const draft = get(documentDrafts.draftsAtom).get(database)
    if (!draft?.sent) return null
    const { collection, id, text, revision, sent } = draft
    const of = { database, collection, id, json: text, revision, idField: null }
    return { state: unseen, sent: { ...of, ...sent } }
  },
  done: 'stored',
})

/** The present or last save in the open database. */
export const documentSaveAtom = atom((get) => get(saving.stateAtom)(get(databaseAtom) ?? ''))

/** Resets the last save in the open database before the next one. */
export const resetDocumentSave = (io: Io) => saving.forget(io, io.get(databaseAtom) ?? '')

/**
 * Saves the draft once: inserts it, or replaces the document if it is still in the revision on
 * which the draft is based. Resolves with the id when it is stored and its database is still open;
 * then the draft is removed.
 * @param over the revision that the user has seen and replaces on purpose, instead of that one
 */
export async function saveDocument(
  io: Io,
  json: string,
  idField: string,
  over?: string,
): Promise<string | null> {
  if (over !== undefined) changeDocument(io, { revision: over })
  const draft = io.get(documentDraftAtom)
  if (!draft) return null
  const { database, collection, id, revision } = draft
  const save = { database, collection, id, json, revision, idField }
  return openId(io.get, database, await saving.write(io, save))
}

/**
 * Checks the outcome of a save without an answer. Resolves with the id when it is stored and its
 * database is still open.
 */
export async function checkDocumentSave(io: Io): Promise<string | null> {
  const database = io.get(databaseAtom) ?? ''
  return openId(io.get, database, await saving.check(io, database))
}

/** The id of the document that was just written, when its database is still open. */
function openId(get: Getter, database: string, ended: { kind: string } | null): string | null {
  const written = get(writtenDocumentAtom)
  const isOpen = get(databaseAtom) === database && written?.database === database
  return ended?.kind === 'idle' && isOpen ? written.id : null
}

async function send(get: Getter, { database, collection, id, json, idField }: Save): Promise<Done> {
  const client = get(clientAtom)
  if (id === null) {
    const { tx, ids } = await insertDocuments(client, { database, collection, documents: [json] })
    return { tx, id: ids[0] ?? '', revision: null }
  }
  if (idField === null) throw new TypeError('the field for ids is not known')
  const of = { database, collection, id, idField, document: json }
  const done = await replaceDocument(client, of)
  return { tx: done?.tx ?? '', id, revision: done?.revision ?? null }
}

/** What someone else wrote between the look and the write; empty for nothing. */
function overtakenWords(before: string, written: string | null): string {
  if (written === null || before === '') return ''
  const [first, last] = [BigInt(before) + 1n, BigInt(written) - 1n]
  if (last < first) return ''
  return first === last
    ? ` Revision ${first}, written by someone else right before, was overwritten. It stays in the history.`
    : ` Revisions ${first} to ${last}, written by someone else right before, were overwritten. They stay in the history.`
}

/** The reason where the document was deleted since the draft began. */
export const isGone = 'document-gone'

const gone: Refused = {
  kind: 'refused',
  text: 'The document is no longer there: it was deleted in the meantime. immudb does not take it back under its id.',
  details: 'no transaction',
  reason: isGone,
}

function finish(
  io: Io,
  { database, collection, json, idField, txBefore }: Sent<Save>,
  told: { id: string; tx: string | null; text: string },
): typeof idle {
  dropDocument(io, database)
  io.set(writtenDocumentAtom, { database, collection, ...told })
  const { tx, id } = told
  if (tx !== null) {
    const content = { collection, id, json, idField }
    const questions = documentWrite({ database, tx, txBefore }, content)
    void verifyWrite(io, { database, tx, of: `document ${id}`, questions })
  }
  void refreshDocuments(io, database)
  repeatSearch(io)
  return idle
}

/**
 * Why a replacement is not sent. immudb knows no condition for it, so this looks right before. What
 * someone writes between this look and the write is overwritten, and stays in the history.
 */
export async function refusalOfReplacement(
  io: Io,
  {
    database,
    collection,
    revision,
    idField,
  }: Pick<DocumentDraft, 'database' | 'collection' | 'revision'> & { readonly idField: string },
  id: string,
): Promise<Refused | null> {
  const renamed = await refusalOfRenamed(io, { database, collection, idField })
  if (renamed) return renamed
  try {
    const client = io.get(clientAtom)
    await ensureDatabaseToken(io, client, database)
    const now = await readDocument(client, { database, collection, id }, 'newest')
    if (!('revision' in now) || now.kind === 'deleted') return gone
    if (now.revision.revision === revision) return null
    void refreshDocuments(io, database)
    const text = changedWords(now.revision)
    return { kind: 'refused', text, details: 'another revision', reason: hasChanged }
  } catch (error) {
    const text = `The document could not be read before the write. ${sentence(error)}`
    return { kind: 'refused', text, details: technicalDetails(error) }
  }
}

function changedWords({ revision, tx, author }: DocumentRevision): string {
  const by = author === '' ? '' : ` by ${author}`
  return `The document has changed since you began: revision ${revision} was written${by} in tx ${formatTx(tx)}.`
}

/** Makes the text of a document that was deleted one of a new document. */
export function renewDocument(io: Io): void {
  resetDocumentSave(io)
  changeDocument(io, { id: null, revision: '' })
}

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
