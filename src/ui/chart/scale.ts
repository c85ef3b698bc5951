import { locale } from '~/lib/locale'
import { zoneOffset } from '~/lib/time'
import { type TimeZoneChoice, zoneLabel, zoneName } from '~/lib/time-zone'
import { visibleText } from '~/lib/visible-text'
import { formatMicroseconds } from '~/sql/cells'
import type { ChartAxis } from '~/sql/chart-points'

/** A mark on an axis: its place, and what it says. */
export type Tick = { readonly at: number; readonly label: string }

/** From which place to which an axis reaches. */
export type Reach = { readonly low: number; readonly high: number }

/** The reach of an axis with some room at both ends; bars begin at zero. */
export function roomyReach({ kind, low, high }: ChartAxis, room: number, hasZero: boolean): Reach {
  if (kind === 'category') return { low: low - 0.5, high: high + 0.5 }
  const [from, to] = hasZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high]
  // Doubles that lie closely together need a step that changes them.
  const span = to - from || Math.max(1, Math.abs(to) * 1e-3)
  const [below, above] = [from, to].map((end) => (hasZero && end === 0 ? 0 : span * room))
  // Bars of nothing but zeros stand on an axis that has a height all the same.
  return {
    low: from - (below ?? 0),
    high: from === to && hasZero && to === 0 ? 1 : to + (above ?? 0),
  }
}

/**
 * The marks of an axis, at most about `most` of them.
 * @param zone of times
 */
export function ticksOf(axis: ChartAxis, reach: Reach, most: number, zone: TimeZoneChoice): Tick[] {
  switch (axis.kind) {
    case 'category':
      return categoryTicks(axis, most)
    case 'time':
      return timeTicks(axis, reach, most, zone)
    case 'float':
      return floatTicks(reach, most)
    default:
      return integerTicks(axis, reach, most)
  }
}

/** Pixels from one mark to the next along the bottom, at least. */
export const markSpace = 96
/** Between two names. */
const nameGap = 8
/** Longer names are no marks any more. */
const widestName = 320

function categoryTicks({ names }: ChartAxis, most: number): Tick[] {
  const every = Math.max(1, Math.ceil(names.length / Math.max(1, most)))
  const room = (markSpace * most * every) / Math.max(1, names.length) - nameGap
  return names.flatMap((name, at) =>
    at % every === 0 ? [{ at, label: shortened(name, Math.min(room, widestName)) }] : [],
  )
}

/** Pixels of a character in the size of the marks, rather too many. */
function widthOf(character: string): number {
  // Chinese, Japanese, Korean and pictures are as wide as they are high.
  if ((character.codePointAt(0) ?? 0) >= 0x1100) return 13
  if (/[MW@%]/.test(character)) return 12
  return /[A-Z&]/.test(character) ? 9 : 7.5
}

function shortened(name: string, room: number): string {
  const shown = [...visibleText(name)]
  let [width, fits] = [0, 0]
  for (const [at, character] of shown.entries()) {
    width += widthOf(character)
    if (width > room) return `${shown.slice(0, fits).join('')}…`
    if (width + widthOf('…') <= room) fits = at + 1
  }
  return shown.join('')
}

/** The next of 1, 2, 5, 10, 20 … that is not smaller. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

const wholes = new Intl.NumberFormat(locale)
const fractions = new Intl.NumberFormat(locale, { maximumSignificantDigits: 12 })

function integerTicks({ base }: ChartAxis, { low, high }: Reach, most: number): Tick[] {
  const step = Math.max(1, niceStep((high - low) / Math.max(1, most)))
  const wide = BigInt(step)
  const ticks: Tick[] = []
  // In exact integers, because the base may be beyond doubles.
  for (let value = ceilTo(base + BigInt(Math.ceil(low)), wide); ; value += wide) {
    const at = Number(value - base)
    if (at > high || ticks.length > mostTicks) return ticks
    ticks.push({ at, label: wholes.format(value) })
  }
}

const mostTicks = 200

function ceilTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step
  return rest === 0n ? value : value + step - rest
}

function floatTicks({ low, high }: Reach, most: number): Tick[] {
  const step = niceStep((high - low) / Math.max(1, most))
  if (!Number.isFinite(step) || step === 0) return []
  const ticks: Tick[] = []
  for (let count = Math.ceil(low / step); ticks.length < mostTicks; count++) {
    const at = count * step
    if (at > high) break
    ticks.push({ at, label: floatLabel(Number(at.toPrecision(12))) })
  }
  return ticks
}

function floatLabel(value: number): string {
  const size = Math.abs(value)
  return size !== 0 && (size >= 1e15 || size < 1e-6) ? String(value) : fractions.format(value)
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const
const clockSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14].map((count) => count * day),
]
/** A month of middle length, in milliseconds. */
const meanMonth = 30.4 * day
/** Steps in months. */
const monthSteps = [
  1,
  2,
  3,
  6,
  ...[1, 2, 5, 10, 20, 50, 100, 1e3, 1e4, 1e5].map((years) => years * 12),
]

