import { exactDecimal } from './exact-decimal'

/**
 * Numbers and times as bytes: unsigned integers of 1 to 8 bytes, floats of 4 and 8 as IEEE 754 has
 * them, and times as signed integers of 8.
 */

const orders = ['be', 'le'] as const
const units = ['s', 'ms', 'us', 'ns'] as const
const sizes = [2, 3, 4, 5, 6, 7, 8] as const
const floatSizes = [4, 8] as const

type Order = (typeof orders)[number]
type Unit = (typeof units)[number]
/**
 * Such as `u4be`: four bytes, the most significant first; `f8le`: a float of eight, the least
 * significant first; `msle`: milliseconds since 1970.
 */
export type NumberFormat =
  | 'u1'
  | `u${(typeof sizes)[number]}${Order}`
  | `f${(typeof floatSizes)[number]}${Order}`
  | `${Unit}${Order}`

export const numberFormats: readonly NumberFormat[] = [
  'u1',
  ...sizes.flatMap((size) => orders.map((order) => `u${size}${order}` as const)),
  ...floatSizes.flatMap((size) => orders.map((order) => `f${size}${order}` as const)),
  ...units.flatMap((unit) => orders.map((order) => `${unit}${order}` as const)),
]

const known: ReadonlySet<string> = new Set(numberFormats)

export function isNumberFormat(format: string): format is NumberFormat {
  return known.has(format)
}

type Shape = { size: number; isLittle: boolean; unit: Unit | null; isFloat: boolean }

function shapeOf(format: NumberFormat): Shape {
  const isLittle = format.endsWith('le')
  const unit = units.find((one) => one === format.slice(0, -2)) ?? null
  const isFloat = unit === null && format.startsWith('f')
  return { size: unit === null ? Number(format[1]) : 8, isLittle, unit, isFloat }
}

const unitNames: Readonly<Record<Unit, string>> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
}
/** Digits behind the seconds. */
const fractions: Readonly<Record<Unit, number>> = { s: 0, ms: 3, us: 6, ns: 9 }

/** Such as `Integer, 4 bytes, big-endian`. */
export function numberName(format: NumberFormat): string {
  const { size, isLittle, unit, isFloat } = shapeOf(format)
  const order = isLittle ? 'little-endian' : 'big-endian'
  if (isFloat) return `Float, ${size} bytes, ${order}`
  if (unit !== null) return `Time in ${unitNames[unit]}, ${order}`
  return size === 1 ? 'Integer, 1 byte' : `Integer, ${size} bytes, ${order}`
}

/** The number or time that the bytes are; null when they are not one in this format. */
export function writeNumber(bytes: Uint8Array, format: NumberFormat): string | null {
  const { size, isLittle, unit, isFloat } = shapeOf(format)
  if (bytes.length !== size) return null
  if (isFloat) return floatText(bytes, isLittle)
  const value = [...(isLittle ? Uint8Array.from(bytes).reverse() : bytes)].reduce(
    (sum, byte) => sum * 256n + BigInt(byte),
    0n,
  )
  return unit === null ? String(value) : timeText(BigInt.asIntN(64, value), fractions[unit])
}

/** Why the bytes are no number or time in this format; null when they are one. */
export function reasonAgainstNumber(bytes: Uint8Array, format: NumberFormat): string | null {
  const { size } = shapeOf(format)
  const have = bytes.length === 1 ? '1 byte' : `${bytes.length} bytes`
  if (bytes.length !== size) return `It does not fit: it has ${have}, not ${size}.`
  if (writeNumber(bytes, format) !== null) return null
  return shapeOf(format).isFloat
    ? 'It does not fit: it is one of the many that are not a number (NaN).'
    : 'It does not fit: no such time in the years 0 to 9999.'
}

type Parsed = { bytes: Uint8Array<ArrayBuffer> } | { error: string }

