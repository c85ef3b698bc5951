import type { TimeZoneChoice } from '~/lib/time-zone'
import { typedTime } from '~/lib/typed-time'

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

/** What every field for a moment takes, for its error. */
export const momentForms =
  'Write a transaction, such as 42, or a time, such as 2026-11-21 09:00, 21 Nov 2026 or 5 minutes ago.'

/**
 * The moment that someone typed: a transaction, such as `42` or `tx 1,024`, or a time in any form
 * of `typedTime`; null for a text that is neither. Transactions have whole seconds, and so has it.
 * @param zone in which a time without a zone is read
 * @param now milliseconds since 1970
 */
export function readTyped(text: string, zone: TimeZoneChoice, now = Date.now()): At | null {
  const plain = text.trim()
  const [, digits] =
    /^(?:tx|transaction)?[\s:]*(\d{1,20}|\d{1,3}(?:[, ]\d{3})+)$/i.exec(plain) ?? []
  if (digits !== undefined) {
    const id = digits.replaceAll(/[, ]/g, '').replace(/^0+(?=\d)/, '')
    return isTxId(id) ? { kind: 'tx', id } : null
  }
  const ms = typedTime(plain, zone, now)
  return ms === null ? null : { kind: 'time', text: timeInAddress(ms) }
}

/** A time as an address has it. */
const timeInAddress = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

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
