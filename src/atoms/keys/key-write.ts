import { atom, type Getter } from 'jotai'
import {
  type Precondition,
  deleteKey as sendDeleteKey,
  setKey,
  setReference,
  type TxHeader,
} from '~/api/keys'
import type { Io } from '~/core/act'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { isUnreadable } from '~/core/unreadable'
import { checkWrite, placeIn, refusedAgain, unknown, type WritePlace } from '~/core/write'
import { formatTx } from '~/lib/text'
import { afterEvent, type Ended, idle, type Unknown, type Write } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite, operationsWrite } from '~/trust/sent'
import { trustsAtom } from '~/trust/trust'
import { runWrite } from '~/trust/write'
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
export type SaveState = Write<TxHeader> | (Unknown & { sent: Sent }) | Conflict

/** By database; one that is missing is idle. */
const savingAtom = atom<ReadonlyMap<string, SaveState>>(new Map<string, SaveState>())
const deletingAtom = atom<Write<TxHeader>>(idle)
/** The newest transaction known before the last deletion was sent. */
const beforeDeletionAtom = atom('0')

const savingOfAtom = atom((get) => (of: string) => get(savingAtom).get(of) ?? idle)

function placeOfSave({ get, set }: Io, database: string): WritePlace<SaveState> {
  return {
    read: () => get(savingOfAtom)(database),
    tell: (state) => set(savingAtom, new Map(get(savingAtom)).set(database, state)),
  }
}

/** The state of the present or last save in the open database. */
export const saveStateAtom = atom((get) => {
  const state = get(savingOfAtom)(get(databaseAtom) ?? '')
  if (state.kind !== 'conflict') return state
  const draft = get(draftAtom)
  // A conflict is about one key; it does not apply once the draft names another.
  return draft && readDraft(draft).key === state.key ? state : idle
})
/** The state of the present or last deletion. */
export const deleteStateAtom = atom((get) => get(deletingAtom))

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
export function resetSave(io: Io) {
  const { read, tell } = placeOfSave(io, io.get(databaseAtom) ?? '')
  tell(afterEvent(read(), { kind: 'forget' }))
}

/** Resets the last deletion before the next one. */
export function resetDeletion({ get, set }: Io) {
  return set(deletingAtom, afterEvent(get(deletingAtom), { kind: 'forget' }))
}

/**
 * Saves the draft once, with the precondition that the key is unchanged since the draft began.
 * Resolves with the key when it is stored and its database is still open; then the draft is
 * removed.
 */
export async function saveDraft(io: Io): Promise<string | null> {
  const { get } = io
  const typed = get(draftAtom)
  if (!typed) return null
  const draft = { ...typed, expiry: settledExpiry(typed.expiry) }
  const before = get(savingOfAtom)(draft.database)
  const { key, value, expiresAt, target, atTx, isComplete } = readDraft(draft)
  if (key === null || !isComplete) return null
  if (draft.expiry !== typed.expiry) changeDraft(io, { expiry: draft.expiry })
  const { database, base } = draft
  // The previous attempt may have been stored, and then the check finds that one.
  const txBefore = sentIn(before)?.txBefore ?? newestRead(get, draft)
  const of = { database, key, value: value ?? '', expiresAt, target, atTx }
  const sent: Sent = { ...of, base, txBefore }
  const ended = await runWrite<TxHeader, SaveState>(io, placeOfSave(io, database), {
    database,
    isSameAgain: true,
    confirm: () => refusalOfReference(io, sent),
    send: () => sendOnce(get, sent),
    settle: (outcome) => settledSave(io, sent, before, outcome),
  })
  return ended?.kind === 'idle' ? storedKey(get, sent) : null
}

/** The result of a save; idle when stored, because the pane of the key shows that. */
function settledSave(
  io: Io,
  sent: Sent,
  before: SaveState,
  outcome: Ended<TxHeader>,
): SaveState | Promise<SaveState> {
  if (outcome.kind === 'committed') return finish(io, sent, stored(outcome.value.id))
  if (outcome.kind === 'unknown') return { ...outcome, sent }
  const wasUnknown = sentIn(before) !== null
  if (outcome.reason === 'key-changed') {
    return meetConflict(io, sent, outcome.isOnce === true && !wasUnknown)
  }
  return before.kind === 'unknown' ? refusedAgain(before, outcome, 'stored') : outcome
}

/** The sent value of a save without an answer. */
function sentIn(state: SaveState): Sent | null {
  return 'sent' in state ? state.sent : null
}

