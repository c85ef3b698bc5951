import { checksum } from '~/lib/checksum'
import type { CsvFormat, CsvRecord } from '~/lib/csv'
import type { Encoding } from '~/lib/encoding'
import { counted } from '~/lib/text'
import type { ImportRow, ImportTarget } from './import-statements'
import { losesDigits, readField, type WireValue } from './import-types'

/** How a file becomes records. */
export type ImportSource = {
  readonly format: CsvFormat
  readonly encoding: Encoding
  readonly hasHeader: boolean
  /** Fields of each record. */
  readonly width: number
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

/** A row of the file, with the checksum of all rows up to it. */
export type FileRow = {
  readonly number: number
  readonly line: number
  readonly checksum: number
  /** Null when it does not fit. */
  readonly row: ImportRow | null
  readonly problem: RowProblem | null
  /** A number of it has digits that immudb does not keep. */
  readonly isRounded: boolean
}

/** Reads records into rows of a table, one after the other from the first of the file. */
export function rowReader(target: ImportTarget, source: ImportSource, firstChecksum: number) {
  let number = 0
  let sum = firstChecksum
  let mayBeHeader = source.hasHeader
  return (records: readonly CsvRecord[]): FileRow[] => {
    const rows: FileRow[] = []
    for (const record of records) {
      // In a table of one column an empty line is a NULL.
      if (record.isBlank && source.width > 1) continue
      if (mayBeHeader) {
        mayBeHeader = false
        continue
      }
      number += 1
      sum = checksumOf(sum, record)
      rows.push({ ...readRow(target, source, record, number), checksum: sum })
    }
    return rows
  }
}

function checksumOf(before: number, { cells }: CsvRecord): number {
  let sum = before
  for (const cell of cells) sum = checksum(sum, cell === null ? '\x00' : `${cell}\x1f`)
  return checksum(sum, '\x1e')
}

const shownLength = 40

function readRow(
  target: ImportTarget,
  { width }: ImportSource,
  { line, cells, problem }: CsvRecord,
  number: number,
): Omit<FileRow, 'checksum'> {
  const values: (WireValue | null)[] = []
  let isRounded = false
  const refused = (why: string, column: string | null = null, cell: string | null = null) => {
    const text = cell === null ? null : cell.slice(0, shownLength)
    return { number, line, row: null, problem: { number, line, column, text, why }, isRounded }
  }
  if (problem !== null) return refused(problem)
  if (cells.length !== width)
    return refused(`It has ${counted(cells.length, 'field')} and not ${width}.`)
  for (const { name, type, from, isNullable } of target.columns) {
    const cell = cells[from] ?? null
    if (cell === null) {
      if (!isNullable || target.key.includes(name)) return refused('is NULL', name)
      values.push(null)
      continue
    }
    const read = readField(type, cell)
    if ('why' in read) return refused(read.why, name, cell)
    if ((type.name === 'FLOAT' || type.name === 'JSON') && losesDigits(cell)) isRounded = true
    values.push(read.reads)
  }
  return { number, line, row: { number, line, values }, problem: null, isRounded }
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
