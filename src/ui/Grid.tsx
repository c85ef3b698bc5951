// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { copyText } from '~/ui/clipboard'
import { type Cell, copiedText, type GridColumn, type GridPosition } from '~/ui/grid/cell'
import { GridHeader } from '~/ui/grid/GridHeader'
import { GridRow } from '~/ui/grid/GridRow'
import { moved } from '~/ui/grid/move'
import { type ColumnLayout, useColumns } from '~/ui/grid/use-columns'
import { ValueDialog } from '~/ui/grid/ValueDialog'
import { join } from '~/ui/join'
import { useNarrow } from '~/ui/use-narrow'

export type GridProps = {
  /** The accessible name. */
  label: string
  /** Keep the array the same while the columns are the same: chosen widths belong to it. */
  columns: readonly GridColumn[]
  rowCount: number
  /** Called for visible cells and a sample. Keep the function the same while the content is. */
  cell: (row: number, column: number) => Cell
  /** Pixels, or `fill` to take the height of the container. */
  maxHeight?: number | 'fill'
  /** Rows of 28 or 36 pixels. */
  density?: 'compact' | 'comfortable'
  /** Told after a cell's exact text has gone to the clipboard. */
  onCopy?: (text: string) => void
}

const headerHeight = 30
const resizeStep = 24

/**
 * A virtualised read-only grid: only what is seen is in the document. The focus stays on the grid
 * and the active cell is its active descendant, so it survives being scrolled away.
 *
 * Arrows, Home, End, Page Up and Page Down move (with Ctrl to the ends), Ctrl+C copies the cell,
 * Enter or F2 shows the whole value, Ctrl+Shift+arrow changes the column's width.
 */
export function Grid(props: GridProps) {
  const { label, columns, rowCount, cell, maxHeight = 420, density = 'compact' } = props
  const scroller = useRef<HTMLDivElement>(null)
  const activeId = useId()
  const rowHeight = useNarrow() || density === 'comfortable' ? 36 : 28
  const layout = useColumns(columns, rowCount, cell)
  const view = useView(scroller, rowCount, rowHeight, layout)
  const { active, opened, open, copied, press, click } = useActiveCell(props, layout, view)
  const shown = view.rows.some((row) => row.index === active.row)
  return (
    <>
      <div
        aria-activedescendant={shown ? activeId : undefined}
        aria-colcount={columns.length + 1}
        aria-label={label}
        aria-readonly="true"
        aria-rowcount={rowCount + 1}
        className={join(
          'relative overflow-auto bg-panel outline-none',
          '[&:focus-within_[data-active=true]]:bg-selected [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary',
          maxHeight === 'fill' && 'h-full',
        )}
        onClick={click}
        onDoubleClick={() => open(active)}
        onKeyDown={press}
        ref={scroller}
        role="grid"
        style={maxHeight === 'fill' ? undefined : { maxHeight }}
        tabIndex={0}
      >
        <GridHeader columns={columns} height={headerHeight} layout={layout} {...view.columns} />
        <div
          className="relative min-w-full"
          role="presentation"
          style={{ height: rowCount * rowHeight, width: layout.totalWidth }}
        >
          {view.rows.map((row) => (
            <GridRow
              activeColumn={row.index === active.row ? active.column : undefined}
              activeId={activeId}
              cell={cell}
              columns={columns}
              height={rowHeight}
              index={row.index}
              key={row.index}
              numberWidth={layout.numberWidth}
              places={layout.places}
              top={row.start - headerHeight}
              width={layout.totalWidth}
              {...view.columns}
            />
          ))}
        </div>
      </div>
      <span aria-live="polite" className="sr-only">
        {copied}
      </span>
      {opened && columns[opened.column] && (
        <ValueDialog
          cell={cell(opened.row, opened.column)}
          column={columns[opened.column] as GridColumn}
          onClose={() => open(undefined)}
          row={opened.row}
        />
      )}
    </>
  )
}

