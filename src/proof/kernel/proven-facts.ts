import { bytesToHex } from './bytes'
import type { EntryMetadata } from './entry'
import type { Header } from './header'
import type { TxEntry } from './transaction'

/**
 * What a proof covers, made only of proven bytes. A screen shows nothing else as verified. Bytes
 * are lower-case hex digits, 64-bit integers decimal digits.
 */
export type MetadataFacts = { deleted: boolean; expiresAt: string | null; nonIndexable: boolean }

export type StateFacts = { txId: string; alh: string }

export type EntryFacts = {
  /** As stored, with its prefix. */
  key: string
  meta: MetadataFacts
  valueHash: string
  /** As stored, with its prefix; only when the answer had it. */
  value?: string
}

export type TxFacts = {
  id: string
  /** Unix seconds, as the server wrote them when it committed. */
  ts: string
  version: number
  nentries: number
  prevAlh: string
  alh: string
  blTxId: string
  truncatedTxID: string
  extra: string
  /** All entries in order; absent when the answer listed none. */
  entries?: EntryFacts[]
}

export type GetFacts = {
  /** As asked for, without prefix. */
  key: string
  tx: string
  ts: string
  /** Place in the transaction, from 0. */
  position: number
  meta: MetadataFacts
} & (
  | { kind: 'value'; value: string }
  /** The value was left out on purpose; the hash is that of the stored value with its prefix. */
  | { kind: 'hidden'; valueHash: string }
  /** The value behind a reference is proven by a second answer; `'0'` is a reference to the newest. */
  | { kind: 'reference'; referencedKey: string; referencedAtTx: string }
)

/** A cell; INTEGER and TIMESTAMP (µs) as digits, FLOAT as a number, BLOB as hex digits. */
export type CellFacts = {
  type: string
  value: string | number | boolean
  raw: string
  /** The bytes of a text column are not UTF-8: `value` is hex digits. */
  isBytes?: true
}

export type RowFacts = {
  tableId: number
  /** The row was deleted in this transaction; the cells are its last content. */
  deleted: boolean
  key: string
  tx: string
  ts: string
  position: number
  /** By column id. */
  raw: Record<string, string>
  /** By column name, which no proof covers; null means NULL. */
  named: Record<string, CellFacts | null>
  /** Ids of dropped columns whose content is still there. */
  hidden: number[]
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [name: string]: JsonValue }

export type DocumentFacts = {
  collectionId: number
  documentId: string
  tx: string
  ts: string
  /** The document was deleted in this transaction; this is its last content. */
  deleted: boolean
  document: { [name: string]: JsonValue }
  /** The indexed fields by column id. */
  indexed: Record<string, string>
}

/** One of two histories that part, as its own state and proof show it. */
export type ForkSide = {
  db: string
  /** The state that the first transaction of its own is linked to. */
  stateTx: string
  stateHash: string
  /** That transaction: hash, time in Unix seconds as the server wrote it, number of entries. */
  alh: string
  ts: string
  nentries: number
  /** Base64 of the key that signed the state; null when nobody did. */
  key: string | null
}

export type ForkFacts = {
  /** The last transaction of both; 0 when they have none in common. */
  after: string
  /** Its hash. */
  prevAlh: string
  sides: readonly [ForkSide, ForkSide]
}

export type AuditFacts = { txId: string; alh: string; entries: number }

export function metadataFacts(metadata: EntryMetadata): MetadataFacts {
  const { deleted, expiresAt, nonIndexable } = metadata
  return { deleted, expiresAt: expiresAt === null ? null : String(expiresAt), nonIndexable }
}

export function txFacts(header: Header, alh: Uint8Array, entries: TxEntry[] | null): TxFacts {
  return {
    id: String(header.id),
    ts: String(header.ts),
    version: header.version,
    nentries: header.nentries,
    prevAlh: bytesToHex(header.prevAlh),
    alh: bytesToHex(alh),
    blTxId: String(header.blTxId),
    truncatedTxID: String(header.truncatedTxID),
    extra: bytesToHex(header.extra),
    ...(entries ? { entries: entries.map(entryFacts) } : {}),
  }
}

/** The facts of one entry, of an audited transaction for instance. */
export function entryFacts({ key, metadata, hValue, value }: TxEntry): EntryFacts {
  return {
    key: bytesToHex(key),
    meta: metadataFacts(metadata),
    valueHash: bytesToHex(hValue),
    ...(value ? { value: bytesToHex(value) } : {}),
  }
}
