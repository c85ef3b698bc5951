// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a table are read, not focused.
import type { ReactNode } from 'react'
import { useLinesInSight } from './tree/viewport'

// Outside React: measured sizes.

type WindowedRowsProps = {
  /** The accessible name. */
  label: string
  rowCount: number
  /** Pixels; all rows are equally high. */
  rowHeight: number
  /** Cells with the role `columnheader`; stays in sight. */
  header: ReactNode
  /** What tells a row from the others, so that it keeps its state while the list changes. */
  rowKey: (index: number) => string
  /** The cells of a row, each with the role `cell`. */
  row: (index: number) => ReactNode
}

/** A table that takes the height of its container and draws only the rows that are seen. */
export function WindowedRows(props: WindowedRowsProps) {
  const { label, rowCount, rowHeight, header, rowKey, row } = props
  const { attach, boxHeight, lines } = useLinesInSight(rowCount, rowHeight)
  return (
    <div
      aria-label={label}
      aria-rowcount={rowCount + 1}
      className="h-full overflow-auto"
      ref={attach}
      role="table"
    >
      <div className="sticky top-0 z-sticky" role="rowgroup">
        <div aria-rowindex={1} role="row">
          {header}
        </div>
      </div>
      <div className="relative" role="rowgroup" style={{ height: boxHeight }}>
        {lines.map(({ index, start }) => (
          <div
            aria-rowindex={index + 2}
            className="absolute inset-x-0"
            key={rowKey(index)}
            role="row"
            style={{ height: rowHeight, top: start }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
