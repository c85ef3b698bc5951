import { atom, type Getter, type Setter } from 'jotai'
import { type ApiError, isBecause } from '~/api/errors'
import { deleteKey, type Precondition, setKey, setReference } from '~/api/keys'
import { slowWriteDelay } from '~/lib/constants'
import { formatTx } from '~/lib/text'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { databaseAtom } from '../session/session'
import { sentence, technicalDetails } from '../storage/failure'
import { type Outcome, outcomeOf } from '../storage/outcome'
import { writeBlockAtom } from '../trust/write-block'
import { baseOf, changeDraftAtom, readDraft } from './draft'
import { type Base, draftAtom } from './drafts'
import { dropDraftAtom } from './kept-drafts'
import { refreshKeysAtom } from './list'
import { type KeyState, readKeyState } from './pages'
import { newestKnown, verifyKeyWrite, verifyTxWrite } from './receipts'
import {
  foundStored,
  isStill,
  isStored,
  nameless,
  type Sent,
  type Told,
  writtenSince,
} from './sent'

/** Where a write stands. `unknown`: sent, and nobody knows whether it was committed. */
export type WriteState =
  | { kind: 'idle' }
  | { kind: 'writing'; isSlow: boolean }
  | { kind: 'refused'; text: string; details: string }
  | {
      kind: 'unknown'
      text: string
      details: string
      /** See `Outcome`. */
      advice: string
      finding: string | null
      isChecking: boolean
    }
  /**
   * The key is not as the draft began; `stored` is what stands under it now. `seenIn` are the
   * transactions before it that wrote what was sent, null when nobody knows whether any did.
   */
  | {
      kind: 'conflict'
      key: string
      isNew: boolean
      stored: KeyState
      seenIn: readonly string[] | null
    }

/** Where a save stands; one without an answer is about what was sent, whatever is typed since. */
export type SaveState = Exclude<WriteState, Unknown> | (Unknown & { sent: Sent })

const idle: { kind: 'idle' } = { kind: 'idle' }
/** By database; one that is missing is idle. */
const savingAtom = atom<ReadonlyMap<string, SaveState>>(new Map<string, SaveState>())
const deletingAtom = atom<WriteState>(idle)
/** The newest transaction known before the last deletion was sent. */
const beforeDeletionAtom = atom('0')

const savingOfAtom = atom((get) => (of: string) => get(savingAtom).get(of) ?? idle)
const saySavingAtom = atom(null, (get, set, of: string, state: SaveState) =>
  set(savingAtom, new Map(get(savingAtom)).set(of, state)),
)

/** What became of the save under way or of the last one, in the open database. */
export const saveStateAtom = atom((get) => {
  const state = get(savingOfAtom)(get(databaseAtom) ?? '')
  if (state.kind !== 'conflict') return state
  const draft = get(draftAtom)
  // It is about a key; under another name the draft meets nothing yet.
  return draft && readDraft(draft).key === state.key ? state : idle
})
/** What became of the deletion under way or of the last one. */
export const deleteStateAtom = atom((get) => get(deletingAtom))

/** What the last write did, to be said beside its key. */
export type Written = {
  database: string
  key: string
  text: string
  /** The transaction, when it was told. */
  tx: string | null
  /** Its receipt is that of the transaction. */
  isReference?: boolean
}
export const writtenAtom = atom<Written | null>(null)

/** Forgets what became of the last save in the open database, before the next one is prepared. */
export const resetSaveAtom = atom(null, (get, set) => {
  if (get(saveStateAtom).kind !== 'writing') set(saySavingAtom, get(databaseAtom) ?? '', idle)
})

/** Forgets what became of the last deletion, before the next one is prepared. */
export const resetDeletionAtom = atom(null, (get, set) => {
  if (get(deletingAtom).kind !== 'writing') set(deletingAtom, idle)
})

/**
 * Saves the draft once, on the condition that the key is still as it was when the draft was begun.
 * Resolves with the key when it is stored and its database is still open; the draft is gone then.
 */
