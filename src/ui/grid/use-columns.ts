import { type CSSProperties, useMemo, useState } from 'react'
import type { Cell, GridColumn } from '~/ui/grid/cell'
import { columnStarts, columnWidths, minWidth } from '~/ui/grid/column-widths'

export type ColumnLayout = {
  widths: readonly number[]
  /** Pixels from the left edge of the first column; one more than there are columns. */
  starts: readonly number[]
  /** One style object per column, shared by all rows so that React can skip equal ones. */
  places: readonly CSSProperties[]
  numberWidth: number
  /** Of everything, the row numbers included. */
  totalWidth: number
  resize: (column: number, width: number) => void
  /** The width that fits the rows that are there now. */
  fit: (column: number) => void
}

/** A result as long as a page may grow; its numbers have room for these digits from the beginning. */
const mayGrowFrom = 1_000
const roomyDigits = 6

/** Column geometry: estimated from the content, then as the person drags it. */
export function useColumns(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
  markWidth = 0,
): ColumnLayout {
  // Widths a person chose belong to these columns and end with them.
  const [chosen, setChosen] = useState<{ of: unknown; widths: Map<number, number> }>()
  const fitting = useFirstWidths(columns, rowCount, cell)
  const own = chosen?.of === columns ? chosen.widths : undefined
  const geometry = useMemo(() => {
    const widths = fitting.map((width, index) => own?.get(index) ?? width)
    const starts = columnStarts(widths)
    const digits = rowCount < mayGrowFrom ? String(rowCount).length : roomyDigits
    const numberWidth = markWidth + 24 + Math.max(digits, String(rowCount).length) * 7.5
    const places = widths.map((width, index) => ({
      left: numberWidth + (starts[index] ?? 0),
      width,
    }))
    return { widths, starts, places, numberWidth, totalWidth: numberWidth + (starts.at(-1) ?? 0) }
  }, [fitting, own, rowCount, markWidth])
  const change = (edit: (widths: Map<number, number>) => void) => {
    const widths = new Map(own)
    edit(widths)
    setChosen({ of: columns, widths })
  }
  return {
    ...geometry,
    resize: (column, width) =>
      change((widths) => widths.set(column, Math.max(minWidth, Math.round(width)))),
    fit: (column) =>
      change((widths) =>
        widths.set(column, columnWidths(columns, rowCount, cell)[column] ?? minWidth),
      ),
  }
}

/** Widths by the first rows that came: nothing jumps when more are fetched. */
function useFirstWidths(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
): readonly number[] {
  const measured = () => ({
    of: columns,
    isEmpty: rowCount === 0,
    widths: columnWidths(columns, rowCount, cell),
  })
  const [first, setFirst] = useState(measured)
  if (first.of === columns && (!first.isEmpty || rowCount === 0)) return first.widths
  const next = measured()
  setFirst(next)
  return next.widths
}
