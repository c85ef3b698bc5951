/**
 * A moment in the history of a database: after a transaction, or at a time in UTC.
 *
 * In an address it is `tx:42` or `2026-11-21T09:00:00Z`, with no fractions of a second, because
 * headers of transactions have none. A number that somebody typed there without `tx:` is one too.
 */
export type At =
  | { readonly kind: 'tx'; readonly id: string }
  | { readonly kind: 'time'; readonly text: string }

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** The moment in an address; null for a text that is not one. */
export function readAt(text: string): At | null {
  const id = text.replace(/^tx:/, '')
  if (isTxId(id)) return { kind: 'tx', id }
  return time.test(text) && isReal(text) ? { kind: 'time', text } : null
}

/** The moment as an address has it. */
export function writeAt(at: At): string {
  return at.kind === 'tx' ? `tx:${at.id}` : at.text
}

/** Transaction numbers are unsigned and have 64 bits. */
const largest = 2n ** 64n - 1n

/** Whether a text is a number that a transaction can have. */
export function isTxId(text: string): boolean {
  return /^[1-9]\d{0,19}$/.test(text) && BigInt(text) <= largest
}

/** Refuses what `Date` moves to another day, such as 31 February. */
function isReal(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString() === text.replace('Z', '.000Z')
}
