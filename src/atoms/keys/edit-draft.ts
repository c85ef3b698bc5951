import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { isUnreadable } from '~/core/unreadable'
import {
  type ByteFormat,
  isEditableAs,
  parseBytes,
  reasonAgainstFormat,
  writeBytes,
} from '~/lib/byte-formats'
import { base64ToBytes, bytesToBase64 } from '~/lib/bytes'
import { editableSize } from '~/lib/constants'
import { base64Size } from '~/lib/size'
import { type Base, type Draft, draftAtom, keyDrafts } from './drafts'
import { readExpiry } from './expiry'
import type { KeyState } from './key-state'
import { formatOfKeyAtom } from './key-view'
import { readTx } from './operation-drafts'

/** Begins a draft with an empty value and no key yet. */
export function draftNewKey(io: Io) {
  return keepKeyDraft(io, empty(io.get(databaseAtom)))
}

/** Begins a draft with the present value of a key, if a text field can hold it. */
export function draftKeyValue(io: Io, key: string, state: KeyState) {
  const entry = state.kind === 'live' ? state.entry : null
  const shown = entry && base64Size(entry.value) <= editableSize ? entry.value : null
  const bytes = base64ToBytes(shown ?? '')
  const usual: ByteFormat = isEditableAs(bytes, 'text') ? 'text' : 'hex'
  const remembered = io.get(formatOfKeyAtom)(key)?.format
  const format = remembered && isEditableAs(bytes, remembered) ? remembered : usual
  const text = writeBytes(bytes, format) ?? ''
  keepKeyDraft(io, {
    ...empty(io.get(databaseAtom)),
    key,
    format,
    text,
    firstText: text,
    readValue: entry?.target === null ? shown : null,
    base: baseOf(state),
    isTooLarge: isUnreadable(state) || (entry !== null && shown === null),
  })
}

function empty(database: string | null): Draft {
  return {
    database: database ?? '',
    key: null,
    keyText: '',
    keyFormat: 'text',
    text: '',
    format: 'text',
    firstText: '',
    readValue: null,
    base: { kind: 'nothing' },
    keepsExpiry: true,
    expiry: '',
    target: null,
    isTooLarge: false,
  }
}

/** What a write must find unchanged. */
export function baseOf(state: KeyState): Base {
  if (state.kind === 'absent') return { kind: 'nothing' }
  if (isUnreadable(state)) return { kind: 'something' }
  const { tx, expiresAt, target } = state.entry
  const isKept = state.kind === 'live' && target === null
  const isReference = state.kind === 'live' && target !== null
  return {
    kind: 'revision',
    tx,
    expiresAt: isKept ? expiresAt : null,
    target: isReference ? target.key : null,
  }
}

/** Changes the draft of the open database. */
export function changeDraft(io: Io, change: Partial<Draft>) {
  const draft = io.get(draftAtom)
  if (draft) keepKeyDraft(io, { ...draft, ...change })
}

/** Shows the same bytes in another format; a text without valid bytes stays unchanged. */
export function setDraftFormat(io: Io, format: ByteFormat) {
  const draft = io.get(draftAtom)
  if (!draft) return
  const parsed = parseBytes(draft.text, draft.format)
  const text = 'bytes' in parsed ? writeBytes(parsed.bytes, format) : null
  const isUntouched = draft.text === draft.firstText
  keepKeyDraft(io, {
    ...draft,
    format,
    ...(text === null ? {} : { text, ...(isUntouched ? { firstText: text } : {}) }),
  })
}

/** Why a field cannot hold the typed bytes in that format without loss; undefined when it can. */
export function reasonAgainstShowing(
  { text, format }: Pick<Draft, 'text' | 'format'>,
  wanted: ByteFormat,
): string | undefined {
  const parsed = parseBytes(text, format)
  // What is not JSON yet can still be typed on as JSON.
  const asked = wanted === 'json' ? 'text' : wanted
  if (!('bytes' in parsed) || parsed.bytes.length === 0 || isEditableAs(parsed.bytes, asked)) {
    return undefined
  }
  const isText = wanted === 'text' || wanted === 'json'
  const reason = isText ? null : reasonAgainstFormat(parsed.bytes, wanted)
  return reason ?? 'A text field cannot hold these bytes unchanged.'
}

