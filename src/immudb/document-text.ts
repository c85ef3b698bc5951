import { type JsonNode, scanJson, stringText } from '~/lib/json-scan'
import { formatCount } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import type { CollectionField, FieldType } from './collection'

/** A document as someone typed it, or a line of a file. */
export type DocumentText =
  | {
      kind: 'document'
      /** The text to be sent: as it was typed, so that no digit is lost here. */
      json: string
      /** What the server will not store as it is written. */
      warnings: readonly string[]
    }
  | { kind: 'invalid'; reason: string }

/** UTF-16 units; the server takes requests of up to 32 MiB. */
export const longestDocument = 16_777_216
const deepest = 1_000

/** The values of a JSON text. */
export function scanDocument(text: string) {
  return scanJson(text, { length: longestDocument, depth: deepest })
}

type Declared = { readonly idField: string; readonly fields: readonly CollectionField[] }

/** Reads a document without an id; `declared` is its collection. */
export function readDocumentText(text: string, declared: Declared): DocumentText {
  const invalid = (reason: string): DocumentText => ({ kind: 'invalid', reason })
  if (text.trim() === '') return invalid('Enter a document, such as {"name": "Ann"}.')
  const scan = scanDocument(text)
  if (scan.kind === 'invalid') return invalid(`This is not JSON. ${scan.reason}`)
  if (scan.kind === 'too-deep')
    return invalid(`This is nested more than ${formatCount(deepest)} deep.`)
  if (scan.kind === 'too-large') return invalid('This is more than 16 MiB of text.')
  const { nodes } = scan
  if (nodes[0]?.kind !== 'object') return invalid('A document is an object: { … }.')
  const own = nodes.find((node) => node.parent === 0 && nameOf(node) === declared.idField)
  if (own) return invalid(`Leave out “${declared.idField}”: the server makes the ids.`)
  const tooLarge = nodes.find((node) => node.kind === 'number' && !isNumber(textOf(text, node)))
  if (tooLarge) {
    return invalid(
      `${cutText(textOf(text, tooLarge), numberLength)} is larger than any number that immudb stores.`,
    )
  }
  const refusal = refusalOf(text, nodes, declared)
  if (refusal !== undefined) return invalid(refusal)
  return { kind: 'document', json: text, warnings: warningsOf(text, nodes, declared.fields) }
}

/** Why the server would refuse a document, by its names and the types of its declared fields. */
function refusalOf(text: string, nodes: Nodes, { idField, fields }: Declared): string | undefined {
  if (nodes.some((node) => node.parent === 0 && nameOf(node) === '_doc')) {
    return 'immudb keeps the name _doc for itself.'
  }
  for (const field of fields) {
    const node = field.name === idField ? undefined : nodeAt(nodes, field.name.split('.'))
    // Every type takes null, and a field may be missing.
    const refusal = node && node.kind !== 'null' && refusalOfValue(text, node, field)
    if (refusal) return refusal
  }
  return undefined
}

/** What a value of each kind is called. */
const kinds: Readonly<Record<JsonNode['kind'], string>> = {
  string: 'text',
  number: 'a number',
  true: 'true',
  false: 'false',
  null: 'null',
  object: 'an object',
  array: 'a list',
}

/** Most bytes of a declared STRING field, in UTF-8. */
const longestString = 512

/** Forms that `uuid.Parse` of Go takes: with and without hyphens, in any brackets, as a URN. */
const uuid =
  /^(?:urn:uuid:)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|^.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}.$|^[\da-f]{32}$/i

