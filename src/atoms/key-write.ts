import { atom, type Getter, type Setter } from 'jotai'
import {
  deleteKey,
  isPreconditionFailure,
  type Precondition,
  setKey,
  type TxHeader,
} from '~/api/keys'
import { slowWriteDelay } from '~/lib/constants'
import { formatTx } from '~/lib/text'
import { clientAtom, ensureDatabaseToken } from './client'
import { sentence } from './failure'
import {
  type Base,
  baseOf,
  changeDraftAtom,
  type Draft,
  draftAtom,
  dropDraftAtom,
  readDraft,
} from './key-draft'
import { type KeyState, readKeyState } from './key-state'
import { refreshKeysAtom } from './keys'
import { outcomeOf } from './outcome'
import { databaseAtom } from './session'

/** Where a write stands. `unknown`: sent once, and nobody knows whether it was committed. */
export type WriteState =
  | { kind: 'idle' }
  | { kind: 'writing'; isSlow: boolean }
  | { kind: 'refused'; text: string; details: string }
  | { kind: 'unknown'; text: string; details: string; finding: string | null; isChecking: boolean }
  /** Somebody else was quicker; `stored` is what stands under the key now. */
  | { kind: 'conflict'; stored: KeyState }

const idle: WriteState = { kind: 'idle' }
const savingAtom = atom<WriteState>(idle)
const deletingAtom = atom<WriteState>(idle)

/** What became of the save under way or of the last one. */
export const saveStateAtom = atom((get) => get(savingAtom))
/** What became of the deletion under way or of the last one. */
export const deleteStateAtom = atom((get) => get(deletingAtom))

/** What the last write did, to be said beside its key. */
export type Written = { database: string; key: string; text: string }
export const writtenAtom = atom<Written | null>(null)

/** Forgets what became of the last writes, for instance before the next one is prepared. */
export const resetWritesAtom = atom(null, (get, set) => {
  if (get(savingAtom).kind !== 'writing') set(savingAtom, idle)
  if (get(deletingAtom).kind !== 'writing') set(deletingAtom, idle)
})

/**
 * Saves the draft once, on the condition that the key is still as it was when the draft was begun.
 * Resolves with the key when it is stored; the draft is gone then.
 */
export const saveDraftAtom = atom(null, async (get, set): Promise<string | null> => {
  const draft = get(draftAtom)
  if (!draft || get(savingAtom).kind === 'writing') return null
  const { key, value } = readDraft(draft)
  if (key === null || value === null) return null
  const { database, base } = draft
  const expiresAt = base.kind === 'revision' && draft.keepsExpiry ? base.expiresAt : null
  const precondition = preconditionOf(base)
  const send = () => setKey(get(clientAtom), { database, key, value, expiresAt, precondition })
  const write = whileSaid(set, savingAtom, send)
  if (await write.then(() => false, isPreconditionFailure)) {
    return meetConflict(get, set, draft, key)
  }
  const outcome = await outcomeOf(write)
  if (outcome.kind === 'done') return finish(set, draft, key, storedText(outcome.value))
  const { text, details } = outcome
  if (outcome.kind === 'refused') set(savingAtom, { kind: 'refused', text, details })
  else set(savingAtom, unknown(text, details))
  return null
})

/** Takes what is stored now as the new ground and saves the draft over it. */
export const saveOverAtom = atom(null, (get, set, stored: KeyState): Promise<string | null> => {
  const draft = get(draftAtom)
  if (draft) set(changeDraftAtom, { base: baseOf(stored) })
  return set(saveDraftAtom)
})

/** Looks what became of a save without an answer; resolves with the key when it is stored. */
export const checkSaveAtom = atom(null, async (get, set): Promise<string | null> => {
  const draft = get(draftAtom)
  const state = get(savingAtom)
  if (!draft || state.kind !== 'unknown') return null
  const { key } = readDraft(draft)
  if (key === null) return null
  set(savingAtom, { ...state, isChecking: true })
  try {
    const stored = await look(get, set, draft.database, key)
    if (isStored(draft, stored)) return finish(set, draft, key, foundText(stored))
    if (isStill(draft.base, stored)) set(savingAtom, found(state, notStored))
    else set(savingAtom, { kind: 'conflict', stored })
  } catch (error) {
    set(savingAtom, found(state, failedCheck(error)))
  }
  return null
})

