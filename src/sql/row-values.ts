import { base64ToBytes } from '~/lib/base64'
import { bytesToHex } from '~/lib/hex'
import type { KeyValue } from '~/lib/key-value'
import { parsedJson } from '~/lib/parsed-json'

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

/** `rewritten`: the same JSON, which the server does not write as it is stored. */
export type CellMatch = 'same' | 'rewritten' | 'differs'

/** Compares a cell of a result with the proven one. */
export function cellMatch(shown: string | null, proven: ProvenCell): CellMatch {
  if (shown === null || proven === null) return shown === proven ? 'same' : 'differs'
  const { type, value } = proven
  if (type === 'JSON') return jsonMatch(shown, String(value))
  return isSame(type, shown, value) ? 'same' : 'differs'
}

function isSame(type: string, shown: string, value: string | number | boolean): boolean {
  if (type === 'FLOAT') {
    const [one, other] = [Number(shown), Number(value)]
    return one === other || (Number.isNaN(one) && Number.isNaN(other))
  }
  if (type === 'BLOB') return bytesToHex(base64ToBytes(shown)) === value
  return shown === String(value)
}

/** A query sorts the fields, drops white space and rounds numbers to what a double can hold. */
function jsonMatch(shown: string, stored: string): CellMatch {
  if (shown === stored) return 'same'
  const [one, other] = [parsedJson(shown), parsedJson(stored)]
  const isJson = one !== undefined && other !== undefined
  return isJson && sorted(one) === sorted(other) ? 'rewritten' : 'differs'
}

/** JSON with its fields in order. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, of]) => `${JSON.stringify(name)}:${sorted(of)}`).join()}}`
}
