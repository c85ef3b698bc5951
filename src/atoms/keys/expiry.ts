import { typedTime } from '~/lib/typed-time'

type Expiry = {
  /** Seconds since 1970; null for never. */
  expiresAt: string | null
  expiryError: string | null
}

/** What a field for an expiry takes, for its error. */
const forms = 'Write a time, such as 2030-12-31 23:59, 31 Dec 2030 or in 5 minutes.'

/**
 * A typed expiry in any form of `typedTime`, in UTC unless it names a zone; empty for none.
 * @param now milliseconds since 1970
 */
export function readExpiry(text: string, now = Date.now()): Expiry {
  const no = (expiryError: string | null) => ({ expiresAt: null, expiryError })
  if (text.trim() === '') return no(null)
  const at = typedTime(text, 'utc', now)
  if (at === null) return no(forms)
  if (at <= now) return no('This time has passed.')
  return { expiresAt: String(at / 1_000), expiryError: null }
}

/**
 * The same expiry as a time that stays the same, such as `2030-12-31 23:59:00` for `in 5 minutes`:
 * what was sent must be known as it was sent. A text without an expiry is returned as it is.
 */
export function settledExpiry(text: string, now = Date.now()): string {
  const { expiresAt } = readExpiry(text, now)
  if (expiresAt === null) return text
  return new Date(Number(expiresAt) * 1_000).toISOString().slice(0, 19).replace('T', ' ')
}
