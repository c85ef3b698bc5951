import type { Getter } from 'jotai'
import { listRevisions } from '~/api/keys'
import { clientAtom } from '~/core/session/client'
import { formatTx } from '~/lib/text'
import type { Sent as SentOf } from '~/trust/write'
import { possibleCopies, sendersUnknown } from '~/words/outcome'
import type { Base } from './drafts'
import { baseOf } from './edit-draft'
import type { KeyState } from './key-state'

/** A value to be stored, with the state it is based on; key and value are standard base64. */
export type Save = {
  database: string
  key: string
  value: string
  expiresAt: string | null
  /** For a reference, its target key; standard base64. */
  target: string | null
  /** For a reference, the transaction that it is bound to. */
  atTx: string | null
  base: Base
}

/** One that was sent. */
export type Sent = SentOf<Save>

/** The sentence about a write that was found, and its transaction. */
export type Told = { text: string; tx: string | null }

/** Whether the key has the sent value in a newer revision than the base. */
export function isStored({ value, target, atTx, base }: Sent, stored: KeyState): boolean {
  if (stored.kind !== 'live' || isStill(base, stored)) return false
  const { entry } = stored
  if (target !== null) {
    const found = entry.target
    if (found?.key !== target || found.isBound !== (atTx !== null)) return false
    return atTx === null || found.tx === atTx
  }
  return entry.target === null && entry.value === value
}

/** Whether the key is as it was when the draft was begun. */
export function isStill(base: Base, stored: KeyState): boolean {
  const now = baseOf(stored)
  if (base.kind === 'revision' && now.kind === 'revision') return base.tx === now.tx
  return base.kind === now.kind
}

/** Most revisions to read since a write was sent. */
const lookedAt = 20

/** Describes a value that is stored; the revisions since it was sent may be copies. */
export async function describeStored(get: Getter, sent: Sent, state: KeyState): Promise<Told> {
  const tx = 'entry' in state ? state.entry.tx : ''
  const { database, key, txBefore } = sent
  const request = { database, key, offset: 0, limit: lookedAt }
  const since = await listRevisions(get(clientAtom), request).then(
    (revisions) => revisions.filter((one) => BigInt(one.tx) > BigInt(txBefore)),
    () => [],
  )
  const several = since.length < 2 ? [] : since.map((one) => one.tx)
  const copies = possibleCopies(several, ', all since it was sent')
  return { text: `tx ${formatTx(tx)} holds exactly this value.${copies} ${sendersUnknown}`, tx }
}

/**
 * The transactions since a save was sent that wrote the same value; null when unknown. The present
 * value was compared before.
 */
export async function findWritesSince(
  get: Getter,
  { database, key, value, target, base, txBefore }: Sent,
  stored: KeyState,
): Promise<string[] | null> {
  if (stored.kind === 'absent') return []
  // Answers cannot carry a value of that size, so a match cannot be excluded.
  if (value.length > largestSeen) return null
  const request = { database, key, offset: 0, limit: lookedAt }
  const newest = await listRevisions(get(clientAtom), request).catch(() => null)
  if (newest === null) return isStill(base, stored) ? [] : null
  const isSince = ({ tx }: { tx: string }) =>
    BigInt(tx) > BigInt(txBefore) && (base.kind !== 'revision' || BigInt(tx) > BigInt(base.tx))
  const since = newest.filter(isSince)
  const present = 'entry' in stored ? stored.entry.tx : null
  const others = since.filter(({ tx, isDeleted }) => tx !== present && !isDeleted)
  if (target !== null) return others.length === 0 ? [] : null
  const alike = others.filter((one) => one.value === value)
  if (alike.length === 0 && since.length === lookedAt) return null
  return alike.map(({ tx }) => tx)
}

/** Base64 characters of the largest value that can surely be read back. */
const largestSeen = 5_000_000