/** Why the server would refuse the value of a declared field (seen on 1.11.1). */
function refusalOfValue(
  text: string,
  node: JsonNode,
  { name, type }: CollectionField,
): string | undefined {
  const isTaken = { STRING: /string/, UUID: /string/, BOOLEAN: /true|false/ }[type as string]
  if (!(isTaken ?? /number/).test(node.kind)) {
    const shown = cutText(textOf(text, node), numberLength)
    const value = /string|number/.test(node.kind) ? `, such as ${shown}` : ''
    return `“${name}” is of type ${type} and does not take ${kinds[node.kind]}${value}.`
  }
  if (type === 'UUID') {
    const value = stringText(textOf(text, node))
    return uuid.test(value) ? undefined : `“${name}” is no UUID: ${cutText(value, numberLength)}.`
  }
  if (type !== 'STRING') return undefined
  const value = stringText(textOf(text, node))
  const size = value.length + beyondAscii(value)
  if (size <= longestString) return undefined
  return `“${name}” has ${size} bytes. A declared STRING takes at most ${longestString}.`
}

type Nodes = readonly JsonNode[]

function nameOf({ name }: JsonNode): string | null {
  return name === null ? null : stringText(name)
}

function textOf(text: string, { from, to }: JsonNode): string {
  return text.slice(from, to)
}

function isNumber(literal: string): boolean {
  return Number.isFinite(Number(literal))
}

/** Most numbers, names and texts that are named; the rest is counted. */
const mostNamed = 3

function warningsOf(text: string, nodes: Nodes, fields: readonly CollectionField[]): string[] {
  const rounded = nodes.flatMap((node) => roundedNumber(text, node))
  const half = nodes.filter((node) => isHalf(node.name) || isHalf(stringOf(text, node)))
  const twice = namesTwice(nodes)
  const indexed = fields.flatMap((field) => indexedOtherwise(text, nodes, field))
  return [
    ...(wireSize(text, nodes) > answerLimit ? [unreadable] : []),
    ...(rounded.length > 0
      ? [
          `immudb stores numbers as doubles, which are exact up to 2^53: ${named(rounded)}. Write a number in quotes to keep every digit.`,
        ]
      : []),
    ...indexed,
    ...(twice.length > 0
      ? [`A name stands twice in one object: ${named(twice)}. Only the last is stored.`]
      : []),
    ...(half.length > 0
      ? ['A text has half a character (a lone surrogate). The server stores U+FFFD in its place.']
      : []),
  ]
}

/** Most bytes of a document in an answer over HTTP, which takes 4 MiB with what is around it. */
const answerLimit = 4_194_000

const unreadable =
  'This takes more than 4 MiB. immudb stores it, but no answer over HTTP can hold it. It is counted, but cannot be listed, read or exported.'

/**
 * About how many bytes a document takes in an answer of the server, as measured on 1.11.1: a text
 * and a name as many as in UTF-8 and four more, anything else eleven.
 */
function wireSize(text: string, nodes: Nodes): number {
  let size = text.length < answerLimit / 4 ? 0 : beyondAscii(text)
  for (const { kind, name, from, to } of nodes) {
    size += (name === null ? 0 : name.length + 4) + (kind === 'string' ? to - from + 4 : 11)
  }
  return size
}

/** How many bytes more than UTF-16 units a text has in UTF-8. */
function beyondAscii(text: string): number {
  let more = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x80) more += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return more
}