export const saveDraftAtom = atom(null, async (get, set): Promise<string | null> => {
  const draft = get(draftAtom)
  if (!draft) return null
  const before = get(savingOfAtom)(draft.database)
  if (before.kind === 'writing') return null
  const { key, value, expiresAt, target, isComplete } = readDraft(draft)
  if (key === null || !isComplete) return null
  const { database, base } = draft
  set(saySavingAtom, database, { kind: 'writing', isSlow: false })
  const held = await set(writeBlockAtom, database)
  if (held) {
    set(saySavingAtom, database, held)
    return null
  }
  const refusal = await refusalOfReference(get, set, { database, key, base, target })
  if (refusal !== null) {
    set(saySavingAtom, database, { kind: 'refused', ...refusal })
    return null
  }
  // The one before may have been stored, and is then what is found.
  const txBefore = before.kind === 'unknown' ? before.sent.txBefore : newestKnown(get, draft)
  const sent: Sent = { database, key, value: value ?? '', expiresAt, target, base, txBefore }
  const send = () => sendOnce(get, sent)
  const say = (state: SaveState) => set(saySavingAtom, database, state)
  const write = whileSaid(say, send)
  const refused = await write.then(() => null, asPreconditionFailure)
  if (refused) {
    return meetConflict(get, set, sent, refused.isOnce && before.kind !== 'unknown')
  }
  const outcome = await outcomeOf(write)
  if (outcome.kind === 'done') return finish(get, set, sent, stored(outcome.value.id))
  const { text, details } = outcome
  if (outcome.kind === 'unknown') say({ ...unknown(outcome), sent })
  else if (before.kind === 'unknown') say({ ...before, ...found(before, refusedAgain(text)) })
  else say({ kind: 'refused', text, details })
  return null
})

function asPreconditionFailure(error: unknown): ApiError | null {
  return isBecause(error, 'key-changed') ? error : null
}

function sendOnce(get: Getter, { database, key, value, expiresAt, target, base }: Sent) {
  const client = get(clientAtom)
  const precondition = preconditionOf(base)
  return target === null
    ? setKey(client, { database, key, value, expiresAt, precondition })
    : setReference(client, { database, key, target, precondition })
}

/**
 * Why the server would refuse a reference, looked up before anything is sent; null when it would
 * not, or for a value. It takes no target without a value of its own, and turns neither a live nor
 * an expired value into a reference (seen on 1.11.1).
 */
async function refusalOfReference(
  get: Getter,
  set: Setter,
  { database, key, base, target }: Pick<Sent, 'database' | 'key' | 'base' | 'target'>,
) {
  if (target === null) return null
  try {
    const found = await look(get, set, { database, key: target })
    // What is there now and was not before is a conflict, which the precondition finds.
    const own = base.kind === 'nothing' ? null : await look(get, set, { database, key })
    const text = refusalOf(found) ?? (own && refusalOver(own))
    return text === null ? null : { text, details: `target ${found.kind}, key ${own?.kind}` }
  } catch (error) {
    const text = `The keys could not be read first. ${sentence(error)}`
    return { text, details: technicalDetails(error) }
  }
}

function refusalOf(target: KeyState): string | null {
  if (target.kind === 'too-large') return null
  if (target.kind !== 'live') {
    return 'The key that it refers to does not exist, or it was deleted or has expired.'
  }
  return target.entry.target === null
    ? null
    : 'The key that it refers to is a reference itself, which immudb does not allow. Name the key with the value.'
}

function refusalOver(own: KeyState): string | null {
  const isValue = own.kind === 'too-large' || (own.kind === 'live' && own.entry.target === null)
  if (own.kind !== 'expired' && !isValue) return null
  return 'This key holds a value, and immudb does not turn a value into a reference. Delete the key first, or choose another name.'
}

/** Takes what is stored now as the new ground and saves the draft over it. */
export const saveOverAtom = atom(null, (get, set, stored: KeyState): Promise<string | null> => {
  const draft = get(draftAtom)
  if (draft) set(changeDraftAtom, { base: baseOf(stored) })
  return set(saveDraftAtom)
})

