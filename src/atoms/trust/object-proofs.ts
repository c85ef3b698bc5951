import { atom } from 'jotai'
import { readVerifiableEntry, readVerifiableTx } from '~/api/proof'
import type { TxEntry } from '~/api/transactions'
import { base64Of, base64ToBytes, base64ToHex, bytesToHex } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { clockSlack } from '~/proof/exceptions'
import type { GetFacts, TxFacts } from '~/proof/facts'
import { hash } from '~/proof/hash'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { believedOffset } from '../session/server-clock'
import { databaseAtom } from '../session/session'
import { timezoneAtom } from '../settings/view'
import type { StoreAccess } from '../storage/storage'
import { noteContradictions } from './incidents'
import { gapOf } from './open-parts'
import { type ComparedPart, openProofAtom, type Proof } from './proof-drawer'
import type { Verification } from './verification'
import { verifyObject } from './verify-object'

/** A key as a page shows it, or as it was sent; key and value are standard base64. */
export type ShownKey = {
  database: string
  key: string
  /** In words. */
  what: string
  tx: string
  /** Null for a revision that has none to be asked for: deleted, expired, or referring to nothing. */
  value: string | null
  /** The transaction of the entry behind a reference; null for a key with a value of its own. */
  targetTx: string | null
  isDeleted: boolean
  /**
   * The server says that its target no longer exists. Without this, a missing value means expired.
   */
  isDangling?: boolean
  /** Of a value that was sent: when it was to expire, in seconds since 1970; null for never. */
  sentExpiry?: string | null
}

/**
 * Verifies a key in the transaction that wrote it, and for a reference the entry behind it as well.
 * @throws ApiError when the server cannot be asked
 */
export async function proveKey(io: StoreAccess, shown: ShownKey): Promise<readonly Proof[]> {
  const proofs = await provenKey(io, shown)
  // Clocks may differ about the expiry.
  if (!shown.isDangling && (shown.value !== null || shown.isDeleted)) {
    await noteContradictions(io, proofs)
  }
  return proofs
}

/**
 * Verifies a write that was just made: the key that it wrote, or its whole transaction.
 * @param conflict why the transaction that the server named cannot be that of the write, or null
 * @throws ApiError when the server cannot be asked
 */
export async function proveWritten(
  io: StoreAccess,
  { database, tx, key }: { database: string; tx: string; key?: ShownKey },
  conflict: string | null,
): Promise<readonly Proof[]> {
  const proofs = key ? await proveKey(io, key) : await proveTx(io, database, { id: tx })
  if (conflict === null) return proofs
  await noteContradictions(
    io,
    proofs.map(({ verification }) => ({ verification, conflict })),
  )
  return proofs.map((proof) => ({ ...proof, conflict }))
}

async function provenKey(io: StoreAccess, shown: ShownKey): Promise<readonly Proof[]> {
  await ensureDatabaseToken(io, io.get(clientAtom), shown.database)
  if (shown.value === null) return [await proveByTx(io, shown)]
  const { database, key, tx, what, value, targetTx } = shown
  const first = await verifyKey(io, database, what, { key, atTx: tx })
  const facts = factsOf<GetFacts>(first)
  if (facts?.kind !== 'reference' || shown.sentExpiry !== undefined) {
    const compared = facts ? [comparedValue(value, facts), ...comparedExpiry(shown, facts)] : []
    return [{ verification: first, compared, ...gapOf(first) }]
  }
  const atTx = facts.referencedAtTx === '0' ? targetTx : facts.referencedAtTx
  const target = base64Of(facts.referencedKey)
  const request = { key: target, ...(atTx === null ? {} : { atTx }) }
  const second = await verifyKey(io, database, 'the entry it refers to', request)
  const found = factsOf<GetFacts>(second)
  return [
    { verification: first, ...gapOf(first) },
    {
      verification: second,
      compared: found ? [comparedValue(value, found)] : [],
      ...gapOf(second),
    },
  ]
}

function verifyKey(
  io: StoreAccess,
  database: string,
  what: string,
  keyRequest: { key: string; atTx?: string },
): Promise<Verification> {
  return verifyObject(io, database, 'get', {
    what,
    request: { keyRequest },
    ask: (since) => readVerifiableEntry(io.get(clientAtom), { database, keyRequest, since }),
  })
}

function comparedValue(value: string, facts: GetFacts): ComparedPart {
  const isSame = facts.kind === 'value' && facts.value === base64ToHex(value)
  return { name: 'the value', shown: value, match: isSame ? 'same' : 'differs' }
}

function comparedExpiry({ sentExpiry }: ShownKey, { meta }: GetFacts): ComparedPart[] {
  if (sentExpiry === undefined) return []
  const match = meta.expiresAt === sentExpiry ? 'same' : 'differs'
  return [{ name: 'the time it expires', shown: sentExpiry, match }]
}

