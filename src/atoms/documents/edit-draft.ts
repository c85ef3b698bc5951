import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { type DocumentDraft, documentDraftAtom, documentDrafts, type SentMark } from './drafts'

/** Replaces the draft of its database. */
function keepDocumentDraft(io: Io, draft: DocumentDraft) {
  return documentDrafts.put(io, draft.database, draft)
}

/** Begins a draft in the open database. */
export function beginDocument(
  io: Io,
  of: Pick<DocumentDraft, 'collection' | 'id' | 'text' | 'revision'>,
) {
  return keepDocumentDraft(io, {
    ...of,
    database: io.get(databaseAtom) ?? '',
    sent: null,
    firstText: of.text,
  })
}

/** Changes the draft of the open database. */
export function changeDocument(
  io: Io,
  change: Partial<Pick<DocumentDraft, 'id' | 'text' | 'revision'>>,
) {
  const draft = io.get(documentDraftAtom)
  if (draft) keepDocumentDraft(io, { ...draft, ...change })
}

/** Keeps with the draft of a database that it is sent, or null once its outcome is known. */
export function markDocumentSent(io: Io, database: string, sent: SentMark | null) {
  const draft = io.get(documentDrafts.draftsAtom).get(database)
  if (draft && draft.sent !== sent) keepDocumentDraft(io, { ...draft, sent })
}

/** Removes the draft of a database, or of the open one. */
export function dropDocument(io: Io, of?: string) {
  return documentDrafts.put(io, of ?? io.get(databaseAtom) ?? '', null)
}
