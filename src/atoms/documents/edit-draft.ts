import { atom } from 'jotai'
import * as v from 'valibot'
import { databaseAtom } from '../session/session'
import { draftList } from '../storage/draft-list'
import {
  type DocumentDraft,
  documentDraftAtom,
  documentDraftsAtom,
  documentsNotKeptAtom,
  isDocumentChanged,
} from './drafts'

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

const list = draftList<DocumentDraft>({
  kind: 'documents',
  drafts: documentDraftsAtom,
  notKept: documentsNotKeptAtom,
  isChanged: isDocumentChanged,
  // Answers of the server are not stored on this computer; a text that was changed is typed.
  stored: ({ firstText: _read, ...typed }) => typed,
  read: (value) =>
    v.is(kept, value) ? value.drafts.map((one) => ({ ...one, firstText: null })) : null,
})

/** Whether the stored drafts are loaded. Screens that mount this atom keep typed text. */
export const areDocumentDraftsBackAtom = list.areBackAtom

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
