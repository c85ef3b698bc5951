import { jsonMatch } from '~/immudb/json-match'
import { listOf } from '~/lib/text'
import { type CellInput, type InputColumn, isValue, typeAndLength } from './cell-input'
import { primaryKey } from './keyset'
import type { ResultTable } from './result'
import { type WholeKey, wholeKey } from './row-key'

/** A column of a table whose rows are edited. */
export type EditColumn = InputColumn & {
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
  readonly isAutoIncrement: boolean
}

/** What has to be known of a table to change its rows. */
export type EditTable = {
  readonly name: string
  readonly columns: readonly EditColumn[]
  /** Names of the primary key's columns, in its order. */
  readonly primaryKey: readonly string[]
  /** The other indexes; null when they may not be read. */
  readonly indexes:
    | readonly { readonly columns: readonly string[]; readonly isUnique: boolean }[]
    | null
}

/** The cells of a row by column, each as a result has it (see `ResultColumn.values`). */
export type Cells = ReadonlyMap<string, string | null>
type Inputs = ReadonlyMap<string, CellInput>

/** What is to be done with one row. `before` is the whole row as it was read. */
export type StagedEdit =
  | { readonly kind: 'change'; readonly id: string; readonly before: Cells; readonly after: Inputs }
  | {
      readonly kind: 'add'
      readonly id: string
      readonly after: Inputs
      /** The row that this is a copy of. */
      readonly copied?: { readonly id: string; readonly cells: Cells }
    }
  | { readonly kind: 'delete'; readonly id: string; readonly before: Cells }

/** At most one edit for each row, in the order in which they were begun. */
export type Edits = readonly StagedEdit[]

/** Names a row by its primary key; a new row has a name of another form. */
export function rowId({ primaryKey }: Pick<EditTable, 'primaryKey'>, cells: Cells): string {
  return JSON.stringify(primaryKey.map((name) => cells.get(name) ?? null))
}

export function editOf(edits: Edits, id: string): StagedEdit | undefined {
  return edits.find((edit) => edit.id === id)
}

/** Adds an edit in the place of the one for the same row. */
function withEdit(edits: Edits, edit: StagedEdit): Edits {
  return editOf(edits, edit.id)
    ? edits.map((one) => (one.id === edit.id ? edit : one))
    : [...edits, edit]
}

export function withoutEdit(edits: Edits, id: string): Edits {
  return edits.filter((edit) => edit.id !== id)
}

/** Gives up what is staged for one cell; a change of no other cell is over with it. */
export function withoutCell(edits: Edits, id: string, column: string): Edits {
  const edit = editOf(edits, id)
  if (!edit || edit.kind === 'delete') return withoutEdit(edits, id)
  const after = new Map(edit.after)
  after.delete(column)
  if (edit.kind === 'change' && after.size === 0) return withoutEdit(edits, id)
  return withEdit(edits, { ...edit, after })
}

/** Stages a cell of a row that is in the table. A row that is as it was has no edit. */
export function changeCell(
  edits: Edits,
  table: EditTable,
  before: Cells,
  column: string,
  input: CellInput,
): Edits {
  const id = rowId(table, before)
  const edit = editOf(edits, id)
  const base = edit?.kind === 'change' ? edit.before : before
  const after = new Map(edit?.kind === 'change' ? edit.after : [])
  if (isValue(input) && input.value === base.get(column)) after.delete(column)
  else after.set(column, input)
  return after.size === 0
    ? withoutEdit(edits, id)
    : withEdit(edits, { kind: 'change', id, before: base, after })
}

/** Stages a cell of a new row; null leaves it to the server. */
export function changeNewCell(
  edits: Edits,
  id: string,
  column: string,
  input: CellInput | null,
): Edits {
  const edit = editOf(edits, id)
  if (edit?.kind !== 'add') return edits
  const after = new Map(edit.after)
  if (input === null) after.delete(column)
  else after.set(column, input)
  return withEdit(edits, { ...edit, after })
}

/** What is staged for one cell; null leaves a cell of a new row to the server. */
export type CellChange = {
  readonly id: string
  /** The whole row as it was read; null for a new one. */
  readonly before: Cells | null
  readonly column: string
  readonly input: CellInput | null
}

