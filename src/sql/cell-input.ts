import { parseBytes } from '~/lib/byte-formats'
import { base64ToHex, bytesToBase64, decodeUtf8, encodeUtf8, survivesTextField } from '~/lib/bytes'
import { parsedJson } from '~/lib/parsed-json'
import { counted } from '~/lib/text'
import { formatMicroseconds } from './cells'

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
  const isLimited = (plain === 'VARCHAR' || plain === 'BLOB') && length !== undefined && +length > 0
  return { type: plain.toUpperCase(), length: isLimited ? Number(length) : null }
}

/** The format in which a text field can hold a value and return it unchanged. */
export function formatFor(type: string, value: string | null): InputFormat {
  if (type === 'BLOB') return 'hex'
  if (type !== 'VARCHAR' || value === null) return 'text'
  return survivesTextField(encodeUtf8(value)) ? 'text' : 'hex'
}

/** The text in which a value is edited; `readInput` reads exactly this value back. */
export function inputText(type: string, value: string, format: InputFormat): string {
  if (type === 'BLOB') return base64ToHex(value)
  if (type === 'TIMESTAMP') return writtenTimestamp(value)
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

/** What a text means as a value of a column. An empty text is a value only of VARCHAR and BLOB. */
export function readInput(
  { type, length }: InputColumn,
  text: string,
  format: InputFormat = 'text',
): CellInput {
  const wrong = (error: string): CellInput => ({ text, error })
  switch (type) {
    case 'INTEGER':
      return readInteger(text.trim()) ?? wrong(integerRule)
    case 'FLOAT':
      return readFloat(text.trim()) ?? wrong(floatRule)
    case 'BOOLEAN': {
      const value = text.trim().toLowerCase()
      return value === 'true' || value === 'false' ? { value } : wrong('Write true or false.')
    }
    case 'TIMESTAMP': {
      const value = readTimestamp(text.trim())
      return value === null ? wrong(timestampRule) : { value }
    }
    case 'UUID':
      return uuid.test(text.trim()) ? { value: text.trim().toLowerCase() } : wrong(uuidRule)
    case 'JSON':
      return readJson(text)
    case 'BLOB': {
      const parsed = parseBytes(text.trim().replace(/^0x/i, ''), 'hex')
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
const timestampRule =
  'Write a time in UTC as 2026-11-21 09:00:00.123456, or a number followed by “µs since 1970”.'
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

const far = / µs since 1970$/
const written =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(UTC|Z|[+-]\d\d:\d\d)?$/i

/** Calendar time for the years that have four digits. */
function writtenTimestamp(microseconds: string): string {
  const text = formatMicroseconds(microseconds, 'utc')
  return written.test(text) ? text.replace(/ UTC$/, '') : `${microseconds} µs since 1970`
}

/** Microseconds since 1970; null for what is no time. */
function readTimestamp(text: string): string | null {
  if (far.test(text)) {
    const input = readInteger(text.replace(far, ''))
    return input && isValue(input) ? input.value : null
  }
  const [, date, clock, seconds = '00', fraction = '', zone = 'Z'] = written.exec(text) ?? []
  if (date === undefined || clock === undefined) return null
  const wall = Date.parse(`${date}T${clock}:${seconds}Z`)
  // JavaScript takes 31 April for 1 May.
  const isReal = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(`${date}T${clock}`)
  if (!isReal) return null
  const ms = Date.parse(`${date}T${clock}:${seconds}${zone.replace(/^utc$/i, 'Z').toUpperCase()}`)
  return Number.isNaN(ms) ? null : String(BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0')))
}
