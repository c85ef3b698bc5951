// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active cell.

import { type CSSProperties, memo, type ReactNode } from 'react'
import { beginning, hasHidden, visibleText } from '~/lib/visible-text'
import { cx } from '../cx'
import { CloseIcon, InfoIcon, ShieldIcon, WarningIcon } from '../Icon'
import { Link } from '../Link'
import { SafeText } from '../SafeText'
import { type Cell, type CellKind, type GridColumn, previewLength, type RowMark } from './cell'

export type GridRowProps = {
  index: number
  /** What stands beside it, counted from one and from page to page. */
  number: number
  top: number
  height: number
  /** One style object per column, shared by all rows so that React can skip equal ones. */
  places: readonly CSSProperties[]
  columns: readonly GridColumn[]
  numberWidth: number
  width: number
  first: number
  last: number
  cell: (row: number, column: number) => Cell
  activeColumn: number | undefined
  /** The column of a value that was searched for. */
  foundColumn: number | undefined
  activeId: string
  mark: RowMark | undefined
  onMark: ((row: number) => void) | undefined
  isSelectable: boolean
  isSelected: boolean
  /** The selected columns, first and last, where some are beside the active cell. */
  selectedFrom: number | undefined
  selectedTo: number | undefined
  /** What stands in place of one of its cells. */
  editor: { column: number; content: ReactNode } | undefined
}

const kinds: Record<CellKind, string> = {
  null: '',
  empty: 'font-mono text-muted',
  number: 'font-mono tabular-nums',
  text: '',
  boolean: 'font-mono',
  blob: 'font-mono',
  time: 'font-mono tabular-nums',
  json: 'font-mono',
  uuid: 'font-mono',
}

export const foundLook = 'bg-warning-tint outline-1 -outline-offset-1 outline-warning'

const cellClass = 'absolute top-0 h-full text-ellipsis whitespace-pre px-3'

/** ARIA counts the rows that are here, and the header as the first one. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, top, height, numberWidth, width, first, last } = props
  const cells: ReactNode[] = []
  for (let column = first; column <= last; column++) cells.push(gridCell(props, column))
  const { editor } = props
  const isShown = editor && editor.column >= first && editor.column <= last
  // What is typed must not go away with the columns that are scrolled out of sight.
  if (editor && !isShown) cells.push(gridCell(props, editor.column))
  return (
    <div
      aria-rowindex={index + 2}
      aria-selected={props.isSelectable ? props.isSelected : undefined}
      className={cx(
        'group absolute top-0 left-0 min-w-full border-line/55 border-b text-sm hover:bg-hover aria-selected:bg-selected',
        // Rows are layers of their own; the next one, or the header, would cover the editor.
        editor && 'z-header',
      )}
      role="row"
      style={{ transform: `translateY(${top}px)`, height, width, lineHeight: `${height - 1}px` }}
    >
      <RowNumber {...props} width={numberWidth} />
      {cells}
    </div>
  )
})

/** A wrong or changed value keeps its colour where cells are chosen. */
function lookOf({ error, before }: Cell, isSelected: boolean): string {
  if (error !== undefined) return 'bg-error-tint outline-1 -outline-offset-1 outline-error'
  return cx(
    isSelected && 'outline-1 -outline-offset-1 outline-primary/45',
    before ? 'bg-warning-tint' : isSelected && 'bg-selected',
  )
}

function gridCell(props: GridRowProps, column: number): ReactNode {
  const value = props.cell(props.index, column)
  const active = props.activeColumn === column
  const editor = props.editor?.column === column ? props.editor.content : undefined
  const { selectedFrom, selectedTo = -1 } = props
  const isSelected = selectedFrom !== undefined && column >= selectedFrom && column <= selectedTo
  return (
    <div
      aria-colindex={column + 2}
      aria-invalid={value.error === undefined ? undefined : true}
      aria-selected={isSelected || undefined}
      className={cx(
        cellClass,
        editor ? 'z-sticky overflow-visible' : 'overflow-hidden',
        kinds[value.kind],
        lookOf(value, isSelected),
        props.columns[column]?.align === 'end' ? 'text-right' : 'text-left',
        props.foundColumn === column && foundLook,
      )}
      data-active={active || undefined}
      data-marked={value.error !== undefined || value.before !== undefined || undefined}
      data-found={props.foundColumn === column || undefined}
      dir="auto"
      id={active ? props.activeId : undefined}
      key={column}
      role="gridcell"
      style={props.places[column]}
      title={value.error === undefined ? undefined : visibleText(value.error)}
      translate="no"
    >
      {editor ?? shown(value)}
    </div>
  )
}

function shown(value: Cell): ReactNode {
  if (value.isGone) return <del className="text-muted">{content(value)}</del>
  return value.before ? changed(value.before, value) : content(value)
}

/**
 * The old value struck out and the new one behind it, so that it takes no colour to see both. Where
 * there is no room for both, the new one has it.
 */
function changed(before: Cell, after: Cell): ReactNode {
  return (
    <span className="inline-flex max-w-full align-bottom">
      <del className="min-w-6 shrink-[99] truncate text-muted">{content(before)}</del>
      <span className="px-1.5">→</span>
      <ins className="min-w-0 truncate font-medium no-underline">{content(after)}</ins>
    </span>
  )
}

function content({ text, kind, to }: Cell): ReactNode {
  if (to !== undefined) {
    return (
      // The grid is one stop of the Tab key; Enter follows the link of the active cell.
      <Link className="text-primary underline" tabIndex={-1} to={to}>
        {text}
      </Link>
    )
  }
  if (kind === 'null') return <span className="null">NULL</span>
  if (kind === 'empty') return "''"
  const preview = beginning(text, previewLength)
  return hasHidden(preview, 'value') ? <SafeText text={preview} value /> : preview
}

type RowNumberProps = {
  index: number
  number: number
  width: number
  mark: RowMark | undefined
  onMark: ((row: number) => void) | undefined
  isSelectable: boolean
}

const marks: Record<RowMark['tone'], { icon: ReactNode; look: string }> = {
  verified: { icon: <ShieldIcon />, look: 'text-verified' },
  warning: { icon: <WarningIcon />, look: 'text-warning' },
  error: { icon: <CloseIcon />, look: 'text-error' },
  neutral: { icon: <InfoIcon />, look: 'text-muted' },
}

/** The number of a row with what is known of the row beside it. */
function RowNumber({ index, number, width, mark, onMark, isSelectable }: RowNumberProps) {
  return (
    <div
      aria-colindex={1}
      className={cx(
        'sticky left-0 z-sticky flex h-full items-center justify-end gap-1 border-line/55 border-e bg-panel pe-2 font-mono text-muted text-xs tabular-nums group-hover:bg-raised group-aria-selected:bg-raised group-aria-selected:text-text',
        isSelectable && 'cursor-pointer select-none',
      )}
      role="rowheader"
      style={{ width }}
    >
      {mark && (
        <button
          aria-label={visibleText(mark.label)}
          className={cx('me-auto h-full ps-1.5 pe-1', marks[mark.tone].look)}
          data-mark=""
          onClick={() => onMark?.(index)}
          tabIndex={-1}
          title={visibleText(mark.label)}
          type="button"
        >
          {marks[mark.tone].icon}
        </button>
      )}
      {number}
    </div>
  )
}
