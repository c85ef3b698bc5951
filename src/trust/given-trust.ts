import { atom } from 'jotai'
import { readStateText, type WrittenState } from '~/immudb/state-text'
import { readStates, serverOfFile } from '~/proof/immuclient-state'
import type { TrustedState } from '~/proof/kernel/context'
import { type NoKey, readPublicKey } from '~/proof/public-key'
import { keyRefusal } from '~/words/public-key'
import type { OwnKey, Subject } from './recorded-state'
import { startedRecord, type TrustRecord } from './trust-record'

/**
 * What the reader of a page without records gives for files to be compared with: states, and public
 * keys as `Context` has them.
 */
export type GivenTrust = { states: readonly WrittenState[]; keys: readonly string[] }

/** Null where this browser keeps records, so that nothing has to be given. */
export const givenTrustAtom = atom<GivenTrust | null>(null)

export const nothingGiven: GivenTrust = { states: [], keys: [] }

/** A state on one line: its transaction, then its hash. */
const shortState = /^\s*(\d[\d,]*)[\s:]+([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)\s*$/i

/**
 * Reads trusted states, in any form in which the console or `immuclient` writes them or as a
 * transaction and its hash, or a public key. `error` is a sentence.
 * @param file the name of their file; empty when they were typed
 */
export async function readGivenTrust(
  text: string,
  file = '',
): Promise<{ given: GivenTrust } | { error: string }> {
  const plain = text.trim()
  if (plain === '') return { error: 'Type a transaction and its hash, or paste a public key.' }
  const [, tx, hash] = shortState.exec(plain) ?? []
  const ofClient = readStates(text, serverOfFile(file))
  if (ofClient) return { given: { states: ofClient, keys: [] } }
  const read = readStateText(tx ? `transaction: ${tx}\nhash: ${hash}` : text, true)
  if ('points' in read) return { given: { states: read.points, keys: [] } }
  const isState = /^[\s>]*(database|transaction|hash)\s*:/im.test(plain)
  if (isState) return { error: read.error }
  const key = await readPublicKey(plain).catch((): { none: NoKey | '' } => ({ none: '' }))
  if ('key' in key) return { given: { states: [], keys: [key.key] } }
  const isKey = key.none !== 'not-a-key'
  return { error: isKey ? keyRefusal(key.none) : `${read.error} It is no public key either.` }
}

/** Both together; a state or key that is there already counts once. */
export function withMoreTrust(known: GivenTrust, more: GivenTrust): GivenTrust {
  const states = [...known.states, ...more.states]
  return {
    states: [...new Map(states.map((one) => [JSON.stringify(one), one])).values()],
    keys: [...new Set([...known.keys, ...more.keys])],
  }
}

/** A side of a fork: the database that a file names, and what it claims of it. */
type Side = Subject & { claims: readonly TrustedState[] }

/**
 * The given states of the database that a file names, FORMAT.md 7.2, as if they were recorded here.
 * One that names no database is of any.
 */
export function givenRecords({ states }: GivenTrust, of: Subject): TrustRecord[] {
  return states.filter((one) => isOf(one, of)).map((one) => recordedAs(one, of))
}

/** The same of one side of a fork: a state of the other one says nothing about this one. */
export function givenOfSide({ states }: GivenTrust, of: Side, other: Side): TrustRecord[] {
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
