import { type Action, actionOf, type Press } from '~/lib/shortcuts'
import type { GridPosition } from '~/ui/grid/cell'

type Size = {
  rows: number
  columns: number
  /** Rows that are seen at once. */
  page: number
}

/** Where a key moves the active cell, by the ARIA grid pattern; `undefined` for every other key. */
export function moved(from: GridPosition, press: Press, size: Size): GridPosition | undefined {
  if (size.rows === 0 || size.columns === 0) return undefined
  const to = target(from, actionOf('grid', press), size)
  return (
    to && {
      row: Math.min(size.rows - 1, Math.max(0, to.row)),
      column: Math.min(size.columns - 1, Math.max(0, to.column)),
    }
  )
}

function target(
  { row, column }: GridPosition,
  action: Action<'grid'> | undefined,
  { rows, columns, page }: Size,
): GridPosition | undefined {
  switch (action) {
    case 'up':
      return { row: row - 1, column }
    case 'down':
      return { row: row + 1, column }
    case 'left':
      return { row, column: column - 1 }
    case 'right':
      return { row, column: column + 1 }
    case 'firstRow':
      return { row: 0, column }
    case 'lastRow':
      return { row: rows - 1, column }
    case 'firstColumn':
      return { row, column: 0 }
    case 'lastColumn':
      return { row, column: columns - 1 }
    case 'firstCell':
      return { row: 0, column: 0 }
    case 'lastCell':
      return { row: rows - 1, column: columns - 1 }
    case 'pageUp':
      return { row: row - page, column }
    case 'pageDown':
      return { row: row + page, column }
    default:
      return undefined
  }
}
