import type { Getter } from 'jotai'
import { isBecause, isTooLarge } from '~/api/errors'
import { getKey } from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { isUnreadable } from '~/core/unreadable'
import { formatTx } from '~/lib/text'
import type { Refused } from '~/lib/write-state'
import { type KeyState, readKeyState } from './key-state'
import type { Sent } from './sent-write'

type Place = Pick<Sent, 'database' | 'key'>

/** The state of a key now, by the token of its database. */
export async function look(io: Io, { database, key }: Place): Promise<KeyState> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  return readKeyState(client, { database, key })
}

/**
 * Why the server would refuse a reference; null for a value or when it would not. `isTargetThere`:
 * whether the key that it refers to must be there already. The server requires a target with its own value, and does not turn a live or
 * expired value into a reference (seen on 1.11.1).
 */
export async function refusalOfReference(
  io: Io,
  { database, key, base, target, atTx }: Sent,
  isTargetThere = true,
): Promise<Refused | null> {
  if (target === null) return null
  try {
    const found = isTargetThere ? await look(io, { database, key: target }) : null
    const unbound = atTx === null ? null : await whyUnbound(io.get, { database, key: target, atTx })
    if (unbound !== null) return { kind: 'refused', text: unbound, details: `at tx ${atTx}` }
    // If a key appeared in the meantime, the precondition finds the conflict.
    const own = base.kind === 'nothing' ? null : await look(io, { database, key })
    const text = (found && refusalOf(found)) ?? (own && refusalOver(own))
    const details = `target ${found?.kind}, key ${own?.kind}`
    return text === null ? null : { kind: 'refused', text, details }
  } catch (error) {
    const text = `The keys could not be read before the write. ${sentence(error)}`
    return { kind: 'refused', text, details: technicalDetails(error) }
  }
}

/** Why a reference cannot be bound to a transaction; null when it can. */
async function whyUnbound(
  get: Getter,
  request: { database: string; key: string; atTx: string },
): Promise<string | null> {
  try {
    await getKey(get(clientAtom), request)
    return null
  } catch (error) {
    if (isTooLarge(error)) return null
    if (!isBecause(error, 'key-not-found', 'tx-not-found', 'value-gone')) throw error
    return `Tx ${formatTx(request.atTx)} did not set the key that it refers to, so it cannot be bound to it.`
  }
}

function refusalOf(target: KeyState): string | null {
  if (isUnreadable(target)) return null
  if (target.kind !== 'live') {
    return 'The key that it refers to does not exist, was deleted or has expired.'
  }
  return target.entry.target === null
    ? null
    : 'The key that it refers to is a reference itself, which immudb does not allow. Name the key with the value.'
}

function refusalOver(own: KeyState): string | null {
  const isValue = isUnreadable(own) || (own.kind === 'live' && own.entry.target === null)
  if (own.kind !== 'expired' && !isValue) return null
  return 'This key holds a value, and immudb does not turn a value into a reference. Delete the key first, or choose another name.'
}
