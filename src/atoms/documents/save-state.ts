import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { unanswered, type WritePlace } from '~/core/write'
import { idle, isBusy, type Unknown, type Write } from '~/lib/write-state'
import { documentDrafts } from './drafts'
import { markDocumentSent } from './edit-draft'

/** A document that was sent; `id` is null for a new one. */
export type SentDocument = {
  readonly database: string
  readonly collection: string
  readonly id: string | null
  /** JSON without the id. */
  readonly json: string
  /** The revision that it was to replace. */
  readonly revision: string
  /** The newest transaction known before it was sent. */
  readonly txBefore: string
  /** The field for ids; absent where it was sent before the page was loaded. */
  readonly idField?: string
}

/** The state of a save. Without an answer, it is about the sent text, not about newer typing. */
export type DocumentSaveState = Write<Done> | (Unknown & { sent: SentDocument })

/** `revision`: the number of the new one; null for an insert. */
export type Done = { tx: string; id: string; revision: string | null }

/** By database; one that is missing is idle. */
const savingAtom = atom<ReadonlyMap<string, DocumentSaveState>>(
  new Map<string, DocumentSaveState>(),
)

/** Sent by a page that was left, or by another tab. */
const lost = unanswered('it', 'the page was left, or another tab sent it')

const stateOfAtom = atom((get) => (database: string): DocumentSaveState => {
  const state = get(savingAtom).get(database) ?? idle
  const draft = get(documentDrafts.draftsAtom).get(database)
  if (state.kind !== 'idle' || !draft?.sent) return state
  const { collection, id, text, revision, sent } = draft
  return { ...lost, sent: { database, collection, id, json: text, revision, ...sent } }
})

export function placeOfSave({ get, set }: Io, database: string): WritePlace<DocumentSaveState> {
  return {
    read: () => get(stateOfAtom)(database),
    tell: (state) => set(savingAtom, new Map(get(savingAtom)).set(database, state)),
  }
}

/** The present or last save in the open database. */
export const documentSaveAtom = atom(
  (get): DocumentSaveState => get(stateOfAtom)(get(databaseAtom) ?? ''),
)

/** Resets the last save in the open database before the next one. */
export function resetDocumentSave(io: Io) {
  const database = io.get(databaseAtom) ?? ''
  const { read, tell } = placeOfSave(io, database)
  if (isBusy(read())) return
  markDocumentSent(io, database, null)
  tell(idle)
}
