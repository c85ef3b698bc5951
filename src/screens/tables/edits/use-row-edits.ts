import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { tableDefaultsAtom } from '~/atoms/tables/defaults'
import {
  editsOfAtom,
  endEditStep,
  giveUpStep,
  type Place,
  redoEdit,
  rowDrafts,
  stageEdits,
  type TableEdits,
  takeBackRow,
  undoEdit,
} from '~/atoms/tables/edits'
import { editRefusalAtom, editsHeldAtom } from '~/atoms/tables/edits-access'
import { rowCells } from '~/atoms/tables/edits-rows'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { type CellInput, isValue, readInput } from '~/sql/cell-input'
import { nullRefusal, type Pasted, type PastedBlock, pasteCells } from '~/sql/cell-paste'
import type { TimeZone } from '~/sql/cells'
import { problemsOf, reasonAgainst } from '~/sql/edit-problems'
import type { ResultColumn, ResultTable } from '~/sql/result'
import {
  addRow,
  type Cells,
  changeCell,
  changeCells,
  changeNewCell,
  deleteRow,
  duplicateRow,
  type Edits,
  type EditTable,
  editOf,
  editTableOf,
  rowIds,
  type StagedEdit,
  shownInput,
  whyUnnamed,
  withNewRows,
  withoutEdit,
} from '~/sql/row-edits'
import type { Cell, RowMark } from '~/ui/grid/cell'
import { resultCell } from '~/ui/grid/ResultGrid'
import type { Shown } from '../use-rows'

/** A row of the grid: its name, and its cells as they were read; null for a new one. */
export type EditedRow = { readonly id: string; readonly before: Cells | null }

/** The cell whose field is open. */
export type OpenCell = EditedRow & {
  readonly column: string
  /** What it showed before; null for a cell of a new row that is left to the server. */
  readonly first: CellInput | null
  /** Typed on the cell before its field was there: the value begins with it. */
  readonly typed?: string
  /** The whole value is selected, so that typing replaces it. */
  readonly isSelected?: boolean
}

/** How a field begins. */
type Start = Pick<OpenCell, 'typed' | 'isSelected'>

export type RowEdits = {
  readonly place: Place
  readonly table: EditTable
  readonly state: TableEdits
  /** The page with the new rows behind it. */
  readonly rows: ResultTable
  /** Why nothing can be added, changed or deleted; undefined when it can. */
  readonly refusal: (kind: StagedEdit['kind']) => string | undefined
  /** Why what is staged must stay as it is. */
  readonly held: string | undefined
  readonly opened: OpenCell | null
  readonly open: (cell: OpenCell | null) => void
  /** A cell to be edited, or why it cannot be. */
  readonly cellAt: (row: number, column: string) => OpenCell | string
  /** Closes the field of a cell, if it is still open. What was typed stays staged. */
  readonly close: (cell: OpenCell) => void
  /** Gives up what was typed since the field of a cell was opened. */
  readonly giveUp: (cell: OpenCell) => void
  /** Stages an input for a cell; null leaves a cell of a new row to the server. */
  readonly stage: (cell: OpenCell, input: CellInput | null) => void
  /** Opens the field of a cell; answers why it has none, or undefined. */
  readonly openAt: (row: number, column: string, start?: Start) => string | undefined
  /** What is staged for a cell. */
  readonly stagedAt: (row: number, column: string) => CellInput | undefined
  /** The name of a row by its place in the grid. */
  readonly idOf: (row: number) => string
  /** The place of a row in the grid; negative when it is not there. */
  readonly placeOf: (id: string) => number
  readonly cell: (row: number, column: ResultColumn | undefined, cell: Cell) => Cell
  /** A cell as it is drawn, with what is staged for it. */
  readonly drawn: (row: number, column: ResultColumn | undefined) => Cell
  readonly mark: (row: number) => RowMark | undefined
  /** Adds a row and opens its first field. */
  readonly add: () => void
  /** Adds a row as `add` does, which is taken back when nothing is typed in it. */
  readonly offer: () => void
  /** Whether a row is a new one, and something is in it. */
  readonly newRow: (row: number) => 'filled' | 'empty' | undefined
  readonly duplicate: (rows: readonly number[]) => void
  readonly remove: (rows: readonly number[]) => void
  /** Sets cells to NULL; answers why some keep their values. */
  readonly clear: (cells: readonly CellPlace[]) => string | undefined
  /** Stages cells from the first one on, as far as there are columns. */
  readonly paste: (from: PasteFrom, block: PastedBlock) => Pasted
  readonly undo: () => boolean
  readonly redo: () => boolean
}

