import {
  type Batch,
  type FileId,
  UnreadableFile,
  type UploadItem,
  type UploadProgress,
} from '~/core/upload-progress'
import type { UploadPlan } from '~/core/upload-records'
import { checksum, firstChecksum } from '~/lib/checksum'
import { type CsvRecord, csvReader } from '~/lib/csv'
import { type Encoding, guessEncoding, isMostlyBroken, textReader } from '~/lib/encoding'
import { formatCount } from '~/lib/text'
import { guessFormat } from '~/sql/import-guess'
import {
  type FieldChange,
  type FileRow,
  type ImportSource,
  problemText,
  type RowProblem,
  repeatedKeys,
  rowReader,
  rowSize,
} from '~/sql/import-rows'
import type { ImportRow, ImportTarget } from '~/sql/import-statements'
import { type Survey, surveyor } from '~/sql/import-survey'

/** Bytes whose checksum identifies a file, and from which its format is guessed. */
const sampleSize = 262_144
/** Characters of one record; a file with a quote that is never closed is one long record. */
const longestRecord = 33_554_432

/**
 * The first bytes of a file, and how it is probably written.
 * @throws UnreadableFile
 */
export async function readBeginning(file: File) {
  const bytes = new Uint8Array(await readable(file.slice(0, sampleSize).arrayBuffer()))
  const id: FileId = {
    name: file.name,
    size: file.size,
    checksum: checksum(firstChecksum, bytes),
  }
  return { id, bytes, ...guessWriting(bytes) }
}

/** How a file with these first bytes is probably written. */
function guessWriting(bytes: Uint8Array, encoding = guessEncoding(bytes)) {
  return { encoding, ...guessFormat(textReader(encoding).read(bytes)) }
}

/** The line with the first bytes that are no UTF-8; null where there are none. */
export function firstNoUtf8({ bytes }: Beginning): number | null {
  const text = textReader('utf-8').read(bytes)
  const at = text.search(/\p{Surrogate}/u)
  return at < 0 ? null : text.slice(0, at).split(/\r\n?|\n/).length
}

/** The same in another encoding. */
export function inEncoding(beginning: Beginning, encoding: Encoding): Beginning {
  return { ...beginning, ...guessWriting(beginning.bytes, encoding) }
}

export type Beginning = Awaited<ReturnType<typeof readBeginning>>

type Written = Pick<ImportSource, 'format' | 'encoding' | 'firstLine'>

/** The records of a beginning, as a format has them. */
export function sampleRecords(
  { id, bytes }: Beginning,
  { format, encoding, firstLine }: Written,
): CsvRecord[] {
  const decode = textReader(encoding)
  const reader = csvReader(format, firstLine)
  const records = reader.read(decode.read(bytes))
  const isWhole = bytes.length >= id.size
  return isWhole ? [...records, ...reader.read(decode.end()), ...reader.end()] : records
}

/** What stands above the table, as far as it is in the beginning of the file. */
export function textAbove(
  { bytes }: Beginning,
  { encoding, firstLine }: Pick<Written, 'encoding' | 'firstLine'>,
): string {
  const lines = textReader(encoding)
    .read(bytes)
    .split(/\r\n?|\n/, firstLine - 1)
  return lines.join('\n')
}

/** What is told and what stops it, while a whole file is read. */
export type Reading = {
  readonly signal: AbortSignal
  /** Bytes that were read so far. */
  readonly tell: (bytes: number) => void
}

/**
 * Looks through the whole file. What was found before it was stopped is not whole. `isOther`: most
 * that is not ASCII is no UTF-8, so the file has another encoding.
 * @throws UnreadableFile
 */
export async function surveyFile(
  file: File,
  source: ImportSource,
  { signal, tell }: Reading,
): Promise<{ survey: Survey; isOther: boolean }> {
  const looked = surveyor(source)
  let isOther = false
  for await (const { records, bytes, isBad } of readRecords(file, source)) {
    looked.add(records)
    isOther = isBad
    tell(bytes)
    if (signal.aborted) return { survey: looked.found(false), isOther }
  }
  return { survey: looked.found(true), isOther }
}

type ReadPart = { readonly rows: readonly FileRow[]; readonly bytes: number }

/**
 * The rows of a file as they are read, so that memory does not grow with it.
 * @throws UnreadableFile
 */
export async function* readRows(
  file: File,
  source: ImportSource,
  target: ImportTarget,
): AsyncGenerator<ReadPart> {
  const read = rowReader(target, source, firstChecksum)
  for await (const { records, bytes } of readRecords(file, source))
    yield { rows: read(records), bytes }
}

/** A row as it is sent. */
export type SentRow = UploadItem & { readonly row: ImportRow }

/** What an import of CSV does. */
export type ImportPlan = UploadPlan & {
  readonly source: ImportSource
  readonly target: ImportTarget
  /** Most rows of one transaction. */
  readonly rowsEach: number
}

