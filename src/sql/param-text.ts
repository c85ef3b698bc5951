import { base64ToHex } from '~/lib/bytes'
import { formatMicroseconds } from './cells'
import type { Param } from './params'

/** A value of a statement for people: a text in quotes, a time in UTC, bytes in hex. */
export function paramText(value: Param['value']): string {
  if ('null' in value) return 'NULL'
  if (typeof value.s === 'string') return `'${value.s.replaceAll("'", "''")}'`
  if (typeof value.ts === 'string') return formatMicroseconds(value.ts, 'utc')
  if (typeof value.bs === 'string') return `x'${base64ToHex(value.bs)}'`
  return String(Object.values(value)[0])
}
