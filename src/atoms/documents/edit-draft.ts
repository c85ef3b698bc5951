import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { draftKeeper } from '~/core/storage/draft-keeper'
import {
  type DocumentDraft,
  documentDraftAtom,
  documentDraftsAtom,
  documentsNotKeptAtom,
  isDocumentChanged,
  type SentMark,
} from './drafts'

const kept = v.object({
  drafts: v.array(
    v.object({
      database: v.string(),
      collection: v.string(),
      id: v.nullable(v.string()),
      text: v.string(),
      revision: v.string(),
      /** Drafts of an older build have none. */
      sent: v.optional(
        v.nullable(v.object({ txBefore: v.pipe(v.string(), v.regex(/^\d{1,20}$/)) })),
      ),
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
    const changed = [...drafts.values()].filter((of) => isDocumentChanged(of) || of.sent !== null)
    const characters = changed.reduce((sum, { text }) => sum + text.length, 0)
    // Answers of the server are not stored on this computer; a text that was changed is typed.
    const typed = changed.map(({ firstText: _read, ...rest }) => rest)
    return characters > mostCharacters ? null : typed
  },
  read: (value) =>
    v.is(kept, value)
      ? value.drafts.map(({ sent = null, ...one }) => [
          one.database,
          { ...one, sent, firstText: null },
        ])
      : null,
})

/** Replaces the draft of its database. */
function keepDocumentDraft({ get, set }: Io, draft: DocumentDraft) {
  return keeper.change(get, set, new Map(get(documentDraftsAtom)).set(draft.database, draft))
}

/** Whether the stored drafts are loaded. Screens that mount this atom keep typed text. */
export const areDocumentDraftsBackAtom = keeper.areBackAtom

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
  const draft = io.get(documentDraftsAtom).get(database)
  if (draft && draft.sent !== sent) keepDocumentDraft(io, { ...draft, sent })
}

/** Removes the draft of a database, or of the open one. */
export function dropDocument({ get, set }: Io, of?: string) {
  const left = new Map(get(documentDraftsAtom))
  left.delete(of ?? get(databaseAtom) ?? '')
  keeper.change(get, set, left)
}
