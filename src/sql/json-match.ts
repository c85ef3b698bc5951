import { parsedJson } from '~/lib/parsed-json'

/**
 * `rewritten`: the same JSON, written differently by the server; `unknown`: JSON that may be the
 * same.
 */
export type CellMatch = 'same' | 'rewritten' | 'unknown' | 'differs'

/**
 * Compares JSON in a query's answer with the stored text. The server parses the stored text and
 * writes it again, and two different texts must not compare as equal because of that.
 */
export function jsonMatch(shown: string, stored: string): CellMatch {
  if (shown === stored) return 'same'
  try {
    return matchOf(shown, stored)
  } catch (error) {
    // The JSON is nested too deeply.
    if (error instanceof RangeError) return 'unknown'
    throw error
  }
}

function matchOf(shown: string, stored: string): CellMatch {
  const [one, other] = [parsedJson(shown), parsedJson(stored)]
  if (one === undefined || other === undefined) return 'differs'
  const [written, isPlain] = [writtenAnew(other), !hasRepeatedNames(stored, other)]
  if (!isPlain) return writtenAnew(one) === written ? 'unknown' : 'differs'
  if (shown === written) return 'rewritten'
  if (hasRepeatedNames(shown, one)) return 'differs'
  // Another server may write the same value differently; only the digits of numbers are exact.
  const exact = withDigits(shown)
  return exact === withDigits(stored) || exact === withDigits(written) ? 'unknown' : 'differs'
}

const ofHtml = /[<>&\u2028\u2029]/g
const lone = /\p{Surrogate}/gu

/**
 * The text that immudb 1.11.1 answers for a value: embedded/sql/json_type.go reads it with Go's
 * encoding/json, which has every number as a double, and writes it with the same, fields in the
 * order of their bytes. No server writes a number that is no double, and here nothing equals it.
 */
function writtenAnew(value: unknown): string {
  if (typeof value === 'string') return writtenText(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (Array.isArray(value)) return `[${value.map(writtenAnew).join()}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).sort(([one], [other]) => inBytes(one, other))
  return `{${fields.map(([name, of]) => `${writtenText(name)}:${writtenAnew(of)}`).join()}}`
}

function writtenText(text: string): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text.replace(lone, '\ufffd')).replace(ofHtml, escaped)
}

/** Orders texts by their UTF-8 bytes, which is the order of code points and not of UTF-16. */
function inBytes(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1)
}

const texts = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Whether an object of a JSON text has a name twice; only the last one was read. */
function hasRepeatedNames(text: string, value: unknown): boolean {
  return text.replace(texts, '').split(':').length - 1 !== fieldsOf(value)
}

function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside: unknown[] = Object.values(value)
  const own = Array.isArray(value) ? 0 : inside.length
  return inside.reduce<number>((sum, one) => sum + fieldsOf(one), own)
}

const textsAndNumbers = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*/g

/** JSON in one order and without white space, its numbers as they are written. */
function withDigits(text: string): string {
  const marked = text.replace(textsAndNumbers, (token, inside: string | undefined) =>
    inside === undefined ? `"n${token}"` : `"s${inside}"`,
  )
  return writtenAnew(parsedJson(marked))
}
