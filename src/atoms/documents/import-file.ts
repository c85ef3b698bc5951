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

/** A file of documents, looked through before anything is sent. */
export type ImportFile = {
  readonly name: string
  /** Bytes, and a checksum of them all. */
  readonly size: number
  readonly checksum: number
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

/** Lines that are committed, and the transactions that did it. */
export type CommittedLines = {
  readonly from: number
  readonly to: number
  readonly firstTx: string
  readonly lastTx: string
  readonly transactions: number
}

/** An import, and how far it is. */
export type DocumentImport = {
  readonly database: string
  readonly collection: Collection
  readonly file: ImportFile
  /** Null before the first transaction. */
  readonly committed: CommittedLines | null
  /** How many documents are behind it: committed for certain, or left out. */
  readonly done: number
  /** Lines that the server refused and that were left out then. */
  readonly leftOut: readonly number[]
  /** Whether documents that the server refuses are left out from now on. */
  readonly leavesOut: boolean
  /** Whether documents that would be stored otherwise than written were left out of the file. */
  readonly leavesWarned: boolean
  /** How many documents the last request had, whose outcome the state of the write tells. */
  readonly sent: number
  readonly state: 'running' | 'complete' | 'stopped'
  /** The user asked to stop after the present transaction. */
  readonly isCancelled: boolean
  /** Most documents of a transaction, fewer after a refusal. */
  readonly each: number
  readonly txBefore: string
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
export const mostDocuments = 500
const mostCharacters = 4_000_000

/** How many documents from one on go into one transaction, at most `each`. */
export function batchFrom(documents: readonly ImportedLine[], from: number, each: number): number {
  let [count, characters] = [0, 0]
  while (count < each && from + count < documents.length) {
    characters += documents[from + count]?.json.length ?? 0
    if (count > 0 && characters > mostCharacters) break
    count += 1
  }
  return count
}
