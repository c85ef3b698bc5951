import { type Collection, defaultIdField } from '~/immudb/collection'
import { readDocumentText, scanDocument, withoutField } from '~/immudb/document-text'
import { decodeUtf8 } from '~/lib/bytes'
import { checksum, firstChecksum } from '~/lib/checksum'
import { pause } from '~/lib/slices'

/** A document of a file; lines count from 1. */
export type ImportedLine = { readonly line: number; readonly json: string }

/** A file of documents, looked through before anything is sent. */
export type ImportFile = {
  readonly name: string
  /** Bytes, and a checksum of them all. */
  readonly size: number
  readonly checksum: number
  readonly documents: readonly ImportedLine[]
  /** Lines that are no document of the collection, the first of them by number. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
  readonly problemCount: number
  /** Documents that had an id, which the server makes again. */
  readonly withId: number
  /** How many documents will be stored otherwise than written, with the first such warnings. */
  readonly warned: number
  readonly warnings: readonly { readonly line: number; readonly text: string }[]
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
  /** How many documents are committed for certain. */
  readonly done: number
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
const mostListed = 10
/** Lines between two moments in which the page can answer. */
const linesPerTurn = 1_000

/** Reads a UTF-8 file with one document in each line; empty lines do not count. */
export async function readImportFile(
  name: string,
  bytes: Uint8Array,
  collection: Collection,
): Promise<ImportFile> {
  // Other databases have ids of many forms under the usual name. Under another one they may be content.
  const isOldId = (json: string) =>
    collection.idField === defaultIdField || /^"[0-9a-f]{32}"$/i.test(json)
  const documents: ImportedLine[] = []
  const problems: { line: number; reason: string }[] = []
  const warnings: { line: number; text: string }[] = []
  let [problemCount, withId, warned] = [0, 0, 0]
  let line = 0
  for (const whole of linesOf(bytes)) {
    if (line % linesPerTurn === 0) await pause()
    line += 1
    if (whole?.trim() === '') continue
    const bare =
      whole && hasId(whole, collection) ? withoutField(whole, collection.idField, isOldId) : whole
    if (bare !== whole) withId += 1
    const read = bare === null ? notUtf8 : readDocumentText(bare, collection)
    if (read.kind === 'invalid') {
      problemCount += 1
      if (problems.length < mostListed) problems.push({ line, reason: read.reason })
      continue
    }
    const [warning] = read.warnings
    if (warning !== undefined) {
      warned += 1
      if (warnings.length < mostListed) warnings.push({ line, text: warning })
    }
    documents.push({ line, json: read.json })
  }
  const whole = { size: bytes.length, checksum: checksum(firstChecksum, bytes) }
  return { name, ...whole, documents, problems, problemCount, withId, warned, warnings }
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

/** Most lines have no id, and cutting one out takes time. */
function hasId(text: string, { idField }: Collection): boolean {
  return text.includes(idField) && scanDocument(text).kind === 'tree'
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
