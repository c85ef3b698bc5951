import { atom, type Getter } from 'jotai'
import {
  type Precondition,
  deleteKey as sendDeleteKey,
  setKey,
  setReference,
  type TxHeader,
} from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { isUnreadable } from '~/core/unreadable'
import { unknown } from '~/core/write'
import { formatTx } from '~/lib/text'
import { idle, type Unknown, type Write } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite, operationsWrite } from '~/trust/sent'
import { defineWrite } from '~/trust/write'
import { checkBeforeSending, notSoFar, sendersUnknown } from '~/words/outcome'
import { type Base, draftAtom } from './drafts'
import { baseOf, changeDraft, dropDraft, readDraft } from './edit-draft'
import { settledExpiry } from './expiry'
import { refreshKeys } from './key-list'
import type { KeyState } from './key-state'
import { look, refusalOfReference } from './refused-reference'
import {
  describeStored,
  findWritesSince,
  isStill,
  isStored,
  type Save,
  type Sent,
  type Told,
} from './sent-write'

/**
 * The key has changed since the draft began; `stored` is its present state. `seenIn`: earlier
 * transactions that wrote the sent value, null when unknown.
 */
type Conflict = {
  kind: 'conflict'
  key: string
  isNew: boolean
  stored: KeyState
  seenIn: readonly string[] | null
}

/** The state of a save. Without an answer, it is about the sent value, not about newer typing. */
type SaveState = Write<TxHeader> | Conflict

const saving = defineWrite<Save, TxHeader, Conflict>({
  slot: ({ database }) => database,
  confirm: (io, sent) => refusalOfReference(io, sent),
  send: ({ get }, sent) => sendOnce(get, sent),
  settle: (io, sent, outcome, isAgain) => {
    if (outcome.kind === 'committed') return finish(io, sent, stored(outcome.value.id))
    const isChanged = outcome.kind === 'refused' && outcome.reason === 'key-changed'
    return isChanged ? meetConflict(io, sent, outcome.isOnce === true && !isAgain) : outcome
  },
  look: lookForSave,
  done: 'stored',
})

/** The state of the present or last save in the open database. */
export const saveStateAtom = atom((get): SaveState => {
  const state = get(saving.stateAtom)(get(databaseAtom) ?? '')
  if (state.kind !== 'conflict') return state
  const draft = get(draftAtom)
  // A conflict is about one key; it does not apply once the draft names another.
  return draft && readDraft(draft).key === state.key ? state : idle
})

const deleting = defineWrite<{ database: string; key: string }, TxHeader>({
  isSame: (one, other) => one.database === other.database && one.key === other.key,
  send: ({ get }, { database, key }) => sendDeleteKey(get(clientAtom), { database, key }),
  // A second one finds nothing to delete.
  secondReasons: () => ['key-not-found'],
  settle: (io, sent, outcome) => {
    if (outcome.kind !== 'committed') return outcome
    const { id: tx } = outcome.value
    return tellDeleted(io, sent, {
      text: `Deleted in tx ${formatTx(tx)}. Earlier revisions stay.`,
      tx,
    })
  },
  look: async (io, sent, isOver) => {
    const stored = await look(io, sent)
    if (isOver()) return null
    if (stored.kind !== 'deleted') return notDeleted(stored, sent.txBefore)
    const { tx } = stored.entry
    const text = `The key was deleted in tx ${formatTx(tx)}. ${sendersUnknown}`
    return tellDeleted(io, sent, foundAgain({ text, tx }, sent.txBefore))
  },
})

/** The state of the present or last deletion. */
export const deleteStateAtom = atom((get) => get(deleting.stateAtom)(''))

/** What the last write did, shown beside its key. */
export type Written = {
  database: string
  key: string
  text: string
  /** The transaction, when the server returned it. */
  tx: string | null
}
export const writtenAtom = atom<Written | null>(null)

/** Resets the last save in the open database before the next one. */
export const resetSave = (io: Io) => saving.forget(io, io.get(databaseAtom) ?? '')

/** Resets the last deletion before the next one. */
export const resetDeletion = (io: Io) => deleting.forget(io, '')

/**
 * Saves the draft once, with the precondition that the key is unchanged since the draft began.
 * Resolves with the key when it is stored and its database is still open; then the draft is
 * removed.
 */
export async function saveDraft(io: Io): Promise<string | null> {
  const typed = io.get(draftAtom)
  if (!typed) return null
  const draft = { ...typed, expiry: settledExpiry(typed.expiry) }
  const { key, value, expiresAt, target, atTx, isComplete } = readDraft(draft)
  if (key === null || !isComplete) return null
  if (draft.expiry !== typed.expiry) changeDraft(io, { expiry: draft.expiry })
  const { database, base } = draft
  const seen = base.kind === 'revision' ? base.tx : '0'
  const save = { database, seen, key, value: value ?? '', expiresAt, target, atTx, base }
  return storedKey(io.get, save, await saving.write(io, save))
}

/** The key to show, when it is stored and its database is still open. */
function storedKey(
  get: Getter,
  { database, key }: Save,
  ended: { kind: string } | null,
): string | null {
  return ended?.kind === 'idle' && get(databaseAtom) === database ? key : null
}

function sendOnce(get: Getter, sent: Sent) {
  const { database, key, value, expiresAt, target, atTx, base } = sent
  const client = get(clientAtom)
  const precondition = preconditionOf(base)
  return target === null
    ? setKey(client, { database, key, value, expiresAt, precondition })
    : setReference(client, { database, key, target, atTx, precondition })
}

