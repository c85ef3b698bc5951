import {
  type Batch,
  type FileId,
  UnreadableFile,
  type UploadItem,
  type UploadProgress,
} from '~/core/upload-progress'
import type { UploadPlan } from '~/core/upload-records'
import { type Collection, defaultIdField, indexName } from '~/immudb/collection'
import { indexedValues, readDocumentText, withoutField } from '~/immudb/document-text'
import { decodeUtf8 } from '~/lib/bytes'
import { checksum, firstChecksum } from '~/lib/checksum'
import { elementsOf, isJsonArray } from '~/lib/json-elements'
import { pause } from '~/lib/work-in-slices'

/** A document of a file; lines count from 1. */
export type ImportedLine = {
  readonly line: number
  readonly json: string
  /** It will not be stored exactly as it is written. */
  readonly isWarned: boolean
}

/** A file of documents, looked through before anything is sent; its checksum is of all bytes. */
export type ImportFile = FileId & {
  /** The documents that can be imported. */
  readonly documents: readonly ImportedLine[]
  /** Lines that cannot, the first of them by number. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
  readonly problemCount: number
  /** Documents that had an id, which the server makes again. */
  readonly withId: number
  /** How many documents will be stored otherwise than written, with the first such warnings. */
  readonly warned: number
  readonly warnings: readonly { readonly line: number; readonly text: string }[]
}

/** The file as the user wants it imported: without what would be stored otherwise, or with it. */
export function chosenOf(file: ImportFile, leavesWarned: boolean): ImportFile {
  if (!leavesWarned) return file
  return { ...file, documents: file.documents.filter(({ isWarned }) => !isWarned) }
}

/** Most problems and warnings that are listed. */
const mostListed = 200
/** Lines between two moments in which the page can answer. */
const linesPerTurn = 1_000

/** Reads a UTF-8 file with one document in each line, or in a JSON array; empty lines do not count. */
export async function readImportFile(
  name: string,
  bytes: Uint8Array,
  collection: Collection,
): Promise<ImportFile> {
  const { idField } = collection
  // Other databases have ids of many forms under the usual name. Under another one they may be content.
  const isOldId = (json: string) => idField === defaultIdField || /^"[0-9a-f]{32}"$/i.test(json)
  const documents: ImportedLine[] = []
  const problems: { line: number; reason: string }[] = []
  const warnings: { line: number; text: string }[] = []
  const isTwice = finderOfTwice(collection)
  let [problemCount, withId, warned, read] = [0, 0, 0, 0]
  for (const { line, text } of documentsOf(bytes)) {
    if (read % linesPerTurn === 0) await pause()
    read += 1
    const bare =
      text?.includes(idField) === true
        ? withoutField(text, idField, isOldId)
        : { text, field: null }
    if (bare.field !== null) withId += 1
    const found = bare.text === null ? notUtf8 : readDocumentText(bare.text, collection)
    const twice = found.kind === 'document' ? isTwice(line, found.json, bare.field) : undefined
    if (found.kind === 'invalid' || twice !== undefined) {
      problemCount += 1
      const reason = twice ?? (found.kind === 'invalid' ? found.reason : '')
      if (problems.length < mostListed) problems.push({ line, reason })
      continue
    }
    const [warning] = found.warnings
    if (warning !== undefined) {
      warned += 1
      if (warnings.length < mostListed) warnings.push({ line, text: warning })
    }
    documents.push({ line, json: found.json, isWarned: warning !== undefined })
  }
  const whole = { size: bytes.length, checksum: checksum(firstChecksum, bytes) }
  return { name, ...whole, documents, problems, problemCount, withId, warned, warnings }
}

/**
 * Returns what says why a document cannot be imported beside an earlier one: both have the same id,
 * or the same values in a unique index.
 */
