import { encodeUtf8 } from '~/lib/bytes'
import { concat, u8, u32, utf8Text, viewOf } from './kernel/bytes'
import { documentIdSize } from './kernel/stored'

/**
 * What a stored key is the key of: the reverse of `stored.ts`, VERIFY.md 3.2. Sources:
 * pkg/database/meta.go, embedded/sql/stmt.go.
 */
export type StoredEntry =
  /** A key or a reference; only the value tells which. */
  | { kind: 'key'; key: Uint8Array }
  | { kind: 'sorted-set'; set: Uint8Array; score: number; key: Uint8Array; atTx: bigint }
  | { kind: 'row'; tableId: number; primaryKey: Uint8Array }
  | { kind: 'document'; collectionId: number; id: Uint8Array }
  /** An entry of a secondary index, which is stored only when a row leaves its place there. */
  | { kind: 'index-entry'; tableId: number; indexId: number }
  /** The same for documents: tables and collections are numbered apart. */
  | { kind: 'document-index-entry'; collectionId: number; indexId: number }
  | { kind: 'catalogue'; of: CatalogueKey }
  /** The same for collections, whose tables have another prefix. */
  | { kind: 'collection-catalogue'; of: CatalogueKey }
  | { kind: 'other' }

/** Which part of the catalogue an entry describes; names are those of the stored keys. */
export type CatalogueKey =
  | { part: 'table'; tableId: number }
  | { part: 'column'; tableId: number; columnId: number; type: string }
  | { part: 'index'; tableId: number; indexId: number }
  /** A number when it is added or dropped alone; its name when its table is dropped. */
  | { part: 'check'; tableId: number; check: number | string }
  | { part: 'view'; name: string }
  | { part: 'sequence'; name: string }
  | { part: 'unreadable'; text: string }

const prefixes = { key: 0, sortedSet: 1, sql: 2, document: 3 } as const

/**
 * Reads a stored key.
 * @param stored with its prefix
 */
export function storedEntry(stored: Uint8Array): StoredEntry {
  const rest = stored.subarray(1)
  switch (stored[0]) {
    case prefixes.key:
      return { kind: 'key', key: rest }
    case prefixes.sortedSet:
      return sortedSetEntry(rest) ?? { kind: 'other' }
    case prefixes.sql:
      return ofTables(rest)
    case prefixes.document:
      return ofCollections(rest)
  }
  return { kind: 'other' }
}

/** `u64(length) set f64(score) u64(length) 00 key u64(atTx)`. */
function sortedSetEntry(rest: Uint8Array): StoredEntry | null {
  const view = viewOf(rest)
  const setSize = sizeAt(view, 0)
  const scoreAt = 8 + setSize
  const memberSize = sizeAt(view, scoreAt + 8)
  const memberAt = scoreAt + 16
  if (memberSize < 1 || rest.length !== memberAt + memberSize + 8) return null
  return {
    kind: 'sorted-set',
    set: rest.subarray(8, scoreAt),
    score: view.getFloat64(scoreAt),
    key: rest.subarray(memberAt + 1, memberAt + memberSize),
    atTx: view.getBigUint64(memberAt + memberSize),
  }
}

/** A length that fits into what follows it; -1 for any other. */
function sizeAt(view: DataView, at: number): number {
  if (at < 0 || at + 8 > view.byteLength) return -1
  const size = view.getBigUint64(at)
  return size <= BigInt(view.byteLength - at - 8) ? Number(size) : -1
}

const rowStart = encodeUtf8('R.')
const indexStart = encodeUtf8('M.')
const catalogueStart = encodeUtf8('CTL.')

function startsWith(rest: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, at) => rest[at] === byte)
}

function ofTables(rest: Uint8Array): StoredEntry {
  if (startsWith(rest, catalogueStart)) return { kind: 'catalogue', of: catalogueKey(rest) }
  const row = rowIn(rest)
  if (row) return { kind: 'row', ...row }
  const index = indexEntry(rest)
  if (!index) return { kind: 'other' }
  return { kind: 'index-entry', tableId: index.ownerId, indexId: index.indexId }
}

