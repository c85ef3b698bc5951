import { fromBase64, toBase64 } from './base64'
import { malformed, ProofError } from './failure'
import { emptyHash, hashSize, isEqual } from './hash'
import { anyFields, isMissing } from './read'
import type { Schema } from './schema'

/** A transaction known before, VERIFY.md section 6; as in JSON, so that it can be kept as it is. */
export type TrustedPoint = {
  /** Decimal digits; 0 for a database known to be empty. */
  txId: string
  /** Base64 of 32 bytes. */
  txHash: string
}

/** What is known before an answer comes. */
export type Context = {
  /** Name of the database the answer must be about. */
  db: string
  trusted: TrustedPoint | null
  /** Base64 of the pinned key, 65 bytes: `04 || x || y`. */
  publicKey: string | null
  /** The pinned schema of the table that a row is read from. */
  schema?: Schema | null
  /** The pinned collection that a document is read from. */
  collectionId?: number | null
}

export type Point = { txId: bigint; txHash: Uint8Array }

/** The same, read. */
export type Known = {
  db: string
  /** Null also for the point of an empty database, from which nothing can be proven. */
  trusted: Point | null
  /** The point of an empty database, if that is what is known. */
  isEmpty: boolean
  publicKey: Uint8Array | null
  schema: Schema | null
  collectionId: number | null
}

/** @throws ProofError `malformed` in step `context`: our own record is not what it should be */
export function readContext(context: unknown): Known {
  const fields = anyContext(context)
  const { db } = fields
  if (typeof db !== 'string' || db === '') return malformed('the database has no name', 'context')
  const trusted = isMissing(fields.trusted) ? null : readPoint(fields.trusted)
  const isEmpty = trusted?.txId === 0n
  return {
    db,
    trusted: isEmpty ? null : trusted,
    isEmpty,
    publicKey: isMissing(fields.publicKey) ? null : readPublicKey(fields.publicKey),
    schema: (fields.schema as Schema | undefined) ?? null, // only compared, never relied on
    collectionId: readCollection(fields.collectionId),
  }
}

function anyContext(context: unknown) {
  try {
    return anyFields(context, 'the context')
  } catch {
    return malformed('there is no context', 'context')
  }
}

function readPoint(value: unknown): Point {
  const { txId, txHash } = anyFields(value, 'the trusted point')
  const hash = typeof txHash === 'string' ? fromBase64(txHash) : null
  const isId = typeof txId === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(txId)
  if (!isId || BigInt(txId) >= 2n ** 64n || hash?.length !== hashSize) {
    return malformed('the trusted point is none', 'context')
  }
  if (txId === '0' && !isEqual(hash, emptyHash)) {
    return malformed('the hash of the empty database is another one', 'context')
  }
  return { txId: BigInt(txId), txHash: hash }
}

export const publicKeySize = 65

function readPublicKey(value: unknown): Uint8Array {
  const key = typeof value === 'string' ? fromBase64(value) : null
  if (key?.length === publicKeySize && key[0] === 4) return key
  return malformed('the pinned key is no point of 65 bytes', 'context')
}

function readCollection(value: unknown): number | null {
  if (isMissing(value)) return null
  if (typeof value === 'number' && Number.isInteger(value)) return value
  return malformed('the pinned collection is no number', 'context')
}

export function writePoint({ txId, txHash }: Point): TrustedPoint {
  return { txId: String(txId), txHash: toBase64(txHash) }
}

/** @throws ProofError when a transaction with the trusted id has another hash than the trusted one */
export function historyChanged(message: string, compared = {}): ProofError {
  return new ProofError('history-changed', 'link', message, compared)
}
