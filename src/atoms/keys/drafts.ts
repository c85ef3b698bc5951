import { atom } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import type { ByteFormat } from '~/lib/byte-formats'
import type { CollectedOperations, OperationDraft } from './operation-drafts'

/** The state of the key on which a write is based; any other state is a conflict. */
export type Base =
  | { kind: 'nothing' }
  | {
      kind: 'revision'
      tx: string
      expiresAt: string | null
      /** The key that it refers to, when it is a reference. */
      target: string | null
    }
  /** There is a value, but it is too large to read. */
  | { kind: 'something' }

/** A value in the form, and its key while that is typed. */
export type Draft = {
  database: string
  /** Standard base64 once the key is fixed. */
  key: string | null
  keyText: string
  keyFormat: ByteFormat
  text: string
  format: ByteFormat
  /**
   * The prefilled text, to know whether changes would be lost; null for a restored draft, which is
   * a change.
   */
  firstText: string | null
  /** The value that was read (standard base64), whose revision this would repeat; null for none. */
  readValue: string | null
  base: Base
  keepsExpiry: boolean
  /** When the value expires, as typed in UTC; empty for never. */
  expiry: string
  /**
   * The typed key that it will refer to, and the transaction whose value it shows for ever, empty
   * for the newest value; null for a value of its own.
   */
  target: { text: string; format: ByteFormat; atTx: string } | null
  /** The present value was not filled in, because it is too large for a text field. */
  isTooLarge: boolean
}

/** The drafts on the Keys screen, by database; they outlive visits to other screens. */
export const draftsAtom = atom<ReadonlyMap<string, Draft>>(new Map<string, Draft>())

/** Operations that are collected for one transaction, by database. */
export const operationDraftsAtom = atom<ReadonlyMap<string, CollectedOperations>>(
  new Map<string, CollectedOperations>(),
)

const none: readonly OperationDraft[] = []

/** Those of the open database. */
export const operationsAtom = atom(
  (get) => get(operationDraftsAtom).get(get(databaseAtom) ?? '')?.operations ?? none,
)

/** Set when the user opens a form, which then takes the focus. A restored form does not. */
export const wantsFormFocusAtom = atom(false)

/** The draft of this tab's database. */
export const draftAtom = atom((get) => get(draftsAtom).get(get(databaseAtom) ?? '') ?? null)

/** Whether typed text would be lost with the draft of the open database. */
export const isDraftChangedAtom = atom((get) => isChanged(get(draftAtom)))

/** Set while the browser's storage cannot keep the drafts. */
export const draftsNotKeptAtom = atom(false)

/** The same for operations. */
export const operationsNotKeptAtom = atom(false)

/** Whether typed text would be lost with the page, in whichever database. */
export const isAnyDraftAtRiskAtom = atom(
  (get) =>
    (get(draftsNotKeptAtom) && [...get(draftsAtom).values()].some(isChanged)) ||
    (get(operationsNotKeptAtom) && get(operationDraftsAtom).size > 0),
)

export function isChanged(draft: Draft | null): boolean {
  if (!draft) return false
  if (draft.expiry !== '' || (draft.target !== null && draft.target.text !== '')) return true
  return draft.text !== draft.firstText || (draft.key === null && draft.keyText !== '')
}
