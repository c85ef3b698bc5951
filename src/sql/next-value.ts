import { base64ToBytes, bytesToBase64, encodeUtf8 } from '~/lib/bytes'

/** The type without its length, and the most bytes of a value, where that is known. */
type Sorted = { readonly type: string; readonly length?: number }

/**
 * The next greater or smaller value that a column can have, in the server's order, where NULL is
 * the smallest of all. `none` when there is none, `unknown` where it cannot be written down.
 */
export type Neighbour = { readonly value: string | null } | 'none' | 'unknown'

export function neighbour(column: Sorted, value: string | null, isSmaller: boolean): Neighbour {
  if (value === null) return isSmaller ? 'none' : leastOf(column.type)
  switch (column.type) {
    case 'INTEGER':
      return integer(BigInt(value) + (isSmaller ? -1n : 1n))
    case 'TIMESTAMP':
      return time(BigInt(value), isSmaller)
    case 'BOOLEAN':
      if (isSmaller) return { value: value === 'true' ? 'false' : null }
      return value === 'true' ? 'none' : { value: 'true' }
    case 'UUID':
      return uuid(BigInt(`0x${value.replaceAll('-', '')}`) + (isSmaller ? -1n : 1n))
    case 'VARCHAR':
      return isSmaller ? smallerText(value, column.length) : greaterText(value, column.length)
    case 'BLOB':
      return isSmaller ? smallerBytes(value, column.length) : greaterBytes(value, column.length)
    default:
      return 'unknown'
  }
}

/** The last microsecond whose nanoseconds have 64 bits, in 2262. */
const lastTime = 2n ** 63n / 1_000n

const least: Readonly<Record<string, string>> = {
  INTEGER: String(-(2n ** 63n)),
  TIMESTAMP: String(-lastTime),
  BOOLEAN: 'false',
  UUID: '00000000-0000-0000-0000-000000000000',
  VARCHAR: '',
  BLOB: '',
}

function leastOf(type: string): Neighbour {
  const value = least[type]
  return value === undefined ? 'unknown' : { value }
}

function integer(value: bigint): Neighbour {
  if (value < -(2n ** 63n)) return { value: null }
  return value < 2n ** 63n ? { value: String(value) } : 'none'
}

/**
 * An index of immudb 1.11.1 sorts times by their nanoseconds in 64 bits, so one before 1677 or after
 * 2262 stands among the others. Behind it come those that are behind its place.
 */
function time(micros: bigint, isSmaller: boolean): Neighbour {
  const nanos = BigInt.asIntN(64, micros * 1_000n)
  const rest = ((nanos % 1_000n) + 1_000n) % 1_000n
  const whole = (nanos - rest) / 1_000n
  const value = isSmaller ? whole - (rest === 0n ? 1n : 0n) : whole + 1n
  if (value < -lastTime) return { value: null }
  return value > lastTime ? 'none' : { value: String(value) }
}

function uuid(value: bigint): Neighbour {
  if (value < 0n) return { value: null }
  if (value >= 2n ** 128n) return 'none'
  const digits = value.toString(16).padStart(32, '0')
  return { value: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}

type Length = number | undefined

/** Values sort by their bytes, and a shorter one before those that continue it. */
function greaterText(text: string, length: Length): Neighbour {
  if (length === undefined || encodeUtf8(text).length >= length) return 'unknown'
  return { value: `${text}\0` }
}

/** The server stores only valid UTF-8, so what no text can be lies between no two of them. */
function smallerText(text: string, length: Length): Neighbour {
  const characters = [...text]
  const code = characters.pop()?.codePointAt(0)
  if (code === undefined) return { value: null }
  const rest = characters.join('')
  if (code === 0) return { value: rest }
  if (length === undefined) return 'unknown'
  const start = rest + String.fromCodePoint(code === 0xe000 ? 0xd7ff : code - 1)
  return { value: start + greatestText(length - encodeUtf8(start).length) }
}

function greatestText(size: number): string {
  const last = ['', '\x7f', '\u07ff', '\uffff'][size & 3] ?? ''
  return '\u{10ffff}'.repeat(size >> 2) + last
}

function greaterBytes(base64: string, length: Length): Neighbour {
  const bytes = base64ToBytes(base64)
  if (length === undefined || bytes.length >= length) return 'unknown'
  return { value: bytesToBase64(Uint8Array.of(...bytes, 0)) }
}

function smallerBytes(base64: string, length: Length): Neighbour {
  const bytes = base64ToBytes(base64)
  const last = bytes.at(-1)
  if (last === undefined) return { value: null }
  const rest = bytes.subarray(0, -1)
  if (last === 0) return { value: bytesToBase64(rest) }
  if (length === undefined) return 'unknown'
  const fill = new Uint8Array(length - bytes.length).fill(255)
  return { value: bytesToBase64(Uint8Array.of(...rest, last - 1, ...fill)) }
}
