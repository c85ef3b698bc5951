// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active cell.

import {
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Action, keysOf, shownKeys } from '~/lib/shortcuts'
import { visibleText } from '~/lib/visible-text'
import { cx } from '../cx'
import { ChevronDownIcon } from '../Icon'
import { type LinesInSight, useLinesInSight } from '../lines-in-sight'
import { type MenuEntry, PlacedMenu } from '../Menu'
import { SafeName, SafeText } from '../SafeText'
import { useNarrow } from '../use-narrow'
import type {
  Cell,
  GridColumn,
  GridPosition,
  GridRange,
  GridSort,
  RowAction,
  RowMark,
} from './cell'
import { foundLook, GridRow } from './GridRow'
import { type GridChanges, type GridTarget, useActiveCell } from './use-active-cell'
import { type ColumnLayout, useColumns } from './use-columns'
import { ValueDialog } from './ValueDialog'

// Outside React: measured sizes, and the clipboard.

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
  /** Lets the rows be ordered by a press on the title of a column. */
  sort?: GridSort
  /** How many rows are in front of the first one here: their numbers go on from there. */
  numbersFrom?: number
  editor?: GridEditor | undefined
  /** Called for a key that is about the active row; returns whether it did something. */
  onRowAction?: (action: RowAction, row: number) => boolean
  /** Lets cells be changed. */
  changes?: GridChanges | undefined
  /** Called with the first and the last row that are drawn, whenever these are others. */
  onSight?: ((first: number, last: number) => void) | undefined
  /** What can be done with the selected cells, beside copying them. */
  menu?: (target: GridTarget) => readonly MenuEntry[]
}

type GridEditor = {
  at: GridPosition
  /** `leave` gives the focus back to the grid, at a cell that may be another one. */
  content: (leave: (to?: GridPosition) => void) => ReactNode
}

const headerHeight = 30
/** Pixels beside a row's number. */
const markWidth = 22

/**
 * A virtualised grid: only what is seen is in the document. The focus stays on the grid and the
 * active cell is its active descendant, so it survives being scrolled away. Values are opened in a
 * dialog, unless `onOpen` does otherwise.
 *
 * Arrows, Home, End, Page Up and Page Down move (with Ctrl to the ends), with Shift or the pointer
 * they select cells, Ctrl+C copies what is selected, Enter or F2 shows the whole value or follows its
 * link, Ctrl+Shift+arrow changes the column's width, Alt+arrow up
 * or down orders by it. Where rows can be chosen, Space and a press on
 * the number choose one, with Shift all from the last one on.
 */
