import { atom, type Getter, type Setter } from 'jotai'
import { afterEvent, idle, type Unknown, type Write } from '~/lib/write'
import { databaseAtom } from '../session/session'
import type { WritePlace } from '../write/write'

/** A document that was sent; `id` is null for a new one. */
export type SentDocument = {
  readonly database: string
  readonly collection: string
  readonly id: string | null
  readonly idField: string
  /** JSON without the id. */
  readonly json: string
  /** The revision that it was to replace. */
  readonly revision: string
  /** The newest transaction known before it was sent. */
  readonly txBefore: string
}

/** The state of a save. Without an answer, it is about the sent text, not about newer typing. */
export type DocumentSaveState = Write<Done> | (Unknown & { sent: SentDocument })

export type Done = { tx: string; id: string }

/** By database; one that is missing is idle. */
const savingAtom = atom<ReadonlyMap<string, DocumentSaveState>>(
  new Map<string, DocumentSaveState>(),
)

export function placeOfSave(
  get: Getter,
  set: Setter,
  database: string,
): WritePlace<DocumentSaveState> {
  return {
    read: () => get(savingAtom).get(database) ?? idle,
    tell: (state) => set(savingAtom, new Map(get(savingAtom)).set(database, state)),
  }
}

/** The present or last save in the open database. */
export const documentSaveAtom = atom(
  (get): DocumentSaveState => get(savingAtom).get(get(databaseAtom) ?? '') ?? idle,
)

/** Resets the last save in the open database before the next one. */
export const resetDocumentSaveAtom = atom(null, (get, set) => {
  const { read, tell } = placeOfSave(get, set, get(databaseAtom) ?? '')
  tell(afterEvent(read(), { kind: 'forget' }))
})