function named(items: readonly string[]): string {
  const more = items.length - mostNamed
  return `${items.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function roundedNumber(text: string, node: JsonNode): string[] {
  if (node.kind !== 'number') return []
  const literal = textOf(text, node)
  const written = roundedTo(literal)
  return written === null ? [] : [`${cutText(literal, numberLength)} becomes ${written}`]
}

/** The double that immudb makes of the JSON of a number; null when that is the same number. */
export function roundedTo(literal: string): string | null {
  const stored = Number(literal)
  const written = Object.is(stored, -0) ? '-0' : String(stored)
  return plainDigits(literal) === plainDigits(written) ? null : written
}

/** The digits of a number without its form: `1.50e3` and `1500` are the same. */
function plainDigits(literal: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = `${whole}${part}`.replace(/^0+/, '')
  const bare = digits.replace(/0+$/, '')
  if (bare === '') return `${sign}0`
  return `${sign}${bare}e${BigInt(exponent) - BigInt(part.length) + BigInt(digits.length - bare.length)}`
}

/** Longest number or name in a sentence. */
const numberLength = 40

function stringOf(text: string, node: JsonNode): string | null {
  return node.kind === 'string' ? textOf(text, node) : null
}

/** Whether a string literal has half a character. */
function isHalf(literal: string | null): boolean {
  if (literal === null || !/\\u[dD][89a-fA-F]|\p{Surrogate}/u.test(literal)) return false
  return /\p{Surrogate}/u.test(stringText(literal))
}

function namesTwice(nodes: Nodes): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const node of nodes) {
    const name = nameOf(node)
    if (name === null) continue
    const place = `${node.parent} ${name}`
    if (seen.has(place)) twice.add(`“${cutText(name, numberLength)}”`)
    seen.add(place)
  }
  return [...twice]
}

/** The index of an INTEGER field has 64 bits, and the document itself a double. */
function indexedOtherwise(text: string, nodes: Nodes, { name, type }: CollectionField): string[] {
  if (type !== 'INTEGER') return []
  const node = nodeAt(nodes, name.split('.'))
  if (node?.kind !== 'number') return []
  const value = Number(textOf(text, node))
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return []
  return [
    Number.isInteger(value)
      ? `“${name}” is an INTEGER field of 64 bits. Searches by it find another number than this one.`
      : `“${name}” is an INTEGER field. Searches by it find ${Math.trunc(value)}.`,
  ]
}

function nodeAt(nodes: Nodes, steps: readonly string[]): JsonNode | undefined {
  let at = 0
  for (const step of steps) {
    // The last one of the name counts.
    at = nodes.findLastIndex((node) => node.parent === at && nameOf(node) === step)
    if (at < 0) return undefined
  }
  return nodes[at]
}

/**
 * A document's text without one of its own fields, everything else as it was written, and the JSON
 * of that field; null where it has none.
 * @param isLeftOut whether the field goes, by the JSON of its value
 */
export function withoutField(
  text: string,
  name: string,
  isLeftOut: (json: string) => boolean,
): { text: string; field: string | null } {
  const scan = scanDocument(text)
  if (scan.kind !== 'tree' || scan.nodes[0]?.kind !== 'object') return { text, field: null }
  const members = scan.nodes.filter((node) => node.parent === 0)
  const isOut = (node: JsonNode) => nameOf(node) === name && isLeftOut(textOf(text, node))
  const left = members.findLast(isOut)
  if (!left) return { text, field: null }
  const kept = members.filter((node) => !isOut(node))
  const whole = kept.map((node) => `${node.name}:${textOf(text, node)}`)
  return { text: `{${whole.join()}}`, field: textOf(text, left) }
}

/**
 * The values of a document's fields, as an index of them tells documents apart: a text for each
 * that is there, `null` for the others, which are the same in an index.
 */
export function indexedValues(
  text: string,
  names: readonly string[],
  typeOf: (name: string) => FieldType | undefined,
): string {
  const scan = scanDocument(text)
  const nodes = scan.kind === 'tree' ? scan.nodes : []
  const values = names.map((name) => {
    const node = nodeAt(nodes, name.split('.'))
    if (!node || node.kind === 'null') return null
    const json = textOf(text, node)
    if (node.kind === 'number') {
      const value = Number(json)
      return String(typeOf(name) === 'INTEGER' ? Math.trunc(value) : value)
    }
    if (node.kind !== 'string') return json
    const value = stringText(json).replace(/\p{Surrogate}/gu, '\uFFFD')
    return `"${typeOf(name) === 'UUID' ? value.toLowerCase().replace(/^urn:uuid:|[^\da-f]/g, '') : value}`
  })
  return JSON.stringify(values)
}
