import { atom } from 'jotai'
import type { ByteFormat } from '~/lib/byte-formats'
import { databaseAtom } from '../session/session'

/** The state of the key that a write goes out from; anything else makes it a conflict. */
export type Base =
  | { kind: 'nothing' }
  | {
      kind: 'revision'
      tx: string
      expiresAt: string | null
      /** The key that it refers to, when it is a reference. */
      target: string | null
    }
  /** There is something, too large to be read. */
  | { kind: 'something' }

/** A value that is being written, and its key while that is being named. */
export type Draft = {
  database: string
  /** Standard base64 once the key is fixed. */
  key: string | null
  keyText: string
  keyFormat: ByteFormat
  text: string
  format: ByteFormat
  /**
   * The text as it was filled in, to know whether something would be lost; null for a draft that
   * was kept, which was changed.
   */
  firstText: string | null
  base: Base
  keepsExpiry: boolean
  /** When the value expires, as typed in UTC; empty for never. */
  expiry: string
  /** The key that it shall refer to, as typed; null while it shall hold a value of its own. */
  target: { text: string; format: ByteFormat } | null
  /** There is a value that was not filled in, because it is too large for a text field. */
  isTooLarge: boolean
}

/** What is typed on the screen of keys, by database; it outlives a visit to other screens. */
export const draftsAtom = atom<ReadonlyMap<string, Draft>>(new Map<string, Draft>())

/** Set when a form was asked for; the form then takes the focus, and not when it only comes back. */
export const wantsFormFocusAtom = atom(false)

/** The draft of this tab's database. */
export const draftAtom = atom((get) => get(draftsAtom).get(get(databaseAtom) ?? '') ?? null)

/** Whether typed text would be lost with the draft of the open database. */
export const isDraftChangedAtom = atom((get) => isChanged(get(draftAtom)))

/** Set while the browser's storage does not take the drafts. */
export const draftsNotKeptAtom = atom(false)

/** Whether typed text would be lost with the page, in whichever database. */
export const isAnyDraftAtRiskAtom = atom(
  (get) => get(draftsNotKeptAtom) && [...get(draftsAtom).values()].some(isChanged),
)

export function isChanged(draft: Draft | null): boolean {
  if (!draft) return false
  if (draft.expiry !== '' || (draft.target !== null && draft.target.text !== '')) return true
  return draft.text !== draft.firstText || (draft.key === null && draft.keyText !== '')
}