export function DrawnGrid(props: GridProps) {
  const { label, columns, rowCount, cell, maxHeight = 420 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const activeId = useId()
  const rowHeight = useNarrow() ? 36 : 28
  const { mark, onMark, selected, onSelect, onRow, found, editor, numbersFrom = 0 } = props
  const layout = useColumns(columns, rowCount, cell, mark ? markWidth : 0, numbersFrom)
  const sight = useLinesInSight(rowCount, rowHeight)
  const { attach: watch } = sight
  const attach = useCallback(
    (box: HTMLDivElement | null) => {
      scroller.current = box
      return watch(box)
    },
    [watch],
  )
  const view = {
    page: () => sight.page(headerHeight),
    reveal: ({ row, column }: GridPosition) => {
      const { starts, numberWidth } = layout
      sight.reveal(row, headerHeight)
      sight.revealAcross(starts[column] ?? 0, starts[column + 1] ?? 0, numberWidth)
    },
    activeBox: () => document.getElementById(activeId)?.getBoundingClientRect(),
  }
  const [menu, setMenu] = useState<{ at: Point; entries: readonly MenuEntry[] }>()
  const reveal = useRef(view.reveal)
  useLayoutEffect(() => {
    reveal.current = view.reveal
  })
  const showMenu = (target: GridTarget, at: Point) => {
    const { top, left, bottom, right } = target.range
    const isOne = top === bottom && left === right
    const copy = isOne ? 'Copy the exact value' : 'Copy the selected cells'
    const own: MenuEntry[] = [
      action(copy, 'copy', () => cells.copyCells(target)),
      ...(isOne
        ? [action('Show the whole value', undefined, () => cells.show(target.active))]
        : []),
    ]
    const more = props.menu?.(target) ?? []
    setMenu({ at, entries: [...own, ...more] })
  }
  const cells = useActiveCell({ ...props, onMenu: onRow ? undefined : showMenu }, layout, view)
  const { active, opened, open, range } = cells
  const leave = (to?: GridPosition) => {
    scroller.current?.focus({ preventScroll: true })
    if (to) cells.goTo(to)
  }
  // A browser sends this event to where a caret was last, which may be anywhere on the page.
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (document.activeElement === scroller.current) cells.paste(event)
  })
  const canPaste = props.changes !== undefined
  useEffect(() => {
    if (!canPaste) return
    const hear = (event: ClipboardEvent) => paste(event)
    document.addEventListener('paste', hear)
    return () => document.removeEventListener('paste', hear)
  }, [canPaste])
  const edited = editor?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another cell is a reason to go there.
  useLayoutEffect(() => {
    if (edited) reveal.current(edited)
  }, [edited?.row, edited?.column])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to begin again.
  useLayoutEffect(() => {
    sight.moveTo(0)
  }, [props.page])
  useLayoutEffect(() => {
    if (found) reveal.current({ row: found.row ?? 0, column: found.column })
  }, [found])
  const [firstRow, lastRow] = [sight.lines[0]?.index ?? 0, sight.lines.at(-1)?.index ?? 0]
  const tellSight = useEffectEvent((first: number, last: number) => props.onSight?.(first, last))
  useEffect(() => tellSight(firstRow, lastRow), [firstRow, lastRow])
  const seen = columnsInSight(layout, sight)
  const isColumnShown = active.column >= seen.first && active.column <= seen.last
  const shown = isColumnShown && sight.lines.some((row) => row.index === active.row)
  // What is typed must not go away with its row when that is scrolled out of sight.
  const isAway =
    edited && edited.row < rowCount && !sight.lines.some(({ index }) => index === edited.row)
  const away = isAway ? [{ index: edited.row, start: edited.row * rowHeight }] : []
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
          'relative overflow-auto overscroll-x-contain bg-panel outline-none',
          '[&:focus-within_[data-active=true]:not([data-marked])]:bg-selected [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary',
          maxHeight === 'fill' && 'h-full',
        )}
        onClick={cells.click}
        onContextMenu={cells.menu}
        onDoubleClick={cells.doubleClick}
        onKeyDown={cells.press}
        onPointerDown={cells.pointerDown}
        onPointerMove={cells.pointerMove}
        onPointerUp={cells.pointerUp}
        ref={attach}
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
          {...seen}
        />
        <div
          className="relative min-w-full"
          role="presentation"
          style={{ height: sight.boxHeight, width: layout.totalWidth }}
        >
          {[...sight.lines, ...away].map((row) => (
            <GridRow
              activeColumn={row.index === active.row ? active.column : undefined}
              activeId={activeId}
              cell={cell}
              columns={columns}
              editor={
                row.index === editor?.at.row
                  ? { column: editor.at.column, content: editor.content(leave) }
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
              selectedFrom={isIn(range, row.index) ? range?.left : undefined}
              selectedTo={isIn(range, row.index) ? range?.right : undefined}
              top={row.start}
              width={layout.totalWidth}
              {...seen}
            />
          ))}
        </div>
      </div>
      <span aria-live="polite" className="sr-only">
        {cells.told}
      </span>
      {opened && (
        <ValueDialog
          cell={cell(opened.row, opened.column)}
          column={columns[opened.column]}
          onClose={() => open(undefined)}
          row={opened.row}
        />
      )}
      {menu && (
        <PlacedMenu
          at={menu.at}
          entries={menu.entries}
          label="What can be done with the selected cells"
          onClose={() => {
            setMenu(undefined)
            scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </>
  )
}

type Point = { x: number; y: number }

function action(label: string, key: Action<'grid'> | undefined, onSelect: () => void): MenuEntry {
  const keys = key ? { detail: shownKeys(keysOf('grid', key)) } : {}
  return { kind: 'action', label, onSelect, ...keys }
}

const isIn = (range: GridRange | undefined, row: number): boolean =>
  range !== undefined && row >= range.top && row <= range.bottom

/** The columns that are seen and one more on each side, first and last. */
function columnsInSight({ starts, numberWidth }: ColumnLayout, { left, width }: LinesInSight) {
  const end = left + width - numberWidth
  const first = starts.findLastIndex((start) => start <= left) - 1
  const last = starts.findLastIndex((start) => start < end) + 1
  return { first: Math.max(0, first), last: Math.min(starts.length - 2, last) }
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