function ofCollections(rest: Uint8Array): StoredEntry {
  if (startsWith(rest, catalogueStart)) {
    return { kind: 'collection-catalogue', of: catalogueKey(rest) }
  }
  const row = rowIn(rest)
  const id = row && documentId(row.primaryKey)
  if (id) return { kind: 'document', collectionId: row.tableId, id }
  const index = indexEntry(rest)
  if (!index) return { kind: 'other' }
  return { kind: 'document-index-entry', collectionId: index.ownerId, indexId: index.indexId }
}

/** `R. u32(1) u32(table) u32(0) key`: a row below the primary index of the only database. */
function rowIn(rest: Uint8Array): { tableId: number; primaryKey: Uint8Array } | null {
  const keyAt = rowStart.length + 12
  if (rest.length < keyAt || !startsWith(rest, rowStart)) return null
  const ids = viewOf(rest.subarray(rowStart.length))
  if (ids.getUint32(0) !== 1 || ids.getUint32(8) !== 0 || ids.getUint32(4) === 0) return null
  return { tableId: ids.getUint32(4), primaryKey: rest.subarray(keyAt) }
}

/** `M. u32(table or collection) u32(index) values key`. Only the prefix before tells which. */
function indexEntry(rest: Uint8Array): { ownerId: number; indexId: number } | null {
  if (rest.length < indexStart.length + 8 || !startsWith(rest, indexStart)) return null
  const ids = viewOf(rest.subarray(indexStart.length))
  const ownerId = ids.getUint32(0)
  return ownerId === 0 ? null : { ownerId, indexId: ids.getUint32(4) }
}

/**
 * The stored key of a row by that of its entry in the primary index, which the server names beside
 * a proof: `02 M. u32(table) u32(0) key key`. Null when it is not one.
 */
export function rowKeyOfIndexed(indexed: Uint8Array): Uint8Array | null {
  const entry = indexed[0] === prefixes.sql ? indexEntry(indexed.subarray(1)) : null
  const keys = indexed.subarray(1 + indexStart.length + 8)
  const key = keys.subarray(keys.length / 2)
  const isTwice = key.length > 0 && key.length * 2 === keys.length && startsWith(keys, key)
  if (entry?.indexId !== 0 || !isTwice) return null
  return concat(u8(prefixes.sql), rowStart, u32(1), u32(entry.ownerId), u32(0), key)
}

/** A BLOB[32] in a key: filled up with zeros, then its length. */
function documentId(part: Uint8Array): Uint8Array | null {
  if (part.length !== 1 + documentIdSize + 4 || part[0] !== 0x80) return null
  const size = viewOf(part).getUint32(1 + documentIdSize)
  return size > 0 && size <= documentIdSize ? part.slice(1, 1 + size) : null
}

/** `CTL.{part}. u32(1)`, then ids or a name. */
function catalogueKey(rest: Uint8Array): CatalogueKey {
  const text = utf8Text(rest.subarray(0, 14))
  const [start = '', part = ''] = /^CTL\.([A-Z]+)\./.exec(text) ?? []
  const ids = rest.subarray(start.length)
  const view = viewOf(ids)
  const unreadable = { part: 'unreadable', text: part } as const
  if (ids.length < 5 || view.getUint32(0) !== 1) return unreadable
  if (part === 'VIEW') return { part: 'view', name: utf8Text(ids.subarray(4)) }
  if (part === 'SEQUENCE') return { part: 'sequence', name: utf8Text(ids.subarray(4)) }
  if (ids.length < 8) return unreadable
  const tableId = view.getUint32(4)
  if (part === 'TABLE' && ids.length === 8) return { part: 'table', tableId }
  const more = ids.subarray(8)
  // Dropping a table writes the name of a check where adding it wrote a number.
  if (part === 'CHECK') return { part: 'check', tableId, check: checkOf(more) }
  if (more.length < 4) return unreadable
  const id = view.getUint32(8)
  if (part === 'COLUMN') {
    return { part: 'column', tableId, columnId: id, type: utf8Text(more.subarray(4)) }
  }
  return part === 'INDEX' && more.length === 4
    ? { part: 'index', tableId, indexId: id }
    : unreadable
}

