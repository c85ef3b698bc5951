import type { GridPosition } from '~/ui/grid/cell'

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }

type Size = {
  rows: number
  columns: number
  /** Rows that are seen at once. */
  page: number
}

/** Where a key moves the active cell, by the ARIA grid pattern; `undefined` for every other key. */
export function moved(from: GridPosition, key: Key, size: Size): GridPosition | undefined {
  if (key.altKey || key.shiftKey || size.rows === 0 || size.columns === 0) return undefined
  const far = key.ctrlKey || key.metaKey
  const to = target(from, key.key, far, size)
  return (
    to && {
      row: Math.min(size.rows - 1, Math.max(0, to.row)),
      column: Math.min(size.columns - 1, Math.max(0, to.column)),
    }
  )
}

function target(
  { row, column }: GridPosition,
  key: string,
  far: boolean,
  { rows, columns, page }: Size,
): GridPosition | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: far ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: far ? rows - 1 : row + 1, column }
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: far ? columns - 1 : column + 1 }
    case 'PageUp':
      return { row: row - page, column }
    case 'PageDown':
      return { row: row + page, column }
    case 'Home':
      return { row: far ? 0 : row, column: 0 }
    case 'End':
      return { row: far ? rows - 1 : row, column: columns - 1 }
    default:
      return undefined
  }
}
