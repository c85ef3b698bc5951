import { isNumberType } from '~/immudb/column-types'
import { base64ToHex } from '~/lib/bytes'
import { quotedField } from '~/lib/csv'
import { parsedJson } from '~/lib/parsed-json'
import { tabField } from '~/lib/tab-text'
import { formatMicroseconds } from './cells'
import { guarded } from './formula-guard'
import { literalOf } from './literals'
import { quoteName } from './names'
import type { ResultColumn, ResultTable } from './result'

export type CsvKind = 'csv' | 'mark-csv' | 'semicolon-csv' | 'exact-csv'
export type ExportFormat = CsvKind | 'json'
export type CopyFormat = 'csv' | 'tab' | 'json' | 'insert' | 'markdown'

/** What a format writes before, between and after the rows. */
type Frame = { readonly before: string; readonly between: string; readonly after: string }

/** How a file of separated values is written. */
type CsvStyle = {
  readonly separator: ',' | ';'
  /** Texts that spreadsheets would read as formulas get apostrophes. */
  readonly isGuarded: boolean
  /** Excel reads a file as UTF-8 only with a byte order mark. */
  readonly hasMark: boolean
  /** Of a FLOAT, as Excel expects it where the separator is a semicolon. */
  readonly decimal: '.' | ','
}

const csvStyles: Readonly<Record<CsvKind, CsvStyle>> = {
  csv: { separator: ',', isGuarded: true, hasMark: false, decimal: '.' },
  'mark-csv': { separator: ',', isGuarded: true, hasMark: true, decimal: '.' },
  'semicolon-csv': { separator: ';', isGuarded: true, hasMark: true, decimal: ',' },
  'exact-csv': { separator: ',', isGuarded: false, hasMark: false, decimal: '.' },
}

/** The text around the rows of a result. */
export function frameOf(format: ExportFormat, { columns }: ResultTable): Frame {
  if (format === 'json') return { before: '[\n', between: ',\n', after: '\n]\n' }
  const style = csvStyles[format]
  const heads = columns.map(({ label }) => csvText(label, style)).join(style.separator)
  return { before: `${style.hasMark ? '\ufeff' : ''}${heads}\r\n`, between: '', after: '' }
}

/** Rows of a result, each as the format writes it. */
export function exportedRows(format: ExportFormat, table: ResultTable): string[] {
  if (format === 'json') return jsonRows(table)
  const style = csvStyles[format]
  return rowsOf(table, (cells) => {
    const fields = cells.map(({ column, value }) => fieldIn(style, column.type, value))
    return `${fields.join(style.separator)}\r\n`
  })
}

/** How many texts of a result get apostrophes against formulas. */
export function guardedCells(format: ExportFormat, { columns }: ResultTable): number {
  if (format === 'json' || !csvStyles[format].isGuarded) return 0
  const { separator } = csvStyles[format]
  const isGuarded = (text: string | null) => text !== null && guarded(text, separator) !== text
  return columns
    .filter(({ type }) => !plainTypes.has(type))
    .reduce((sum, { values }) => sum + values.filter(isGuarded).length, 0)
}

/** Types whose values are written as they are, or by a form of their own. */
const plainTypes = new Set(['INTEGER', 'FLOAT', 'BOOLEAN', 'TIMESTAMP', 'BLOB'])

type RowCell = { readonly column: ResultColumn; readonly value: string | null }

function rowsOf({ columns, rowCount }: ResultTable, write: (cells: RowCell[]) => string): string[] {
  return Array.from({ length: rowCount }, (_, row) =>
    write(columns.map((column) => ({ column, value: column.values[row] ?? null }))),
  )
}

/** RFC 4180. NULL is an empty field, an empty text is `""`. */
export function csvField(type: string, value: string | null, isGuarded: boolean): string {
  return fieldIn(csvStyles[isGuarded ? 'csv' : 'exact-csv'], type, value)
}

function fieldIn(style: CsvStyle, type: string, value: string | null): string {
  if (value === null) return ''
  switch (type) {
    case 'FLOAT':
      return style.decimal === ',' ? value.replace('.', ',') : value
    case 'INTEGER':
    case 'BOOLEAN':
      return value
    case 'TIMESTAMP':
      return isoTime(value)
    case 'BLOB':
      return hexLiteral(value)
    default:
      return csvText(value, style)
  }
}