/** Takes the stored state as the new base and saves the draft over it. */
export function saveOverStored(io: Io, stored: KeyState): Promise<string | null> {
  const draft = io.get(draftAtom)
  if (draft) changeDraft(io, { base: baseOf(stored) })
  return saveDraft(io)
}

/**
 * Checks the outcome of a save without an answer. Resolves with the key when it is stored and its
 * database is still open.
 */
export async function checkSave(io: Io): Promise<string | null> {
  const database = io.get(databaseAtom) ?? ''
  const sent = io.get(saving.sentAtom)(database)
  const found = await saving.check(io, database)
  return sent && storedKey(io.get, sent, found)
}

async function lookForSave(
  io: Io,
  sent: Sent,
  isOver: () => boolean,
): Promise<typeof idle | Conflict | string | null> {
  const stored = await look(io, sent)
  if (isOver()) return null
  if (isStored(sent, stored)) {
    return finish(io, sent, foundAgain(await describeStored(io.get, sent, stored), sent.txBefore))
  }
  const seenIn = await findWritesSince(io.get, sent, stored)
  const isSame = isStill(sent.base, stored)
  if (isSame && seenIn?.length === 0) return notStored(sent.base)
  return isSame && isUnreadable(stored) ? notRead : conflict(sent, stored, seenIn)
}

/** Deletes a key logically, once. */
export async function deleteKey(io: Io, key: string): Promise<boolean> {
  const database = io.get(databaseAtom)
  if (database === null) return false
  const ended = await deleting.write(io, { database, key })
  return ended?.kind === 'idle'
}

/** Checks the outcome of a deletion without an answer. */
export async function checkDelete(io: Io): Promise<boolean> {
  const found = await deleting.check(io, '')
  return found?.kind === 'idle'
}

/** The precondition decides whether a second save is safe. */
function notStored({ kind }: Base): string {
  const next =
    kind === 'something'
      ? 'check again before you save once more, or it may be stored twice'
      : 'check again, or save once more: it is stored only if the key is still as it was'
  return notSoFar('Not stored so far.', 'commit it', next)
}

const notRead = 'The stored value is too large to read. Whether it is this one is not known.'

/** A key written since then may have been deleted in between. */
function notDeleted(stored: KeyState, txBefore: string): string {
  const tx = 'entry' in stored ? stored.entry.tx : '0'
  return BigInt(tx) > BigInt(txBefore)
    ? `Not deleted now: tx ${formatTx(tx)} wrote it after this was sent. The revisions show whether it was deleted in between.`
    : notSoFar('Not deleted so far.', 'delete it')
}

function stored(tx: string): Told {
  return { text: `Stored in tx ${formatTx(tx)}.`, tx }
}

function conflict(
  { key, base }: Sent,
  stored: KeyState,
  seenIn: readonly string[] | null,
): Conflict {
  return { kind: 'conflict', key, isNew: base.kind === 'nothing', stored, seenIn }
}

function preconditionOf(base: Base): Precondition {
  if (base.kind === 'revision') return { kind: 'not-modified-after', tx: base.tx }
  return { kind: base.kind === 'nothing' ? 'must-not-exist' : 'must-exist' }
}

/**
 * The stored value may be this one, because a browser can repeat a request silently, unless
 * `isOnly`.
 */
async function meetConflict(
  io: Io,
  sent: Sent,
  isOnly: boolean,
): Promise<typeof idle | Conflict | Unknown> {
  try {
    const stored = await look(io, sent)
    if (isStored(sent, stored)) {
      return finish(io, sent, foundAgain(await describeStored(io.get, sent, stored), sent.txBefore))
    }
    return conflict(sent, stored, isOnly ? [] : await findWritesSince(io.get, sent, stored))
  } catch (error) {
    const text = `The key has changed since you began, and it could not be read. ${sentence(error)}`
    const advice = `It may have this value or another one. ${checkBeforeSending('it')}`
    return unknown({ text, details: technicalDetails(error), advice })
  }
}

/** What was there before this was sent is as it should be, and has no receipt of this write. */
function foundAgain<T extends Told>(told: T, txBefore: string): T {
  return told.tx !== null && BigInt(told.tx) <= BigInt(txBefore) ? { ...told, tx: null } : told
}

function finish(
  io: Io,
  { database, key, value, expiresAt, target, atTx, txBefore }: Sent,
  told: Told,
): typeof idle {
  dropDraft(io, database)
  io.set(writtenAtom, { database, key, ...told })
  const { tx } = told
  if (tx !== null) {
    const write = { database, tx, txBefore }
    const questions =
      target === null
        ? keyWrite(write, { key, value, expiresAt })
        : operationsWrite(write, [{ kind: 'reference', key, target, atTx }])
    void verifyWrite(io, { database, tx, of: `key ${key}`, questions })
  }
  void refreshKeys(io, database)
  return idle
}

function tellDeleted(
  io: Io,
  { database, key, txBefore }: Pick<Sent, 'database' | 'key' | 'txBefore'>,
  told: Told,
): typeof idle {
  io.set(writtenAtom, { database, key, ...told })
  const { tx } = told
  if (tx !== null) {
    const write = { database, tx, txBefore }
    const questions = keyWrite(write, { key, value: null, expiresAt: null })
    void verifyWrite(io, { database, tx, of: `key ${key}`, questions })
  }
  void refreshKeys(io, database)
  return idle
}
