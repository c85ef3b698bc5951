import type { KeyValue } from '~/immudb/key-address'
import { base64ToBytes } from '~/lib/base64'
import { bytesToHex } from '~/lib/hex'
import { type CellMatch, jsonMatch } from './json-match'
import { quoteName } from './names'
import { literalOf } from './pages'

/**
 * A cell of a result (see ResultColumn.values) as a value of a primary key; null for one that JSON
 * cannot carry exactly, such as the float -0 or NaN, and for types that no key has.
 */
export function keyValue(type: string, value: string | null): KeyValue | null {
  if (value === null) return null
  switch (type) {
    case 'INTEGER':
      return { n: value }
    case 'VARCHAR':
    case 'UUID':
      return { s: value }
    case 'BOOLEAN':
      return { b: value === 'true' }
    case 'BLOB':
      return { bs: value }
    case 'TIMESTAMP':
      return { ts: value }
    case 'FLOAT':
      return floatValue(Number(value))
  }
  return null
}

function floatValue(f: number): KeyValue | null {
  return Number.isFinite(f) && !Object.is(f, -0) ? { f } : null
}

/** A proven cell: INTEGER and TIMESTAMP (µs) as digits, BLOB as hex digits; null is NULL. */
export type ProvenCell = {
  readonly type: string
  readonly value: string | number | boolean
} | null

/** Compares a cell of a result with the proven one. */
export function cellMatch(shown: string | null, proven: ProvenCell): CellMatch {
  if (shown === null || proven === null) return shown === proven ? 'same' : 'differs'
  const { type, value } = proven
  if (type === 'JSON') return jsonMatch(shown, String(value))
  return isSame(type, shown, value) ? 'same' : 'differs'
}

function isSame(type: string, shown: string, value: string | number | boolean): boolean {
  // An answer may have texts for numbers, and many texts would be read as the same one.
  if (type === 'FLOAT' && Object.is(value, -0)) return shown === '0' || shown === '-0'
  if (type === 'BLOB') return bytesToHex(base64ToBytes(shown)) === value
  return shown === String(value)
}

/** A value of each column of a primary key, as a result has it (see ResultColumn.values). */
export type KeyCells = readonly {
  readonly column: string
  readonly type: string
  readonly value: string
}[]

/**
 * A statement that tells, for each period, whether the newest version that the row with a primary
 * key has in it is one that is there and not a deletion: it answers with the numbers of those.
 * @param periods by their numbers, such as `SINCE TX 3 UNTIL TX 9`
 */
export function rowProbes(
  table: string,
  key: KeyCells,
  periods: ReadonlyMap<bigint, string>,
): string {
  const probes = [...periods].map(
    ([number, period]) =>
      `SELECT ${number} FROM ${quoteName(table)} ${period} WHERE ${conditionOf(key)}`,
  )
  return `${probes.join(' UNION ALL ')};`
}

/** A statement that counts the versions of the row with a primary key, deletions among them. */
export function versionCount(table: string, key: KeyCells): string {
  return `SELECT COUNT(*) FROM (HISTORY OF ${quoteName(table)}) WHERE ${conditionOf(key)};`
}

function conditionOf(key: KeyCells): string {
  return key
    .map(({ column, type, value }) => `${quoteName(column)} = ${literalOf(type, value)}`)
    .join(' AND ')
}