/** The bytes of a typed number or time, or why it has none; nothing is rounded or cut. */
export function parseNumber(text: string, format: NumberFormat): Parsed {
  const { size, isLittle, unit, isFloat } = shapeOf(format)
  if (isFloat) return floatBytes(text, size, isLittle)
  const value = unit === null ? integerOf(text, size) : timeOf(text, unit)
  if (typeof value === 'string') return { error: value }
  const bytes = new Uint8Array(size)
  let left = BigInt.asUintN(size * 8, value)
  for (let at = size - 1; at >= 0; at -= 1) {
    bytes[at] = Number(left % 256n)
    left /= 256n
  }
  return { bytes: isLittle ? bytes.reverse() : bytes }
}

/** The only NaN that is written as such: another would come back with other bytes. */
const [plainNaN4, plainNaN8] = [0x7fc00000, 0x7ff8000000000000n]

/** The shortest decimal that gives exactly these bytes again. */
function floatText(bytes: Uint8Array, isLittle: boolean): string | null {
  const view = new DataView(Uint8Array.from(bytes).buffer)
  const is4 = bytes.length === 4
  const value = is4 ? view.getFloat32(0, isLittle) : view.getFloat64(0, isLittle)
  if (Number.isNaN(value)) {
    const isPlain = is4
      ? view.getUint32(0, isLittle) === plainNaN4
      : view.getBigUint64(0, isLittle) === plainNaN8
    return isPlain ? 'NaN' : null
  }
  if (Object.is(value, -0)) return '-0'
  if (!is4 || !Number.isFinite(value)) return String(value)
  for (let digits = 1; ; digits += 1) {
    const text = String(Number(value.toPrecision(digits)))
    if (digits > 9 || Math.fround(Number(text)) === value) return text
  }
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,5})?$/

function floatBytes(text: string, size: number, isLittle: boolean): Parsed {
  const typedText = text.trim()
  const isNamed = /^(?:NaN|-?Infinity)$/.test(typedText)
  if (!isNamed && !decimal.test(typedText)) {
    return { error: 'Write a number such as -1.5 or 2e10, NaN or Infinity.' }
  }
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  if (typedText === 'NaN' && size === 4) view.setUint32(0, plainNaN4, isLittle)
  else if (typedText === 'NaN') view.setBigUint64(0, plainNaN8, isLittle)
  else if (size === 4) view.setFloat32(0, Number(typedText), isLittle)
  else view.setFloat64(0, Number(typedText), isLittle)
  const written = floatText(bytes, isLittle) ?? ''
  const isSame = isNamed || exactDecimal(written) === exactDecimal(typedText)
  return isSame ? { bytes } : { error: `It does not fit: the nearest is ${written}.` }
}

function integerOf(text: string, size: number): bigint | string {
  const digits = text.trim()
  if (!/^\d+$/.test(digits)) return 'Write a whole number from 0 on, in digits.'
  const value = BigInt(digits)
  const largest = 256n ** BigInt(size) - 1n
  return value <= largest ? value : `It does not fit: the largest is ${largest}.`
}

const typed = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?(?:Z|UTC))?$/

function timeOf(text: string, unit: Unit): bigint | string {
  const [, date, clock, seconds = '00', part = ''] = typed.exec(text.trim()) ?? []
  const at = Date.parse(`${date}T${clock}:${seconds}Z`)
  // JavaScript takes 31 April for 1 May.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(`${date}T${clock}`)) {
    return 'Write a time in UTC such as 2026-11-21 09:00:00.'
  }
  const digits = fractions[unit]
  if (/[1-9]/.test(part.slice(digits))) {
    return `It does not fit: ${unitNames[unit]} have ${digits} digits behind the second.`
  }
  const fraction = BigInt(part.slice(0, digits).padEnd(digits, '0') || '0')
  const value = BigInt(at / 1_000) * 10n ** BigInt(digits) + fraction
  return BigInt.asIntN(64, value) === value
    ? value
    : `It does not fit: ${unitNames[unit]} in 8 bytes do not reach that far.`
}

/** The seconds since 1970 of the years 0 to 9999. */
const [firstSecond, lastSecond] = [-62_167_219_200n, 253_402_300_799n]

function timeText(value: bigint, digits: number): string | null {
  const scale = 10n ** BigInt(digits)
  const part = ((value % scale) + scale) % scale
  const seconds = (value - part) / scale
  if (seconds < firstSecond || seconds > lastSecond) return null
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  return digits === 0 ? whole : `${whole}.${String(part).padStart(digits, '0')}`
}
