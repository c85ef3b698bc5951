import { atom } from 'jotai'
import { readStateText, type WrittenState } from '~/immudb/state-text'
import { decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import {
  type Checkpoint,
  follows,
  isNamedIn,
  NoteError,
  readCheckpoints,
  readVerifierKey,
  signedBy,
  type VerifierKey,
} from '~/proof/checkpoint'
import { readStates, serverOfFile } from '~/proof/immuclient-state'
import type { TrustedState } from '~/proof/kernel/context'
import { type NoKey, readPublicKey } from '~/proof/public-key'
import { keyRefusal } from '~/words/public-key'
import { checkpointProblem, witnessKeyRefusal } from '~/words/witness'
import type { OwnKey, Subject } from './recorded-state'
import { startedRecord, type TrustRecord } from './trust-record'

/** What the reader of a page without records gives for files to be compared with. */
export type GivenTrust = {
  states: readonly WrittenState[]
  /** Public keys of servers as `Context` has them. */
  keys: readonly string[]
  /** Keys of witnesses, and files of checkpoints, which count where one of the keys signed them. */
  witnesses: readonly VerifierKey[]
  notes: readonly GivenNotes[]
}

/** The checkpoints of a file, rising. */
type GivenNotes = { name: string; checkpoints: readonly Checkpoint[] }

/** A given state, with the name of the witness that signed it where one did. */
type GivenState = WrittenState & { by?: string }

/** Null where this browser keeps records, so that nothing has to be given. */
export const givenTrustAtom = atom<GivenTrust | null>(null)

export const nothingGiven: GivenTrust = { states: [], keys: [], witnesses: [], notes: [] }

/** A state on one line: its transaction, then its hash. */
const shortState = /^\s*(\d[\d,]*)[\s:]+([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)\s*$/i

/** The key of a witness on one line. */
const witnessKey = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}$/

/** How a file of checkpoints begins, and no other. */
const notesBegin = 'immudb/'

type Found = { given: Partial<GivenTrust> } | { error: string }

/** Bytes of a file of anything but checkpoints. */
const mostText = 1_000_000

/** Reads what `readGivenTrust` reads from a file of this name, or checkpoints. */
export async function readGivenFile(bytes: Uint8Array, name: string): Promise<Found> {
  if (hasCheckpoints(bytes)) return notesIn(bytes, name)
  if (bytes.length > mostText) return { error: 'This file is too large for states or a key.' }
  const text = decodeUtf8(bytes)
  return text === null ? { error: 'This file is not UTF-8.' } : readGivenTrust(text, name)
}

/** Whether a file can only be one of checkpoints. */
export function hasCheckpoints(bytes: Uint8Array): boolean {
  return decodeUtf8(bytes.subarray(0, notesBegin.length)) === notesBegin
}

function notesIn(bytes: Uint8Array, name: string): Found {
  try {
    const checkpoints: Checkpoint[] = []
    for (const one of readCheckpoints(bytes)) {
      const last = checkpoints.at(-1)
      if (last && !follows(one, last)) {
        return { error: checkpointProblem({ line: one.line, why: 'falling' }) }
      }
      checkpoints.push(one)
    }
    return { given: { notes: [{ name, checkpoints }] } }
  } catch (error) {
    if (error instanceof NoteError) return { error: checkpointProblem(error) }
    throw error
  }
}

/**
 * Reads trusted states, in any form in which the console or `immuclient` writes them or as a
 * transaction and its hash; the public key of a server or of a witness; or checkpoints. `error` is a
 * sentence.
 * @param file the name of their file; empty when they were typed
 */
export async function readGivenTrust(text: string, file = ''): Promise<Found> {
  const plain = text.trim()
  if (plain.startsWith(notesBegin)) return notesIn(encodeUtf8(`${plain}\n`), 'typed')
  if (witnessKey.test(plain)) {
    const found = await readVerifierKey(plain).catch(() => ({ none: 'unloaded' }))
    return 'key' in found
      ? { given: { witnesses: [found.key] } }
      : { error: witnessKeyRefusal(found.none) }
  }
  if (plain === '') return { error: 'Type a transaction and its hash, or paste a public key.' }
  const [, tx, hash] = shortState.exec(plain) ?? []
  const ofClient = readStates(text, serverOfFile(file))
  if (ofClient) return { given: { states: ofClient } }
  const read = readStateText(tx ? `transaction: ${tx}\nhash: ${hash}` : text, true)
  if ('points' in read) return { given: { states: read.points } }
  const isState = /^[\s>]*(database|transaction|hash)\s*:/im.test(plain)
  if (isState) return { error: read.error }
  const key = await readPublicKey(plain).catch((): { none: NoKey | '' } => ({ none: '' }))
  if ('key' in key) return { given: { keys: [key.key] } }
  const isKey = key.none !== 'not-a-key'
  return { error: isKey ? keyRefusal(key.none) : `${read.error} It is no public key either.` }
}

/** Both together; a state or key that is there already counts once. */
export function withMoreTrust(known: GivenTrust, more: Partial<GivenTrust>): GivenTrust {
  const states = [...known.states, ...(more.states ?? [])]
  const witnesses = [...known.witnesses, ...(more.witnesses ?? [])]
  return {
    states: [...new Map(states.map((one) => [JSON.stringify(one), one])).values()],
    keys: [...new Set([...known.keys, ...(more.keys ?? [])])],
    witnesses: [...new Map(witnesses.map((one) => [one.text, one])).values()],
    notes: [...known.notes, ...(more.notes ?? [])],
  }
}

/** The transactions of everything given. */
export function givenTxs({ states, notes }: GivenTrust): string[] {
  return [...states, ...notes.flatMap(({ checkpoints }) => checkpoints)].map(({ txId }) => txId)
}

/**
 * The given states of these transactions. A checkpoint is one where a given witness signed it; a wrong
 * signature of a given witness refuses it, whatever else signed it.
 */
export async function givenStates(
  { states, witnesses, notes }: GivenTrust,
  claims: readonly TrustedState[],
): Promise<GivenState[]> {
  const ids = new Set(claims.map(({ txId }) => txId))
  const found: GivenState[] = [...states]
  const all = notes.flatMap(({ checkpoints }) => checkpoints).filter(({ txId }) => ids.has(txId))
  for (const note of all) {
    const signed = await Promise.all(witnesses.map((key) => signedBy(note, key)))
    if (signed.includes('wrong')) continue
    const by = witnesses[signed.indexOf('signed')]
    const { database, server, txId, txHash } = note
    if (by) found.push({ database, server, txId, txHash, origin: '', at: '', by: by.name })
  }
  return found
}

/** How many of these checkpoints name none of the witnesses: nobody here vouches for them. */
export function unsignedIn(checkpoints: readonly Checkpoint[], witnesses: readonly VerifierKey[]) {
  const isNamed = ({ signatures }: Checkpoint) =>
    signatures.some((one) => witnesses.some((key) => isNamedIn(one, key)))
  return checkpoints.filter((note) => !isNamed(note)).length
}

/** Checkpoints of these transactions whose signature by a given witness is wrong. */
export async function forgedNotes(
  { witnesses, notes }: GivenTrust,
  claims: readonly TrustedState[],
): Promise<readonly { txId: string; by: string }[]> {
  const ids = new Set(claims.map(({ txId }) => txId))
  const found = new Map<string, { txId: string; by: string }>()
  for (const note of notes.flatMap(({ checkpoints }) => checkpoints)) {
    if (!ids.has(note.txId)) continue
    for (const key of witnesses) {
      const { txId } = note
      const one = { txId, by: key.name }
      if ((await signedBy(note, key)) === 'wrong') found.set(JSON.stringify(one), one)
    }
  }
  return [...found.values()]
}

/** A side of a fork: the database that a file names, and what it claims of it. */
type Side = Subject & { claims: readonly TrustedState[] }

/**
 * The given states of the database that a file names, FORMAT.md 7.2, as if they were recorded here.
 * One that names no database is of any.
 */
export function givenRecords(states: readonly GivenState[], of: Subject): TrustRecord[] {
  return states.filter((one) => isOf(one, of)).map((one) => recordedAs(one, of))
}

/** The same of one side of a fork: a state of the other one says nothing about this one. */
export function givenOfSide(states: readonly GivenState[], of: Side, other: Side): TrustRecord[] {
  const { uuid, origin } = of.server
  const namesOther = (one: WrittenState) =>
    (one.server === other.server.uuid && one.server !== uuid) ||
    (one.origin === other.server.origin && one.origin !== origin)
  return states
    .filter((one) => isOf(one, of))
    .filter((one) => isClaimed(one, of) || !(isClaimed(one, other) || namesOther(one)))
    .map((one) => recordedAs(one, of))
}

const isClaimed = ({ txId, txHash }: TrustedState, { claims }: Side) =>
  claims.some((claim) => claim.txId === txId && claim.txHash === txHash)

function isOf({ database, server }: WrittenState, { context, server: { uuid } }: Subject): boolean {
  return (database === '' || database === context.db) && (!uuid || server === '' || server === uuid)
}

function recordedAs({ txId, txHash }: WrittenState, { context, server }: Subject): TrustRecord {
  const id = { origin: server.origin, server: server.uuid ?? '', database: context.db }
  return startedRecord(id, { txId, txHash }, 'import', 0)
}

/** How the signing key of a file, or none, compares with the given ones. */
export function givenKey({ keys }: GivenTrust, key: string | null): OwnKey {
  if (keys.length === 0) return 'none'
  if (key === null) return 'missing'
  return keys.includes(key) ? 'same' : 'different'
}
