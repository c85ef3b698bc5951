import { areEqual, bytesToBase64 } from './bytes'
import { emptyHash } from './hash'
import {
  anyFields,
  bytes,
  countOf,
  digest,
  type Fields,
  flag,
  isMissing,
  text,
  uint64,
} from './read'
import type { Schema } from './schema'
import { malformed, refusalOf, within } from './steps'

/** A transaction known before, VERIFY.md section 6, in a form that JSON can store. */
export type TrustedState = {
  /** Decimal digits; 0 for a database known to be empty. */
  txId: string
  /** Base64 of 32 bytes. */
  txHash: string
}

/** What is known before an answer arrives. */
export type Context = {
  /** Name of the database the answer must be about. */
  db: string
  trusted: TrustedState | null
  /** Base64 of the pinned key, 65 bytes: `04 || x || y`. */
  publicKey: string | null
  /** The pinned schema of the table that a row is read from. */
  schema?: Schema | null
  /** The pinned collection that a document is read from. */
  collectionId?: number | null
  /** The pin was only seen in an answer; no audit has derived it from the history. */
  isOnlySeen?: boolean
  /** The server has described a table of this database in the newer form, VERIFY.md 7.6. */
  hasNewerForm?: boolean
  /** The server gives no id and has sent no linear advance proof, as old ones do, VERIFY.md 4.2. */
  mayLackAdvance?: boolean
  /** Decimal digits: all transactions up to this one were read in order. Absent: none were. */
  readTo?: string | null
  /** The first of them; absent: the first of all. */
  readFrom?: string | null
}

export type Point = { txId: bigint; txHash: Uint8Array }

/** The same, read. */
export type Known = {
  db: string
  /** Null also for the state of an empty database, from which nothing can be proven. */
  trusted: Point | null
  /** Whether the known state is that of an empty database. */
  isEmpty: boolean
  publicKey: Uint8Array | null
  schema: Schema | null
  collectionId: number | null
  /** No audit has derived the pin. */
  isOnlySeen: boolean
  hasNewerForm: boolean
  mayLackAdvance: boolean
  /** Null when no transactions were read. */
  read: { from: bigint; to: bigint } | null
}

export const publicKeySize = 65

/** @throws ProofError `malformed` in step `context`: our own record is damaged */
export function readContext(context: unknown): Known {
  return within('context', () => {
    const fields = anyFields(context, 'context')
    const { db, trusted, publicKey, schema, collectionId, readFrom, readTo } = fields
    if (text(fields, 'db') === '') malformed('db')
    const point = isMissing(trusted) ? null : readPoint(trusted)
    const isEmpty = point?.txId === 0n
    return {
      db: String(db),
      trusted: isEmpty ? null : point,
      isEmpty,
      publicKey: isMissing(publicKey) ? null : readPublicKey(fields),
      schema: (schema as Schema | undefined) ?? null, // only compared, never relied on
      collectionId: isMissing(collectionId) ? null : countOf(collectionId, 'collectionId'),
      isOnlySeen: flag(fields, 'isOnlySeen'),
      hasNewerForm: flag(fields, 'hasNewerForm'),
      mayLackAdvance: flag(fields, 'mayLackAdvance'),
      read: isMissing(readTo)
        ? null
        : {
            from: isMissing(readFrom) ? 1n : uint64(fields, 'readFrom'),
            to: uint64(fields, 'readTo'),
          },
    }
  })
}

function readPoint(value: unknown): Point {
  const fields = anyFields(value, 'trusted')
  const point = { txId: uint64(fields, 'txId'), txHash: digest(fields, 'txHash') }
  const isNone = point.txId === 0n && !areEqual(point.txHash, emptyHash)
  return isNone ? malformed('txHash') : point
}

function readPublicKey(fields: Fields): Uint8Array {
  const key = bytes(fields, 'publicKey')
  return key.length === publicKeySize && key[0] === 4 ? key : malformed('publicKey')
}

export function writePoint({ txId, txHash }: Point): TrustedState {
  return { txId: String(txId), txHash: bytesToBase64(txHash) }
}

/** A transaction with the trusted id has another hash than the trusted one. */
export const historyChanged = refusalOf('history-changed', 'link')