/**
 * Looks what became of a save without an answer, as it was sent; resolves with the key when it is
 * stored and its database is still open.
 */
export const checkSaveAtom = atom(null, async (get, set): Promise<string | null> => {
  const state = get(saveStateAtom)
  if (state.kind !== 'unknown') return null
  const { sent } = state
  const checking: SaveState = { ...state, isChecking: true }
  const say = (next: SaveState) => set(saySavingAtom, sent.database, next)
  say(checking)
  // It may have been sent once more, or given up, in the meantime.
  const isOver = () => get(savingOfAtom)(sent.database) !== checking
  try {
    const stored = await look(get, set, sent)
    if (isOver()) return null
    if (isStored(sent, stored)) return finish(get, set, sent, await foundStored(get, sent, stored))
    const seenIn = await writtenSince(get, sent, stored)
    if (isOver()) return null
    if (isStill(sent.base, stored) && seenIn?.length === 0) {
      say({ ...found(state, notStored(sent.base)), sent })
    } else if (isStill(sent.base, stored) && stored.kind === 'too-large') {
      say({ ...found(state, notRead), sent })
    } else say(conflict(sent, stored, seenIn))
  } catch (error) {
    if (!isOver()) say({ ...found(state, failedCheck(error)), sent })
  }
  return null
})

/** Deletes a key logically, once. */
export const deleteKeyAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  const database = get(databaseAtom)
  if (database === null || get(deletingAtom).kind === 'writing') return false
  set(deletingAtom, { kind: 'writing', isSlow: false })
  const held = await set(writeBlockAtom, database)
  if (held) {
    set(deletingAtom, held)
    return false
  }
  if (get(deletingAtom).kind !== 'unknown') set(beforeDeletionAtom, newestKnown(get, { database }))
  const send = () => deleteKey(get(clientAtom), { database, key })
  const write = whileSaid((state) => set(deletingAtom, state), send)
  // A second one finds nothing to delete.
  const outcome = await outcomeOf(write, ['key-not-found'])
  if (outcome.kind === 'done') {
    const { id: tx } = outcome.value
    const text = `Deleted in tx ${formatTx(tx)}. The revisions before it stay.`
    return tellDeleted(get, set, { database, key, text, tx })
  }
  const { text, details } = outcome
  if (outcome.kind === 'refused') set(deletingAtom, { kind: 'refused', text, details })
  else set(deletingAtom, unknown(outcome))
  return false
})

/** Looks what became of a deletion without an answer. */
export const checkDeleteAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  const state = get(deletingAtom)
  const database = get(databaseAtom)
  if (database === null || state.kind !== 'unknown') return false
  set(deletingAtom, { ...state, isChecking: true })
  try {
    const stored = await look(get, set, { database, key })
    if (stored.kind === 'deleted') {
      const { tx } = stored.entry
      const text = `The key was deleted in tx ${formatTx(tx)}. ${nameless}`
      return tellDeleted(get, set, { database, key, text, tx })
    }
    set(deletingAtom, found(state, notDeleted(stored, get(beforeDeletionAtom))))
  } catch (error) {
    set(deletingAtom, found(state, failedCheck(error)))
  }
  return false
})

/** The condition of a save says whether a second one can follow the first. */
function notStored({ kind }: Base): string {
  const soFar = 'Not stored so far. A server that was busy may yet commit it: check again'
  return kind === 'something'
    ? `${soFar} before you save once more, or it may be stored twice.`
    : `${soFar}, or save once more: it is stored only if the key is still as it was.`
}

const notRead = 'What is stored is too large to be read. Whether it is this value cannot be told.'

/** A key that was written since may have been deleted in between. */
function notDeleted(stored: KeyState, txBefore: string): string {
  const tx = 'entry' in stored ? stored.entry.tx : '0'
  return BigInt(tx) > BigInt(txBefore)
    ? `Not deleted now: tx ${formatTx(tx)} wrote it, which is newer than what was known when this was sent. The revisions show whether it was deleted in between.`
    : 'Not deleted so far. A server that was busy may yet do it: check again.'
}