/** The times of dates that JavaScript has, in milliseconds. */
const longestDate = 8.64e15

/** Places are microseconds; marks stand at round times of the zone. */
function timeTicks(axis: ChartAxis, reach: Reach, most: number, zone: TimeZoneChoice): Tick[] {
  const from = Number(axis.base / 1_000n) + reach.low / 1_000
  const to = from + (reach.high - reach.low) / 1_000
  const isDated = Math.abs(from) < longestDate && Math.abs(to) < longestDate
  const least = (to - from) / Math.max(1, most)
  // Within a few milliseconds, or beyond all dates, microseconds are counted.
  if (least < 1 || !isDated) {
    return integerTicks(axis, reach, Math.max(1, Math.floor(most / 2))).map(({ at }) => ({
      at,
      label: microLabel(axis.base + BigInt(Math.round(at)), zone),
    }))
  }
  // Summer time shifts marks by an hour at most; what they say is right all the same.
  const offset = zoneOffset(Math.round(from), zoneLabel(zone)) * minute
  const step = clockSteps.find((one) => one >= least)
  const format = formatOf(step ?? 31 * day, to - from, zone)
  const times =
    step === undefined ? monthTimes(from, to, offset, least) : stepTimes(from, to, offset, step)
  const start = Number(axis.base / 1_000n)
  const rest = Number(axis.base % 1_000n)
  return times
    .map((ms) => ({ at: (ms - start) * 1_000 - rest, label: format.format(ms) }))
    .filter(({ at }) => at >= reach.low && at <= reach.high)
}

function microLabel(microseconds: bigint, zone: TimeZoneChoice): string {
  const text = formatMicroseconds(String(microseconds), zone)
  return /^\d{4}-\d\d-\d\d (\S+)/.exec(text)?.[1] ?? text
}

function stepTimes(from: number, to: number, offset: number, step: number): number[] {
  const times: number[] = []
  const first = Math.ceil((from + offset) / step) * step
  for (let wall = first; wall <= to + offset && times.length < mostTicks; wall += step)
    times.push(wall - offset)
  return times
}

function monthTimes(from: number, to: number, offset: number, least: number): number[] {
  const step = monthSteps.find((months) => months * meanMonth >= least) ?? 12e5
  const begin = new Date(from + offset)
  const months = begin.getUTCFullYear() * 12 + begin.getUTCMonth()
  const times: number[] = []
  for (let month = Math.floor(months / step) * step; times.length < mostTicks; month += step) {
    const wall = new Date(0)
    wall.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
    const at = wall.getTime() - offset
    if (!(at <= to)) break
    if (at >= from) times.push(at)
  }
  return times
}

function formatOf(step: number, span: number, zone: TimeZoneChoice): Intl.DateTimeFormat {
  const timeZone = zoneName(zone)
  const options: Intl.DateTimeFormatOptions =
    step >= 28 * day
      ? span > 3 * 12 * meanMonth
        ? { year: 'numeric' }
        : { month: 'short', year: 'numeric' }
      : step >= day
        ? { day: 'numeric', month: 'short' }
        : span > day
          ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
          : step >= minute
            ? { hour: '2-digit', minute: '2-digit' }
            : step >= second
              ? { hour: '2-digit', minute: '2-digit', second: '2-digit' }
              : { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }
  return new Intl.DateTimeFormat(locale, { ...options, timeZone })
}