/** Stages many cells at once. A cell of a new row that is not there is left out. */
export function changeCells(edits: Edits, changes: Iterable<CellChange>): Edits {
  const byId = new Map(edits.map((edit) => [edit.id, edit]))
  const inputs = new Map<string, Map<string, CellInput>>()
  for (const { id, before, column, input } of changes) {
    const edit = byId.get(id)
    if (before === null && edit?.kind !== 'add') continue
    const base = before && (edit?.kind === 'change' ? edit.before : before)
    const own = edit && edit.kind !== 'delete' ? edit.after : []
    const after = inputs.get(id) ?? new Map(own)
    inputs.set(id, after)
    const isAsBefore =
      input && isValue(input) && base?.has(column) && input.value === base.get(column)
    if (input === null || isAsBefore) after.delete(column)
    else after.set(column, input)
    if (base) byId.set(id, { kind: 'change', id, before: base, after })
    else if (edit?.kind === 'add') byId.set(id, { ...edit, after })
  }
  return [...byId.values()].filter((edit) => edit.kind !== 'change' || edit.after.size > 0)
}

const newName = /^new (\d+)$/

/** Names rows that are still to be staged, counted from zero. */
export function nextNewRow(edits: Edits): (at: number) => string {
  const last = edits.reduce((most, { id }) => Math.max(most, Number(newName.exec(id)?.[1] ?? 0)), 0)
  return (at) => `new ${last + 1 + at}`
}

/** Stages a new row, perhaps with cells, and names it. */
export function addRow(
  edits: Edits,
  after: Inputs = new Map(),
  copied?: { readonly id: string; readonly cells: Cells },
): { edits: Edits; id: string } {
  const id = nextNewRow(edits)(0)
  return { edits: [...edits, { kind: 'add', id, after, ...(copied ? { copied } : {}) }], id }
}

/**
 * Stages a copy of a row as it is shown; keys that the server counts are left to it.
 * @param before null for a row that is staged itself
 */
export function duplicateRow(edits: Edits, table: EditTable, id: string, before: Cells | null) {
  const edit = editOf(edits, id)
  const shown = table.columns.flatMap(({ name, isAutoIncrement }) => {
    const input = isAutoIncrement ? null : shownInput(edit, before, name)
    return input ? [[name, input] as const] : []
  })
  return addRow(edits, new Map(shown), before ? { id, cells: before } : undefined)
}

/** Stages the deletion of a row that is in the table; a staged change of it is given up. */
export function deleteRow(edits: Edits, table: EditTable, before: Cells): Edits {
  const id = rowId(table, before)
  const edit = editOf(edits, id)
  const base = edit && edit.kind !== 'add' ? edit.before : before
  return withEdit(edits, { kind: 'delete', id, before: base })
}

/** Bases an edit on the row as it is now: nothing is left of it when the row is already so. */
export function rebased(edits: Edits, table: EditTable, id: string, now: Cells | null): Edits {
  const edit = editOf(edits, id)
  if (!edit || edit.kind === 'add') return edits
  if (edit.kind === 'delete') {
    return now === null ? withoutEdit(edits, id) : withEdit(edits, { ...edit, before: now })
  }
  if (now === null) return addAgain(edits, edit)
  const after = new Map(
    [...edit.after].filter(([name, input]) => !isValue(input) || input.value !== now.get(name)),
  )
  return after.size === 0
    ? withoutEdit(edits, id)
    : withEdit(edits, { kind: 'change', id: rowId(table, now), before: now, after })
}

/** A change of a row that someone else deleted becomes a new row. */
function addAgain(edits: Edits, edit: StagedEdit & { kind: 'change' }): Edits {
  const old = [...edit.before].map(([name, value]): [string, CellInput] => [name, { value }])
  const rest = withoutEdit(edits, edit.id)
  const copied = { id: edit.id, cells: edit.before }
  return addRow(rest, new Map([...old, ...edit.after]), copied).edits
}

/** What a cell of a row shows: its staged input, else its value; null where a new row has none. */
export function shownInput(
  edit: StagedEdit | undefined,
  before: Cells | null,
  column: string,
): CellInput | null {
  const input = edit && edit.kind !== 'delete' ? edit.after.get(column) : undefined
  return input ?? (before && { value: before.get(column) ?? null })
}

/** The staged values of a row that are values. */
export function stagedValues(edit: StagedEdit): Cells {
  if (edit.kind === 'delete') return new Map()
  return new Map([...edit.after].flatMap(([name, of]) => (isValue(of) ? [[name, of.value]] : [])))
}

/** Whether the table holds what an edit was to do; `now` is the row as it was found, or null. */
export function isDone(edit: StagedEdit, { columns }: EditTable, now: Cells | null): boolean {
  if (edit.kind === 'delete') return now === null
  if (now === null) return false
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  return [...stagedValues(edit)].every(([name, value]) =>
    isSameValue(types.get(name) ?? '', value, now.get(name) ?? null),
  )
}

