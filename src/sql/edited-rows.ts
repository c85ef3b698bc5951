import { listOf } from '~/lib/text'
import { isValue, typeAndLength } from './cell-input'
import { primaryKey } from './keyset'
import type { ResultTable } from './result'
import { type Cells, type Edits, type EditTable, rowId } from './row-edits'

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
  return { name, columns, primaryKey: primaryKey(of).map((column) => column.name), indexes }
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