/** The key to show, when its database is still open. */
function storedKey(get: Getter, { database, key }: Sent): string | null {
  return get(databaseAtom) === database ? key : null
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
  const { get } = io
  const sent = sentIn(get(saveStateAtom))
  if (sent === null) return null
  const place = placeOfSave(io, sent.database)
  const found = await checkWrite<TxHeader, SaveState>(place, async (isOver) => {
    const stored = await look(io, sent)
    if (isOver()) return null
    if (isStored(sent, stored)) {
      return finish(io, sent, foundAgain(await describeStored(get, sent, stored), sent.txBefore))
    }
    const seenIn = await findWritesSince(get, sent, stored)
    const isSame = isStill(sent.base, stored)
    if (isSame && seenIn?.length === 0) return notStored(sent.base)
    return isSame && isUnreadable(stored) ? notRead : conflict(sent, stored, seenIn)
  })
  return found?.kind === 'idle' ? storedKey(get, sent) : null
}

/** Deletes a key logically, once. */
export async function deleteKey(io: Io, key: string): Promise<boolean> {
  const { get, set } = io
  const database = get(databaseAtom)
  if (database === null) return false
  const before = get(deletingAtom)
  const ended = await runWrite<TxHeader>(io, placeIn(io, deletingAtom), {
    database,
    isSameAgain: true,
    send: () => {
      if (before.kind !== 'unknown') set(beforeDeletionAtom, newestRead(get, { database }))
      return sendDeleteKey(get(clientAtom), { database, key })
    },
    // A second one finds nothing to delete.
    secondReasons: ['key-not-found'],
    settle: (outcome) => {
      const isAgain = outcome.kind === 'refused' && before.kind === 'unknown'
      if (isAgain) return refusedAgain(before, outcome)
      if (outcome.kind !== 'committed') return outcome
      const { id: tx } = outcome.value
      const text = `Deleted in tx ${formatTx(tx)}. Earlier revisions stay.`
      return tellDeleted(io, { database, key, text, tx })
    },
  })
  return ended?.kind === 'idle'
}

/** Checks the outcome of a deletion without an answer. */
export async function checkDelete(io: Io, key: string): Promise<boolean> {
  const { get } = io
  const database = get(databaseAtom)
  if (database === null || get(deletingAtom).kind !== 'unknown') return false
  const found = await checkWrite<TxHeader>(placeIn(io, deletingAtom), async (isOver) => {
    const stored = await look(io, { database, key })
    if (isOver()) return null
    if (stored.kind !== 'deleted') return notDeleted(stored, get(beforeDeletionAtom))
    const { tx } = stored.entry
    const text = `The key was deleted in tx ${formatTx(tx)}. ${sendersUnknown}`
    const told = foundAgain({ text, tx }, get(beforeDeletionAtom))
    return tellDeleted(io, { database, key, ...told })
  })
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
async function meetConflict(io: Io, sent: Sent, isOnly: boolean): Promise<SaveState> {
  try {
    const stored = await look(io, sent)
    if (isStored(sent, stored)) {
      return finish(io, sent, foundAgain(await describeStored(io.get, sent, stored), sent.txBefore))
    }
    return conflict(sent, stored, isOnly ? [] : await findWritesSince(io.get, sent, stored))
  } catch (error) {
    const text = `The key has changed since you began, and it could not be read. ${sentence(error)}`
    const advice = `It may have this value or another one. ${checkBeforeSending('it')}`
    return { ...unknown({ text, details: technicalDetails(error), advice }), sent }
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

function tellDeleted(io: Io, written: Written): typeof idle {
  io.set(writtenAtom, written)
  const { database, key, tx } = written
  if (tx !== null) {
    const write = { database, tx, txBefore: io.get(beforeDeletionAtom) }
    const questions = keyWrite(write, { key, value: null, expiresAt: null })
    void verifyWrite(io, { database, tx, of: `key ${key}`, questions })
  }
  void refreshKeys(io, written.database)
  return idle
}

/** The newest transaction known, by the state, the trusted state and the revision that was read. */
export function newestRead(
  get: Getter,
  { database, base }: { database: string; base?: Base },
): string {
  const trust = get(trustsAtom).get(database)
  const record = trust && 'record' in trust ? trust.record : null
  const read = base?.kind === 'revision' ? base.tx : '0'
  return [newestKnown(get, database), record?.point.txId ?? '0', read].reduce((one, other) =>
    BigInt(one) > BigInt(other) ? one : other,
  )
}