/** Whether a stored value is the one that was written. The server writes JSON in its own way. */
export function isSameValue(type: string, written: string | null, stored: string | null): boolean {
  if (written === null || stored === null || type !== 'JSON') return written === stored
  return jsonMatch(stored, written) !== 'differs'
}

/** The key of a row that an edit is about; null for a new row that the server numbers. */
export function keyOf(edit: StagedEdit, table: EditTable): Cells | null {
  const key = wholeKeyOf(table, edit.kind === 'add' ? stagedValues(edit) : edit.before)
  return key && new Map(key.map(({ column, value }) => [column, value]))
}

/** The key of the row with these cells; null where they lack some of it. */
export function wholeKeyOf({ columns, primaryKey }: EditTable, cells: Cells): WholeKey | null {
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const key = primaryKey.map((name) => ({ name, type: types.get(name) ?? '' }))
  return wholeKey(key, (name) => cells.get(name))
}

/** Why a row without its whole key cannot be changed. */
export const staysUnnamed =
  'The server’s answer does not have the whole primary key of this row, so that nothing can name it alone. Nothing was sent.'

/** Why no row of a page can be changed; undefined when each can be named. */
export function whyUnnamed(
  { primaryKey }: EditTable,
  { columns, rowCount }: ResultTable,
): string | undefined {
  if (primaryKey.length === 0) {
    return 'The server does not say which columns are the primary key, by which a row is named.'
  }
  const labels = new Set(columns.map(({ label }) => label))
  const missing = primaryKey.filter((name) => !labels.has(name))
  if (missing.length === 0 || rowCount === 0) return undefined
  return `The server’s answer lacks ${listOf(missing)} of the primary key, by which a row is named.`
}

type Described = {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
  readonly isAutoIncrement: boolean
}

/** What has to be known of a table to change its rows, from what the server describes. */
export function editTableOf(
  name: string,
  of: {
    readonly columns: readonly Described[]
    readonly indexes: readonly (Index & { readonly isPrimary: boolean })[] | null
  },
): EditTable {
  const columns = of.columns.map((column) => ({ ...column, ...typeAndLength(column.type) }))
  const indexes = of.indexes?.filter(({ isPrimary }) => !isPrimary) ?? null
  return { name, columns, primaryKey: agreedKey(of), indexes }
}

/** The names of the key; none where two descriptions contradict each other, for one may lack some. */
function agreedKey(of: Parameters<typeof editTableOf>[1]): readonly string[] {
  const marked = primaryKey(of).map(({ name }) => name)
  const listed = of.indexes?.find(({ isPrimary }) => isPrimary)?.columns ?? marked
  const isSame = listed.length === marked.length && marked.every((name) => listed.includes(name))
  return isSame ? marked : []
}

type Index = { readonly columns: readonly string[]; readonly isUnique: boolean }

/** The names of the rows of a page, by which their edits are found. */
export function rowIds(table: EditTable, rows: ResultTable): readonly string[] {
  const key = table.primaryKey.map((name) => rows.columns.find(({ label }) => label === name))
  const cells = (row: number): Cells =>
    new Map(key.map((column, at) => [table.primaryKey[at] ?? '', column?.values[row] ?? null]))
  return Array.from({ length: rows.rowCount }, (_, row) => rowId(table, cells(row)))
}

/** A page of rows with the staged new rows behind it. */
export function withNewRows(rows: ResultTable, edits: Edits): ResultTable {
  const added = edits.filter((edit) => edit.kind === 'add')
  if (added.length === 0) return rows
  const columns = rows.columns.map((column) => {
    const values = added.map(({ after }) => {
      const input = after.get(column.label)
      return input && isValue(input) ? input.value : null
    })
    return { ...column, values: [...column.values, ...values] }
  })
  return { columns, rowCount: rows.rowCount + added.length }
}

/** How many staged texts are no values of their columns. */
export function wrongCells(edits: Edits): number {
  return edits.reduce((sum, edit) => {
    const inputs = edit.kind === 'delete' ? [] : [...edit.after.values()]
    return sum + inputs.filter((input) => !isValue(input)).length
  }, 0)
}

/** `1 new row, 2 changed rows and 1 deleted row`. */
export function countedEdits(edits: Edits): string {
  const words = { add: 'new', change: 'changed', delete: 'deleted' } as const
  const parts = (['add', 'change', 'delete'] as const).flatMap((kind) => {
    const count = edits.filter((edit) => edit.kind === kind).length
    return count === 0 ? [] : [`${count} ${words[kind]} ${count === 1 ? 'row' : 'rows'}`]
  })
  return listOf(parts) || 'no edits'
}
