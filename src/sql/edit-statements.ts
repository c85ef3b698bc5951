import { formatCount } from '~/lib/text'
import { isValue } from './cell-input'
import { quoteName } from './names'
import { newParams, type Param, type Params } from './params'
import {
  type Cells,
  type EditColumn,
  type Edits,
  type EditTable,
  type StagedEdit,
  stagedValues,
} from './row-edits'

/** One statement of a commit. */
export type EditStatement = {
  /** The edit's row. */
  readonly id: string
  readonly kind: StagedEdit['kind']
  readonly sql: string
  readonly params: readonly Param[]
}

/** What a commit sends: all statements in one request, which is one transaction. */
export type EditPlan = {
  readonly statements: readonly EditStatement[]
  /** Entries of the transaction, rows and index entries. */
  readonly entries: number
  /** What cannot be compared as usual, as sentences. */
  readonly notes: readonly string[]
}

/** Deletions first and new rows last, so that a review reads in the order of effects. */
const order: readonly StagedEdit['kind'][] = ['delete', 'change', 'add']

/**
 * The statements for staged edits without problems. Each carries its row's old values, so that it
 * changes nothing when someone else changed the row first. Names of parameters are distinct.
 */
export function planEdits(table: EditTable, edits: Edits): EditPlan {
  const params = newParams()
  const sorted = order.flatMap((kind) => edits.filter((edit) => edit.kind === kind))
  const statements = sorted.map((edit) => {
    const first = params.list.length
    const sql = statementOf(table, edit, params)
    return { id: edit.id, kind: edit.kind, sql, params: params.list.slice(first) }
  })
  const entries = edits.reduce((sum, edit) => sum + entriesOf(table, edit), 0)
  return { statements, entries, notes: notesOf(table, edits) }
}

/** The request of a plan. */
export function requestOf({ statements }: EditPlan): { sql: string; params: readonly Param[] } {
  return {
    sql: statements.map(({ sql }) => sql).join('\n'),
    params: statements.flatMap(({ params }) => params),
  }
}

function statementOf(table: EditTable, edit: StagedEdit, params: Params): string {
  const name = quoteName(table.name)
  switch (edit.kind) {
    case 'delete':
      return `DELETE FROM ${name}\nWHERE ${unchanged(table, edit.before, params)};`
    case 'change': {
      const changes = table.columns.flatMap(({ name: column, type }) => {
        const input = edit.after.get(column)
        if (!input || !isValue(input)) return []
        return [`${quoteName(column)} = ${written(params, type, input.value)}`]
      })
      const where = unchanged(table, edit.before, params)
      return `UPDATE ${name}\nSET ${changes.join(', ')}\nWHERE ${where};`
    }
    case 'add': {
      const cells = insertedCells(table, edit)
      const names = cells.map(([{ name: column }]) => quoteName(column)).join(', ')
      const values = cells.map(([{ type }, value]) => written(params, type, value)).join(', ')
      return `INSERT INTO ${name} (${names})\nVALUES (${values});`
    }
  }
}

const written = (params: Params, type: string, value: string | null) =>
  value === null ? 'NULL' : params.add(type, value)

/** The cells of an INSERT, which needs one at least. */
function insertedCells(
  { columns }: EditTable,
  edit: StagedEdit,
): readonly (readonly [EditColumn, string | null])[] {
  const values = stagedValues(edit)
  const cells = columns.flatMap((column) => {
    const value = values.get(column.name)
    const isLeft = value === undefined || (value === null && column.isAutoIncrement)
    return isLeft ? [] : [[column, value] as const]
  })
  const spare = columns.find(({ isPrimaryKey }) => !isPrimaryKey)
  return cells.length === 0 && spare ? [[spare, null]] : cells
}

/** The condition that a row is as it was, its key first: the server stops at the first difference. */
function unchanged({ columns, primaryKey }: EditTable, before: Cells, params: Params): string {
  const rest = columns.map(({ name }) => name).filter((name) => !primaryKey.includes(name))
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  return [...primaryKey, ...rest]
    .filter((name) => before.has(name))
    .map((name) => isAs(quoteName(name), types.get(name) ?? '', before.get(name) ?? null, params))
    .join(' AND ')
}

/** Measured on 1.11.1: none of these fails, whatever the column holds by now. */
function isAs(name: string, type: string, value: string | null, params: Params): string {
  if (type === 'JSON') {
    // JSON itself compares with little, and JSON null counts as NULL.
    if (value === null) return `JSON_TYPEOF(${name}) IS NULL`
    return `JSON_TYPEOF(${name}) IS NOT NULL AND CAST(${name} AS VARCHAR) = ${params.add('VARCHAR', value)}`
  }
  if (value === null) return `${name} IS NULL`
  if (type === 'FLOAT' && value === 'NaN') return `${name} <> ${name}`
  return `${name} = ${params.add(type, value)}`
}

/**
 * The entries that an edit adds to its transaction, measured on 1.11.1: one for a new or deleted
 * row, whose index entries do not count, and for a change one more for each index of a changed
 * column. Where several rows leave the same value the transaction has fewer, but the index has to
 * hold as many: 1.11.1 takes 1,023 such changes, and then its indexer ends the server.
 */
function entriesOf({ indexes }: EditTable, edit: StagedEdit): number {
  if (edit.kind !== 'change') return 1
  const changed = (indexes ?? []).filter(({ columns }) =>
    columns.some((name) => edit.after.has(name)),
  )
  return 1 + changed.length
}

/**
 * Why a plan is not sent, or null.
 * @param limit most entries of a transaction in the database
 */
export function tooManyEntries({ entries }: EditPlan, limit: number): string | null {
  if (entries <= limit) return null
  return `This makes ${formatCount(entries)} entries with those of indexes, and a transaction of this database holds ${formatCount(limit)}. Nothing was sent. Discard some edits and commit them later.`
}

function notesOf({ columns }: EditTable, edits: Edits): string[] {
  const old = edits.flatMap((edit) => (edit.kind === 'add' ? [] : [edit.before]))
  const holding = (isOne: (column: EditColumn, value: string) => boolean) =>
    columns
      .filter((column) => old.some((row) => isOne(column, row.get(column.name) ?? '')))
      .map(({ name }) => name)
      .join(', ')
  const json = holding(({ type }, value) => type === 'JSON' && value !== '')
  const nan = holding(({ type }, value) => type === 'FLOAT' && value === 'NaN')
  const zero = holding(({ type }, value) => type === 'FLOAT' && /^-?0$/.test(value))
  return [
    json && `JSON cannot be compared itself: ${json} is compared by the text that immudb writes.`,
    nan && `NaN equals nothing: ${nan} is compared as “not equal to itself”.`,
    zero && `0 and -0 are equal: a change from one to the other in ${zero} is not noticed.`,
  ].filter((note) => note !== '')
}
