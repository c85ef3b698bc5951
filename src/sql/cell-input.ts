import { takesLength } from '~/immudb/column-types'
import { parseBytes } from '~/lib/byte-formats'
import { base64ToHex, bytesToBase64, decodeUtf8, encodeUtf8, survivesTextField } from '~/lib/bytes'
import { parsedJson } from '~/lib/parsed-json'
import { counted } from '~/lib/text'
import { ownZone } from '~/lib/time-zone'
import { formatMicroseconds, momentsOf, offsetAt, type TimeZone } from './cells'

/** A column as far as a typed value depends on it; the type has no length. */
export type InputColumn = {
  readonly name: string
  readonly type: string
  /** Most bytes of a value, null without a limit. */
  readonly length: number | null
}

/** A value as a result has it (see `ResultColumn.values`), or a text that is not a value. */
export type CellInput =
  | { readonly value: string | null }
  | { readonly text: string; readonly error: string }

export function isValue(input: CellInput): input is { readonly value: string | null } {
  return 'value' in input
}

/** How the bytes of a VARCHAR are typed; the other types have one way each. */
export type InputFormat = 'text' | 'hex'

/** The type and length of a column, from the server's `VARCHAR(64)`. */
export function typeAndLength(type: string): Pick<InputColumn, 'type' | 'length'> {
  const [, plain = type, length] = /^(\w+)(?:[([](\d+)[)\]])?/.exec(type) ?? []
  const isLimited = takesLength(plain) && length !== undefined && +length > 0
  return { type: plain.toUpperCase(), length: isLimited ? Number(length) : null }
}

/** The format in which a text field can hold a value and return it unchanged. */
export function formatFor(type: string, value: string | null): InputFormat {
  if (type === 'BLOB') return 'hex'
  if (type !== 'VARCHAR' || value === null) return 'text'
  return survivesTextField(encodeUtf8(value)) ? 'text' : 'hex'
}

/**
 * The text in which a value is edited; `readInput` reads exactly this value back.
 * @param zone in which times are written
 */
export function inputText(
  type: string,
  value: string,
  format: InputFormat,
  zone: TimeZone = 'utc',
): string {
  if (type === 'BLOB') return base64ToHex(value)
  if (type === 'TIMESTAMP') return writtenTimestamp(value, zone)
  return format === 'hex' ? base64ToHex(bytesToBase64(encodeUtf8(value))) : value
}

/** Where lines of JSON are no longer indented further. */
const mostIndents = 16
const newLines = Array.from({ length: mostIndents + 1 }, (_, depth) => `\n${'  '.repeat(depth)}`)

/** JSON in lines to be read; its numbers and texts stay as they are written. */
export function indentedJson(json: string): string {
  let depth = 0
  const line = () => newLines[Math.min(depth, mostIndents)] ?? ''
  return json.replace(/"(?:[^"\\]|\\.)*"|\s+|[{[]\s*[\]}]|[{}[\],:]/g, (part) => {
    if (/^\s/.test(part)) return ''
    if (part === '{' || part === '[') {
      depth += 1
      return part + line()
    }
    if (part === '}' || part === ']') {
      depth -= 1
      return line() + part
    }
    if (part === ',') return part + line()
    return part === ':' ? ': ' : part
  })
}

/**
 * What a text means as a value of a column. An empty text is a value only of VARCHAR and BLOB.
 * @param zone of a time that is written without one
 */
export function readInput(
  { type, length }: InputColumn,
  text: string,
  format: InputFormat = 'text',
  zone: TimeZone = 'utc',
): CellInput {
  const wrong = (error: string): CellInput => ({ text, error })
  switch (type) {
    case 'INTEGER':
      return readInteger(text.trim()) ?? wrong(integerRule)
    case 'FLOAT':
      return readFloat(text.trim()) ?? wrong(floatRule)
    case 'BOOLEAN': {
      const value = booleans[text.trim().toLowerCase()]
      return value === undefined ? wrong('Write true or false.') : { value }
    }
    case 'TIMESTAMP': {
      const found = readTimestamp(text.trim(), zone)
      return 'error' in found ? wrong(found.error) : found
    }
    case 'UUID':
      return uuid.test(text.trim()) ? { value: text.trim().toLowerCase() } : wrong(uuidRule)
    case 'JSON':
      return readJson(text)
    case 'BLOB': {
      const digits = /^x'(.*)'$/is.exec(text.trim())?.[1] ?? text.trim().replace(/^0x/i, '')
      const parsed = parseBytes(digits, 'hex')
      if (!('bytes' in parsed)) return wrong(parsed.error)
      const why = tooLong(parsed.bytes.length, length)
      return why === null ? { value: bytesToBase64(parsed.bytes) } : wrong(why)
    }
    default:
      return readText(text, format, length)
  }
}

