import type { Collection } from '~/immudb/collection'
import { readDocumentText, scanDocument, withoutField } from '~/immudb/document-text'
import { pause } from '~/lib/slices'

/** A document of a file; lines count from 1. */
export type ImportedLine = { readonly line: number; readonly json: string }

/** A file of documents, looked through before anything is sent. */
export type ImportFile = {
  readonly name: string
  readonly documents: readonly ImportedLine[]
  /** Lines that are no document of the collection, the first of them by number. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
  readonly problemCount: number
  /** Documents that had an id, which the server makes again. */
  readonly withId: number
  /** Documents of which something will be stored otherwise, with the first such warnings. */
  readonly warned: number
  readonly warnings: readonly { readonly line: number; readonly text: string }[]
}

/** Lines that one transaction committed. */
type CommittedLines = { readonly from: number; readonly to: number; readonly tx: string }

/** An import, and how far it is. */
export type DocumentImport = {
  readonly database: string
  readonly collection: Collection
  readonly file: ImportFile
  readonly committed: readonly CommittedLines[]
  /** How many documents are committed for certain. */
  readonly done: number
  /** How many documents the last request had, whose outcome the state of the write tells. */
  readonly sent: number
  readonly state: 'running' | 'complete' | 'stopped'
  /** The user asked to stop after the present transaction. */
  readonly isCancelled: boolean
  readonly txBefore: string
}

/** Most problems and warnings that are listed. */
const mostListed = 10
/** Lines between two moments in which the page can answer. */
const linesPerTurn = 1_000

/** Reads a file with one document in each line; empty lines do not count. */
export async function readImportFile(
  name: string,
  text: string,
  collection: Collection,
): Promise<ImportFile> {
  const documents: ImportedLine[] = []
  const problems: { line: number; reason: string }[] = []
  const warnings: { line: number; text: string }[] = []
  let [problemCount, withId, warned] = [0, 0, 0]
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [at, whole] of lines.entries()) {
    if (at % linesPerTurn === 0) await pause()
    const line = at + 1
    if (whole.trim() === '') continue
    const bare = hasId(whole, collection) ? withoutField(whole, collection.idField) : whole
    if (bare !== whole) withId += 1
    const read = readDocumentText(bare, collection)
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
  return { name, documents, problems, problemCount, withId, warned, warnings }
}

/** Most lines have no id, and cutting one out takes time. */
function hasId(text: string, { idField }: Collection): boolean {
  return text.includes(idField) && scanDocument(text).kind === 'tree'
}

/** Documents and UTF-16 units in one transaction; the server takes 1,024 entries and 32 MiB. */
const [mostDocuments, mostCharacters] = [500, 4_000_000]

/** How many documents from one on go into one transaction. */
export function batchFrom(documents: readonly ImportedLine[], from: number): number {
  let [count, characters] = [0, 0]
  while (count < mostDocuments && from + count < documents.length) {
    characters += documents[from + count]?.json.length ?? 0
    if (count > 0 && characters > mostCharacters) break
    count += 1
  }
  return count
}
