import type { KeyValue } from '~/immudb/key-address'
import { base64ToHex } from '~/lib/bytes'
import { formatMicroseconds } from './cells'

/** A cell of a result (see ResultColumn.values) as a literal of this server. */
export function literalOf(type: string, value: string | null): string {
  if (value === null) return 'NULL'
  const quoted = `'${value.replaceAll("'", "''")}'`
  switch (type) {
    case 'INTEGER':
      return /^-?\d+$/.test(value) ? value : quoted
    case 'BOOLEAN':
      return value === 'true' || value === 'false' ? value : quoted
    case 'FLOAT':
      // Exponents are not read as numbers, and -0 as the whole number 0.
      return /^-?\d+(\.\d+)?$/.test(value) && value !== '-0' ? value : `CAST(${quoted} AS FLOAT)`
    case 'BLOB':
      return `x'${base64ToHex(value)}'`
    case 'TIMESTAMP':
      return `CAST('${formatMicroseconds(value, 'utc').replace(/ UTC$/, '')}' AS TIMESTAMP)`
    case 'UUID':
      return `CAST(${quoted} AS UUID)`
    default:
      return quoted
  }
}

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
