import { locale } from './locale'
import { memoizeByNames } from './memoize-by-names'
import { counted } from './text'
import { type TimeZoneChoice, zoneName } from './time-zone'

const units = [
  ['y', 31_557_600_000],
  ['mo', 2_629_800_000],
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

const mostUnits = 4

export const msPerHour = 3_600_000

/**
 * How long something has lasted, as `2 d 3 h 4 m 5 s`: the four largest units that are not zero. A
 * year has 365.25 days, a month is a twelfth of it.
 */
export function formatUptime(ms: number): string {
  let left = Math.max(0, Math.floor(ms / 1_000) * 1_000)
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0 && parts.length < mostUnits) parts.push(`${count} ${name}`)
  }
  return parts.join(' ') || '0 s'
}

const offsetFormat = /* @__PURE__ */ memoizeByNames(
  (zone = 'UTC') => new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longOffset' }),
)

/**
 * Minutes that clocks of an IANA zone are ahead of UTC at a moment; not whole before zones were
 * standardised. Throws `RangeError` for a zone or moment that does not exist.
 */
export function zoneOffset(ms: number, zone: string): number {
  const parts = offsetFormat(zone).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  return sign === '-' ? -size : size
}

const written = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/

/**
 * A time such as `2026-11-21 09:00`, with its seconds as SQL writes it; null for any other text.
 */
export function writtenTime(text: string): string | null {
  const [, date, clock, seconds = ':00'] = written.exec(text.trim()) ?? []
  if (date === undefined || clock === undefined) return null
  const at = Date.parse(`${date}T${clock}${seconds}Z`)
  // JavaScript takes 31 April for 1 May.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${date}T${clock}`)
  return isReal ? `${date} ${clock}${seconds}` : null
}

const spanUnits = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const

/** A span of time in its largest unit, rounded: `1 day`, `3 hours`, `0 seconds`. */
export function formatSpan(ms: number): string {
  // A unit counts from just below one, so that 59.6 minutes show as an hour.
  const [size, name] = spanUnits.find(([unit]) => ms >= unit * 0.99) ?? [1_000, 'second']
  return counted(Math.round(ms / size), name)
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

/** Clock time with its zone always written, e.g. `14:03:22 GMT+1`. */
export function formatClock(ms: number, zone: TimeZoneChoice): string {
  return new Intl.DateTimeFormat(locale, {
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

/** The time as ISO 8601 in UTC; outside the calendar as plain seconds. */
export function isoMoment(ms: number): string {
  if (Math.abs(ms) <= lastMoment) return new Date(ms).toISOString()
  return formatMoment(ms, 'utc')
}

/** Creating a format takes far longer than using it, which would slow lists down. */
const momentFormat = /* @__PURE__ */ memoizeByNames(
  (zone = 'local') =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'long',
      timeZone: zoneName(zone),
    }),
)

/**
 * Milliseconds since 1970 by the clock as it was when the page was opened: setting the clock moves
 * nothing. It may stand still while the computer sleeps.
 */
export const steadyNow = () => performance.timeOrigin + performance.now()
