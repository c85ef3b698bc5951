import type { Unreadable } from './trust-record'

/** A record as JSON; storage can hold values that JSON cannot, which become text or lists. */
export function unreadableText(record: Unreadable): string {
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof Map) return { map: [...value] }
    return typeof value === 'bigint' || value === undefined ? String(value) : value
  }
  return `${JSON.stringify(record, plain, 2)}\n`
}
