import { atom } from 'jotai'
import { databaseAtom } from '~/core/session/session'

/** What it takes to find a sent document again, besides its text. */
export type SentMark = {
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

/** The documents that are being written, by database; they outlive visits to other screens. */
export const documentDraftsAtom = atom<ReadonlyMap<string, DocumentDraft>>(
  new Map<string, DocumentDraft>(),
)

/** The document that is being written in the open database. */
export const documentDraftAtom = atom(
  (get) => get(documentDraftsAtom).get(get(databaseAtom) ?? '') ?? null,
)

/** Whether typed text would be lost with the draft of the open database. */
export const isDocumentDraftChangedAtom = atom((get) => {
  const draft = get(documentDraftAtom)
  return draft !== null && isDocumentChanged(draft)
})

/** Set when the user opens a form, which then takes the focus. A restored form does not. */
export const wantsDocumentFocusAtom = atom(false)

/** Set while the browser's storage cannot keep the drafts. */
export const documentsNotKeptAtom = atom(false)

/** Whether typed text would be lost with the page, in whichever database. */
export const isAnyDocumentAtRiskAtom = atom(
  (get) =>
    get(documentsNotKeptAtom) && [...get(documentDraftsAtom).values()].some(isDocumentChanged),
)

export function isDocumentChanged({ text, firstText }: DocumentDraft): boolean {
  return text !== firstText
}
