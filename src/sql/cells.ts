import { base64ToHex } from '~/lib/bytes'
import { zoneOffset } from '~/lib/time'

/** How a cell looks: the kind decides alignment and colour, the text is what is shown. */
export type FormattedCell = {
  readonly kind: CellKind
  readonly text: string
  /** The text is only the beginning of the value. */
  readonly isCut: boolean
}

export type CellKind = 'null' | 'number' | 'text' | 'boolean' | 'blob' | 'time' | 'json' | 'uuid'

/** `local`, `utc`, or the IANA name of a zone. */
export type TimeZone = string

/** A grid shows no more of a value than this many characters. */
export const previewLength = 256

/**
 * What a grid shows for a value of a result column (see ResultColumn.values for its form). An empty
 * text stays empty, so that it differs from NULL. Times carry their zone and all six decimals.
 */
export function formatCell(type: string, value: string | null, zone: TimeZone): FormattedCell {
  if (value === null) return { kind: 'null', text: 'NULL', isCut: false }
  switch (type) {
    case 'INTEGER':
    case 'FLOAT':
      return cut('number', value)
    case 'BOOLEAN':
      return cut('boolean', value)
    case 'BLOB':
      return blobCell(value)
    case 'TIMESTAMP':
      return cut('time', formatMicroseconds(value, zone))
    case 'JSON':
      return cut('json', value)
    case 'UUID':
      return cut('uuid', value)
    default:
      return cut('text', value)
  }
}

function cut(kind: CellKind, text: string): FormattedCell {
  if (text.length <= previewLength) return { kind, text, isCut: false }
  // A surrogate pair must not be torn apart.
  const isPair = (text.codePointAt(previewLength - 1) ?? 0) > 0xffff
  return { kind, text: `${text.slice(0, previewLength - (isPair ? 1 : 0))}…`, isCut: true }
}

/** Only the bytes that are shown are decoded: a blob may be megabytes long. */
function blobCell(base64: string): FormattedCell {
  const size = byteLength(base64)
  const shown = Math.min(size, 32)
  const hex = base64ToHex(base64.slice(0, Math.ceil(shown / 3) * 4)).slice(0, shown * 2)
  const isCut = size > shown
  const unit = size === 1 ? 'byte' : 'bytes'
  const text = size === 0 ? '0 bytes' : `0x${hex}${isCut ? '…' : ''} (${size} ${unit})`
  return { kind: 'blob', text, isCut }
}

/** The number of bytes that padded base64 stands for. */
function byteLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor(base64.length / 4) * 3 - padding)
}

/**
 * A time as `2024-05-06 07:08:09.123456 UTC`, or with the offset of the zone at that moment.
 * @param microseconds since 1970 in UTC, exact decimal digits, may be negative
 */
export function formatMicroseconds(microseconds: string, zone: TimeZone): string {
  if (!/^-?\d+$/.test(microseconds)) return microseconds
  const total = BigInt(microseconds)
  const fraction = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = Number((total - fraction) / 1_000_000n)
  const time = new Date(seconds * 1000)
  if (Number.isNaN(time.getTime())) return `${microseconds} µs since 1970`
  const offset = offsetOf(time, zone)
  const wall = new Date(seconds * 1000 + Math.round(offset * 60_000))
  if (Number.isNaN(wall.getTime())) return formatMicroseconds(microseconds, 'utc')
  const [date = '', clock = ''] = wall.toISOString().split('T')
  const decimals = fraction.toString().padStart(6, '0')
  const name = zone === 'utc' ? 'UTC' : offsetName(offset)
  return `${date} ${clock.slice(0, 8)}.${decimals} ${name}`
}

/**
 * The moments at which clocks of a zone show a time, as milliseconds since 1970: none where clocks go
 * forward over it, two where they go back.
 * @param wall the time as if it were in UTC, in milliseconds since 1970
 */
export function momentsOf(wall: number, zone: TimeZone): readonly number[] {
  const day = 86_400_000
  const offsets = [wall - day, wall, wall + day]
    .map((near) => new Date(near))
    .filter((near) => !Number.isNaN(near.getTime()))
    .map((near) => Math.round(offsetOf(near, zone) * 60_000))
  const found = [...new Set(offsets)].map((offset) => wall - offset)
  return found
    .filter((ms) => ms + Math.round(offsetOf(new Date(ms), zone) * 60_000) === wall)
    .sort((one, other) => one - other)
}

/** The offset of a zone at a moment, as times are written with it: `UTC` or `+02:00`. */
export function offsetAt(ms: number, zone: TimeZone): string {
  return zone === 'utc' ? 'UTC' : offsetName(offsetOf(new Date(ms), zone))
}

/** Minutes ahead of UTC; throws `RangeError` for an unknown zone. */
function offsetOf(time: Date, zone: TimeZone): number {
  if (zone === 'utc') return 0
  return zone === 'local' ? -time.getTimezoneOffset() : zoneOffset(time.getTime(), zone)
}

/** With seconds where there are some, as before zones were standardised: the time must stay exact. */
function offsetName(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+'
  const whole = Math.abs(Math.round(minutes * 60))
  const pad = (part: number) => String(part).padStart(2, '0')
  const seconds = whole % 60 === 0 ? '' : `:${pad(whole % 60)}`
  return `${sign}${pad(Math.floor(whole / 3_600))}:${pad(Math.floor(whole / 60) % 60)}${seconds}`
}
