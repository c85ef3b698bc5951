import { bytesToBase64, bytesToHex, hexToBytes } from '~/lib/bytes'
import { u64, viewOf } from './kernel/bytes'
import { readRow } from './kernel/row'
import type { Schema } from './kernel/schema'
import { fixedSize, showCell } from './kernel/sql-type'

/** A row by the transaction that wrote it and the cells of its primary key, hex digits by column. */
export type SampleRow = { tx: string; cells: readonly (readonly [id: number, cell: string])[] }

const longestKey = 256

/** Null for a row that cannot be read or whose key is too long to be kept. */
export function sampleRow(tx: string, row: Uint8Array, pk: readonly number[]): SampleRow | null {
  const cells = readable(row)
  const found = pk.map((id) => [id, cells?.get(id)] as const)
  const isWhole = found.every(([, cell]) => cell !== undefined && cell.length <= longestKey)
  if (!isWhole || pk.length === 0) return null
  return { tx, cells: found.map(([id, cell]) => [id, bytesToHex(cell ?? new Uint8Array())]) }
}

function readable(row: Uint8Array) {
  try {
    return readRow(row)
  } catch {
    return null
  }
}

/**
 * `pkValues` of a request for the row by `/db/verifiable/sqlget`; null when JSON cannot carry the
 * key.
 */
export function pkValues(row: SampleRow, { cols }: Schema): Record<string, unknown>[] | null {
  const byId = new Map(cols.map((column) => [column.id, column]))
  const values = row.cells.map(([id, digits]) => {
    const type = byId.get(id)?.type ?? ''
    const cell = hexToBytes(digits)
    return cell && sqlValue(type, cell)
  })
  return values.every((value) => value !== null) ? values : null
}

const [keyStart, cellMark] = [15, 0x80]

/** The primary key of a row, read from its stored key; null when that is not possible. */
export function rowOfKey(tx: string, key: Uint8Array, { pk, cols }: Schema): SampleRow | null {
  const byId = new Map(cols.map((column) => [column.id, column]))
  let at = keyStart
  const cells = pk.map((id): [number, string] | null => {
    const { type, maxLen } = byId.get(id) ?? { type: '', maxLen: 0 }
    const size = fixedSize(type) ?? maxLen + lengthSize
    const part = key.slice(at + 1, at + 1 + size)
    if (key[at] !== cellMark || part.length < size) return null
    at += 1 + size
    const cell = cellOfKeyPart(type, part)
    return cell && [id, bytesToHex(cell)]
  })
  const isWhole = at === key.length && pk.length > 0
  return isWhole && cells.every((cell) => cell !== null) ? { tx, cells } : null
}

const lengthSize = 4
const topBit = 0x80

/** The reverse of `keyPart`. */
function cellOfKeyPart(type: string, part: Uint8Array): Uint8Array | null {
  const [first = 0] = part
  if (type === 'BOOLEAN' || type === 'UUID') return part
  if (type === 'INTEGER')
    return Uint8Array.from(part, (byte, at) => (at === 0 ? byte ^ topBit : byte))
  if (type === 'TIMESTAMP')
    return u64(BigInt.asIntN(64, viewOf(part).getBigUint64(0) ^ (1n << 63n)) / 1000n)
  if (type === 'FLOAT') {
    const isPositive = first >= topBit
    return Uint8Array.from(part, (byte, at) =>
      isPositive ? (at === 0 ? byte ^ topBit : byte) : byte ^ 0xff,
    )
  }
  if (type !== 'VARCHAR' && type !== 'BLOB') return null
  const length = viewOf(part).getUint32(part.length - lengthSize)
  return length <= part.length - lengthSize ? part.slice(0, length) : null
}

const fields: Readonly<Record<string, string>> = {
  INTEGER: 'n',
  TIMESTAMP: 'ts',
  BOOLEAN: 'b',
  FLOAT: 'f',
  UUID: 's',
  VARCHAR: 's',
}

function sqlValue(type: string, cell: Uint8Array): Record<string, unknown> | null {
  if (type === 'BLOB') return { bs: bytesToBase64(cell) }
  const field = fields[type]
  const value = showCell(type, cell)
  return field && isAsked(value) ? { [field]: value } : null
}

/**
 * Whether JSON keeps all bits of a value, because all are part of a stored key. JSON only has
 * finite numbers, and a negative zero becomes the zero of another key.
 */
function isAsked(value: string | number | boolean): boolean {
  return typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))
}
