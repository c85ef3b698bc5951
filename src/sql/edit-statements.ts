import { PlainError } from '~/lib/plain-error'
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
  staysUnnamed,
  wholeKeyOf,
} from './row-edits'
import type { WholeKey } from './row-key'

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
}

/** Deletions first and new rows last, so that a review reads in the order of effects. */
const order: readonly StagedEdit['kind'][] = ['delete', 'change', 'add']

/** Edits as they are sent and reviewed. */
export function inOrder(edits: Edits): Edits {
  return order.flatMap((kind) => edits.filter((edit) => edit.kind === kind))
}

/**
 * The statements for staged edits without problems. Each requires that its row is as it was read, or
 * the server refuses all of them. Names of parameters are distinct.
 * @throws PlainError for a row without its whole key, which no statement may name
 */
export function planEdits(table: EditTable, edits: Edits): EditPlan {
  const params = newParams()
  const statements = inOrder(edits).map((edit) => {
    const first = params.list.length
    const sql = statementOf(table, edit, params)
    return { id: edit.id, kind: edit.kind, sql, params: params.list.slice(first) }
  })
  const entries = edits.reduce((sum, edit) => sum + entriesOf(table, edit), 0)
  return { statements, entries }
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
      return `DELETE FROM ${name}\n${rowOf(table, edit.before, params)};`
    case 'change': {
      const changes = table.columns.flatMap(({ name: column, type }) => {
        const input = edit.after.get(column)
        if (!input || !isValue(input)) return []
        return [`${quoteName(column)} = ${written(params, type, input.value)}`]
      })
      return `UPDATE ${name}\nSET ${changes.join(', ')}\n${rowOf(table, edit.before, params)};`
    }
    case 'add': {
      const cells = insertedCells(table, edit)
      const names = cells.map(([{ name: column }]) => quoteName(column)).join(', ')
      const values = cells.map(([{ type }, value]) => written(params, type, value)).join(', ')
      return `INSERT INTO ${name} (${names})\nVALUES (${values});`
    }
  }
}

function rowOf(table: EditTable, before: Cells, params: Params): string {
  const key = wholeKeyOf(table, before)
  if (key === null) throw new PlainError(staysUnnamed)
  return ifUnchanged(table, key, before, params)
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

/**
 * Names one row by its key, and divides by zero when it is not as it was: immudb 1.11.1 then
 * refuses the whole transaction. That the row is read makes a later change of it a conflict of the
 * transaction. Without NOT NOT the server would look for the row in an index of another column,
 * where 10 such statements read the 20,000 rows with the same value and failed.
 */
export function ifUnchanged(
  {
    name,
    columns,
  }: Pick<EditTable, 'name'> & {
    readonly columns: readonly Pick<EditColumn, 'name' | 'type'>[]
  },
  key: WholeKey,
  before: Cells,
  params: Params,
): string {
  const isKey = new Set(key.map(({ column }) => column))
  const it = key
    .map(({ column, type, value }) => isAs(quoteName(column), type, value, params))
    .join(' AND ')
  const others = columns
    .filter((column) => !isKey.has(column.name) && before.has(column.name))
    .map((one) => isAs(quoteName(one.name), one.type, before.get(one.name) ?? null, params))
    .join(' AND ')
  const same = others === '' ? it : `${it} AND NOT NOT (${others})`
  return `WHERE ${it}\nLIMIT 1 / (SELECT COUNT(*) FROM ${quoteName(name)} WHERE ${same})`
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
  const equals = `${name} = ${params.add(type, value)}`
  // The text tells 0 from -0, which are equal.
  if (type !== 'FLOAT' || !/^-?0$/.test(value)) return equals
  return `${equals} AND CAST(${name} AS VARCHAR) = ${params.add('VARCHAR', value)}`
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
