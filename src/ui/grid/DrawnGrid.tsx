// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active cell.

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from '../cx'
import { ChevronDownIcon } from '../Icon'
import { SafeName, SafeText } from '../SafeText'
import { useNarrow } from '../use-narrow'
import type { Cell, GridColumn, GridPosition, GridSort, RowMark } from './cell'
import { foundLook, GridRow } from './GridRow'
import { useActiveCell } from './use-active-cell'
import { type ColumnLayout, useColumns } from './use-columns'
import { ValueDialog } from './ValueDialog'

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
  /** Called after the exact text of a cell was copied. */
  onCopy?: (text: string) => void
  /** Makes room for a mark beside each row's number; its identity says whether marks changed. */
  mark?: (row: number) => RowMark | undefined
  /** A mark was pressed. */
  onMark?: (row: number) => void
  selected?: ReadonlySet<number>
  /** Lets rows be chosen: by their numbers, by Space, all of them by Ctrl+A. */
  onSelect?: (rows: ReadonlySet<number>) => void
  /** A head (`row` is null) or value to be brought into sight; a new object brings it again. */
  found?: { row: number | null; column: number } | undefined
  /** Names the rows, such as those of one page: with another name they begin at the top. */
  page?: string
  /** Opens a row, by a press on it or by Enter, in place of the value of its cell. */
  onRow?: (row: number) => void
  /** Called when a value is to be opened; returns whether that was done, so that no dialog opens. */
  onOpen?: (at: GridPosition) => boolean
  /** What stands in the place of a cell, such as a field for its value. */
  editor?: { at: GridPosition; content: ReactNode } | undefined
  /** Lets the rows be ordered by a press on the title of a column. */
  sort?: GridSort
  /** How many rows are in front of the first one here: their numbers go on from there. */
  numbersFrom?: number
  /** Called with a letter and the active row; returns whether it did something. */
  onLetter?: (letter: string, row: number) => boolean
}

const headerHeight = 30
/** Pixels beside a row's number. */
const markWidth = 22

/**
 * A virtualised grid: only what is seen is in the document. The focus stays on the grid and the
 * active cell is its active descendant, so it survives being scrolled away. Values are opened in a
 * dialog, unless `onOpen` does otherwise.
 *
 * Arrows, Home, End, Page Up and Page Down move (with Ctrl to the ends), Ctrl+C copies the cell,
 * Enter or F2 shows the whole value or follows its link, Ctrl+Shift+arrow changes the column's
 * width, Alt+arrow up or down orders by it. Where rows can be chosen, Space and a press on the number choose one, with Shift all from
 * the last one on.
 */
export function DrawnGrid(props: GridProps) {
  const { label, columns, rowCount, cell, maxHeight = 420 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const activeId = useId()
  const rowHeight = useNarrow() ? 36 : 28
  const { mark, onMark, selected, onSelect, onRow, found, editor, numbersFrom = 0 } = props
  const layout = useColumns(columns, rowCount, cell, mark ? markWidth : 0, numbersFrom)
  const view = useView(scroller, rowCount, rowHeight, layout)
  const reveal = useRef(view.reveal)
  useLayoutEffect(() => {
    reveal.current = view.reveal
  })
  const { active, opened, open, copied, press, click, doubleClick } = useActiveCell(
    props,
    layout,
    view,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to begin again.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [props.page])
  useLayoutEffect(() => {
    if (found) reveal.current({ row: found.row ?? 0, column: found.column })
  }, [found])
  const { first, last } = view.columns
  const isColumnShown = active.column >= first && active.column <= last
  const shown = isColumnShown && view.rows.some((row) => row.index === active.row)
  return (
    <>
      <div
        aria-activedescendant={shown ? activeId : undefined}
        aria-colcount={columns.length + 1}
        aria-label={label}
        aria-multiselectable={onSelect ? true : undefined}
        aria-readonly={props.onOpen === undefined}
        aria-rowcount={rowCount + 1}
        className={cx(
          'relative overflow-auto bg-panel outline-none',
          '[&:focus-within_[data-active=true]]:bg-selected [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary',
          maxHeight === 'fill' && 'h-full',
        )}
        onClick={click}
        onDoubleClick={doubleClick}
        onKeyDown={press}
        ref={scroller}
        role="grid"
        style={maxHeight === 'fill' ? undefined : { maxHeight }}
        tabIndex={0}
      >
        <GridHeader
          columns={columns}
          foundColumn={found?.row === null ? found.column : undefined}
          height={headerHeight}
          layout={layout}
          sort={props.sort}
          {...view.columns}
        />
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
              editor={
                row.index === editor?.at.row
                  ? { column: editor.at.column, content: editor.content }
                  : undefined
              }
              foundColumn={row.index === found?.row ? found.column : undefined}
              height={rowHeight}
              index={row.index}
              isSelectable={onSelect !== undefined || onRow !== undefined}
              isSelected={selected?.has(row.index) ?? false}
              key={row.index}
              mark={mark?.(row.index)}
              number={numbersFrom + row.index + 1}
              numberWidth={layout.numberWidth}
              onMark={onMark}
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
      {opened && (
        <ValueDialog
          cell={cell(opened.row, opened.column)}
          column={columns[opened.column]}
          onClose={() => open(undefined)}
          row={opened.row}
        />
      )}
    </>
  )
}

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

type GridHeaderProps = {
  columns: readonly GridColumn[]
  layout: ColumnLayout
  /** The column whose title was searched for. */
  foundColumn: number | undefined
  height: number
  first: number
  last: number
  sort: GridSort | undefined
}

/** Column titles that stay on top while the rows scroll. */
function GridHeader(props: GridHeaderProps) {
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
          sort={props.sort}
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
  sort: GridSort | undefined
}

function HeaderCell({ column, index, isFound, layout, sort }: HeaderCellProps) {
  const { title = '', detail, align = 'start' } = column ?? {}
  const order = sort?.at?.column === index ? sort.at : null
  const words = (
    <>
      <span className="truncate font-medium" title={visibleText(title, 'name')} translate="no">
        <SafeName text={title} />
      </span>
      {detail !== undefined && (
        <span className="shrink-[100000] truncate text-muted text-xs" translate="no">
          <SafeText text={detail} />
        </span>
      )}
    </>
  )
  const look = cx('flex h-full w-full items-center gap-2 px-3', align === 'end' && 'justify-end')
  return (
    <div
      aria-colindex={index + 2}
      aria-sort={order ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      className={cx('absolute top-0 h-full', isFound && foundLook)}
      data-found={isFound || undefined}
      role="columnheader"
      style={layout.places[index]}
    >
      {sort && sort.refusal(index) === undefined ? (
        <button
          className={cx(look, 'cursor-pointer hover:bg-hover')}
          onClick={(event) => {
            sort.by(index)
            // The keys that move the active cell belong to the grid.
            const grid = event.currentTarget.closest('[role=grid]')
            if (grid instanceof HTMLElement) grid.focus({ preventScroll: true })
          }}
          tabIndex={-1}
          type="button"
        >
          {words}
          {order && !order.isPlain && (
            <ChevronDownIcon
              className={cx('shrink-0 text-primary', !order.isDescending && 'rotate-180')}
            />
          )}
        </button>
      ) : (
        <div className={look} title={sort?.refusal(index)}>
          {words}
        </div>
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
