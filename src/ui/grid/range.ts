import type { GridPosition, GridRange } from './cell'

/** The cells between two corners. */
export function rangeBetween(one: GridPosition, other: GridPosition): GridRange {
  return {
    top: Math.min(one.row, other.row),
    left: Math.min(one.column, other.column),
    bottom: Math.max(one.row, other.row),
    right: Math.max(one.column, other.column),
  }
}

export function isInRange({ row, column }: GridPosition, range: GridRange): boolean {
  return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right
}

/** Rows and columns of a range. */
export function sizeOf({ top, left, bottom, right }: GridRange) {
  return { rows: bottom - top + 1, columns: right - left + 1 }
}

/** Numbers from one to another, both included. */
export function numbersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
}
