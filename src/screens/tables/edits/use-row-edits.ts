import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'
import { tableDefaultsAtom } from '~/atoms/tables/defaults'
import { areEditsBackAtom, editsOfAtom, stageAtom } from '~/atoms/tables/edits'
import { editRefusalAtom } from '~/atoms/tables/edits-access'
import { rowCells } from '~/atoms/tables/edits-rows'
import type { Place, TableEdits } from '~/atoms/tables/edits-stored'
import { type CellInput, isValue } from '~/sql/cell-input'
import { problemsOf, reasonAgainst } from '~/sql/edit-problems'
import { editTableOf, rowIds, withNewRows } from '~/sql/edited-rows'
import type { ResultColumn, ResultTable } from '~/sql/result'
import {
  addRow,
  type Cells,
  deleteRow,
  duplicateRow,
  type Edits,
  type EditTable,
  editOf,
  type StagedEdit,
  withoutEdit,
} from '~/sql/row-edits'
import type { Cell, RowMark } from '~/ui/grid/cell'
import { resultCell } from '~/ui/grid/ResultGrid'
import type { Shown } from '../use-rows'

/** A row of the grid: its name, and its cells as they were read; null for a new one. */
export type EditedRow = { readonly id: string; readonly before: Cells | null }

/** The cell whose field is open. */
export type OpenCell = EditedRow & { readonly column: string }

export type RowEdits = {
  readonly place: Place
  readonly table: EditTable
  readonly state: TableEdits
  /** The page with the new rows behind it. */
  readonly rows: ResultTable
  /** Why nothing can be added, changed or deleted; undefined when it can. */
  readonly refusal: (kind: StagedEdit['kind']) => string | undefined
  readonly opened: OpenCell | null
  readonly open: (cell: OpenCell | null) => void
  /** A cell to be edited, or why it cannot be. */
  readonly cellAt: (row: number, column: string) => OpenCell | string
  /** Opens the field of a cell; answers whether the cell has one. */
  readonly openAt: (row: number, column: string) => boolean
  /** What is staged for a cell. */
  readonly stagedAt: (row: number, column: string) => CellInput | undefined
  /** The name of a row by its place in the grid. */
  readonly idOf: (row: number) => string
  /** The place of a row in the grid; negative when it is not there. */
  readonly placeOf: (id: string) => number
  readonly cell: (row: number, column: ResultColumn | undefined, cell: Cell) => Cell
  readonly mark: (row: number) => RowMark | undefined
  readonly add: () => void
  readonly duplicate: (rows: readonly number[]) => void
  readonly remove: (rows: readonly number[]) => void
}

const noEdits: Edits = []
const noRows: ResultTable = { columns: [], rowCount: 0 }

