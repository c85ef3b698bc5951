import { locale } from './locale'
import { memoizeByNames } from './memoize-by-names'
import { zoneOffset } from './time'
import { type TimeZoneChoice, zoneLabel, zoneName } from './time-zone'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Milliseconds of what can be counted back or on, by its name. */
const spans = {
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
} as const

const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?`
// The last one is how Go writes UTC, as the server does.
const zoned = String.raw`\s*(z|[a-z]{2,5}|\+00:?00\s*utc|(?:utc|gmt)?\s*[+-]\d{1,2}(?::?\d{2})?(?::\d{2})?)?`
/** `2026-11-29T02:15:12.5+01:00`, with less of it, or with a blank for the T. */
const iso = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:(?:t|\s+)${clock}${zoned})?$`, 'i')
/** `29 Nov 2026, 02:15:12 UTC`, as the console writes times, or with less of it. */
const own = new RegExp(
  String.raw`^(\d{1,2})\s+([a-z]{3,9})\.?\s+(\d{4})(?:(?:,|\s+at)?\s+${clock}${zoned})?$`,
  'i',
)
const relative = new RegExp(
  String.raw`^(today|yesterday|tomorrow)(?:(?:,|\s+at)?\s+${clock}${zoned})?$`,
  'i',
)
/** `02:15:12 UTC`, as the console writes the time of today. */
const clockAlone = /^\d{1,2}:\d{2}:\d{2}\s+(?:utc|gmt|[a-z]{2,5}|[+-]\d).*$/i
const ago = /^(\d{1,9}|an?|one)\s*([a-z]+?)s?\s+ago$/i
const later = /^in\s+(\d{1,9}|an?|one)\s*([a-z]+?)s?$/i

/** The fields of a clock on a wall; they may name no real day. */
type Wall = { date: readonly [number, number, number]; time: readonly [number, number, number] }

/**
 * A time as people write it, in milliseconds since 1970, whole seconds: ISO 8601, as the console
 * shows times, a date alone (its beginning), a clock with seconds and zone (today), `yesterday
 * 14:00`, `tomorrow`, `5 minutes ago`, `in 5 minutes` or `now`. Null for any other text, and for times that do not exist.
 * @param zone in which a time without a zone is read
 * @param now milliseconds since 1970
 */
export function typedTime(text: string, zone: TimeZoneChoice, now: number): number | null {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  if (/^now$/i.test(plain)) return wholeSecond(now)
  const [, back = '', backUnit = ''] = ago.exec(plain) ?? []
  if (backUnit !== '') return shifted(now, -1, back, backUnit)
  const [, on = '', onUnit = ''] = later.exec(plain) ?? []
  if (onUnit !== '') return shifted(now, 1, on, onUnit)
  const wall = wallOf(clockAlone.test(plain) ? `today ${plain}` : plain, zone, now)
  return wall && atWall(wall.wall, wall.zone, zone)
}

const wholeSecond = (ms: number) => Math.floor(ms / 1_000) * 1_000

function shifted(now: number, sign: 1 | -1, count: string, unit: string): number | null {
  const [, size] = Object.entries(spans).find(([name]) => name === unit.toLowerCase()) ?? []
  if (size === undefined) return null
  return inRange(wholeSecond(now + sign * (/^\d/.test(count) ? Number(count) : 1) * size))
}

function wallOf(
  text: string,
  zone: TimeZoneChoice,
  now: number,
): { wall: Wall; zone: string } | null {
  const byIso = iso.exec(text)
  if (byIso) {
    const [, year, month, day, ...rest] = byIso
    return withClock([Number(year), Number(month), Number(day)], rest)
  }
  const byOwn = own.exec(text)
  if (byOwn) {
    const [, day, name = '', year, ...rest] = byOwn
    const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1
    return month === 0 ? null : withClock([Number(year), month, Number(day)], rest)
  }
  const [, word, ...rest] = relative.exec(text) ?? []
  if (word === undefined) return null
  const today = new Date(now + offsetIn(zone, now))
  if (/^y/i.test(word)) today.setUTCDate(today.getUTCDate() - 1)
  if (/^tom/i.test(word)) today.setUTCDate(today.getUTCDate() + 1)
  const date = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()] as const
  return withClock(date, rest)
}

function withClock(
  date: Wall['date'],
  [hours = '0', minutes = '0', seconds = '0', zone = '']: readonly (string | undefined)[],
): { wall: Wall; zone: string } {
  const time = [Number(hours), Number(minutes), Number(seconds)] as const
  return { wall: { date, time }, zone: zone.replaceAll(' ', '').toUpperCase() }
}

const offsetIn = (zone: TimeZoneChoice, ms: number) => zoneOffset(ms, zoneLabel(zone)) * 60_000

/** The moment at which a clock shows this; null when none does. */
function atWall({ date, time }: Wall, named: string, zone: TimeZoneChoice): number | null {
  const [year, month, day] = date
  const [hours, minutes, seconds] = time
  const wall = Date.UTC(year, month - 1, day, hours, minutes, seconds)
  const shown = new Date(wall)
  const isReal =
    shown.getUTCMonth() === month - 1 &&
    shown.getUTCDate() === day &&
    shown.getUTCHours() === hours &&
    shown.getUTCMinutes() === minutes &&
    shown.getUTCSeconds() === seconds
  if (!isReal) return null
  const offset = writtenOffset(named)
  if (offset !== null) return inRange(wall - offset)
  // Where clocks are set back, the same time comes twice; its name tells which one is meant.
  const dayLong = 86_400_000
  const tried = [wall - dayLong, wall + dayLong].map((near) => wall - offsetIn(zone, near))
  const fitting = tried.filter((at) => at + offsetIn(zone, at) === wall)
  const [at] = named === '' ? fitting : fitting.filter((one) => nameAt(one, zone) === named)
  return at === undefined ? null : inRange(at)
}

/** The first year that times cannot have. */
const yearTooFar = 10_000
const inRange = (ms: number) => (ms >= 0 && ms < Date.UTC(yearTooFar, 0) ? ms : null)

/** Milliseconds by which a written zone is ahead of UTC; null for a name that tells none. */
function writtenOffset(named: string): number | null {
  if (/^(Z|UTC|GMT|\+00:?00UTC)$/.test(named)) return 0
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?(?::(\d{2}))?$/.exec(named) ?? []
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}

const nameFormat = /* @__PURE__ */ memoizeByNames(
  (zone = 'local') =>
    new Intl.DateTimeFormat(locale, { timeZone: zoneName(zone), timeZoneName: 'short' }),
)

/** What the console writes behind a time in a zone, such as `CET`. */
function nameAt(ms: number, zone: TimeZoneChoice): string {
  const part = nameFormat(zone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')
  return (part?.value ?? '').toUpperCase()
}