type View = ReturnType<typeof useView>

/** Which rows and columns are seen, and how to bring others into sight. */
function useView(
  scroller: RefObject<HTMLDivElement | null>,
  rowCount: number,
  rowHeight: number,
  { widths, numberWidth }: ColumnLayout,
) {
  const rows = useVirtualizer({
    count: rowCount,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
    overscan: 6,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
  })
  const across = useVirtualizer({
    count: widths.length,
    estimateSize: (index) => widths[index] ?? 0,
    getScrollElement: () => scroller.current,
    horizontal: true,
    overscan: 1,
    scrollMargin: numberWidth,
    scrollPaddingStart: numberWidth,
  })
  // The virtualizers keep old sizes until told otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is the reason to measure.
  useLayoutEffect(() => across.measure(), [across, widths])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is the reason to measure.
  useLayoutEffect(() => rows.measure(), [rows, rowHeight])
  const columns = across.getVirtualItems()
  return {
    rows: rows.getVirtualItems(),
    columns: { first: columns[0]?.index ?? 0, last: columns.at(-1)?.index ?? -1 },
    page: () =>
      Math.max(1, Math.floor(((rows.scrollRect?.height ?? 0) - headerHeight) / rowHeight) - 1),
    reveal: ({ row, column }: GridPosition) => {
      rows.scrollToIndex(row)
      across.scrollToIndex(column)
    },
  }
}

/** The active cell and what the keyboard and pointer do with it. */
function useActiveCell(props: GridProps, layout: ColumnLayout, view: View) {
  const { columns, rowCount, cell, onCopy } = props
  const [chosen, setActive] = useState<GridPosition>({ row: 0, column: 0 })
  const [opened, open] = useState<GridPosition>()
  const [copied, setCopied] = useState('')
  const active = {
    row: Math.min(chosen.row, Math.max(0, rowCount - 1)),
    column: Math.min(chosen.column, Math.max(0, columns.length - 1)),
  }
  const empty = rowCount === 0 || columns.length === 0

  const copy = async () => {
    const text = copiedText(cell(active.row, active.column))
    const done = await copyText(text)
    setCopied(done ? 'Copied' : 'Could not copy')
    if (done) onCopy?.(text)
  }
  const act = (event: KeyboardEvent): boolean => {
    const ctrl = event.ctrlKey || event.metaKey
    const to = moved(active, event, { rows: rowCount, columns: columns.length, page: view.page() })
    if (to) {
      setActive(to)
      view.reveal(to)
    } else if (event.key === 'Enter' || event.key === 'F2') open(active)
    else if (ctrl && event.key.toLowerCase() === 'c' && !hasSelection()) void copy()
    else if (ctrl && event.shiftKey && event.key.startsWith('Arrow')) {
      const step = { ArrowLeft: -resizeStep, ArrowRight: resizeStep }[event.key] ?? 0
      layout.resize(active.column, (layout.widths[active.column] ?? 0) + step)
    } else return false
    return true
  }
  return {
    active,
    opened: empty ? undefined : opened,
    open,
    copied,
    press: (event: KeyboardEvent) => {
      // The value dialog is a child in React's tree, so its keys arrive here too.
      if (empty || event.target !== event.currentTarget) return
      if (act(event)) event.preventDefault()
    },
    click: (event: MouseEvent) => {
      const position = positionOf(event.target)
      if (position) setActive(position)
    },
  }
}

/** Text that the person marked with the pointer is copied by the browser instead of the cell. */
function hasSelection(): boolean {
  return document.getSelection()?.isCollapsed === false
}

function positionOf(target: EventTarget): GridPosition | undefined {
  const element = target instanceof Element ? target.closest('[role=gridcell]') : null
  const column = Number(element?.getAttribute('aria-colindex')) - 2
  const row = Number(element?.parentElement?.getAttribute('aria-rowindex')) - 2
  return column >= 0 && row >= 0 ? { row, column } : undefined
}
