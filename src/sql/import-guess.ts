import { type CsvFormat, type CsvRecord, csvReader } from '~/lib/csv'
import {
  type ImportType,
  type ImportTypeName,
  losesDigits,
  readField,
  utf8Length,
} from './import-types'
import { lowerAscii } from './names'

const separators = [',', ';', '\t', '|'] as const
const quotes = ['"', "'"] as const

/** The format that reads the beginning of a file as the most even table. */
export function guessFormat(text: string): CsvFormat {
  const tried = separators.flatMap((separator) =>
    quotes.map((quote) => {
      const format = { separator, quote, nullText: '' }
      return { format, score: evenness(csvReader(format).read(text)) }
    }),
  )
  const best = tried.reduce((one, other) => (other.score > one.score ? other : one))
  const { separator, quote } = best.format
  return { separator, quote, nullText: guessNull(text, { separator, quote }) }
}

/** Fields in each record, when most have the same number; wrong quotes count against it. */
function evenness(records: readonly CsvRecord[]): number {
  const real = records.filter(({ isBlank }) => !isBlank)
  const width = real[0]?.cells.length ?? 0
  if (real.length === 0 || width < 2) return 0
  const even = real.filter(({ cells }) => cells.length === width).length / real.length
  const broken = real.filter(({ problem }) => problem !== null).length / real.length
  return (even - broken) * (1 + Math.log2(width))
}

const nullWords = ['\\N', 'NULL', 'null'] as const

/** A word that often stands for NULL, when whole fields are that word. */
function guessNull(text: string, format: Pick<CsvFormat, 'separator' | 'quote'>): string {
  const cells = new Set(
    csvReader({ ...format, nullText: '\0' })
      .read(text)
      .flatMap((record) => record.cells),
  )
  return nullWords.find((word) => cells.has(word)) ?? ''
}

/** What a type accepts is guessed only from forms that no other type is likely to have. */
const guesses: readonly { name: ImportTypeName; isLikely: (text: string) => boolean }[] = [
  { name: 'BOOLEAN', isLikely: (text) => /^(true|false)$/i.test(text) },
  { name: 'INTEGER', isLikely: (text) => /^(0|-?[1-9]\d*)$/.test(text) },
  {
    name: 'FLOAT',
    isLikely: (text) =>
      /^([+-]?(0|[1-9]\d*|(?=\.))(\.\d+)?([eE][+-]?\d+)?|NaN|-?Infinity)$/.test(text) &&
      !losesDigits(text),
  },
  { name: 'TIMESTAMP', isLikely: (text) => /^\d{4}-/.test(text) },
  { name: 'UUID', isLikely: () => true },
  { name: 'BLOB', isLikely: (text) => /^0x/i.test(text) },
  { name: 'JSON', isLikely: (text) => /^\s*[[{]/.test(text) },
]

/** The type that all of these fields fit; a VARCHAR has room for twice the longest. */
export function guessType(fields: readonly (string | null)[]): ImportType {
  const values = fields.filter((field) => field !== null)
  const found = guesses.find(
    ({ name, isLikely }) =>
      values.length > 0 &&
      values.every((text) => isLikely(text) && 'reads' in readField({ name, length: null }, text)),
  )
  if (found) return { name: found.name, length: null }
  return { name: 'VARCHAR', length: roomFor(values) }
}

const lengths = [64, 256, 1_024] as const

function roomFor(values: readonly string[]): number | null {
  const longest = values.reduce((most, text) => Math.max(most, utf8Length(text)), 0)
  return lengths.find((length) => longest * 2 <= length) ?? null
}

/** Whether the first record names the columns of the others. */
export function guessHeader([first, ...others]: readonly CsvRecord[]): boolean {
  if (!first) return false
  const heads = first.cells
  if (heads.some((head) => head === null || head.trim() === '')) return false
  if (heads.some((head) => guessType([head]).name !== 'VARCHAR')) return false
  const types = heads.map((_, at) => guessType(others.map(({ cells }) => cells[at] ?? null)))
  if (types.some(({ name }) => name !== 'VARCHAR')) return true
  if (new Set(heads.map((head) => head?.toLowerCase())).size < heads.length) return false
  return others.length > 0 && heads.every((head) => /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(head ?? ''))
}

/** Names of columns that the server takes, all different. */
export function columnNames(heads: readonly (string | null)[]): string[] {
  const used = new Set<string>()
  return heads.map((head, at) => {
    const plain = plainName(head ?? '') || `column_${at + 1}`
    let name = plain
    for (let count = 2; used.has(name); count += 1) name = `${plain}_${count}`
    used.add(name)
    return name
  })
}

/** The nearest name of letters, digits and underscores; empty when nothing is left. */
export function plainName(text: string): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return lowerAscii(ascii)
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
}

/** Whether the server takes it as the name of a table or column. */
export function isName(text: string): boolean {
  return /^[a-z0-9_]+$/.test(text)
}

/** The column that is most likely the key: the first named so whose values differ; -1 for none. */
export function guessKey(
  names: readonly string[],
  types: readonly ImportType[],
  records: readonly CsvRecord[],
): number {
  const isKey = (at: number) => {
    const values = records.map(({ cells }) => cells[at] ?? null)
    const type = types[at]?.name
    const isFit = type === 'INTEGER' || type === 'UUID' || type === 'VARCHAR'
    return (
      isFit && values.every((value) => value !== null) && new Set(values).size === values.length
    )
  }
  return names.findIndex(
    (name, at) =>
      /^(id|key|uuid|.*_id|code|no|number)$/.test(name) && records.length > 0 && isKey(at),
  )
}
