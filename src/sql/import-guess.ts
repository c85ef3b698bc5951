import { type CsvFormat, type CsvRecord, csvReader } from '~/lib/csv'
import type { FieldSurvey } from './import-survey'
import type { ImportType } from './import-types'
import { plainName } from './plain-name'

const separators = [',', ';', '\t', '|'] as const
const quotes = ['"', "'", ''] as const

/** How a file is written, and the line in which its table begins. */
type Written = { readonly format: CsvFormat; readonly firstLine: number }

/** The format that reads the beginning of a file as the most even table. */
export function guessFormat(text: string): Written {
  const named = namedSeparator(text)
  const firstLine = named === null ? 1 : 2
  const tried = (named === null ? separators : [named]).flatMap((separator) =>
    quotes.map((quote) => {
      const format = { separator, quote }
      return { format, score: evenness(recordsOf(text, format, firstLine), quote) }
    }),
  )
  const best = tried.reduce((one, other) => (other.score > one.score ? other : one))
  return { format: best.format, firstLine }
}

/** The separator that a first line such as `sep=;` names, which spreadsheets understand. */
function namedSeparator(text: string): string | null {
  const [, open, separator, close] = /^("?)sep=([^\r\n])("?)(?:\r\n?|\n|$)/i.exec(text) ?? []
  return separator !== undefined && open === close ? separator : null
}

function recordsOf(text: string, format: CsvFormat, firstLine: number): readonly CsvRecord[] {
  const reader = csvReader(format, firstLine)
  const records = reader.read(text)
  return records.length > 0 ? records : reader.end()
}

/** What a file without quotes loses against one with them, unless these are often wrong. */
const withoutQuotes = 0.2

/** Higher the more records have the same number of fields; wrong quotes count against it. */
function evenness(records: readonly CsvRecord[], quote: string): number {
  const real = records.filter(({ isBlank }) => !isBlank)
  const width = usualWidth(real)
  if (real.length === 0 || width < 2) return 0
  if (quote === "'" && real.every(({ quoted }) => quoted.length === 0)) return 0
  const even = real.filter(({ cells }) => cells.length === width).length / real.length
  const broken = real.filter(({ problem }) => problem !== null).length / real.length
  const against = quote === '' ? withoutQuotes : broken
  return (even - against) * (1 + Math.log2(width))
}

/** The number of fields that most records have, of two as frequent the larger; 0 for no record. */
function usualWidth(records: readonly CsvRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  let [width, most] = [0, 0]
  for (const [one, count] of counts) {
    if (count > most || (count === most && one > width)) [width, most] = [one, count]
  }
  return width
}

/** Rows in which a header is looked for. */
const searched = 30

/**
 * Where the table begins, and whether its first record names the columns. Titles and empty rows above
 * a header are passed over, but never what may be a row of the table.
 */
export function guessHead(records: readonly CsvRecord[]): {
  firstLine: number
  hasHeader: boolean
} {
  const real = records.filter(({ isBlank }) => !isBlank)
  const width = usualWidth(real)
  for (const [at, record] of real.slice(0, searched).entries()) {
    if (isAbove(record, width)) continue
    if (isHeader(real.slice(at))) return { firstLine: record.line, hasHeader: true }
    break
  }
  return { firstLine: real[0]?.line ?? 1, hasHeader: false }
}

/** A title, or a row with nothing in it: at most one of several fields has a text, and no number. */
function isAbove({ cells }: CsvRecord, width: number): boolean {
  const texts = cells.filter((text) => text.trim() !== '')
  if (width < 2 || texts.length * 2 >= Math.max(width, 3)) return false
  return texts.every((text) => !looksLikeValue(text))
}

/** Numbers with their marks, times, truths and the like: what a column's name is not. */
function looksLikeValue(text: string): boolean {
  const plain = text.trim()
  return (
    /^[-+(]?[\p{Sc}]?\s*[-+]?[\d.,'’\s]*\d[\d.,'’\s]*%?\)?$/u.test(plain) ||
    /^[-+]?\d[\d.]*[eE][-+]?\d+$/.test(plain) ||
    /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?$/.test(plain) ||
    /^(true|false|0x[\da-f]*|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(plain) ||
    /^[[{].*[\]}]$/s.test(plain)
  )
}

const isYear = (text: string) => /^(1[5-9]|20|21)\d\d$/.test(text.trim())

/** Whether the first record names the columns of the others. */
function isHeader([first, ...others]: readonly CsvRecord[]): boolean {
  const heads = first?.cells.map((text) => text.trim()) ?? []
  const named = heads.filter((head) => head !== '')
  if (named.length === 0 || named.length * 2 < heads.length) return false
  // Years name the columns of many tables, but not all of them.
  if (named.every(looksLikeValue)) return false
  if (named.some((head) => looksLikeValue(head) && !isYear(head))) return false
  const isTyped = heads.some((head, at) => {
    const texts = others.map(({ cells }) => cells[at]?.trim() ?? '').filter((text) => text !== '')
    return head !== '' && !isYear(head) && texts.length > 0 && texts.every(looksLikeValue)
  })
  if (isTyped) return true
  if (new Set(named.map((head) => head.toLowerCase())).size < named.length) return false
  return (
    others.length > 0 &&
    named.every((head) => isYear(head) || /^[\p{L}_][\p{L}\p{M}\p{N}_\s.:/()%#-]*$/u.test(head))
  )
}

/** Fields of a table: as many as most rows have, and as the header has names. */
export function guessWidth(records: readonly CsvRecord[], hasHeader: boolean): number {
  const real = records.filter(({ isBlank }) => !isBlank)
  const rows = hasHeader ? real.slice(1) : real
  const heads = hasHeader ? (real[0]?.cells ?? []) : []
  const named = heads.findLastIndex((head) => head.trim() !== '') + 1
  return Math.max(usualWidth(rows.length > 0 ? rows : real), named)
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

/** Whether the server takes it as the name of a table or column. */
export function isName(text: string): boolean {
  return /^[a-z0-9_]+$/.test(text)
}

/** The column that is most likely the key: the first named so whose values differ; -1 for none. */
export function guessKey(
  names: readonly string[],
  types: readonly ImportType[],
  fields: readonly FieldSurvey[],
  records: readonly CsvRecord[],
): number {
  const isKey = (at: number) => {
    const values = records.map(({ cells }) => cells[at])
    const type = types[at]?.name
    const isFit = type === 'INTEGER' || type === 'UUID' || type === 'VARCHAR'
    const field = fields[at]
    const isFull = field !== undefined && field.empty === 0 && field.words.size === 0
    return isFit && isFull && field.longest > 0 && new Set(values).size === values.length
  }
  return names.findIndex(
    (name, at) =>
      /^(id|key|uuid|.*_id|code|no|number)$/.test(name) && records.length > 0 && isKey(at),
  )
}
