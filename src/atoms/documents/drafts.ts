import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import { databaseAtom } from '~/core/session/session'

/** What it takes to find a sent document again, besides its text. */
type SentMark = {
  /** The newest transaction known before it was sent. */
  txBefore: string
}

/** A document that someone writes. */
export type DocumentDraft = {
  database: string
  collection: string
  /** Null for a new document. */
  id: string | null
  text: string
  /** The revision that it is to replace; empty for a new document. */
  revision: string
  /** It was sent, and no answer is known; null otherwise. */
  sent: SentMark | null
  /** The prefilled text, to know whether changes would be lost; null for a restored draft. */
  firstText: string | null
}

const kept = v.object({
  database: v.string(),
  collection: v.string(),
  id: v.nullable(v.string()),
  text: v.string(),
  revision: v.string(),
  sent: v.nullable(v.object({ txBefore: v.pipe(v.string(), v.regex(/^\d{1,20}$/)) })),
})

/** The documents that are being written, by database; they outlive visits to other screens. */
export const documentDrafts = draftsOf<DocumentDraft, v.InferOutput<typeof kept>>({
  kind: 'documents',
  schema: kept,
  read: (one) => [one.database, { ...one, firstText: null }],
  write: (of) => {
    // Answers of the server are not stored on this computer; a text that was changed is typed.
    const { firstText: _read, ...typed } = of
    return isDocumentChanged(of) || of.sent !== null ? typed : null
  },
  lengthOf: ({ text }) => text.length,
})

/** The document that is being written in the open database. */
export const documentDraftAtom = documentDrafts.hereAtom

/** Whether typed text would be lost with the draft of the open database. */
export const isDocumentDraftChangedAtom = atom((get) => {
  const draft = get(documentDraftAtom)
  return draft !== null && isDocumentChanged(draft)
})

/** Set when the user opens a form, which then takes the focus. A restored form does not. */
export const wantsDocumentFocusAtom = atom(false)

function isDocumentChanged({ text, firstText }: DocumentDraft): boolean {
  return text !== firstText
}

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
