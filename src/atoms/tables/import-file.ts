import { checksum, firstChecksum } from '~/lib/checksum'
import { type CsvRecord, csvReader } from '~/lib/csv'
import { type Encoding, guessEncoding, isMostlyBroken, textReader } from '~/lib/encoding'
import { formatCount } from '~/lib/text'
import { guessFormat } from '~/sql/import-guess'
import { type FileRow, type ImportSource, rowReader } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { type Survey, surveyor } from '~/sql/import-survey'

/** What tells whether a chosen file is the one of before; none of its values. */
export type FileId = {
  readonly name: string
  readonly size: number
  /** A checksum of its beginning. */
  readonly beginning: number
}

/** The file cannot be read to its end; the message is a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

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
    beginning: checksum(firstChecksum, bytes),
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