/** Deletes a key logically, once. */
export const deleteKeyAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  const database = get(databaseAtom)
  if (database === null || get(deletingAtom).kind === 'writing') return false
  const send = () => deleteKey(get(clientAtom), { database, key })
  const outcome = await outcomeOf(whileSaid(set, deletingAtom, send))
  if (outcome.kind === 'done') {
    const text = `Deleted in tx ${formatTx(outcome.value.id)}. The revisions before it stay.`
    return tellDeleted(set, { database, key, text })
  }
  const { text, details } = outcome
  if (outcome.kind === 'refused') set(deletingAtom, { kind: 'refused', text, details })
  else set(deletingAtom, unknown(text, details))
  return false
})

/** Looks what became of a deletion without an answer. */
export const checkDeleteAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  const state = get(deletingAtom)
  const database = get(databaseAtom)
  if (database === null || state.kind !== 'unknown') return false
  set(deletingAtom, { ...state, isChecking: true })
  try {
    const stored = await look(get, set, database, key)
    if (stored.kind === 'deleted') {
      const text = `It was deleted in tx ${formatTx(stored.entry.tx)}.`
      return tellDeleted(set, { database, key, text })
    }
    set(deletingAtom, found(state, notDeleted))
  } catch (error) {
    set(deletingAtom, found(state, failedCheck(error)))
  }
  return false
})

const notStored =
  'Not stored so far. A server that was busy may yet commit it: check again, or save once more – on the same condition, so it cannot be stored twice.'
const notDeleted = 'Not deleted so far. A server that was busy may yet do it: check again.'

function storedText({ id }: TxHeader): string {
  return `Stored in tx ${formatTx(id)}.`
}

function foundText(stored: KeyState): string {
  const tx = 'entry' in stored ? stored.entry.tx : ''
  return `It is stored: tx ${formatTx(tx)} holds exactly this value.`
}

function failedCheck(error: unknown): string {
  return `The check itself failed. ${sentence(error)} Nothing more is known.`
}

type Unknown = Extract<WriteState, { kind: 'unknown' }>

function unknown(text: string, details: string): Unknown {
  return { kind: 'unknown', text, details, finding: null, isChecking: false }
}

function found(state: Unknown, finding: string): Unknown {
  return { ...state, finding, isChecking: false }
}

/** Says that a write is under way, and after a while that the server does not finish it. */
function whileSaid<T>(set: Setter, place: typeof savingAtom, send: () => Promise<T>): Promise<T> {
  set(place, { kind: 'writing', isSlow: false })
  const timer = setTimeout(() => set(place, { kind: 'writing', isSlow: true }), slowWriteDelay)
  return send().finally(() => clearTimeout(timer))
}

function preconditionOf(base: Base): Precondition {
  if (base.kind === 'revision') return { kind: 'not-modified-after', tx: base.tx }
  return { kind: base.kind === 'nothing' ? 'must-not-exist' : 'must-exist' }
}

/** The value may be ours all the same: a browser can send a request twice by itself. */
async function meetConflict(
  get: Getter,
  set: Setter,
  draft: Draft,
  key: string,
): Promise<string | null> {
  try {
    const stored = await look(get, set, draft.database, key)
    if (isStored(draft, stored)) return finish(set, draft, key, foundText(stored))
    set(savingAtom, { kind: 'conflict', stored })
  } catch (error) {
    const text = `Nothing was stored: the key was changed meanwhile. What stands there now could not be read. ${sentence(error)}`
    set(savingAtom, { kind: 'refused', text, details: '' })
  }
  return null
}

async function look(get: Getter, set: Setter, database: string, key: string): Promise<KeyState> {
  const client = get(clientAtom)
  await ensureDatabaseToken({ get, set }, client, database)
  return readKeyState(client, { database, key })
}

/** Whether the key holds the draft's value in a revision newer than the one it went out from. */
function isStored(draft: Draft, stored: KeyState): boolean {
  if (stored.kind !== 'live' || stored.entry.target !== null) return false
  return stored.entry.value === readDraft(draft).value && !isStill(draft.base, stored)
}

/** Whether the key is as it was when the draft was begun. */
function isStill(base: Base, stored: KeyState): boolean {
  const now = baseOf(stored)
  if (base.kind === 'revision' && now.kind === 'revision') return base.tx === now.tx
  return base.kind === now.kind
}

function finish(set: Setter, draft: Draft, key: string, text: string): string {
  set(dropDraftAtom)
  set(savingAtom, idle)
  set(writtenAtom, { database: draft.database, key, text })
  void set(refreshKeysAtom, draft.database)
  return key
}

function tellDeleted(set: Setter, written: Written): true {
  set(deletingAtom, idle)
  set(writtenAtom, written)
  void set(refreshKeysAtom, written.database)
  return true
}