/** A transaction gets no more rows once its values take this many bytes. */
const batchSize = 1_048_576

/**
 * The rows that are still to be sent, in transactions.
 * @throws UnreadableFile when it is not the file whose first rows are committed
 */
export async function* batchesOf(
  file: File,
  { source, target, rowsEach, leftOut }: ImportPlan,
  { item: done, checksum, pending }: UploadProgress,
): AsyncGenerator<Batch<SentRow>> {
  const without = new Set(leftOut)
  let items: SentRow[] = []
  let [size, reached, ended] = [0, 0, done]
  let last = { number: 0, line: 0, checksum: firstChecksum }
  const batch = (bytes: number): Batch<SentRow> => {
    const { number: to, line, checksum } = last
    const made = { items, to, line, checksum, bytes }
    items = []
    size = 0
    ended = to
    return made
  }
  for await (const part of readRows(file, source, target)) {
    for (const read of part.rows) {
      reached = read.number
      if (read.number === done && read.checksum !== checksum) throw changedFile(done)
      if (read.number <= done) continue
      last = read
      if (!without.has(read.number)) {
        const { row, number, line } = read
        if (row === null) throw new UnreadableFile(unfit(read))
        items.push({ row, number, line, checksum: read.checksum })
        size += rowSize(row)
      }
      const isFull = items.length >= rowsEach || size >= batchSize
      if (isFull || read.number === pending?.to) yield batch(part.bytes)
    }
  }
  if (reached < done) throw changedFile(done)
  if (last.number > ended) yield batch(file.size)
}

function changedFile(row: number): UnreadableFile {
  const rows = row === 1 ? 'row 1' : `rows 1–${formatCount(row)}`
  return new UnreadableFile(
    `The file is another one than before: its ${rows} are not those that were imported.`,
  )
}

function unfit({ line, problem }: Pick<FileRow, 'line' | 'problem'>): string {
  const why = problem ? problemText(problem) : ''
  return `The file has changed since it was checked. Line ${formatCount(line)}: ${why}`
}

async function* readRecords(file: File, { encoding, format, firstLine }: Written) {
  const decode = textReader(encoding)
  const reader = csvReader(format, firstLine)
  const stream = file.stream().getReader()
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await readable(stream.read())
      if (done) break
      bytes += value.length
      yield { records: reader.read(decode.read(value)), bytes, isBad: isMostlyBroken(decode) }
      if (reader.held() > longestRecord) throw new UnreadableFile(tooLong(reader.line()))
    }
    const last = [...reader.read(decode.end()), ...reader.end()]
    yield { records: last, bytes, isBad: isMostlyBroken(decode) }
  } finally {
    stream.cancel().catch(() => {})
  }
}

const tooLong = (line: number) =>
  `The row that begins in line ${formatCount(line)} has more than 32 million characters. A quote may never be closed: choose another quote, or none.`

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw new UnreadableFile(
      'The browser cannot read the file. It may have been changed or moved: choose it again.',
    )
  }
}

/** What a check of the whole file found. */
export type FileCheck = {
  readonly rows: number
  /** Rows that do not fit, in the order of the file. */
  readonly problems: readonly RowProblem[]
  /** There are more than are listed, so the check stopped. */
  readonly isCutShort: boolean
  /** Values that are written otherwise than they stand in the file, by column, and the first. */
  readonly changes: {
    readonly columns: ReadonlyMap<string, number>
    readonly first: readonly FieldChange[]
  }
}

/** Changes that are listed. */
const mostChanges = 100
/** Rows that do not fit before a check gives up: the choices are wrong, or the file is. */
const mostProblems = 1_000

/**
 * Reads the whole file and finds the rows that do not fit. Null when it was stopped.
 * @throws UnreadableFile
 */
export async function checkFile(
  file: File,
  source: ImportSource,
  target: ImportTarget,
  { signal, tell }: Reading,
): Promise<FileCheck | null> {
  const problems: RowProblem[] = []
  const repeated = repeatedKeys(target)
  const columns = new Map<string, number>()
  const first: FieldChange[] = []
  let rows = 0
  const found = (isCutShort: boolean) => ({
    rows,
    problems,
    isCutShort,
    changes: { columns, first },
  })
  for await (const part of readRows(file, source, target)) {
    if (signal.aborted) return null
    for (const read of part.rows) {
      rows = read.number
      const problem = read.problem ?? (read.row && repeated(read.row))
      if (problem && problems.length >= mostProblems) return found(true)
      if (problem) problems.push(problem)
      else
        for (const change of read.changes) {
          columns.set(change.column, (columns.get(change.column) ?? 0) + 1)
          if (first.length < mostChanges) first.push(change)
        }
    }
    tell(part.bytes)
  }
  return found(false)
}
