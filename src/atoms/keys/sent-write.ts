import type { Getter } from 'jotai'
import { listRevisions } from '~/api/keys'
import { formatTx } from '~/lib/text'
import { clientAtom } from '../session/client'
import { baseOf } from './draft'
import type { Base } from './drafts'
import type { KeyState } from './pages'

/** A value as it was sent, with what it went out from; key and value are standard base64. */
export type Sent = {
  database: string
  key: string
  value: string
  expiresAt: string | null
  /** The key that it refers to instead of holding the value; standard base64. */
  target: string | null
  base: Base
  txBefore: string
}

/** What is said of a write that was found, and its transaction. */
export type Told = { text: string; tx: string | null }

/** Of a write that was not answered nobody can tell whose it is. */
export const nameless = 'Transactions do not say who sent them.'

/** Whether the key holds what was sent in a revision newer than the one it went out from. */
export function isStored({ value, target, base }: Sent, stored: KeyState): boolean {
  if (stored.kind !== 'live' || isStill(base, stored)) return false
  const { entry } = stored
  if (target !== null) return entry.target?.key === target
  return entry.target === null && entry.value === value
}

/** Whether the key is as it was when the draft was begun. */
export function isStill(base: Base, stored: KeyState): boolean {
  const now = baseOf(stored)
  if (base.kind === 'revision' && now.kind === 'revision') return base.tx === now.tx
  return base.kind === now.kind
}

/** Revisions since a write was sent that are looked at. */
const lookedAt = 20

/** The value is there; the revisions since it was sent are its possible copies. */
export async function describeStored(get: Getter, sent: Sent, state: KeyState): Promise<Told> {
  const tx = 'entry' in state ? state.entry.tx : ''
  const { database, key, txBefore } = sent
  const request = { database, key, offset: 0, limit: lookedAt }
  const since = await listRevisions(get(clientAtom), request).then(
    (revisions) => revisions.filter((one) => BigInt(one.tx) > BigInt(txBefore)),
    () => [],
  )
  const copies =
    since.length < 2
      ? ''
      : ` Possible copies, all since it was sent: ${since.map((one) => `tx ${formatTx(one.tx)}`).join(', ')}.`
  return { text: `tx ${formatTx(tx)} holds exactly this value.${copies} ${nameless}`, tx }
}

/**
 * The transactions since a save was sent that wrote what was sent; null when it cannot be told. What
 * is stored now was compared before.
 */
export async function findWritesSince(
  get: Getter,
  { database, key, value, target, base, txBefore }: Sent,
  stored: KeyState,
): Promise<string[] | null> {
  if (stored.kind === 'absent') return []
  // Answers hold no value of that size, so one may be this one.
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

/** Characters of base64 of the largest value that surely can be read back. */
const largestSeen = 5_000_000