function finderOfTwice({ idField, fields, indexes }: Collection) {
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type
  const unique = indexes.filter((index) => index.isUnique && indexName(index) !== idField)
  const seen = new Map<string, number>()
  const find = (key: string, line: number) => {
    const before = seen.get(key)
    if (before === undefined) seen.set(key, line)
    return before
  }
  return (line: number, json: string, id: string | null): string | undefined => {
    const withId = id === null ? undefined : find(`id ${id}`, line)
    if (withId !== undefined) return `Line ${withId} has the same “${idField}”.`
    for (const index of unique) {
      const { fields: names } = index
      const before = find(`${indexName(index)} ${indexedValues(json, names, typeOf)}`, line)
      if (before === undefined) continue
      return `Line ${before} has the same value of “${indexName(index)}”, which is unique.`
    }
    return undefined
  }
}

type Line = { readonly line: number; readonly text: string | null }

/** What should be documents: the lines that are not empty, or the elements of an array. */
function* documentsOf(bytes: Uint8Array): Generator<Line> {
  const whole = mayBeArray(bytes) ? decodeUtf8(bytes)?.replace(/^\uFEFF/, '') : undefined
  if (whole !== undefined && isJsonArray(whole)) return yield* elementsOf(whole)
  let line = 0
  for (const text of linesOf(bytes)) {
    line += 1
    if (text?.trim() !== '') yield { line, text }
  }
}

/** Whether the first sign is a bracket; a long file of lines is not decoded whole for nothing. */
function mayBeArray(bytes: Uint8Array): boolean {
  const isSpace = (byte: number) => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf
  return bytes.find((byte) => !isSpace(byte)) === 0x5b
}

const notUtf8 = {
  kind: 'invalid',
  reason: 'This is not UTF-8, the encoding of NDJSON. Save the file as UTF-8.',
} as const

/** Lines without their ends and a first byte order mark; null for one that is not UTF-8. */
function* linesOf(bytes: Uint8Array): Generator<string | null> {
  for (let at = 0; at <= bytes.length; ) {
    const feed = bytes.indexOf(0x0a, at)
    const end = feed < 0 ? bytes.length : feed
    const text = decodeUtf8(bytes.subarray(at, end))
    const isFirst = at === 0
    at = end + 1
    yield text === null
      ? null
      : text.replace(/\r$/, '').slice(isFirst && text[0] === '\uFEFF' ? 1 : 0)
  }
}

/**
 * Documents and UTF-16 units in one transaction; the server takes 32 MiB, and 1,024 entries unless
 * the database is set otherwise.
 */
const mostDocuments = 500
const mostCharacters = 4_000_000

/** A document as it is sent; the file was compared as a whole, so it has no checksum of its own. */
export type SentLine = UploadItem & { readonly json: string }

/**
 * The documents that are still to be sent, in transactions.
 * @throws UnreadableFile when the file has not as many documents as before
 */
export async function* batchesOf(
  { documents, size: bytes }: ImportFile,
  { items: count, leftOut }: Pick<UploadPlan, 'items' | 'leftOut'>,
  { item: done, pending }: UploadProgress,
): AsyncGenerator<Batch<SentLine>> {
  if (documents.length !== count) throw new UnreadableFile(otherDocuments)
  const without = new Set(leftOut)
  let items: SentLine[] = []
  let characters = 0
  for (let at = done; at < documents.length; at += 1) {
    const { line, json } = documents[at] ?? { line: 0, json: '' }
    const item = { number: at + 1, line, checksum: firstChecksum }
    if (!without.has(item.number)) {
      items.push({ ...item, json })
      characters += json.length
    }
    const next = documents[at + 1]
    const isFull =
      items.length >= mostDocuments || characters + (next?.json.length ?? 0) > mostCharacters
    if (next && !isFull && item.number !== pending?.to) continue
    const { number: to, checksum } = item
    yield { items, to, line, checksum, bytes }
    items = []
    characters = 0
  }
}

const otherDocuments =
  'The file has not the documents that it had when its import began. Choose the same file again.'
