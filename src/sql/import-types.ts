import { type ColumnType, isNumberType, takesLength } from '~/immudb/column-types'
import { writtenJson } from '~/immudb/json-match'
import { base64ToHex, bytesToBase64, hexToBytes } from '~/lib/bytes'
import { isBroken } from '~/lib/encoding'
import { parsedJson } from '~/lib/parsed-json'
import { isoTime } from './result-text'

export const importTypes = [
  'INTEGER',
  'FLOAT',
  'BOOLEAN',
  'TIMESTAMP',
  'UUID',
  'JSON',
  'VARCHAR',
  'BLOB',
] as const satisfies readonly ColumnType[]
export type ImportTypeName = (typeof importTypes)[number]

/** A type of a column; `length` is the most bytes of a VARCHAR or BLOB, null for no limit. */
export type ImportType = { readonly name: ImportTypeName; readonly length: number | null }

/**
 * A value as immudb's `SQLValue` has it; the float −0 is a text, because JSON loses its sign. What the
 * server makes when it stores the row has `call`: `now` or `new id`.
 */
export type WireValue = Readonly<Record<string, string | number | boolean>>

/** `reads`: the value that is sent; `why`: why the field does not fit, as the end of a sentence. */
export type FieldRead = { readonly reads: WireValue } | { readonly why: string }

/** Reads a type as the server tells it, such as `VARCHAR(64)`; null for one that is not known. */
export function readType(text: string): ImportType | null {
  const [, word = '', length] =
    /^([A-Z]+)(?:[([](\d+)[)\]])?$/.exec(text.trim().toUpperCase()) ?? []
  const name = importTypes.find((one) => one === word)
  if (!name) return null
  const limit = length === undefined || Number(length) === 0 ? null : Number(length)
  return { name, length: takesLength(name) ? limit : null }
}

/** A type as a statement has it, such as `VARCHAR[64]`. */
export function typeText({ name, length }: ImportType): string {
  return length === null ? name : `${name}[${length}]`
}

/**
 * How fields are read that other programs and people wrote. `point`: `6,718.5`; `comma`: `6.718,5`;
 * `month-first`: `5/19/2006`; `day-first`: `19.5.2006`.
 */
export const fieldRules = ['point', 'comma', 'month-first', 'day-first'] as const
export type FieldRule = (typeof fieldRules)[number]

/** The rules that change how a type reads a field. */
export function rulesOf(name: ImportTypeName): readonly FieldRule[] {
  if (isNumberType(name)) return ['point', 'comma']
  return name === 'TIMESTAMP' ? ['month-first', 'day-first'] : []
}

/**
 * The value that a field stands for in a column of this type. Without a rule numbers and times are
 * read as SQL and ISO 8601 write them.
 */
export function readField(
  { name, length }: ImportType,
  text: string,
  rule: FieldRule | null = null,
): FieldRead {
  switch (name) {
    case 'INTEGER':
      return integer(plainNumber(text.trim(), rule))
    case 'FLOAT':
      return float(plainNumber(text.trim(), rule))
    case 'BOOLEAN':
      return boolean(text.trim())
    case 'TIMESTAMP':
      return timestamp(text.trim(), rule)
    case 'UUID':
      return uuid(text.trim())
    case 'JSON':
      return json(text)
    case 'BLOB':
      return blob(text.trim(), length)
    case 'VARCHAR':
      return varchar(text, length)
  }
}

const keptInteger = /^(0|-?[1-9]\d*)$/
const keptBytes = /^0x([\da-f]{2})*$/
/** A year of more than four digits, or a time that is written as a number. */
const farTime = /^[+-]|µs/
const keptTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?( ?UTC|Z|\+00:00)$/

/**
 * Whether a value stands in the file as immudb and an export write it, so that nothing of its text is
 * lost. Zeros at the end of a fraction of a second do not count.
 */
export function isKept(name: ImportTypeName, text: string, value: WireValue): boolean {
  if (name === 'VARCHAR') return true
  if (name === 'INTEGER') return keptInteger.test(text)
  if (name === 'BLOB') return keptBytes.test(text)
  if (name !== 'TIMESTAMP') return writtenValue(name, value) === text
  return keptTime.test(text) || (farTime.test(text) && writtenValue(name, value) === text)
}

/** A value as an export writes it. */
export function writtenValue(name: ImportTypeName, value: WireValue): string {
  const text = String(Object.values(value)[0])
  if (name === 'TIMESTAMP') return isoTime(text)
  if (name === 'BLOB') return `0x${base64ToHex(text)}`
  return name === 'JSON' ? (writtenJson(text) ?? text) : text
}

const no = (why: string) => ({ why })

const largest = 2n ** 63n - 1n

/** A number without marks between its thousands and with a point; the text itself for none. */
function plainNumber(text: string, rule: FieldRule | null): string {
  if (rule !== 'point' && rule !== 'comma') return text
  const [, sign = '', whole, , part = '', power = ''] =
    (rule === 'point' ? withPoint : withComma).exec(text) ?? []
  if (whole === undefined) return /^[+-]?(NaN|Infinity)$/.test(text) ? text : ''
  const digits = whole.replace(/\D/g, '')
  return `${sign}${digits}${part === '' ? '' : `.${part}`}${power}`
}

