import {
  areEqual,
  bytesToHex,
  encodeUtf8,
  f64,
  hexToBytes,
  u8,
  u64,
  utf8Text,
  viewOf,
} from './bytes'
import { bytes, type Fields, flag, int64, isMissing, text } from './read'
import { fixedKey } from './stored'

/** VERIFY.md 7.6; `EncodeRawValue` and `EncodeRawValueAsKey` of embedded/sql. */
type SqlType = {
  /** Bytes in a cell; absent where they vary. */
  size?: number
  /** The field of an `SQLValue` that a request has for it, and its bytes in a cell. */
  asked?: readonly [name: string, cell: (fields: Fields, name: string) => Uint8Array | null]
  /** The bytes of the cell in a key, without the leading 0x80; null when they do not fit. */
  key?: (cell: Uint8Array) => Uint8Array
  /** The cell as facts have it. */
  show: (cell: Uint8Array) => string | number | boolean
}

/** Whether a schema may limit the bytes of a cell. The engine stands alone, so it says that itself. */
export const isLimited = (type: string): boolean => type === 'VARCHAR' || type === 'BLOB'

const shownInteger = (cell: Uint8Array) => String(viewOf(cell).getBigInt64(0))
const integerKey = (value: bigint) => u64(value ^ (1n << 63n))
const int64Cell = (fields: Fields, name: string) => u64(int64(fields, name))

const types: Readonly<Record<string, SqlType>> = {
  INTEGER: {
    size: 8,
    asked: ['n', int64Cell],
    key: (cell) => integerKey(viewOf(cell).getBigInt64(0)),
    show: shownInteger,
  },
  TIMESTAMP: {
    size: 8,
    asked: ['ts', int64Cell],
    // Nanoseconds beyond an int64 wrap around, as in Go.
    key: (cell) => integerKey(BigInt.asIntN(64, viewOf(cell).getBigInt64(0) * 1000n)),
    show: shownInteger,
  },
  BOOLEAN: {
    size: 1,
    asked: ['b', (fields, name) => u8(flag(fields, name) ? 1 : 0)],
    key: (cell) => cell,
    show: (cell) => cell[0] === 1,
  },
  FLOAT: {
    size: 8,
    asked: ['f', floatCell],
    key: floatKey,
    show: (cell) => viewOf(cell).getFloat64(0),
  },
  UUID: { size: 16, asked: ['s', uuidCell], key: (cell) => cell, show: uuidText },
  VARCHAR: { asked: ['s', (fields, name) => encodeUtf8(text(fields, name))], show: utf8Text },
  BLOB: { asked: ['bs', bytes], show: bytesToHex },
  JSON: { show: utf8Text },
}
const typeOf: ReadonlyMap<string, SqlType> = new Map(Object.entries(types))

export const isSqlType = (name: string) => typeOf.has(name)

/** Bytes in a cell, and the length that a schema says; undefined where they vary. */
export const fixedSize = (name: string) => typeOf.get(name)?.size

/** Whether bytes can be a cell of this type. */
export function isCellOf(type: string, cell: Uint8Array): boolean {
  const size = typeOf.get(type)?.size
  if (type === 'BOOLEAN' && (cell[0] ?? 0) > 1) return false
  return size === undefined || cell.length === size
}

/** False for a cell of text whose bytes are not UTF-8. */
export function isReadable(type: string, cell: Uint8Array): boolean {
  return typeOf.get(type)?.show !== utf8Text || areEqual(encodeUtf8(utf8Text(cell)), cell)
}

/** A cell's content for people; the bytes are what is proven. */
export function showCell(type: string, cell: Uint8Array): string | number | boolean {
  return typeOf.get(type)?.show(cell) ?? bytesToHex(cell)
}

/** The cell that an `SQLValue` of a request asks for; null when the type takes no such value. */
export function askedCell(type: string, value: Fields): Uint8Array | null {
  const asked = typeOf.get(type)?.asked
  if (!asked || isMissing(value[asked[0]])) return null
  return asked[1](value, asked[0])
}

/** A cell as part of a key; null when a column of this type and length cannot have it in one. */
export function keyPart(type: string, maxLen: number, cell: Uint8Array): Uint8Array | null {
  if (isLimited(type)) {
    return cell.length <= maxLen && maxLen <= longestKeyPart ? fixedKey(cell, maxLen) : null
  }
  const key = typeOf.get(type)?.key?.(cell)
  return key ? Uint8Array.of(0x80, ...key) : null
}

/** immudb allows 1024 bytes (`MaxKeyLen`, embedded/sql/engine.go); no setting allows more than this. */
const longestKeyPart = 0xffff

function floatCell(fields: Fields, name: string): Uint8Array | null {
  const value = fields[name]
  return typeof value === 'number' ? f64(value) : null
}

/** Sorts like the numbers: negative ones inverted, all others after them. */
function floatKey(cell: Uint8Array): Uint8Array {
  const bits = viewOf(cell).getBigUint64(0)
  return u64(bits >> 63n ? ~bits : bits ^ (1n << 63n))
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function uuidCell(fields: Fields, name: string): Uint8Array | null {
  const uuid = text(fields, name)
  return uuidForm.test(uuid) ? hexToBytes(uuid.replaceAll('-', '')) : null
}

function uuidText(cell: Uint8Array): string {
  return bytesToHex(cell).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
