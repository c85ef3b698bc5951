import { exactDecimal } from '~/lib/exact-decimal'
import { parsedJson } from '~/lib/parsed-json'

/**
 * How JSON in a query's answer stands to the stored text, which the server parses and writes again.
 * `same`: only white space, escapes and the spelling of numbers differ. `reordered`: names are in
 * another order. `replaced`: the server wrote U+FFFD for half characters. `rounded`: it wrote a number
 * with other digits. `unclear`: an object of the stored text has a name twice, of which the server
 * keeps the last; or it is nested too deeply.
 */
export type JsonMatch = 'same' | 'reordered' | 'replaced' | 'rounded' | 'unclear' | 'differs'

/** Compares JSON in an answer with the stored text, by every digit of its numbers. */
export function jsonMatch(shown: string, stored: string): JsonMatch {
  if (shown === stored) return 'same'
  try {
    return matchOf(shown, stored)
  } catch (error) {
    // The JSON is nested too deeply.
    if (error instanceof RangeError) return 'unclear'
    throw error
  }
}

function matchOf(shown: string, stored: string): JsonMatch {
  const value = parsedJson(stored)
  if (value === undefined || parsedJson(shown) === undefined) return 'differs'
  const [one, other] = [exact(shown), exact(stored)]
  if (hasRepeatedNames(shown, one)) return 'differs'
  const written = ordered(exact(writtenAnew(value)))
  if (hasRepeatedNames(stored, other)) {
    return ordered(one) === ordered(other) || ordered(one) === written ? 'unclear' : 'differs'
  }
  if (JSON.stringify(one) === JSON.stringify(other)) return 'same'
  if (ordered(one) === ordered(other)) return 'reordered'
  if (ordered(one) !== written) return 'differs'
  return ordered(one) === withoutHalves(ordered(other)) ? 'replaced' : 'rounded'
}

const ofHtml = /[<>&\u2028\u2029]/g
const lone = /\p{Surrogate}/gu

/**
 * The text that immudb 1.11.1 answers for a value: embedded/sql/json_type.go reads it with Go's
 * encoding/json, which has every number as a double, and writes it with the same, fields in the
 * order of their bytes.
 */
function writtenAnew(value: unknown): string {
  if (typeof value === 'string') return writtenText(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (Array.isArray(value)) return `[${value.map(writtenAnew).join()}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = value instanceof Map ? [...value] : Object.entries(value)
  return `{${fields.map(([name, of]) => `${writtenText(name)}:${writtenAnew(of)}`).join()}}`
}

/**
 * The text that immudb 1.11.1 answers for a stored JSON text; null for a text that is no JSON or
 * nested too deeply.
 */
export function writtenJson(text: string): string | null {
  try {
    const value = parsedJson(text)
    return value === undefined ? null : writtenAnew(inOrder(value))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A value whose objects have their fields in the order of the bytes of their names. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return new Map(
    Object.entries(value)
      .sort(([one], [other]) => byCodePoints(one, other))
      .map(([name, of]) => [name, inOrder(of)]),
  )
}

function byCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** JSON that JavaScript wrote, which has an escape for each half of a character. */
const withoutHalves = (json: string) =>
  json.replace(/\\(ud[89a-f][\da-f]{2}|.)/g, (token, of: string) =>
    of.length > 1 ? '\ufffd' : token,
  )

function writtenText(text: string): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text.replace(lone, '\ufffd')).replace(ofHtml, escaped)
}

const textsAndNumbers = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*/g

/** The value of a JSON text with every number as its exact digits and names in their order. */
const exact = (text: string) => markedJson(text, exactDecimal)

/**
 * The value of a JSON text in which nothing is rounded: numbers are texts that begin with `n`, texts
 * and names begin with `s`. So a name that looks like an index keeps its place.
 */
export function markedJson(text: string, spell: (number: string) => string): unknown {
  const marked = text.replace(textsAndNumbers, (token, inside: string | undefined) =>
    inside === undefined ? `"n${spell(token)}"` : `"s${inside}"`,
  )
  return parsedJson(marked)
}

/** A JSON text with its numbers in another spelling. */
export const withNumbers = (text: string, spell: (number: string) => string) =>
  text.replace(textsAndNumbers, (token, inside: string | undefined) =>
    inside === undefined ? spell(token) : token,
  )

/** A value as text, with the fields of each object in one order. */
function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, of]) => `${JSON.stringify(name)}:${ordered(of)}`).join()}}`
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