const withPoint =
  /^([+-]?)(\d+|\d{1,3}([,'’ \u00a0\u202f])\d{3}(?:\3\d{3})*)(?:\.(\d+))?([eE][+-]?\d+)?$/
const withComma =
  /^([+-]?)(\d+|\d{1,3}([.'’ \u00a0\u202f])\d{3}(?:\3\d{3})*)(?:,(\d+))?([eE][+-]?\d+)?$/

function integer(text: string): FieldRead {
  if (!/^[+-]?\d+$/.test(text)) return no('is not a whole number')
  if (text.length < 16) return { reads: { n: String(Number(text)).replace(/^-0$/, '0') } }
  const value = BigInt(text.replace(/^\+/, ''))
  if (value > largest || value < -largest - 1n) return no('is beyond 64 bits')
  return { reads: { n: String(value) } }
}

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

function float(text: string): FieldRead {
  if (/^(NaN|[+-]?Infinity)$/.test(text)) return { reads: { f: text.replace('+', '') } }
  if (!number.test(text)) return no('is not a number')
  const value = Number(text)
  if (!Number.isFinite(value)) return no('is beyond the range of a FLOAT')
  if (value === 0 && /[1-9]/.test(text.replace(/[eE].*/, ''))) {
    return no('is too close to 0 for a FLOAT')
  }
  return { reads: Object.is(value, -0) ? { s: '-0' } : { f: value } }
}

function boolean(text: string): FieldRead {
  if (/^(true|t|yes|y|1)$/i.test(text)) return { reads: { b: true } }
  if (/^(false|f|no|n|0)$/i.test(text)) return { reads: { b: false } }
  return no('is neither true nor false')
}

const yearFirst = /^(\d{4}|[+-]\d{6})([-/.])(\d\d?)\2(\d\d?)(?:[T ]\s*(\d.*))?$/i
const yearLast = /^(\d\d?)([-/.])(\d\d?)\2(\d{4})(?:[T ]\s*(\d.*))?$/i
const clock =
  /^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:\s*([AP])\.?M\.?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i
const bareTime = /^(-?\d{1,19}) µs since 1970$/
const noTime = no('is not a time such as 2024-05-06T07:08:09.123456Z')

/** Without a zone it is UTC, without a time of day midnight. */
function timestamp(text: string, rule: FieldRule | null): FieldRead {
  const bare = text.endsWith('0') ? bareTime.exec(text)?.[1] : undefined
  if (bare !== undefined) {
    const read = integer(bare)
    return 'why' in read ? read : { reads: { ts: String(read.reads.n) } }
  }
  const day = dayIn(text, rule)
  const time = day && timeIn(day.rest)
  if (!day || !time) return noTime
  if (/[1-9]/.test(time.fraction.slice(6)))
    return no('is more exact than the microseconds of TIMESTAMP')
  const date = new Date(0)
  date.setUTCFullYear(day.year, day.month - 1, day.day)
  const isReal = date.getUTCMonth() === day.month - 1 && date.getUTCDate() === day.day
  if (!isReal) return noTime
  const seconds = date.getTime() / 1_000 + time.seconds
  const micro = Number(time.fraction.slice(0, 6).padEnd(6, '0'))
  const all = seconds * 1_000_000 + micro
  const isExact = Number.isSafeInteger(all)
  return {
    reads: { ts: String(isExact ? all : BigInt(seconds) * 1_000_000n + BigInt(micro)) },
  }
}

/** The day at the beginning of a text, and what stands behind it. */
function dayIn(text: string, rule: FieldRule | null) {
  const [, year, , month, day, rest = ''] = yearFirst.exec(text) ?? []
  if (year !== undefined) {
    return { year: Number(year), month: Number(month), day: Number(day), rest }
  }
  if (rule === null) return null
  const [, one, , other, last, behind = ''] = yearLast.exec(text) ?? []
  if (last === undefined) return null
  const [m, d] = rule === 'month-first' ? [one, other] : [other, one]
  return { year: Number(last), month: Number(m), day: Number(d), rest: behind }
}

/** Seconds since midnight in UTC; null where it is no time of day. */
function timeIn(text: string): { seconds: number; fraction: string } | null {
  if (text === '') return { seconds: 0, fraction: '' }
  const [, hour, minute, second = '0', fraction = '', half, zone] = clock.exec(text) ?? []
  if (hour === undefined) return null
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 23 || m > 59 || s > 59 || (half !== undefined && (h < 1 || h > 12))) return null
  const hours = half === undefined ? h : (h % 12) + (/p/i.test(half) ? 12 : 0)
  return { seconds: hours * 3_600 + m * 60 + s - offsetSeconds(zone), fraction }
}

function offsetSeconds(zone: string | undefined): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60)
}

function uuid(text: string): FieldRead {
  const isOne = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
  return isOne ? { reads: { s: text.toLowerCase() } } : no('is not a UUID')
}

function json(text: string): FieldRead {
  if (isBroken(text)) return notText
  return parsedJson(text) === undefined ? no('is not JSON') : { reads: { s: text } }
}

const notText = no('has bytes that are not text in the chosen encoding')

function varchar(text: string, length: number | null): FieldRead {
  if (isBroken(text)) return notText
  const isLong = length !== null && text.length * 3 > length && utf8Length(text) > length
  return isLong ? no(`is longer than ${length} bytes`) : { reads: { s: text } }
}

/** The bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Each half of a pair stands for two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
  }
  return bytes
}

function blob(text: string, length: number | null): FieldRead {
  const bytes = /^(0x|\\x)/i.test(text) ? hexToBytes(text.slice(2)) : null
  if (bytes === null) return no('is not bytes such as 0x00ff')
  if (length !== null && bytes.length > length) return no(`is longer than ${length} bytes`)
  return { reads: { bs: bytesToBase64(bytes) } }
}