const integerRule = `Write a whole number from ${-(2n ** 63n)} to ${2n ** 63n - 1n}.`
const floatRule = 'Write a number such as 1.5 or 2e10, or NaN, Infinity or -Infinity.'
const timestampRule = (zone: TimeZone) =>
  `Write a time in ${zoneTitle(zone)} as 2026-11-21 09:00:00.123456, or a number followed by “µs since 1970”.`
const uuidRule = 'Write 32 digits 0–9 and a–f as 8-4-4-4-12.'

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function readInteger(text: string): CellInput | null {
  if (!/^[+-]?\d{1,40}$/.test(text)) return null
  const value = BigInt(text.replace(/^\+/, ''))
  return value === BigInt.asIntN(64, value) ? { value: String(value) } : null
}

function readFloat(text: string): CellInput | null {
  if (/^(NaN|-?Infinity)$/.test(text)) return { value: text }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null
  const value = Number(text)
  if (!Number.isFinite(value)) return null
  return { value: Object.is(value, -0) ? '-0' : String(value) }
}

function readText(text: string, format: InputFormat, length: number | null): CellInput {
  const parsed = parseBytes(text, format)
  if (!('bytes' in parsed)) return { text, error: parsed.error }
  const value = decodeUtf8(parsed.bytes)
  if (value === null) return { text, error: 'These bytes are not UTF-8, and a VARCHAR is.' }
  const why = tooLong(parsed.bytes.length, length)
  return why === null ? { value } : { text, error: why }
}

function tooLong(size: number, length: number | null): string | null {
  if (length === null || size <= length) return null
  return `${counted(size, 'byte')}: the column holds at most ${counted(length, 'byte')}.`
}

function readJson(text: string): CellInput {
  const parsed = parseBytes(text, 'json')
  if (!('bytes' in parsed)) return { text, error: parsed.error }
  return parsedJson(text) === null ? { text, error: jsonNull } : { value: text }
}

/** Seen on 1.11.1: “invalid value provided” for an UPDATE that leaves such a column alone. */
export const jsonNull =
  'immudb stores the JSON value null but then refuses to update other columns of the row. Use NULL.'

/** Whether the server stores other numbers than a JSON text has, because it keeps doubles. */
export function roundsNumbers(json: string): boolean {
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d{16,}/g) ?? []
  return numbers.some((digits) => BigInt(digits) !== BigInt(Number(digits)))
}

const booleans: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  true: 'true',
  t: 'true',
  false: 'false',
  f: 'false',
})

/** A zone by the name that its clocks have: UTC, Europe/Berlin. */
export function zoneTitle(zone: TimeZone): string {
  if (zone === 'utc') return 'UTC'
  return zone === 'local' ? ownZone() : zone
}

const far = / µs since 1970$/
const written =
  /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(UTC|Z|[+-]\d\d:\d\d(?::\d\d)?)?)?$/i

/**
 * Calendar time for the years that have four digits. The offset is left out where clocks of the zone
 * show the time only once, so that another date does not keep the offset of this one.
 */
function writtenTimestamp(microseconds: string, zone: TimeZone): string {
  const text = formatMicroseconds(microseconds, zone)
  if (!written.test(text)) return `${microseconds} µs since 1970`
  const short = text.replace(/ \S+$/, '')
  const again = readTimestamp(short, zone)
  return 'value' in again && again.value === microseconds ? short : text
}

/** Microseconds since 1970, or why a text is no time of the zone. */
function readTimestamp(text: string, zone: TimeZone): { value: string } | { error: string } {
  const wrong = { error: timestampRule(zone) }
  if (far.test(text)) {
    const input = readInteger(text.replace(far, ''))
    return input && isValue(input) && input.value !== null ? { value: input.value } : wrong
  }
  // A date alone is its midnight, as for the server.
  const [, date, clock = '00:00', seconds = '00', fraction = '', offset] = written.exec(text) ?? []
  if (date === undefined) return wrong
  const wall = Date.parse(`${date}T${clock}:${seconds}Z`)
  // JavaScript takes 31 April for 1 May.
  const isReal = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(`${date}T${clock}`)
  if (!isReal) return wrong
  const found = offset === undefined ? momentsOf(wall, zone) : [wall - offsetMs(offset)]
  const [ms, second] = found
  const name = `${date} ${clock} ${zone === 'utc' ? '' : `in ${zoneTitle(zone)}`}`.trim()
  if (ms === undefined) return { error: `There is no ${name}: clocks go forward over it.` }
  if (second !== undefined)
    return {
      error: `${name} comes twice. Write ${offsetAt(ms, zone)} or ${offsetAt(second, zone)} behind it.`,
    }
  return { value: String(BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0'))) }
}

/** An offset from UTC as it is written, such as `+02:00`. */
function offsetMs(offset: string): number {
  const [, sign, hours, minutes, seconds = 0] =
    /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offset) ?? []
  if (sign === undefined) return 0
  const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -ms : ms
}