/** Names begin with a letter, and no table has so many checks. */
function checkOf(bytes: Uint8Array): number | string {
  return bytes.length === 4 && bytes[0] === 0 ? viewOf(bytes).getUint32(0) : utf8Text(bytes)
}

/** A stored value of a key, VERIFY.md 3.2. */
export type KeyContent =
  | { kind: 'value'; value: Uint8Array }
  /** `atTx` 0: it shows the newest value of the other key. */
  | { kind: 'reference'; key: Uint8Array; atTx: bigint }

/** Reads the stored value of a key, which is a value or a reference; null for neither. */
export function keyContent(stored: Uint8Array): KeyContent | null {
  if (stored[0] === 0) return { kind: 'value', value: stored.subarray(1) }
  // `01 u64(atTx) 00 key`
  if (stored[0] !== 1 || stored.length < 11 || stored[9] !== prefixes.key) return null
  return { kind: 'reference', key: stored.subarray(10), atTx: viewOf(stored).getBigUint64(1) }
}

/** A column as the catalogue describes it. */
export type StoredColumn = {
  name: string
  /** 0 for no limit. */
  maxLen: number
  isAutoIncrement: boolean
  isNotNull: boolean
  /** The default as SQL; null for none. */
  defaultSql: string | null
}

const isSet = (flags: number, flag: number) => (flags & flag) !== 0
const [autoIncrement, notNull, hasDefault] = [2, 1, 4]

/** `flags(1) maxLen(4) name`, or with a default `flags(1) maxLen(4) u16(length) name default`. */
export function storedColumn(value: Uint8Array): StoredColumn | null {
  if (value.length < 6) return null
  const view = viewOf(value)
  const flags = view.getUint8(0)
  const common = {
    maxLen: view.getUint32(1),
    isAutoIncrement: isSet(flags, autoIncrement),
    isNotNull: isSet(flags, notNull),
  }
  if (!isSet(flags, hasDefault) || value.length < 7) {
    return { ...common, name: utf8Text(value.subarray(5)), defaultSql: null }
  }
  const end = 7 + view.getUint16(5)
  if (value.length < end) return null
  const defaultSql = utf8Text(value.subarray(end))
  return { ...common, name: utf8Text(value.subarray(7, end)), defaultSql }
}

export type StoredIndex = { isUnique: boolean; columnIds: number[] }

/** `unique(1)`, then `u32(column) 00` for each. */
export function storedIndex(value: Uint8Array): StoredIndex | null {
  if (value.length < 6 || value.length % 5 !== 1) return null
  const view = viewOf(value)
  const columnIds = Array.from({ length: (value.length - 1) / 5 }, (_, at) =>
    view.getUint32(1 + at * 5),
  )
  return { isUnique: view.getUint8(0) > 0, columnIds }
}

export type StoredCheck = { name: string; expression: string }

/** `length of the name - 1 (1) name expression 00`. */
export function storedCheck(value: Uint8Array): StoredCheck | null {
  const end = (value[0] ?? 0) + 2
  if (value.length < end) return null
  const expression = utf8Text(value.subarray(end)).replace(/\0$/, '')
  return { name: utf8Text(value.subarray(1, end)), expression }
}

export type StoredSequence = { current: bigint; increment: bigint }

/** `u64(current) u64(increment)`. */
export function storedSequence(value: Uint8Array): StoredSequence | null {
  if (value.length < 16) return null
  const view = viewOf(value)
  return { current: view.getBigInt64(0), increment: view.getBigInt64(8) }
}
