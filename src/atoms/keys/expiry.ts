import { writtenTime } from '~/lib/time'

type Expiry = {
  /** Seconds since 1970; null for never. */
  expiresAt: string | null
  expiryError: string | null
}

/** A typed expiry in UTC, empty for none; `now` is in milliseconds since 1970. */
export function readExpiry(text: string, now = Date.now()): Expiry {
  const no = (expiryError: string | null) => ({ expiresAt: null, expiryError })
  if (text.trim() === '') return no(null)
  const seconds = utcSeconds(text)
  if (seconds === null) return no('Write it as 2026-11-21 09:00:00.')
  if (seconds * 1_000 <= now) return no('This time has passed.')
  return { expiresAt: String(seconds), expiryError: null }
}

/** Seconds since 1970 of a time in UTC such as `2026-11-21 09:00:00`; null for any other text. */
export function utcSeconds(text: string): number | null {
  const time = writtenTime(text)
  return time === null ? null : Date.parse(`${time.replace(' ', 'T')}Z`) / 1_000
}
