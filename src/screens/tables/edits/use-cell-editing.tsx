import { useMemo, useState } from 'react'
import { counted } from '~/lib/text'
import type { LeftCell, PastedBlock } from '~/sql/cell-paste'
import type { ResultTable } from '~/sql/result'
import type { Cell, GridPosition, GridRange } from '~/ui/grid/cell'
import { numbersBetween, sizeOf } from '~/ui/grid/range'
import type { ChangeAction, GridTarget } from '~/ui/grid/use-active-cell'
import { showToast } from '~/ui/toast'
import { passFocusOn } from '~/ui/use-returned-focus'
import { EditStrip } from '../table-doors'
import { CellEditor, type Leave } from './CellEditor'
import type { RowEdits } from './use-row-edits'

type Rest = {
  onReview: () => void
  /** Commits what is staged at once, as far as nothing is to be asked. */
  onCommit: () => void
  onSelect: (rows: ReadonlySet<number>) => void
  /** Opens the field of a cell in the drawer of its row. */
  onWiden: (at: GridPosition) => void
}

/** The field of the cell that is edited, what keys do to cells, and how staged values are drawn. */
export function useCellEditing(edits: RowEdits | null, visible: ResultTable, rest: Rest) {
  const { columns } = visible
  const cell = edits?.cell
  /** Cells of the last paste that found no place. */
  const [left, setLeft] = useState<readonly LeftCell[]>([])
  const change = useMemo(
    () => cell && ((row: number, column: number, of: Cell) => cell(row, columns[column], of)),
    [cell, columns],
  )
  if (!edits || !change) return { left, closeLeft: () => setLeft([]), grid: {} }
  const labelOf = (column: number) => columns[column]?.label ?? ''
  /** The part of a range that is stored with the rows; null for none. */
  const storedIn = (range: GridRange): GridRange | null =>
    range.left < columns.length
      ? { ...range, right: Math.min(range.right, columns.length - 1) }
      : null
  const openAt = (at: GridPosition, start: Parameters<RowEdits['openAt']>[2] = {}) => {
    // It tells what is typed next.
    if (at.column >= columns.length) return notStored
    void EditStrip.prepare()
    return edits.openAt(at.row, labelOf(at.column), start)
  }
  /** Opens the field of the cell that Tab comes to, past those that have none. */
  const openNext = (from: GridPosition, isBack: boolean): boolean => {
    const [wide, high] = [columns.length, edits.rows.rowCount]
    const step = isBack ? -1 : 1
    for (let at = from.row * wide + from.column + step; at >= 0 && at < high * wide; at += step) {
      const to = { row: Math.floor(at / wide), column: at % wide }
      // A new row that nothing was typed in is the end.
      if (!isBack && to.row !== from.row && edits.newRow(from.row) === 'empty') return false
      if (openAt(to, { isSelected: true }) === undefined) return true
    }
    if (isBack || edits.newRow(from.row) !== 'filled' || edits.refusal('add')) return false
    edits.offer()
    return true
  }
  const { opened } = edits
  const at = opened && {
    row: edits.placeOf(opened.id),
    column: columns.findIndex(({ label }) => label === opened.column),
  }
  const leave = (to: Leave, goTo: (at?: GridPosition) => void) => {
    if (!opened || !at) return
    const isTab = to === 'next' || to === 'previous'
    if (isTab && openNext(at, to === 'previous')) return
    edits.close(opened)
    if (to === 'commit') {
      goTo(at)
      rest.onCommit()
    } else if (to === 'up') goTo({ ...at, row: Math.max(0, at.row - 1) })
    else if (to === 'down') goTo({ ...at, row: at.row + 1 })
    else goTo(at)
  }
  const editor =
    opened && at && at.row >= 0 && at.column >= 0
      ? {
          at,
          content: (goTo: (at?: GridPosition) => void) => (
            <CellEditor
              cell={opened}
              edits={edits}
              key={`${opened.id} ${opened.column}`}
              onLeave={(to) => leave(to, goTo)}
              onWiden={() => {
                edits.close(opened)
                rest.onWiden(at)
              }}
            />
          ),
        }
      : undefined
  const paste = (block: PastedBlock, range: GridRange, makesRows: boolean) => {
    void EditStrip.prepare()
    const { top: row, left: first } = range
    const names = columns.slice(first).map(({ label }) => label)
    const {
      staged,
      wrong,
      added,
      left: without,
    } = edits.paste({ row, columns: names, makesRows }, block)
    setLeft(without)
    const rows = added > 0 ? [`${counted(added, 'new row')} staged.`] : []
    const marked =
      wrong > 0 ? [`${counted(wrong, 'cell')} marked: the text is no value of its column.`] : []
    if (rows.length + marked.length > 0)
      showToast({ kind: wrong > 0 ? 'warning' : 'info', text: [...rows, ...marked].join(' ') })
    if (staged === 0) return undefined
    const wide = Math.max(...block.map((cells) => cells.length))
    return {
      top: row,
      left: first,
      bottom: row + block.length - 1,
      right: Math.min(columns.length, first + wide) - 1,
    }
  }
  const fill = ({ top, left: first, bottom, right }: GridRange) => {
    // One row is filled from the one above it.
    const from = top === bottom ? top - 1 : top
    if (from < 0) return
    const source = numbersBetween(first, right).map((column) => {
      const of = edits.drawn(from, columns[column])
      return of.error === undefined ? { text: textOf(of), source: of.source } : { text: of.text }
    })
    const below = { top: from + 1, left: first, bottom, right }
    paste(
      Array.from({ length: bottom - from }, () => source),
      below,
      false,
    )
  }
  const removeRows = (chosen: readonly number[]) => {
    if (refuse(edits.refusal('delete'))) return
    edits.remove(chosen.toSorted((one, other) => one - other))
    rest.onSelect(new Set())
  }
  const act = (action: ChangeAction, { range: all, rows }: GridTarget) => {
    const range = storedIn(all)
    const isOfCells = action === 'fill' || (action === 'clear' && rows.size === 0)
    if (!range && isOfCells) return refuse(notStored)
    void EditStrip.prepare()
    // The grid goes away with the last row of a table that has no others.
    passFocusOn(document.activeElement)
    switch (action) {
      case 'undo':
      case 'redo': {
        if (refuse(edits.held)) return
        const isDone = action === 'undo' ? edits.undo() : edits.redo()
        if (!isDone) showToast({ kind: 'info', text: `There is no step to ${action}.` })
        return
      }
      case 'add':
        return refuse(edits.refusal('add')) || edits.add()
      case 'review':
      case 'commit':
        if (edits.state.edits.length === 0) showToast({ kind: 'info', text: 'Nothing is staged.' })
        else if (action === 'review') rest.onReview()
        else rest.onCommit()
        return
      case 'remove':
        return removeRows(rows.size > 0 ? [...rows] : numbersBetween(all.top, all.bottom))
      case 'fill':
        return range && fill(range)
      case 'clear': {
        if (rows.size === 0) return range && refuse(edits.clear(cellsIn(range, labelOf)))
        removeRows([...rows])
      }
    }
  }
  return {
    left,
    closeLeft: () => setLeft([]),
    act,
    edit: (to: GridPosition) => void openAt(to),
    grid: {
      change,
      onOpen: (to: GridPosition) => openAt(to) === undefined,
      changes: {
        type: (to: GridPosition, typed: string) => refuse(openAt(to, { typed })),
        act,
        paste: (block: PastedBlock, all: GridRange) => {
          const range = storedIn(all)
          if (range) return paste(tiled(block, range), range, true)
          refuse(notStored)
          return undefined
        },
      },
      ...(editor ? { editor } : {}),
    },
  }
}

/** Tells why something is not done; answers whether there is a reason. */
function refuse(reason: string | undefined): boolean {
  if (reason !== undefined) showToast({ kind: 'warning', text: reason })
  return reason !== undefined
}

const notStored = 'This is not stored with the row, so it cannot be changed.'

const textOf = ({ kind, text, exact }: Cell): string | null =>
  kind === 'null' ? null : (exact?.() ?? text)

function cellsIn({ top, left, bottom, right }: GridRange, labelOf: (column: number) => string) {
  return numbersBetween(top, bottom).flatMap((row) =>
    numbersBetween(left, right).map((column) => ({ row, column: labelOf(column) })),
  )
}

/** A block as often as it fits into a larger selection. */
function tiled(block: PastedBlock, range: GridRange): PastedBlock {
  const { rows, columns } = sizeOf(range)
  const wide = block[0]?.length ?? 0
  const isEven = block.every((cells) => cells.length === wide)
  const fits = isEven && wide > 0 && rows % block.length === 0 && columns % wide === 0
  if (!fits) return block
  return numbersBetween(0, rows - 1).map((row) =>
    numbersBetween(0, columns - 1).flatMap(
      (column) => block[row % block.length]?.[column % wide] ?? [],
    ),
  )
}