function csvText(value: string, { isGuarded, separator }: CsvStyle): string {
  return quotedField(isGuarded ? guarded(value, separator) : value, separator)
}

/** Microseconds since 1970 as `2024-05-06T07:08:09.123456Z` */
export function isoTime(microseconds: string): string {
  return formatMicroseconds(microseconds, 'utc').replace(
    /^(\S+-\d\d) (\d\d:\d\d:\d\d\.\d{6}) UTC$/,
    '$1T$2Z',
  )
}

function hexLiteral(base64: string): string {
  return `0x${base64ToHex(base64)}`
}

/** One object for each row; numbers keep all their digits, and no two names are the same. */
function jsonRows(table: ResultTable): string[] {
  const names = distinct(table.columns.map(({ label }) => label)).map((name) =>
    JSON.stringify(name),
  )
  return rowsOf(table, (cells) => {
    const fields = cells.map(
      ({ column, value }, at) => `${names[at]}: ${jsonValue(column.type, value)}`,
    )
    return `  {${fields.join(', ')}}`
  })
}

function distinct(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let shown = name
    for (let count = 2; used.has(shown); count++) shown = `${name} (${count})`
    used.add(shown)
    return shown
  })
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

function jsonValue(type: string, value: string | null): string {
  if (value === null) return 'null'
  switch (type) {
    case 'INTEGER':
    case 'FLOAT':
      return jsonNumber.test(value) ? value : JSON.stringify(value)
    case 'BOOLEAN':
      return value === 'true' ? 'true' : 'false'
    case 'JSON':
      return parsedJson(value) === undefined ? JSON.stringify(value) : value
    case 'TIMESTAMP':
      return JSON.stringify(isoTime(value))
    default:
      return JSON.stringify(value)
  }
}

/** The rows as text for the clipboard. `table` names the table of INSERT statements. */
export function copiedRows(format: CopyFormat, result: ResultTable, table: string): string {
  switch (format) {
    case 'csv':
    case 'json': {
      const { before, between, after } = frameOf(format, result)
      return before + exportedRows(format, result).join(between) + after
    }
    case 'tab':
      return tabSeparated(result)
    case 'markdown':
      return markdown(result)
    case 'insert':
      return inserts(result, table)
  }
}

/**
 * For spreadsheets. Values with tabs or line ends are quoted, because these would break the row.
 */
function tabSeparated(result: ResultTable): string {
  const written = ({ column, value }: RowCell) => {
    const text = plainText(column.type, value)
    return tabField(plainTypes.has(column.type) ? text : guarded(text, '\t'))
  }
  const heads = result.columns.map(({ label }) => tabField(guarded(label, '\t'))).join('\t')
  const lines = rowsOf(result, (cells) => cells.map(written).join('\t'))
  return `${[heads, ...lines].join('\n')}\n`
}

function plainText(type: string, value: string | null): string {
  if (value === null) return ''
  if (type === 'TIMESTAMP') return isoTime(value)
  return type === 'BLOB' ? hexLiteral(value) : value
}

function markdown(result: ResultTable): string {
  const cell = (text: string) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('|', '\\|')
      .replaceAll('<', '&lt;')
      .replace(/\r\n?|\n/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[
    line(result.columns.map(({ label }) => cell(label))),
    line(result.columns.map(({ type }) => (isNumberType(type) ? '--:' : '---'))),
    ...rowsOf(result, (cells) =>
      line(
        cells.map(({ column, value }) =>
          cell(value === null ? 'NULL' : plainText(column.type, value)),
        ),
      ),
    ),
  ].join('\n')}\n`
}

/** One INSERT for each row, so that a part of them can be run by itself. */
function inserts(result: ResultTable, table: string): string {
  const name = quoteName(table)
  const names = result.columns.map(({ name, label }) =>
    quoteName(/^\w*\(\w*\.(.*)\)$/s.exec(name)?.[1] ?? label),
  )
  const lines = rowsOf(result, (cells) => {
    const values = cells.map(({ column, value }) => literalOf(column.type, value))
    return `INSERT INTO ${name} (${names.join(', ')}) VALUES (${values.join(', ')});`
  })
  return `${lines.join('\n')}\n`
}
