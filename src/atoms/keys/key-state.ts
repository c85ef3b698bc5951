import type { Client } from '~/api/client'
import { isBecause } from '~/api/errors'
import { type Entry, getKey } from '~/api/keys'
import { keyRevisions, type Told } from '~/core/revisions/revisions'
import { type Unreadable, unreadable } from '~/core/unreadable'
import { countable } from '~/lib/rounds'
import { referenceIn } from './reference'

/**
 * The state of a key, now or in a revision. `dangling`: it refers to a key that no longer exists.
 */
export type KeyState =
  | { kind: 'live'; entry: Entry }
  | { kind: 'deleted' | 'expired' | 'dangling'; entry: Entry }
  | { kind: 'absent' }
  | { kind: Unreadable }

type StateRequest = { database: string; key: string; revision?: string; signal?: AbortSignal }

/** Looks a key up. For a missing key, further calls find out why. */
export async function readKeyState(client: Client, request: StateRequest): Promise<KeyState> {
  try {
    return { kind: 'live', entry: await getKey(client, request) }
  } catch (error) {
    const why = unreadable(error)
    if (why !== null) return { kind: why }
    if (isBecause(error, 'no-such-revision')) return { kind: 'absent' }
    // No live entry: there is none, or it was deleted or has expired.
    if (!isBecause(error, 'key-not-found')) throw error
    const { database, key, revision, signal } = request
    const revisions = keyRevisions(client, { database, key }, { hasContent: true })
    const number = revision === undefined ? await revisions.count(signal) : countable(revision)
    return whyNot(await revisions.at(number, signal))
  }
}

function whyNot(entry: Told<Entry>): KeyState {
  if (entry === null) return { kind: 'absent' }
  if (typeof entry === 'string') return { kind: entry }
  if (entry.isDeleted) return { kind: 'deleted', entry }
  return { kind: entry.isExpired ? 'expired' : 'dangling', entry }
}

/** The state of a key as of a transaction. Those that only the past knows come after `KeyState`. */
export type PastKeyState =
  | KeyState
  /** It was set for the first time by a later transaction. */
  | { kind: 'not-yet'; first: string }
  /** A revision that cannot be read hides which one it was. */
  | { kind: 'hidden' }
  /** A reference whose value at that time cannot be read. */
  | { kind: 'unresolved'; entry: Entry; target: PastKeyState | null }

type PastRequest = { database: string; key: string; tx: string; signal?: AbortSignal }

/**
 * Looks up what a key was as of a transaction: the largest revision up to it in the history. A
 * reference brings the value that its target had at that time.
 */
export async function readPastKeyState(
  client: Client,
  request: PastRequest,
): Promise<PastKeyState> {
  const found = await revisionAt(client, request)
  if ('kind' in found) return found
  if (found.isDeleted) return { kind: 'deleted', entry: found }
  if (found.isExpired) return { kind: 'expired', entry: found }
  const revision = found.revision ?? ''
  try {
    const entry = await getKey(client, { ...request, revision })
    if (entry.target === null || entry.target.isBound) return { kind: 'live', entry }
    return await resolved(client, request, entry, entry.target.key)
  } catch (error) {
    const why = unreadable(error)
    if (why !== null) return { kind: why }
    // Only a reference is not found although its revision is there.
    if (!isBecause(error, 'key-not-found')) throw error
    const target = referenceIn(found.value)
    return target === null
      ? { kind: 'unresolved', entry: found, target: null }
      : resolved(client, request, found, target.key)
  }
}

/** A reference with the value of its target as of the transaction; no target is a reference. */
async function resolved(
  client: Client,
  request: PastRequest,
  entry: Entry,
  key: string,
): Promise<PastKeyState> {
  const target = await revisionAt(client, { ...request, key })
  if ('kind' in target) return { kind: 'unresolved', entry, target }
  if (target.isDeleted)
    return { kind: 'unresolved', entry, target: { kind: 'deleted', entry: target } }
  if (target.isExpired)
    return { kind: 'unresolved', entry, target: { kind: 'expired', entry: target } }
  const { tx, revision, value } = target
  return {
    kind: 'live',
    entry: {
      ...entry,
      value,
      target: { key, tx, revision, isBound: entry.target?.isBound ?? false },
    },
  }
}

/** The revision of a key as of a transaction, or why there is none. */
async function revisionAt(
  client: Client,
  { database, key, tx, signal }: PastRequest,
): Promise<Entry | Extract<PastKeyState, { kind: 'absent' | 'not-yet' | 'hidden' }>> {
  const revisions = keyRevisions(client, { database, key }, { hasContent: true })
  const { last, next, hidden } = await revisions.upTo(tx, signal)
  if (hidden !== null) return { kind: 'hidden' }
  return last ?? (next ? { kind: 'not-yet', first: next.tx } : { kind: 'absent' })
}
