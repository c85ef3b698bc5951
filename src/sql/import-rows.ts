import { checksum } from '~/lib/checksum'
import type { CsvFormat, CsvRecord } from '~/lib/csv'
import type { Encoding } from '~/lib/encoding'
import { counted } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { withoutGuards } from './formula-guard'
import type { ImportColumn, ImportRow, ImportTarget } from './import-statements'
import { isKept, readField, type WireValue, writtenValue } from './import-types'

/**
 * A text that stands for NULL where it has no quotes; empty for a field with nothing in it.
 * `everywhere`, or only in columns whose type has no such value.
 */
export type NullWord = { readonly word: string; readonly where: 'everywhere' | 'typed' }

/** How a file becomes records. */
export type ImportSource = {
  readonly format: CsvFormat
  readonly encoding: Encoding
  /** The line, from 1, with the header or the first row. Lines above it are not read. */
  readonly firstLine: number
  readonly hasHeader: boolean
  /** Fields of each record. */
  readonly width: number
  /** Fields that are missing at the end of a record are NULL. */
  readonly fillsShort: boolean
  readonly nulls: readonly NullWord[]
  /** Apostrophes that guard against formulas are taken off. */
  readonly takesGuards: boolean
}

/** Why a row of the file cannot be inserted. */
export type RowProblem = {
  readonly number: number
  readonly line: number
  /** Null when it is not about one field. */
  readonly column: string | null
  /** The beginning of the field; null when it is not about one field, or the field is NULL. */
  readonly text: string | null
  /** The end of a sentence that begins with the field or the row. */
  readonly why: string
}

/** A value that is written otherwise than it stands in the file; the beginnings of both texts. */
export type FieldChange = {
  readonly line: number
  readonly column: string
  readonly before: string
  readonly after: string
}

/** A row of the file, with the checksum of all rows up to it. */
export type FileRow = {
  readonly number: number
  readonly line: number
  readonly checksum: number
  /** Null when it does not fit. */
  readonly row: ImportRow | null
  readonly problem: RowProblem | null
  readonly changes: readonly FieldChange[]
}

/** Reads records into rows of a table, one after the other from the first of the file. */
export function rowReader(target: ImportTarget, source: ImportSource, firstChecksum: number) {
  let number = 0
  let sum = firstChecksum
  let mayBeHeader = source.hasHeader
  const readRow = recordReader(target, source)
  return (records: readonly CsvRecord[]): FileRow[] => {
    const rows: FileRow[] = []
    for (const record of records) {
      // In a table of one column an empty line is an empty field.
      if (record.isBlank && source.width > 1) continue
      if (mayBeHeader) {
        mayBeHeader = false
        continue
      }
      number += 1
      sum = checksumOf(sum, record)
      rows.push({ ...readRow(record, number), checksum: sum })
    }
    return rows
  }
}

function checksumOf(before: number, { cells, quoted }: CsvRecord): number {
  let sum = before
  for (const [at, cell] of cells.entries())
    sum = checksum(sum, `${cell}${quoted[at] ? '\x1d' : '\x1f'}`)
  return checksum(sum, '\x1e')
}

/**
 * Reads a field for a column: the text that the type reads, or null for NULL. A field in quotes never
 * is.
 */
export function cellReader({
  nulls,
  takesGuards,
  format: { separator },
}: Pick<ImportSource, 'nulls' | 'takesGuards' | 'format'>) {
  const words = new Map(nulls.map(({ word, where }) => [word, where]))
  return (
    { cells, quoted }: CsvRecord,
    { from, type, rule }: Pick<ImportColumn, 'from' | 'type' | 'rule'>,
  ): string | null => {
    const text = cells[from]
    if (text === undefined) return null
    const where = quoted[from] ? undefined : words.get(text)
    if (where === 'everywhere') return null
    if (where === 'typed' && 'why' in readField({ ...type, length: null }, text, rule)) return null
    return takesGuards ? withoutGuards(text, separator) : text
  }
}

const shownLength = 40
const noChanges: readonly FieldChange[] = []

function recordReader(target: ImportTarget, source: ImportSource) {
  const readCell = cellReader(source)
  const { width, fillsShort } = source
  return (record: CsvRecord, number: number): Omit<FileRow, 'checksum'> => {
    const { line, cells, problem } = record
    const values: (WireValue | null)[] = []
    let changes: FieldChange[] | null = null
    const refused = (why: string, column: string | null = null, cell: string | null = null) => {
      const text = cell === null ? null : cell.slice(0, shownLength)
      const told = { number, line, column, text, why }
      return { number, line, row: null, problem: told, changes: noChanges }
    }
    if (problem !== null) return refused(problem)
    const isShort = fillsShort && cells.length < width
    if (cells.length !== width && !isShort)
      return refused(`It has ${counted(cells.length, 'field')} and not ${width}.`)
    for (const column of target.columns) {
      const { name, type, isNullable, rule } = column
      const cell = readCell(record, column)
      if (cell === null) {
        if (!isNullable || target.key.includes(name)) return refused('is NULL', name)
        values.push(null)
        continue
      }
      const read = readField(type, cell, rule)
      if ('why' in read) return refused(read.why, name, cell)
      if (!isKept(type.name, cell, read.reads)) {
        changes ??= []
        changes.push(changeOf(line, name, cell, writtenValue(type.name, read.reads)))
      }
      values.push(read.reads)
    }
    const row = { number, line, values }
    return { number, line, row, problem: null, changes: changes ?? noChanges }
  }
}

/** A change with the beginnings of its texts. */
export function changeOf(line: number, column: string, before: string, after: string): FieldChange {
  return { line, column, before: cutText(before, shownLength), after: cutText(after, shownLength) }
}

/** A sentence about a row that does not fit. */
export function problemText({ column, text, why }: RowProblem): string {
  if (column === null) return why
  if (text === null) return `${column} ${why}.`
  const more = text.length === shownLength ? '…' : ''
  return `${column}: “${text}${more}” ${why}.`
}

/** Keys remembered at once, twice; memory must not grow with the file. */
const keysRemembered = 50_000

/** Finds keys that come twice, as far as they are near each other; the server refuses the others. */
export function repeatedKeys({ columns, key, autoKey }: ImportTarget) {
  const places = key.map((name) => columns.findIndex((column) => column.name === name))
  let [older, newer] = [new Map<string, number>(), new Map<string, number>()]
  return (row: ImportRow): RowProblem | null => {
    if (autoKey !== null) return null
    const id = JSON.stringify(places.map((at) => row.values[at]))
    const first = newer.get(id) ?? older.get(id)
    if (first !== undefined) {
      const why = `It has the primary key of line ${first} again.`
      return { number: row.number, line: row.line, column: null, text: null, why }
    }
    if (newer.size >= keysRemembered) [older, newer] = [newer, new Map()]
    newer.set(id, row.line)
    return null
  }
}

/** About the bytes that a row takes in a request. */
export function rowSize({ values }: ImportRow): number {
  let size = 0
  for (const value of values) {
    const content = value === null ? '' : Object.values(value)[0]
    size += 40 + (typeof content === 'string' ? content.length : 8)
  }
  return size
}
