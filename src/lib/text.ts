import { memoizeByNames } from './memoize-by-names'

/** A server's text as a sentence: first letter capital, exactly one full stop at the end. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  if (!trimmed) return ''
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

/** Cuts a foreign text to a length that fits a screen, and says so. */
export function shorten(text: string, limit = 2_048): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`
}

/** `1 row`, `2 rows`: the count in the reader's digits and the noun that fits it. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 || count === 1n ? one : many}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(` ${last} `)
}

const counts = new Intl.NumberFormat('en-GB')

/** A whole number with thousands separators; exact for bigint. */
export function formatCount(count: number | bigint): string {
  return counts.format(count)
}

/** A transaction id as operators read it: `12,904`; the text itself when it is not a number. */
export function formatTx(id: string): string {
  return /^\d+$/.test(id) ? counts.format(BigInt(id)) : id
}

/** Elapsed time for people: `8 ms`, `1.24 s`, `2 min 5 s`. */
export function formatElapsed(ms: number): string {
  const whole = Math.round(ms)
  if (whole < 1_000) return `${whole} ms`
  // Rounded to what is shown before it is compared, or 59.999 s would be “60.00 s”.
  const hundredths = Math.round(ms / 10)
  if (hundredths < 6_000) return `${(hundredths / 100).toFixed(2)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export type TimeZoneChoice = string

/** The IANA zone of a choice: `local` is the browser's own, `utc` is UTC, else the name given. */
export function zoneName(zone: TimeZoneChoice): string | undefined {
  if (zone === 'local') return undefined
  return zone === 'utc' ? 'UTC' : zone
}

/** Whether times can be shown in that zone. */
export function isKnownZone(zone: TimeZoneChoice): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zoneName(zone) })
    return true
  } catch {
    return false
  }
}

/** Clock time with its zone always written, e.g. `14:03:22 GMT+1`. */
export function formatClock(ms: number, zone: TimeZoneChoice): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: zoneName(zone),
    timeZoneName: 'short',
  }).format(ms)
}

/** Milliseconds since 1970 beyond which there are no dates. */
const lastMoment = 8.64e15

/** Full date and time with its zone. A time outside the calendar shows as plain seconds. */
export function formatMoment(ms: number, zone: TimeZoneChoice): string {
  if (Math.abs(ms) <= lastMoment) return momentFormat(zone).format(ms)
  return `${ms / 1_000} seconds since 1970`
}

/** Creating a format takes far longer than using it, which would slow lists down. */
const momentFormat = /* @__PURE__ */ memoizeByNames(
  (zone = 'local') =>
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'long',
      timeZone: zoneName(zone),
    }),
)