function stored(tx: string): Told {
  return { text: `Stored in tx ${formatTx(tx)}.`, tx }
}

function refusedAgain(text: string): string {
  return `The second time it was refused: ${text} The first may be stored.`
}

function failedCheck(error: unknown): string {
  return `The check itself failed. ${sentence(error)} Nothing more is known.`
}

type Unknown = Extract<WriteState, { kind: 'unknown' }>

function unknown(outcome: Extract<Outcome<unknown>, { kind: 'unknown' }>): Unknown {
  return { ...outcome, finding: null, isChecking: false }
}

function conflict(
  { key, base }: Sent,
  stored: KeyState,
  seenIn: readonly string[] | null,
): SaveState {
  return { kind: 'conflict', key, isNew: base.kind === 'nothing', stored, seenIn }
}

function found(state: Unknown, finding: string): Unknown {
  return { ...state, finding, isChecking: false }
}

type Writing = Extract<WriteState, { kind: 'writing' }>

/** Says that a write is under way, and after a while that the server does not finish it. */
function whileSaid<T>(say: (state: Writing) => void, send: () => Promise<T>): Promise<T> {
  say({ kind: 'writing', isSlow: false })
  const timer = setTimeout(() => say({ kind: 'writing', isSlow: true }), slowWriteDelay)
  return send().finally(() => clearTimeout(timer))
}

function preconditionOf(base: Base): Precondition {
  if (base.kind === 'revision') return { kind: 'not-modified-after', tx: base.tx }
  return { kind: base.kind === 'nothing' ? 'must-not-exist' : 'must-exist' }
}

/** The value may be this one: a browser can send a request twice by itself, if not `isOnly`. */
async function meetConflict(
  get: Getter,
  set: Setter,
  sent: Sent,
  isOnly: boolean,
): Promise<string | null> {
  const say = (state: SaveState) => set(saySavingAtom, sent.database, state)
  try {
    const stored = await look(get, set, sent)
    if (isStored(sent, stored)) return finish(get, set, sent, await foundStored(get, sent, stored))
    say(conflict(sent, stored, isOnly ? [] : await writtenSince(get, sent, stored)))
  } catch (error) {
    const text = `The key is not as it was when you began, and it could not be read. ${sentence(error)}`
    const advice = 'What it holds may be this value or another one. Check before you send it again.'
    say({ ...unknown({ kind: 'unknown', text, details: technicalDetails(error), advice }), sent })
  }
  return null
}

type Place = Pick<Sent, 'database' | 'key'>

async function look(get: Getter, set: Setter, { database, key }: Place): Promise<KeyState> {
  const client = get(clientAtom)
  await ensureDatabaseToken({ get, set }, client, database)
  return readKeyState(client, { database, key })
}

function finish(
  get: Getter,
  set: Setter,
  { database, key, value, expiresAt, target, txBefore }: Sent,
  told: Told,
): string | null {
  set(dropDraftAtom, database)
  set(saySavingAtom, database, idle)
  set(writtenAtom, { database, key, isReference: target !== null, ...told })
  // Of a reference the receipt proves the transaction that it was written in.
  if (target === null) {
    void verifyKeyWrite(set, { database, key, tx: told.tx, value, sentExpiry: expiresAt, txBefore })
  } else void verifyTxWrite(set, { database, tx: told.tx, txBefore })
  void set(refreshKeysAtom, database)
  return get(databaseAtom) === database ? key : null
}

function tellDeleted(get: Getter, set: Setter, written: Written): true {
  set(deletingAtom, idle)
  set(writtenAtom, written)
  const { database, key, tx } = written
  void verifyKeyWrite(set, { database, key, tx, value: null, txBefore: get(beforeDeletionAtom) })
  void set(refreshKeysAtom, written.database)
  return true
}
