import { type CellInput, inputText, isValue, readInput } from './cell-input'
import type { TimeZone } from './cells'
import { reasonAgainst } from './edit-problems'
import {
  type CellChange,
  type Cells,
  changeCells,
  type EditColumn,
  type Edits,
  type EditTable,
  editOf,
  nextNewRow,
  type StagedEdit,
} from './row-edits'

/** A cell to be pasted: its text, null for NULL, and its value where that is known. */
type PastedCell = {
  readonly text: string | null
  readonly source?: { readonly type: string; readonly value: string | null } | undefined
}

/** Cells to be pasted, row by row. */
export type PastedBlock = readonly (readonly PastedCell[])[]

/** Where cells are pasted: what is there from the first cell on, to the right and below. */
export type PasteTarget = {
  readonly table: EditTable
  /** As `EditedRow`: null for a new row. */
  readonly rows: readonly { readonly id: string; readonly before: Cells | null }[]
  readonly columns: readonly string[]
  /** Rows that are too many become new ones. */
  readonly makesRows: boolean
  /** Why a row cannot be added or changed. */
  readonly refusal: (kind: StagedEdit['kind']) => string | undefined
  /** Of times that are written without one. */
  readonly zone: TimeZone
}

/** A cell that has no place, by its place in the block from zero. */
export type LeftCell = {
  readonly row: number
  readonly column: number
  readonly text: string
  readonly reason: string
}

export type Pasted = {
  readonly edits: Edits
  /** Cells that were staged, those that are no values of their column included. */
  readonly staged: number
  readonly wrong: number
  /** New rows. */
  readonly added: number
  readonly left: readonly LeftCell[]
}

/**
 * Stages a block of cells. A text that is no value of its column is staged as it stands, with the
 * reason; a cell that cannot be staged at all is given back.
 */
export function pasteCells(edits: Edits, into: PasteTarget, block: PastedBlock): Pasted {
  const columns = new Map(into.table.columns.map((column) => [column.name, column]))
  const changes: CellChange[] = []
  const left: LeftCell[] = []
  const added: StagedEdit[] = []
  let wrong = 0
  const nextName = nextNewRow(edits)
  for (const [row, cells] of block.entries()) {
    const stored = into.rows[row]
    const isNew = (stored?.before ?? null) === null
    const id = stored?.id ?? nextName(added.length)
    const closed = closedRow(edits, into, stored)
    let isPlaced = false
    for (const [at, cell] of cells.entries()) {
      const column = columns.get(into.columns[at] ?? '')
      const leave = (reason: string) =>
        left.push({ row, column: at, text: cell.text ?? '', reason })
      if (!column) {
        leave('No column is here.')
        continue
      }
      const input = pastedInput(column, cell, isNew, into.zone)
      const reason = closed ?? reasonAgainst(column, isNew)
      if (reason !== undefined) {
        const isThere = input && isValue(input) && stored?.before?.get(column.name) === input.value
        if (!isThere) leave(reason)
        continue
      }
      if (input && !isValue(input)) wrong += 1
      isPlaced = true
      changes.push({ id, before: stored?.before ?? null, column: column.name, input })
    }
    if (!stored && isPlaced) added.push({ kind: 'add', id, after: new Map() })
  }
  return {
    edits: changes.length === 0 ? edits : changeCells([...edits, ...added], changes),
    staged: changes.length,
    wrong,
    added: added.length,
    left,
  }
}

/** Why nothing can be staged for a row. */
function closedRow(
  edits: Edits,
  { refusal, makesRows }: PasteTarget,
  row: PasteTarget['rows'][number] | undefined,
): string | undefined {
  if (!row && !makesRows) return 'No row is here.'
  if (row && editOf(edits, row.id)?.kind === 'delete') return 'The row is to be deleted.'
  return refusal((row?.before ?? null) === null ? 'add' : 'change')
}

/** What a pasted cell means in a column. */
function pastedInput(
  column: EditColumn,
  { text, source }: PastedCell,
  isNew: boolean,
  zone: TimeZone,
): CellInput | null {
  if (text === null) return nullInput(column, isNew)
  if (source?.type === column.type && source.value !== null) {
    const { type } = column
    // A value of the same type stays exact, but may be too long for this column.
    const isText = type === 'VARCHAR'
    const checked = readInput(column, isText ? source.value : inputText(type, source.value, 'text'))
    return isValue(checked) ? { value: source.value } : { ...checked, text }
  }
  return readInput(column, text, 'text', zone)
}

/** NULL for a cell, or why it cannot have it; null leaves a cell of a new row to the server. */
export function nullInput(column: EditColumn, isNew: boolean): CellInput | null {
  if (isNew && column.isAutoIncrement) return null
  return column.isNullable ? { value: null } : { text: '', error: nullRefusal }
}

export const nullRefusal = 'NULL is not allowed in this column.'
