import { type JsonNode, scanJson, stringText } from '~/lib/json-scan'
import { cutText } from '~/lib/visible-text'
import type { CollectionField } from './collection'

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
const deepest = 200

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
  if (scan.kind === 'too-deep') return invalid(`This is nested more than ${deepest} deep.`)
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
  return { kind: 'document', json: text, warnings: warningsOf(text, nodes, declared.fields) }
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
 * A document's text without one of its own fields, everything else as it was written.
 * @param isLeftOut whether the field goes, by the JSON of its value
 */
export function withoutField(
  text: string,
  name: string,
  isLeftOut: (json: string) => boolean,
): string {
  const scan = scanDocument(text)
  if (scan.kind !== 'tree') return text
  const members = scan.nodes.filter((node) => node.parent === 0)
  const kept = members.filter((node) => nameOf(node) !== name || !isLeftOut(textOf(text, node)))
  if (kept.length === members.length) return text
  const whole = kept.map((node) => `${node.name}:${textOf(text, node)}`)
  return `{${whole.join()}}`
}
