import { bytesToBase64, encodeUtf8, hexToBytes } from '~/lib/bytes'
import { isBroken } from '~/lib/encoding'
import { parsedJson } from '~/lib/parsed-json'

export const importTypes = [
  'INTEGER',
  'FLOAT',
  'BOOLEAN',
  'TIMESTAMP',
  'UUID',
  'JSON',
  'VARCHAR',
  'BLOB',
] as const
export type ImportTypeName = (typeof importTypes)[number]

/** A type of a column; `length` is the most bytes of a VARCHAR or BLOB, null for no limit. */
export type ImportType = { readonly name: ImportTypeName; readonly length: number | null }

/** A value as immudb's `SQLValue` has it; the float −0 is a text, because JSON loses its sign. */
export type WireValue = Readonly<Record<string, string | number | boolean>>

/** `reads`: the value that is sent; `why`: why the field does not fit, as the end of a sentence. */
export type FieldRead = { readonly reads: WireValue } | { readonly why: string }

/** Whether a type may have a length. */
export function hasLength(name: ImportTypeName): boolean {
  return name === 'VARCHAR' || name === 'BLOB'
}

/** Reads a type as the server tells it, such as `VARCHAR(64)`; null for one that is not known. */
export function readType(text: string): ImportType | null {
  const [, word = '', length] =
    /^([A-Z]+)(?:[([](\d+)[)\]])?$/.exec(text.trim().toUpperCase()) ?? []
  const name = importTypes.find((one) => one === word)
  if (!name) return null
  const limit = length === undefined || Number(length) === 0 ? null : Number(length)
  return { name, length: hasLength(name) ? limit : null }
}

/** A type as a statement has it, such as `VARCHAR[64]`. */
export function typeText({ name, length }: ImportType): string {
  return length === null ? name : `${name}[${length}]`
}

/** The value that a field stands for in a column of this type. */
export function readField({ name, length }: ImportType, text: string): FieldRead {
  switch (name) {
    case 'INTEGER':
      return integer(text)
    case 'FLOAT':
      return float(text)
    case 'BOOLEAN':
      return boolean(text)
    case 'TIMESTAMP':
      return timestamp(text)
    case 'UUID':
      return uuid(text)
    case 'JSON':
      return json(text)
    case 'BLOB':
      return blob(text, length)
    case 'VARCHAR':
      return varchar(text, length)
  }
}

const no = (why: string) => ({ why })

const largest = 2n ** 63n - 1n

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

const time =
  /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i
const bareTime = /^(-?\d{1,19}) µs since 1970$/
const noTime = no('is not a time such as 2024-05-06T07:08:09.123456Z')

/** Without a zone it is UTC. */
function timestamp(text: string): FieldRead {
  const bare = text.endsWith('0') ? bareTime.exec(text)?.[1] : undefined
  if (bare !== undefined) {
    const read = integer(bare)
    return 'why' in read ? read : { reads: { ts: String(read.reads.n) } }
  }
  const [, year, month, day, hour, minute, second, fraction = '', zone] = time.exec(text) ?? []
  if (year === undefined) return noTime
  if (/[1-9]/.test(fraction.slice(6))) return no('is more exact than the microseconds of TIMESTAMP')
  const parts = [month, day, hour, minute, second].map((part) => Number(part ?? 0))
  const [mm = 0, dd = 0, h = 0, m = 0, s = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(Number(year), mm - 1, dd)
  date.setUTCHours(h, m, s)
  const isReal = date.getUTCMonth() === mm - 1 && date.getUTCDate() === dd
  if (!isReal || h > 23 || m > 59 || s > 59) return noTime
  const seconds = date.getTime() / 1_000 - offsetSeconds(zone)
  const micro = Number(fraction.slice(0, 6).padEnd(6, '0'))
  const all = seconds * 1_000_000 + micro
  const isExact = Number.isSafeInteger(all)
  return {
    reads: { ts: String(isExact ? all : BigInt(seconds) * 1_000_000n + BigInt(micro)) },
  }
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

/** Whether a number in a FLOAT or JSON text has digits that a double does not keep. */
export function losesDigits(text: string): boolean {
  if (text.length < 16 || text.replace(/\D+/g, '').length < 16) return false
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/\d*\.?\d+(?:[eE][+-]?\d+)?/g)
  return (numbers ?? []).some((one) => digitsOf(one) !== digitsOf(String(Number(one))))
}

/** The digits that matter, wherever the point stands. */
function digitsOf(number: string): string {
  return number.replace(/[eE].*|\./g, '').replace(/^0+|0+$/g, '')
}

const notText = no('has bytes that are not text in the chosen encoding')

function varchar(text: string, length: number | null): FieldRead {
  if (isBroken(text)) return notText
  const isLong = length !== null && text.length * 3 > length && utf8Length(text) > length
  return isLong ? no(`is longer than ${length} bytes`) : { reads: { s: text } }
}

/** The bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return encodeUtf8(text).length
}

function blob(text: string, length: number | null): FieldRead {
  const bytes = /^(0x|\\x)/i.test(text) ? hexToBytes(text.slice(2)) : null
  if (bytes === null) return no('is not bytes such as 0x00ff')
  if (length !== null && bytes.length > length) return no(`is longer than ${length} bytes`)
  return { reads: { bs: bytesToBase64(bytes) } }
}