/**
 * The open review of what is staged. `commits`: what it commits by itself, as that was staged when
 * it was asked for; null where a press in it commits.
 */
export type Review = { readonly commits: Edits | null }

/** A cell by its row in the grid. */
export type CellPlace = { readonly row: number; readonly column: string }

type PasteFrom = {
  readonly row: number
  /** The columns from the first cell on. */
  readonly columns: readonly string[]
  /** Rows that are too many become new ones. */
  readonly makesRows: boolean
}

const noEdits: Edits = []
const noRows: ResultTable = { columns: [], rowCount: 0 }

/**
 * What is staged for the rows of a page; null where rows cannot be edited at all.
 * @param visible names of the columns that are shown, in their order
 */
export function useRowEdits(
  { database, table: name, description, period }: Shown,
  page: ResultTable = noRows,
  visible: readonly string[] = [],
): RowEdits | null {
  useAtomValue(rowDrafts.areBackAtom)
  const place = useMemo(() => ({ database, table: name }), [database, name])
  const state = useAtomValue(editsOfAtom)(place)
  const refusalOf = useAtomValue(editRefusalAtom)
  const held = useAtomValue(editsHeldAtom)(place)
  const stage = useAct(stageEdits)
  const endStep = useAct(endEditStep)
  const giveUp = useAct(giveUpStep)
  const takeBack = useAct(takeBackRow)
  const undo = useAct(undoEdit)
  const redo = useAct(redoEdit)
  const zone = useAtomValue(timezoneAtom)
  const [opened, setOpened] = useState<OpenCell | null>(null)
  /** The row that Tab began behind the last one. */
  const [offered, setOffered] = useState<string | null>(null)
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
    const byId = new Map(edits.map((edit) => [edit.id, edit]))
    return {
      mark: (row: number) => marks.get(ids[row] ?? ''),
      cell: (row: number, column: ResultColumn | undefined, cell: Cell) =>
        editedCell(table, byId.get(ids[row] ?? ''), column, cell, zone),
    }
  }, [table, edits, state.conflicts, ids, defaults, zone])
  if (!table) return null
  const rowAt = (row: number): EditedRow => ({
    id: ids[row] ?? '',
    before: row < page.rowCount ? rowCells(page, row) : null,
  })
  const unnamed = whyUnnamed(table, page)
  const refusal = (kind: StagedEdit['kind']) =>
    refusalOf(place, kind) ?? (kind === 'add' ? undefined : unnamed)
  const cellAt = (row: number, label: string): OpenCell | string => {
    const column = table.columns.find((one) => one.name === label)
    const found = rowAt(row)
    const isNew = found.before === null
    const why = refusal(isNew ? 'add' : 'change') ?? (column && reasonAgainst(column, isNew))
    if (why !== undefined) return why
    const edit = editOf(edits, found.id)
    if (edit?.kind === 'delete') return 'The row is to be deleted.'
    if (!column) return 'The table has no such column.'
    return { ...found, column: label, first: shownInput(edit, found.before, label) }
  }
  const open = (cell: OpenCell | null) => {
    endStep()
    if (offered !== null && cell?.id !== offered) {
      setOffered(null)
      takeBack(place, offered)
    }
    setOpened(cell)
  }
  const aboutCell = ({ id, column }: OpenCell) => `${id} ${column}`
  const changed = (all: Edits, { id, before, column }: OpenCell, input: CellInput | null) =>
    before === null
      ? changeNewCell(all, id, column, input)
      : changeCell(all, table, before, column, input ?? { value: null })
  const stageCell = (cell: OpenCell, input: CellInput | null) =>
    stage(place, (all) => changed(all, cell, input), aboutCell(cell))
  const addAndOpen = () => {
    const { id } = addRow(edits)
    stage(place, (all) => addRow(all).edits)
    const isCounted = (label: string) =>
      table.columns.some(({ name, isAutoIncrement }) => name === label && isAutoIncrement)
    const first = visible.find((label) => !isCounted(label)) ?? visible[0]
    if (first !== undefined) open({ id, before: null, column: first, first: null })
    return id
  }
  return {
    ...drawn,
    place,
    table,
    state,
    rows,
    refusal,
    held,
    opened,
    open,
    close: (cell) => {
      if (isSameCell(opened, cell)) open(null)
    },
    giveUp: (cell) => giveUp(place, (all) => changed(all, cell, cell.first), aboutCell(cell)),
    stage: stageCell,
    cellAt,
    openAt: (row, label, start = {}) => {
      const found = cellAt(row, label)
      if (typeof found === 'string') return found
      // More was typed before the field was there.
      const isOpen = opened !== null && isSameCell(opened, found)
      const typed = start.typed && (isOpen ? (opened.typed ?? '') : '') + start.typed
      const cell = { ...found, ...start, first: isOpen ? opened.first : found.first }
      // Still the same step, so that Escape gives up all of it.
      if (isOpen) setOpened(typed ? { ...cell, typed } : cell)
      else open(typed ? { ...cell, typed } : cell)
      const column = table.columns.find(({ name }) => name === label)
      if (typed && column) stageCell(cell, readInput(column, typed, 'text', zone))
      return undefined
    },
    stagedAt: (row, column) => {
      const edit = editOf(edits, ids[row] ?? '')
      return edit && edit.kind !== 'delete' ? edit.after.get(column) : undefined
    },
    idOf: (row) => ids[row] ?? '',
    placeOf: (id) => ids.indexOf(id),
    drawn: (row, column) => {
      const value = rows.columns.find(({ label }) => label === column?.label)?.values[row] ?? null
      return drawn.cell(row, column, resultCell(column?.type ?? 'ANY', value, zone))
    },
    add: () => void addAndOpen(),
    offer: () => setOffered(addAndOpen()),
    newRow: (row) => {
      const edit = editOf(edits, ids[row] ?? '')
      if (edit?.kind !== 'add') return undefined
      return edit.after.size > 0 ? 'filled' : 'empty'
    },
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
    clear: (cells) => {
      const reasons = new Set<string>()
      const changes = cells.flatMap(({ row, column: label }) => {
        const found = cellAt(row, label)
        const column = table.columns.find(({ name }) => name === label)
        if (typeof found === 'string' || !column) {
          reasons.add(typeof found === 'string' ? found : 'The table has no such column.')
          return []
        }
        const { id, before } = found
        // What a new row lacks is asked for before it is sent.
        const isLeft = before === null && (column.isAutoIncrement || !column.isNullable)
        if (before !== null && !column.isNullable) {
          reasons.add(`${nullRefusal.replace('this column', label)}`)
          return []
        }
        return [{ id, before, column: label, input: isLeft ? null : { value: null } }]
      })
      if (changes.length > 0) stage(place, (all) => changeCells(all, changes))
      return reasons.size === 0 ? undefined : [...reasons].join(' ')
    },
    paste: ({ row, columns, makesRows }, block) => {
      const count = Math.max(0, Math.min(block.length, ids.length - row))
      const found = Array.from({ length: count }, (_, at) => rowAt(row + at))
      const into = { table, rows: found, columns, makesRows, refusal, zone }
      const pasted = pasteCells(edits, into, block)
      if (pasted.staged > 0) stage(place, () => pasted.edits)
      return pasted
    },
    undo: () => {
      open(null)
      undo(place)
      return state.past.length > 0
    },
    redo: () => {
      open(null)
      redo(place)
      return state.future.length > 0
    },
  }
}

const isSameCell = (one: OpenCell | null, other: OpenCell): boolean =>
  one?.id === other.id && one.column === other.column

/** A cell with what is staged for it; empty where the server counts the key of a new row. */
function editedCell(
  table: EditTable | null,
  edit: StagedEdit | undefined,
  column: ResultColumn | undefined,
  cell: Cell,
  zone: TimeZone,
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
  return { ...resultCell(column.type, input.value, zone), ...before }
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
