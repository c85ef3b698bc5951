import { useMemo } from 'react'
import { Grid } from '../Grid'
import type { Cell } from '../grid/cell'

type ChartTableProps = {
  title: string
  /** What the first column holds, such as `Time`. */
  along: string
  /** The names of the lines, a column each. */
  names: readonly string[]
  rowCount: number
  cell: (row: number, column: number) => Cell
  maxHeight?: number
}

/** The points of a chart as rows. */
export function ChartTable({
  title,
  along,
  names,
  rowCount,
  cell,
  maxHeight = 180,
}: ChartTableProps) {
  // The grid keeps widths by the identity of the columns, which new points must not change.
  const heads = JSON.stringify([along, ...names])
  const columns = useMemo(
    () =>
      JSON.parse(heads).map((head: string, at: number) => ({
        title: head,
        align: at === 0 ? ('start' as const) : ('end' as const),
      })),
    [heads],
  )
  return (
    <Grid
      cell={cell}
      columns={columns}
      label={`${title}, as a table`}
      maxHeight={maxHeight}
      rowCount={rowCount}
    />
  )
}
