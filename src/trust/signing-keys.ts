import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { serverIn, type Unreadable } from './trust-record'
import { outdateRecords, trustedStatesAtom, trustRecordsAtom } from './trusted-states'
import { verifyState } from './verify-state'

export type ServerName = { origin: string; server: string }

/** A pinned key; `unread`: a key is pinned but cannot be read, and why. */
export type PinnedKey = { kind: 'key'; key: string } | { kind: 'unread'; why: Unreadable['kind'] }

export type SigningKeys = {
  here: ServerName
  pinned: PinnedKey | null
  others: readonly (ServerName & { pinned: PinnedKey })[]
}

/** The key pinned for the server that answers, and those of others; null until they are read. */
export const signingKeysAtom = atom((get): SigningKeys | null => {
  const records = get(trustRecordsAtom)
  if (records === null) return null
  const here = get(databaseIdAtom)('')
  const all: readonly (ServerName & { pinned: PinnedKey })[] = [
    ...[...records.keys].map(([name, key]) => ofServer(name, { kind: 'key', key })),
    ...records.unreadable
      .filter(({ store, at }) => store === 'keys' && at === null)
      .map(({ key, kind }) => ofServer(key, { kind: 'unread', why: kind })),
  ].flatMap((one) => one ?? [])
  const isHere = (one: ServerName) => one.origin === here.origin && one.server === here.server
  const others = all.filter((one) => !isHere(one))
  return { here, pinned: all.find(isHere)?.pinned ?? null, others }
})

/** Null for a record whose key names no server. */
function ofServer(name: string, pinned: PinnedKey) {
  const server = serverIn(name)
  return server && { ...server, pinned }
}

/** The key that signed the newest state of the open database, as reported by the server. */
export type Seen = { kind: 'key'; key: string } | { kind: 'unsigned' } | { kind: 'unknown' }

export const seenKeyAtom = atom((get): Seen => {
  if (get(databaseAtom) === null) return { kind: 'unknown' }
  const { data } = get(stateAtom)
  if (!data) return { kind: 'unknown' }
  return data.signature?.publicKey
    ? { kind: 'key', key: data.signature.publicKey }
    : { kind: 'unsigned' }
})

/** Pins a key for a server, or none for null, and checks the open database with it at once. */
export async function changeKey(io: Io, of: ServerName, key: string | null): Promise<void> {
  await pinKey(io, of, key)
  if (io.get(databaseAtom) !== null) void verifyState(io)
}

/** Pins the key that signs the states of a server, base64 of 65 bytes, or none for null. */
export async function pinKey(io: Io, { origin, server }: ServerName, publicKey: string | null) {
  await io.get(trustedStatesAtom).pinKey(origin, server, publicKey)
  outdateRecords(io)
}