/** What a field would show in that format; null while the typed text has no bytes. */
export function previewOf({ text, format }: Draft, wanted: ByteFormat): string | null {
  const parsed = parseBytes(text, format)
  return 'bytes' in parsed ? writeBytes(parsed.bytes, wanted) : null
}

export type Reading = {
  key: string | null
  keyError: string | null
  value: string | null
  valueError: string | null
  size: number
  /** Seconds since 1970; null for never. */
  expiresAt: string | null
  expiryError: string | null
  /** The key that it will refer to; null for a value, and while the typed key is invalid. */
  target: string | null
  targetError: string | null
  /** The transaction that it is bound to; null for the newest value. */
  atTx: string | null
  atTxError: string | null
  /** The draft has no gaps or errors. */
  isComplete: boolean
}

/** The bytes of a draft, or the reason why it has none. */
export function readDraft(draft: Draft): Reading {
  const key = readKey(draft)
  const value = parseBytes(draft.text, draft.format)
  const hasValue = 'bytes' in value
  const expiry = readOwnExpiry(draft)
  const target = readTarget(draft, key.key)
  const isReference = draft.target !== null
  return {
    ...key,
    value: hasValue ? bytesToBase64(value.bytes) : null,
    valueError: hasValue ? null : value.error,
    size: hasValue ? value.bytes.length : 0,
    ...expiry,
    ...target,
    isComplete:
      key.key !== null &&
      (isReference
        ? target.target !== null && target.atTxError === null
        : hasValue && expiry.expiryError === null),
  }
}

/** Whether saving would only repeat what is stored: the same bytes with the same expiry. */
export function isRepetition(
  { readValue, target, base, keepsExpiry, expiry }: Draft,
  value: string | null,
) {
  const isExpiryKept =
    base.kind === 'revision' && base.expiresAt !== null ? keepsExpiry : expiry === ''
  return readValue !== null && value === readValue && target === null && isExpiryKept
}

/** A kept expiry takes precedence over a typed one. */
function readOwnExpiry({ base, keepsExpiry, expiry }: Draft) {
  const isKept = base.kind === 'revision' && base.expiresAt !== null && keepsExpiry
  return isKept ? { expiresAt: base.expiresAt, expiryError: null } : readExpiry(expiry)
}

function readTarget({ target }: Draft, key: string | null) {
  const bound = readTx(target?.atTx ?? '')
  const none = (targetError: string | null) => ({ target: null, targetError, ...bound })
  if (target === null) return none(null)
  const parsed = parseBytes(target.text, target.format)
  if (!('bytes' in parsed)) return none(parsed.error)
  if (parsed.bytes.length === 0) return none('Enter the key that it refers to.')
  const found = bytesToBase64(parsed.bytes)
  if (found === key) return none('A key cannot refer to itself.')
  return { target: found, targetError: null, ...bound }
}

function readKey({ key, keyText, keyFormat }: Draft): Pick<Reading, 'key' | 'keyError'> {
  if (key !== null) return { key, keyError: null }
  const parsed = parseBytes(keyText, keyFormat)
  if (!('bytes' in parsed)) return { key: null, keyError: parsed.error }
  if (parsed.bytes.length === 0) return { key: null, keyError: 'A key has at least one byte.' }
  return { key: bytesToBase64(parsed.bytes), keyError: null }
}

/** Replaces the draft of its database. */
function keepKeyDraft(io: Io, of: Draft) {
  return keyDrafts.put(io, of.database, of)
}

/** Removes the draft of a database, or of the open one. */
export function dropDraft(io: Io, of?: string) {
  return keyDrafts.put(io, of ?? io.get(databaseAtom) ?? '', null)
}
