import { checksum, firstChecksum } from '~/lib/checksum'
import { type CsvRecord, csvReader } from '~/lib/csv'
import { guessEncoding, textReader } from '~/lib/encoding'
import { guessFormat } from '~/sql/import-guess'
import { type FileRow, type ImportSource, rowReader } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'

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
  const encoding = guessEncoding(bytes)
  const format = guessFormat(textReader(encoding).read(bytes))
  return { id, bytes, encoding, format }
}

export type Beginning = Awaited<ReturnType<typeof readBeginning>>

/** The records of a beginning, as a format has them. */
export function sampleRecords(
  { id, bytes }: Beginning,
  { format, encoding }: Pick<ImportSource, 'format' | 'encoding'>,
): CsvRecord[] {
  const decode = textReader(encoding)
  const reader = csvReader(format)
  const records = reader.read(decode.read(bytes))
  const isWhole = bytes.length >= id.size
  return isWhole ? [...records, ...reader.read(decode.end()), ...reader.end()] : records
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
  const decode = textReader(source.encoding)
  const reader = csvReader(source.format)
  const read = rowReader(target, source, firstChecksum)
  const stream = file.stream().getReader()
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await readable(stream.read())
      if (done) break
      bytes += value.length
      yield { rows: read(reader.read(decode.read(value))), bytes }
      if (reader.held() > longestRecord) throw new UnreadableFile(tooLong)
    }
    const last = [...reader.read(decode.end()), ...reader.end()]
    yield { rows: read(last), bytes }
  } finally {
    stream.cancel().catch(() => {})
  }
}

const tooLong =
  'A row has more than 32 million characters. A quote may never be closed: choose another quote, or none.'

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw new UnreadableFile(
      'The browser cannot read the file. It may have been changed or moved: choose it again.',
    )
  }
}
