import { atom } from 'jotai'
import * as v from 'valibot'
import { databaseAtom } from '../session/session'
import { draftKeeper } from '../storage/draft-keeper'
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

/**
 * Limit in characters for all drafts together. Longer drafts are not stored; the console asks
 * before they are lost.
 */
const mostCharacters = 2_000_000

const keeper = draftKeeper<DocumentDraft>({
  kind: 'documents',
  draftsAtom: documentDraftsAtom,
  notKeptAtom: documentsNotKeptAtom,
  storable: (drafts) => {
    const changed = [...drafts.values()].filter(isDocumentChanged)
    const characters = changed.reduce((sum, { text }) => sum + text.length, 0)
    // Answers of the server are not stored on this computer; a text that was changed is typed.
    const typed = changed.map(({ firstText: _read, ...rest }) => rest)
    return characters > mostCharacters ? null : typed
  },
  read: (value) =>
    v.is(kept, value)
      ? value.drafts.map((one) => [one.database, { ...one, firstText: null }])
      : null,
})

/** Replaces the draft of its database. */
const keepAtom = atom(null, (get, set, draft: DocumentDraft) =>
  keeper.change(get, set, new Map(get(documentDraftsAtom)).set(draft.database, draft)),
)

/** Whether the stored drafts are loaded. Screens that mount this atom keep typed text. */
export const areDocumentDraftsBackAtom = keeper.areBackAtom

/** Begins a draft in the open database. */
export const beginDocumentAtom = atom(
  null,
  (get, set, of: Pick<DocumentDraft, 'collection' | 'id' | 'text' | 'revision'>) =>
    set(keepAtom, { ...of, database: get(databaseAtom) ?? '', firstText: of.text }),
)

/** Changes the draft of the open database. */
export const changeDocumentAtom = atom(
  null,
  (get, set, change: Partial<Pick<DocumentDraft, 'text' | 'revision'>>) => {
    const draft = get(documentDraftAtom)
    if (draft) set(keepAtom, { ...draft, ...change })
  },
)

/** Removes the draft of a database, or of the open one. */
export const dropDocumentAtom = atom(null, (get, set, of?: string) => {
  const left = new Map(get(documentDraftsAtom))
  left.delete(of ?? get(databaseAtom) ?? '')
  keeper.change(get, set, left)
})
