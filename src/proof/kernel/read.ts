import { fromBase64 } from './bytes'
import { hashSize } from './hash'
import { malformed } from './steps'

/**
 * How the JSON of the REST gateway is read, VERIFY.md section 2. The gateway leaves out zero and
 * empty values, and `null` counts as left out. Any other form than the field's own is refused, and
 * so is an unknown field.
 */
export type Fields = Readonly<Record<string, unknown>>

export const isMissing = (value: unknown): value is null | undefined =>
  value === undefined || value === null

/**
 * An object with no other fields than these; `what` names it in the refusal.
 * @param known names with a space between them
 */
export function fieldsOf(value: unknown, what: string, known: string): Fields {
  const names = known.split(' ')
  const fields = anyFields(value, what)
  for (const name of Object.keys(fields)) {
    if (!names.includes(name) && !isMissing(fields[name])) malformed(`${what}.${name}`)
  }
  return fields
}

/** An object whose fields are names, or our own object, where more fields do no harm. */
export function anyFields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformed(what)
  }
  return value as Fields // every object has fields of some kind, and each is looked at
}

/** An unsigned 64-bit integer, which JSON has as decimal digits; missing is 0. */
export function uint64(fields: Fields, name: string): bigint {
  return integer(fields, name, 0n)
}

/** A signed one. */
export function int64(fields: Fields, name: string): bigint {
  return integer(fields, name, -(2n ** 63n))
}

function integer(fields: Fields, name: string, least: bigint): bigint {
  const value = fields[name] ?? '0'
  if (typeof value !== 'string' || !/^(0|-?[1-9][0-9]{0,19})$/.test(value)) return malformed(name)
  const number = BigInt(value)
  return number >= least && number < least + 2n ** 64n ? number : malformed(name)
}

/** An integer of at most 32 bits, which JSON has as a number; missing is 0, negative is refused. */
export function count(fields: Fields, name: string, most = 0x7fff_ffff): number {
  const value = fields[name]
  return isMissing(value) ? 0 : countOf(value, name, most)
}

export function countOf(value: unknown, name: string, most = 0xffff_ffff): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) {
    return value + 0 // a -0 in the JSON is a 0
  }
  return malformed(name)
}

/** Missing is false. */
export function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  return typeof value === 'boolean' ? value : malformed(name)
}

/** Missing is empty. */
export function text(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  return typeof value === 'string' ? value : malformed(name)
}

/** Bytes of base64; missing is empty. */
export function bytes(fields: Fields, name: string): Uint8Array {
  return bytesOf(fields[name] ?? '', name)
}

function bytesOf(value: unknown, name: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : null
  return bytes ?? malformed(name)
}

/** Exactly 32 bytes. The Go client cuts or pads other lengths. */
export function digest(fields: Fields, name: string): Uint8Array {
  return digestOf(fields[name], name)
}

function digestOf(value: unknown, name: string): Uint8Array {
  const digest = bytesOf(value, name)
  if (digest.length !== hashSize) malformed(name)
  return digest
}

/** Missing is empty. */
export function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name] ?? []
  return Array.isArray(value) ? value : malformed(name)
}

export function digests(fields: Fields, name: string): Uint8Array[] {
  return list(fields, name).map((value) => digestOf(value, name))
}
