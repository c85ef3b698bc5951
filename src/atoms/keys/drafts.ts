import { atom } from 'jotai'
import * as v from 'valibot'
import { draftsOf } from '~/core/draft-slots'
import { type ByteFormat, valueFormats } from '~/lib/byte-formats'

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

const format = v.picklist(valueFormats)
const base = v.union([
  v.object({
    kind: v.picklist(['revision']),
    tx: v.string(),
    expiresAt: v.nullable(v.string()),
    target: v.nullable(v.string()),
  }),
  v.object({ kind: v.picklist(['nothing', 'something']) }),
])
const draft = v.object({
  database: v.string(),
  key: v.nullable(v.string()),
  keyText: v.string(),
  keyFormat: format,
  text: v.string(),
  format,
  base,
  keepsExpiry: v.boolean(),
  // Those of 22 November 2026 have neither.
  expiry: v.optional(v.string(), ''),
  target: v.optional(v.nullable(v.object({ text: v.string(), format, atTx: v.string() })), null),
  isTooLarge: v.boolean(),
})

/**
 * The drafts on the Keys screen, by database; they outlive visits to other screens. They are stored
 * without the value as read.
 */
export const keyDrafts = draftsOf<Draft, v.InferOutput<typeof draft>>({
  kind: 'keys',
  schema: draft,
  read: (one) => [one.database, { ...one, firstText: null, readValue: null }],
  write: (of) => {
    const { firstText: _first, readValue: _read, ...typed } = of
    return isChanged(of) ? typed : null
  },
  lengthOf: ({ text }) => text.length,
})

/** Set when the user opens a form, which then takes the focus. A restored form does not. */
export const wantsFormFocusAtom = atom(false)

/** The draft of this tab's database. */
export const draftAtom = keyDrafts.hereAtom

/** Whether typed text would be lost with the draft of the open database. */
export const isDraftChangedAtom = atom((get) => isChanged(get(draftAtom)))

export function isChanged(draft: Draft | null): boolean {
  if (!draft) return false
  if (draft.expiry !== '' || (draft.target !== null && draft.target.text !== '')) return true
  return draft.text !== draft.firstText || (draft.key === null && draft.keyText !== '')
}