/** Without a value, the key is looked up among the entries of its transaction. */
async function proveByTx(io: StoreAccess, shown: ShownKey): Promise<Proof> {
  const { database, key, tx, isDeleted } = shown
  const [proof] = await proveTx(io, database, { id: tx })
  const facts = proof && factsOf<TxFacts>(proof.verification)
  if (!proof || !facts) return proof ?? Promise.reject(new Error('no proof'))
  // The answer left the entries out; the proof's gap says so.
  if (!facts.entries && facts.nentries > 0) return proof
  const stored = `00${base64ToHex(key)}`
  const at = facts.entries?.findIndex((entry) => entry.key === stored) ?? -1
  const meta = facts.entries?.[at]?.meta
  if (meta?.deleted !== isDeleted) {
    const name = isDeleted ? 'the deletion of the key' : 'the key'
    return { ...proof, compared: [{ name, shown: null, match: 'differs' }] }
  }
  const entry = `Entry ${at + 1} of this transaction`
  if (isDeleted) return { ...proof, notes: [`${entry} deletes the key.`] }
  const { expiresAt } = meta
  const ends = expiresAt === null ? 'never to expire' : `to expire on ${momentOf(io, expiresAt)}`
  const noted = { ...proof, notes: [`${entry} is this key, written ${ends}.`] }
  if (shown.isDangling) return { ...noted, gap: danglingGap }
  if (hasExpired(io, expiresAt)) return noted
  return { ...noted, compared: [{ name: 'that it has expired', shown: null, match: 'differs' }] }
}

const danglingGap =
  'that its target is missing is only reported by the server; the proof only shows that the key was written'

function hasExpired({ get }: StoreAccess, expiresAt: string | null): boolean {
  const now = (Date.now() + believedOffset(get)) / 1_000
  return expiresAt !== null && Number(expiresAt) <= now + clockSlack
}

function momentOf({ get }: StoreAccess, seconds: string): string {
  return formatMoment(Number(seconds) * 1_000, get(timezoneAtom))
}

/** A transaction as a list shows it; base64 of its hash, empty where it is not told. */
type ShownTx = { id: string; hash?: string; nentries?: number }

/**
 * Verifies a transaction with all of its entries.
 * @throws ApiError when the server cannot be asked
 */
export async function proveTx(
  io: StoreAccess,
  database: string,
  { id: tx, hash = '', nentries }: ShownTx,
): Promise<readonly Proof[]> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const verification = await verifyObject(io, database, 'tx', {
    what: `tx ${formatTx(tx)}`,
    request: { tx },
    ask: (since) => readVerifiableTx(client, { database, tx, since, entries: 'all' }),
  })
  const facts = factsOf<TxFacts>(verification)
  const compared: ComparedPart[] = []
  const compare = (name: string, shown: string, isSame: boolean) =>
    compared.push({ name, shown, match: isSame ? 'same' : 'differs' })
  if (facts && hash !== '') compare('the hash', hash, facts.alh === bytesToHex(base64ToBytes(hash)))
  if (facts && nentries !== undefined) {
    compare('the number of entries', String(nentries), facts.nentries === nentries)
  }
  const proofs = [{ verification, compared, ...gapOf(verification) }]
  await noteContradictions(io, proofs)
  return proofs
}

/** The facts of a check that held; they are of the kind that was asked for. */
function factsOf<F>({ outcome }: Verification): F | null {
  return outcome.kind === 'ok' ? (outcome.verified.facts as F) : null
}

/** Opens the proof of a key as it is shown. */
export const openKeyProofAtom = atom(null, (get, set, shown: ShownKey) =>
  set(openProofAtom, {
    what: shown.what,
    ask: () => proveKey({ get, set }, shown),
  }),
)

/** Opens the proof of a transaction of the open database, as a list shows it. */
export const openTxProofAtom = atom(null, (get, set, shown: ShownTx) => {
  const database = get(databaseAtom) ?? ''
  return set(openProofAtom, {
    what: `tx ${shown.id}`,
    ask: () => proveTx({ get, set }, database, shown),
  })
})

/** Verifies a transaction of the open database without showing it. Rejects with `ApiError`. */
export const proveTxAtom = atom(null, (get, set, shown: ShownTx) =>
  proveTx({ get, set }, get(databaseAtom) ?? '', shown),
)

/** An entry of a transaction as a page shows it; `number` counts from 1. */
export type ShownEntry = { database: string; tx: string; number: number; entry: TxEntry }

/** Opens the proof of one entry: that of its transaction with all entries, compared with this one. */
export const openEntryProofAtom = atom(null, (get, set, shown: ShownEntry) =>
  set(openProofAtom, {
    what: `entry ${shown.number} of tx ${formatTx(shown.tx)}`,
    ask: () => proveEntry({ get, set }, shown),
  }),
)

async function proveEntry(
  io: StoreAccess,
  { database, tx, number, entry }: ShownEntry,
): Promise<readonly Proof[]> {
  const [proof] = await proveTx(io, database, { id: tx })
  const facts = proof && factsOf<TxFacts>(proof.verification)
  if (!proof) return []
  // The answer left the entries out; the proof's gap says so.
  if (!facts?.entries) return [proof]
  const stored = base64ToHex(entry.key)
  const at = facts.entries.findIndex(({ key }) => key === stored)
  const found = facts.entries[at]
  const digest = base64ToHex(entry.hValue)
  const compared: ComparedPart[] = [
    { name: 'its digest', shown: digest, match: found?.valueHash === digest ? 'same' : 'differs' },
  ]
  if (entry.value !== undefined) {
    const isSame = bytesToHex(hash(base64ToBytes(entry.value))) === found?.valueHash
    compared.push({ name: 'its value', shown: entry.value, match: isSame ? 'same' : 'differs' })
  }
  const notes = at < 0 ? [] : [`It is entry ${at + 1} of this transaction, shown as ${number}.`]
  const proofs = [{ ...proof, compared, notes }]
  await noteContradictions(io, proofs)
  return proofs
}
