// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active cell.

import { type PointerEvent, useRef } from 'react'
import { visibleText } from '~/lib/visible-text'
import type { GridColumn } from '~/ui/grid/cell'
import { foundLook } from '~/ui/grid/GridRow'
import type { ColumnLayout } from '~/ui/grid/use-columns'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'
import { cx } from '../cx'

export type GridHeaderProps = {
  columns: readonly GridColumn[]
  layout: ColumnLayout
  /** The column whose title was searched for. */
  foundColumn: number | undefined
  height: number
  first: number
  last: number
}

/** Column titles that stay on top while the rows scroll. */
export function GridHeader(props: GridHeaderProps) {
  const shown = []
  for (let column = props.first; column <= props.last; column++) shown.push(column)
  return (
    <div
      aria-rowindex={1}
      className="sticky top-0 z-sticky min-w-full border-line border-b bg-panel text-sm"
      role="row"
      style={{ width: props.layout.totalWidth, height: props.height }}
    >
      <div
        aria-colindex={1}
        className="sticky left-0 z-sticky h-full border-line/55 border-e bg-panel"
        role="columnheader"
        style={{ width: props.layout.numberWidth }}
      >
        <span className="sr-only">Row</span>
      </div>
      {shown.map((column) => (
        <HeaderCell
          column={props.columns[column]}
          index={column}
          isFound={props.foundColumn === column}
          key={column}
          layout={props.layout}
        />
      ))}
    </div>
  )
}

type HeaderCellProps = {
  column: GridColumn | undefined
  index: number
  isFound: boolean
  layout: ColumnLayout
}

function HeaderCell({ column, index, isFound, layout }: HeaderCellProps) {
  const { title = '', detail, align = 'start' } = column ?? {}
  return (
    <div
      aria-colindex={index + 2}
      className={cx(
        'absolute top-0 flex h-full items-center gap-2 px-3',
        align === 'end' && 'justify-end',
        isFound && foundLook,
      )}
      data-found={isFound || undefined}
      role="columnheader"
      style={layout.places[index]}
    >
      <span className="truncate font-medium" title={visibleText(title, 'name')}>
        <SafeName text={title} />
      </span>
      {detail !== undefined && (
        <span className="shrink-[99] truncate text-muted text-xs">
          <SafeText text={detail} />
        </span>
      )}
      <ResizeEdge
        onFit={() => layout.fit(index)}
        onResize={(width) => layout.resize(index, width)}
        width={layout.widths[index] ?? 0}
      />
    </div>
  )
}

type ResizeEdgeProps = { width: number; onResize: (width: number) => void; onFit: () => void }

/** For the pointer only; the keyboard resizes from the active cell. */
function ResizeEdge({ width, onResize, onFit }: ResizeEdgeProps) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current) onResize(start.current.width + event.clientX - start.current.x)
  }
  const end = () => {
    start.current = undefined
  }
  return (
    <div
      aria-hidden="true"
      className="absolute top-0 right-0 h-full w-2 cursor-col-resize touch-none after:absolute after:inset-y-1.5 after:right-0 after:w-px after:bg-line after:content-[''] hover:after:inset-y-0 hover:after:w-0.5 hover:after:bg-primary"
      onDoubleClick={onFit}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
    />
  )
}
