import type { Getter } from 'jotai'
import { type DocumentRevision, insertDocuments, replaceDocument } from '~/api/documents'
import type { Io } from '~/core/act'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { checkWrite, refusedAgain } from '~/core/write'
import { formatTx } from '~/lib/text'
import { type Ended, idle, type Refused } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { documentWrite } from '~/trust/sent'
import { runWrite } from '~/trust/write'
import { refreshDocuments } from './collections'
import { readDocument } from './document'
import { type DocumentDraft, documentDraftAtom } from './drafts'
import { changeDocument, dropDocument, markDocumentSent } from './edit-draft'
import { refusalOfRenamed } from './id-field'
import {
  type DocumentSaveState,
  type Done,
  documentSaveAtom,
  placeOfSave,
  resetDocumentSave,
  type SentDocument,
} from './save-state'
import { repeatSearch } from './search'
import { findInserted, findReplaced } from './sent-document'
import { writtenDocumentAtom } from './written'

/** The reason of a refusal before anything is sent: the document changed since the draft began. */
export const hasChanged = 'document-changed'

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
  const { get } = io
  if (over !== undefined) changeDocument(io, { revision: over })
  const draft = get(documentDraftAtom)
  if (!draft) return null
  const { database, collection, id, revision } = draft
  const place = placeOfSave(io, database)
  const before = place.read()
  // The previous attempt may have been stored, and then the check finds that one.
  const txBefore = 'sent' in before ? before.sent.txBefore : newestKnown(get, database)
  const sent: SentDocument = { database, collection, id, json, revision, txBefore, idField }
  const ended = await runWrite<Done, DocumentSaveState>(io, place, {
    database,
    isSameAgain: true,
    ...(id === null ? {} : { confirm: () => refusalOfReplacement(io, { ...draft, idField }, id) }),
    send: () => {
      // The page may be left before the answer.
      markDocumentSent(io, database, { txBefore })
      return send(get, sent, idField)
    },
    ...(id === null ? { secondReasons: ['document-conflict'] as const } : {}),
    settle: (outcome) => settled(io, sent, before, outcome),
  })
  return ended?.kind === 'idle' ? openId(get, database) : null
}

/** The id of the document that was just written, when its database is still open. */
function openId(get: Getter, database: string): string | null {
  const written = get(writtenDocumentAtom)
  return get(databaseAtom) === database && written?.database === database ? written.id : null
}

export async function send(get: Getter, sent: SentDocument, idField: string): Promise<Done> {
  const { database, collection, id, json } = sent
  const client = get(clientAtom)
  if (id === null) {
    const { tx, ids } = await insertDocuments(client, { database, collection, documents: [json] })
    return { tx, id: ids[0] ?? '', revision: null }
  }
  const of = { database, collection, id, idField, document: json }
  const done = await replaceDocument(client, of)
  return { tx: done?.tx ?? '', id, revision: done?.revision ?? null }
}

function settled(
  io: Io,
  sent: SentDocument,
  before: DocumentSaveState,
  outcome: Ended<Done>,
): DocumentSaveState {
  if (outcome.kind === 'unknown') return { ...outcome, sent }
  if (outcome.kind !== 'committed') return refused(io, sent, before, outcome)
  const { tx, id, revision } = outcome.value
  if (tx === '') return refused(io, sent, before, gone)
  const text = `Stored in tx ${formatTx(tx)}.${overtakenWords(sent.revision, revision)}`
  return finish(io, sent, { id, tx, text })
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

function refused(
  io: Io,
  { database }: SentDocument,
  before: DocumentSaveState,
  why: Refused,
): DocumentSaveState {
  if (before.kind === 'unknown') return refusedAgain(before, why, 'stored')
  markDocumentSent(io, database, null)
  return why
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
  { database, collection, json, idField, txBefore }: SentDocument,
  told: { id: string; tx: string | null; text: string },
): typeof idle {
  dropDocument(io, database)
  io.set(writtenDocumentAtom, { database, collection, ...told })
  const { tx, id } = told
  if (tx !== null) {
    const content = { collection, id, json, idField: idField ?? null }
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

/**
 * Checks the outcome of a save without an answer. Resolves with the id when it is stored and its
 * database is still open.
 */
export async function checkDocumentSave(io: Io): Promise<string | null> {
  const { get } = io
  const state = get(documentSaveAtom)
  if (!('sent' in state)) return null
  const { sent } = state
  const place = placeOfSave(io, sent.database)
  const found = await checkWrite<Done, DocumentSaveState>(place, async (isOver) => {
    await ensureDatabaseToken(io, get(clientAtom), sent.database)
    const told =
      sent.id === null ? await findInserted(get, sent) : await findReplaced(get, sent, sent.id)
    if (isOver()) return null
    if (typeof told === 'string') return told
    // What was there before this was sent has no receipt of this write.
    const isOld = BigInt(told.tx) <= BigInt(sent.txBefore)
    return finish(io, sent, isOld ? { ...told, tx: null } : told)
  })
  return found?.kind === 'idle' ? openId(get, sent.database) : null
}