/** What is staged for the rows of a page; null where rows cannot be edited at all. */
export function useRowEdits(
  { database, table: name, description, period }: Shown,
  page: ResultTable = noRows,
): RowEdits | null {
  useAtomValue(areEditsBackAtom)
  const place = useMemo(() => ({ database, table: name }), [database, name])
  const state = useAtomValue(editsOfAtom)(place)
  const refusalOf = useAtomValue(editRefusalAtom)
  const stage = useSetAtom(stageAtom)
  const [opened, open] = useState<OpenCell | null>(null)
  const table = useMemo(
    () => (description.kind === 'table' ? editTableOf(name, description) : null),
    [description, name],
  )
  const defaults = useAtomValue(useAtomValue(tableDefaultsAtom)(database, name))
  const isPast = period !== ''
  const edits = isPast ? noEdits : state.edits
  const rows = useMemo(() => withNewRows(page, edits), [page, edits])
  const ids = useMemo(() => {
    const added = edits.filter(({ kind }) => kind === 'add').map(({ id }) => id)
    return table ? [...rowIds(table, page), ...added] : []
  }, [table, page, edits])
  // The grid repaints by the identity of these functions.
  const drawn = useMemo(() => {
    const marks = marksOf(table, edits, state.conflicts, defaults)
    return {
      mark: (row: number) => marks.get(ids[row] ?? ''),
      cell: (row: number, column: ResultColumn | undefined, cell: Cell) =>
        editedCell(table, editOf(edits, ids[row] ?? ''), column, cell),
    }
  }, [table, edits, state.conflicts, ids, defaults])
  if (!table) return null
  const rowAt = (row: number): EditedRow => ({
    id: ids[row] ?? '',
    before: row < page.rowCount ? rowCells(page, row) : null,
  })
  const refusal = (kind: StagedEdit['kind']) => refusalOf(place, kind)
  const cellAt = (row: number, label: string): OpenCell | string => {
    const column = table.columns.find((one) => one.name === label)
    const found = rowAt(row)
    const isNew = found.before === null
    const why = refusal(isNew ? 'add' : 'change') ?? (column && reasonAgainst(column, isNew))
    if (why !== undefined) return why
    if (editOf(edits, found.id)?.kind === 'delete') return 'The row is to be deleted.'
    return column ? { ...found, column: label } : 'The table has no such column.'
  }
  return {
    ...drawn,
    place,
    table,
    state,
    rows,
    refusal,
    opened,
    open,
    cellAt,
    openAt: (row, label) => {
      const found = cellAt(row, label)
      if (typeof found === 'string') return false
      open(found)
      return true
    },
    stagedAt: (row, column) => {
      const edit = editOf(edits, ids[row] ?? '')
      return edit && edit.kind !== 'delete' ? edit.after.get(column) : undefined
    },
    idOf: (row) => ids[row] ?? '',
    placeOf: (id) => ids.indexOf(id),
    add: () => stage(place, (all) => addRow(all).edits),
    duplicate: (chosen) => {
      const found = chosen.map(rowAt)
      stage(place, (all) =>
        found.reduce((next, one) => duplicateRow(next, table, one.id, one.before).edits, all),
      )
    },
    remove: (chosen) => {
      const found = chosen.map(rowAt)
      stage(place, (all) =>
        found.reduce(
          (next, { id, before }) =>
            before ? deleteRow(next, table, before) : withoutEdit(next, id),
          all,
        ),
      )
    },
  }
}

/** A cell with what is staged for it; empty where the server counts the key of a new row. */
function editedCell(
  table: EditTable | null,
  edit: StagedEdit | undefined,
  column: ResultColumn | undefined,
  cell: Cell,
): Cell {
  if (!edit || !column) return cell
  if (edit.kind === 'delete') return { ...cell, isGone: true }
  const input = edit.after.get(column.label)
  const isNew = edit.kind === 'add'
  if (!input) {
    const of = table?.columns.find(({ name }) => name === column.label)
    return isNew && of?.isAutoIncrement ? { kind: 'text', text: '', exact: () => '' } : cell
  }
  const before = isNew ? {} : { before: cell }
  if (!isValue(input)) return { kind: 'text', text: input.text, error: input.error, ...before }
  // Times are written in UTC, as they are typed.
  return { ...resultCell(column.type, input.value, 'utc'), ...before }
}

const words = {
  add: 'New row, not committed yet',
  change: 'Changed, not committed yet',
  delete: 'To be deleted, not committed yet',
} as const

/** What is staged for each row, and what is wrong with it. */
function marksOf(
  table: EditTable | null,
  edits: Edits,
  conflicts: ReadonlyMap<string, Cells | null>,
  defaults: ReadonlyMap<string, string> | null,
): ReadonlyMap<string, RowMark> {
  const marks = new Map<string, RowMark>(
    edits.map(({ id, kind }) => [id, { tone: 'warning', label: words[kind] }]),
  )
  if (!table) return marks
  for (const { id, column, text } of problemsOf(table, edits, defaults)) {
    marks.set(id, { tone: 'error', label: column === null ? text : `${column}: ${text}` })
  }
  for (const id of conflicts.keys()) {
    marks.set(id, { tone: 'error', label: 'Someone else changed this row first' })
  }
  return marks
}
