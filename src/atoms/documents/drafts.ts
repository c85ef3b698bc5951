import { atom } from 'jotai'
import * as v from 'valibot'
import { databaseAtom } from '../session/session'
import { draftList } from '../storage/draft-list'

/** A document that someone writes. */
export type DocumentDraft = {
  database: string
  collection: string
  /** Null for a new document. */
  id: string | null
  text: string
  /** The revision that it is to replace; empty for a new document. */
  revision: string
  /** The prefilled text, to know whether changes would be lost; null for a restored draft. */
  firstText: string | null
}

const documentDraftsAtom = atom<ReadonlyMap<string, DocumentDraft>>(
  new Map<string, DocumentDraft>(),
)

/** The document that is being written in the open database. */
export const documentDraftAtom = atom(
  (get) => get(documentDraftsAtom).get(get(databaseAtom) ?? '') ?? null,
)

/** Whether typed text would be lost with the draft of the open database. */
export const isDocumentDraftChangedAtom = atom((get) => {
  const draft = get(documentDraftAtom)
  return draft !== null && isChanged(draft)
})

/** Set when the user opens a form, which then takes the focus. A restored form does not. */
export const wantsDocumentFocusAtom = atom(false)

const kept = v.object({
  drafts: v.array(
    v.object({
      database: v.string(),
      collection: v.string(),
      id: v.nullable(v.string()),
      text: v.string(),
      revision: v.string(),
    }),
  ),
})

const notKeptAtom = atom(false)

const list = draftList<DocumentDraft>({
  kind: 'documents',
  drafts: documentDraftsAtom,
  notKept: notKeptAtom,
  isChanged,
  // Answers of the server are not stored on this computer; a text that was changed is typed.
  stored: ({ firstText: _read, ...typed }) => typed,
  read: (value) =>
    v.is(kept, value) ? value.drafts.map((one) => ({ ...one, firstText: null })) : null,
})

function isChanged({ text, firstText }: DocumentDraft): boolean {
  return text !== firstText
}

/** Whether the stored drafts are loaded. Screens that mount this atom keep typed text. */
export const areDocumentDraftsBackAtom = list.areBackAtom

/** Whether typed text would be lost with the page, in whichever database. */
export const isDocumentDraftAtRiskAtom = atom(
  (get) => get(notKeptAtom) && [...get(documentDraftsAtom).values()].some(isChanged),
)

/** Begins a draft in the open database. */
export const beginDocumentAtom = atom(
  null,
  (get, set, of: Pick<DocumentDraft, 'collection' | 'id' | 'text' | 'revision'>) =>
    set(list.keepAtom, { ...of, database: get(databaseAtom) ?? '', firstText: of.text }),
)

/** Changes the draft of the open database. */
export const changeDocumentAtom = atom(
  null,
  (get, set, change: Partial<Pick<DocumentDraft, 'text' | 'revision'>>) => {
    const draft = get(documentDraftAtom)
    if (draft) set(list.keepAtom, { ...draft, ...change })
  },
)

/** Removes the draft of a database, or of the open one. */
export const dropDocumentAtom = atom(null, (get, set, of?: string) =>
  set(list.dropAtom, of ?? get(databaseAtom) ?? ''),
)
