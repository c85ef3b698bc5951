import { isOrdered, takesLength } from '~/immudb/column-types'
import { counted, listOf } from '~/lib/text'
import { lowerAscii, quoteName, shownStatement } from './names'

/** A column of a new table, or one to be added. */
export type NewColumn = {
  readonly name: string
  readonly type: string
  /** Most bytes of a VARCHAR or BLOB as typed; empty for no limit. */
  readonly length: string
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
  readonly isAutoIncrement: boolean
}

/** A change of the schema by one statement. */
export type SchemaChange =
  | {
      readonly kind: 'create-table'
      readonly table: string
      readonly columns: readonly NewColumn[]
    }
  | { readonly kind: 'add-column'; readonly table: string; readonly column: NewColumn }
  | {
      readonly kind: 'rename-column'
      readonly table: string
      readonly column: string
      readonly to: string
    }
  | { readonly kind: 'drop-column'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'create-index'
      readonly table: string
      readonly columns: readonly string[]
      readonly isUnique: boolean
    }
  | { readonly kind: 'drop-index'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'drop-table'; readonly table: string }

/** What is known of the present schema; types are as the server writes them. */
export type Schema = {
  readonly tables: readonly string[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** All indexes with the primary key; null when they may not be read. */
  readonly indexes:
    | readonly { readonly columns: readonly string[]; readonly isPrimary: boolean }[]
    | null
}

export const newColumn: NewColumn = {
  name: '',
  type: 'VARCHAR',
  length: '',
  isNullable: true,
  isPrimaryKey: false,
  isAutoIncrement: false,
}

/** The SQL privilege that the statement needs, by `requiredPrivileges` of embedded/sql/stmt.go. */
export function privilegeFor({ kind }: SchemaChange): 'CREATE' | 'ALTER' | 'DROP' {
  if (kind === 'create-table' || kind === 'create-index') return 'CREATE'
  return kind.startsWith('drop') ? 'DROP' : 'ALTER'
}

/** The statement; names are in it as typed, in lower case as the server keeps them. */
export function schemaSql(change: SchemaChange): string {
  const table = quoted(change.table)
  switch (change.kind) {
    case 'create-table': {
      const key = change.columns.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
      const lines = [
        ...change.columns.map(definition),
        `PRIMARY KEY (${key.map(quoted).join(', ')})`,
      ]
      return `CREATE TABLE ${table} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
    }
    case 'add-column':
      return `ALTER TABLE ${table} ADD COLUMN ${definition(change.column)};`
    case 'rename-column':
      return `ALTER TABLE ${table} RENAME COLUMN ${quoted(change.column)} TO ${quoted(change.to)};`
    case 'drop-column':
      return `ALTER TABLE ${table} DROP COLUMN ${quoted(change.column)};`
    case 'create-index':
      return `CREATE ${change.isUnique ? 'UNIQUE ' : ''}INDEX ON ${table} (${change.columns.map(quoted).join(', ')});`
    case 'drop-index':
      return `DROP INDEX ON ${table} (${change.columns.map(quoted).join(', ')});`
    case 'drop-table':
      return `DROP TABLE ${table};`
  }
}

const dropCheck = (table: string) =>
  `ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(`${table}_check1`)}`

const quoted = (name: string) => quoteName(lowerAscii(name.trim()))

function definition({ name, type, length, isNullable, isPrimaryKey, isAutoIncrement }: NewColumn) {
  const size = takesLength(type) && length.trim() !== '' ? `[${length.trim()}]` : ''
  const marks = [
    isNullable || isPrimaryKey ? '' : ' NOT NULL',
    isPrimaryKey && isAutoIncrement ? ' AUTO_INCREMENT' : '',
  ]
  return `${quoted(name)} ${type}${size}${marks.join('')}`
}

/** Why the server would refuse a change; `field` names what to correct, such as `column 2 name`. */
export type SchemaProblem = { readonly field: string; readonly text: string }

export function schemaProblems(change: SchemaChange, schema: Schema): readonly SchemaProblem[] {
  switch (change.kind) {
    case 'create-table':
      return ofTable(change.table, change.columns, schema)
    case 'add-column':
      return [
        ...named(
          'name',
          change.column.name,
          schema.columns.map(({ name }) => name),
        ),
        ...ofLength('length', change.column),
      ]
    case 'rename-column':
      return named(
        'name',
        change.to,
        schema.columns.map(({ name }) => name),
      )
    case 'drop-column':
      return ofDroppedColumn(change.column, schema)
    case 'create-index':
      return ofIndex(change.columns, schema)
    case 'drop-index':
    case 'drop-table':
      return []
  }
}

const reserved: ReadonlySet<string> = new Set(['_rev', '_tx_metadata', '_diff_action'])

/** Why a name cannot be given to a column or table beside those that are there. */
function named(field: string, typed: string, taken: readonly string[]): SchemaProblem[] {
  const name = lowerAscii(typed.trim())
  const problem = (text: string) => [{ field, text }]
  if (name === '') return problem('Enter a name.')
  if (!/^[a-z0-9_]+$/.test(name)) {
    return problem('A name has letters a–z, digits and underscores only.')
  }
  if (reserved.has(name) && field !== 'table')
    return problem(`immudb keeps the name ${name} for itself.`)
  return taken.includes(name) ? problem(`There is already one named ${name}.`) : []
}

function ofLength(field: string, { type, length }: NewColumn): SchemaProblem[] {
  if (!takesLength(type) || length.trim() === '') return []
  const isNumber = /^[1-9]\d{0,8}$/.test(length.trim())
  return isNumber ? [] : [{ field, text: 'Enter a number of bytes, or nothing for no limit.' }]
}

/** Longest VARCHAR or BLOB of an index, in bytes, unless the server was started with another limit. */
const longestKey = 1_024
const mostIndexColumns = 8

function ofTable(
  table: string,
  columns: readonly NewColumn[],
  { tables }: Schema,
): SchemaProblem[] {
  const key = columns.filter(({ isPrimaryKey }) => isPrimaryKey)
  const ofColumns = columns.flatMap((column, at) => {
    const others = columns
      .filter((_, other) => other < at)
      .map(({ name }) => lowerAscii(name.trim()))
    const field = `column ${at + 1}`
    const isInKey = column.isPrimaryKey && keyProblem(column.type, Number(column.length))
    const isAlone = key.length === 1 && column.type === 'INTEGER'
    return [
      ...named(`${field} name`, column.name, others),
      ...ofLength(`${field} length`, column),
      ...(isInKey ? [{ field: `${field} length`, text: isInKey }] : []),
      ...(column.isPrimaryKey && column.isAutoIncrement && !isAlone
        ? [
            {
              field: `${field} type`,
              text: 'Only a key of one INTEGER column can be auto-increment.',
            },
          ]
        : []),
    ]
  })
  const noKey =
    key.length === 0 ? [{ field: 'key', text: 'Choose the primary key: one column or more.' }] : []
  const tooMany =
    key.length > mostIndexColumns
      ? [{ field: 'key', text: `A key has at most ${mostIndexColumns} columns.` }]
      : []
  return [...named('table', table, tables), ...ofColumns, ...noKey, ...tooMany]
}

/** Why a column cannot be part of a key or an index; null when it can. */
function keyProblem(type: string, length: number): string | null {
  if (!isOrdered(type)) return `${type} cannot be part of a key or an index.`
  if (!takesLength(type) || (length > 0 && length <= longestKey)) return null
  return `In a key or an index ${type} needs a length of ${longestKey} bytes or fewer.`
}

function ofDroppedColumn(column: string, { indexes }: Schema): SchemaProblem[] {
  const found = (indexes ?? []).filter(({ columns }) => columns.includes(column))
  if (found.some(({ isPrimary }) => isPrimary)) {
    return [{ field: 'column', text: 'A column of the primary key cannot be dropped.' }]
  }
  if (found.length === 0) return []
  const names = listOf(found.map(({ columns }) => `(${columns.join(', ')})`))
  return [{ field: 'column', text: `Drop the index ${names} first: it needs this column.` }]
}

function ofIndex(chosen: readonly string[], { columns, indexes }: Schema): SchemaProblem[] {
  const problem = (text: string) => [{ field: 'columns', text }]
  if (chosen.length === 0) return problem('Choose a column.')
  if (chosen.length > mostIndexColumns) {
    return problem(`An index has at most ${mostIndexColumns} columns.`)
  }
  const isThere = (indexes ?? []).some((one) => one.columns.join() === chosen.join())
  if (isThere) return problem('There is already an index of these columns.')
  return chosen.flatMap((name) => {
    const [, type = '', length] =
      /^(\w+)(?:[([](\d+))?/.exec(columns.find((one) => one.name === name)?.type ?? '') ?? []
    const text = keyProblem(type, Number(length ?? 0))
    return text === null ? [] : problem(`${name}: ${text}`)
  })
}

/** What a change brings about, in plain words. Measured on 1.11.1. */
export function consequencesOf(change: SchemaChange): readonly string[] {
  switch (change.kind) {
    case 'create-table':
      return [
        'A table can be dropped, but its rows and its name stay in the history of the database.',
        'Neither the primary key nor the type of a column can be changed later.',
        ...(change.columns.some(({ isNullable, isPrimaryKey }) => !isNullable && !isPrimaryKey)
          ? ['immudb refuses NULL in a new row only. An UPDATE can still store it.']
          : []),
      ]
    case 'add-column':
      return [
        'Rows that are there get NULL in the new column, also when they are read as of before.',
        'A column that is added later is always nullable.',
      ]
    case 'rename-column':
      return [
        'Statements and programs that use the old name fail from now on.',
        'Reading the past uses the new name as well.',
        'If a CHECK of the table names the column, immudb refuses every later write to the table.',
      ]
    case 'drop-column':
      return [
        'The column disappears from queries, also from those of the past.',
        'Its values stay in the history: transactions and proofs still hold them.',
        'A new column of the same name begins with NULL in every row.',
      ]
    case 'create-index':
      return [
        ...(change.isUnique
          ? [
              'immudb creates a unique index only on a table without rows, and refuses it otherwise.',
              'NULL counts as a value: only one row may have NULL in all columns of the index.',
            ]
          : ['Rows that are there are indexed too. On a large table this takes a while.']),
        'Each later change of these columns writes one more entry. A transaction holds 1,024, unless the database was created with another number.',
      ]
    case 'drop-index':
      return [
        'Rows stay. Queries that sort or seek by this index read the whole table from now on.',
      ]
    case 'drop-table':
      return [
        'The rows disappear from queries, also from those of the past.',
        'They stay in the history: transactions and proofs still hold them.',
        'A new table of the same name begins empty.',
        `immudb drops no table that has a CHECK: it answers “key not found”. First drop the CHECK in the editor, by default with ${shownStatement(() => dropCheck(change.table))}.`,
      ]
  }
}

/** What has to be typed before something is dropped; null where nothing is. */
export function confirmationOf(change: SchemaChange): string | null {
  if (change.kind === 'drop-table') return change.table
  if (change.kind === 'drop-column') return change.column
  return change.kind === 'drop-index' ? change.columns.join(', ') : null
}

/** What was done, for the note afterwards. */
export function doneText(change: SchemaChange): string {
  switch (change.kind) {
    case 'create-table':
      return `Table ${lowerAscii(change.table.trim())} created with ${counted(change.columns.length, 'column')}.`
    case 'add-column':
      return `Column ${lowerAscii(change.column.name.trim())} added to ${change.table}.`
    case 'rename-column':
      return `Column ${change.column} is now ${lowerAscii(change.to.trim())}.`
    case 'drop-column':
      return `Column ${change.column} dropped from ${change.table}.`
    case 'create-index':
      return `Index (${change.columns.join(', ')}) created on ${change.table}.`
    case 'drop-index':
      return `Index (${change.columns.join(', ')}) of ${change.table} dropped.`
    case 'drop-table':
      return `Table ${change.table} dropped.`
  }
}
