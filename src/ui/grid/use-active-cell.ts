import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { type Action, actionOf, type Press, typedText } from '~/lib/shortcuts'
import { counted } from '~/lib/text'
import { copyText } from '../clipboard'
import { useNavigate } from '../location'
import type { Cell, GridColumn, GridPosition, GridRange, GridSort, RowAction } from './cell'
import { type CopiedBlock, cellsOfText, rememberCells, textOfCells } from './copied-cells'
import { isInRange, numbersBetween, rangeBetween, sizeOf } from './range'
import type { ColumnLayout } from './use-columns'

/** Pixels that one key press makes a column wider or narrower. */
const resizeStep = 24

/** The cells that are selected, the active one at least, and the rows that are chosen whole. */
export type GridTarget = {
  readonly active: GridPosition
  readonly range: GridRange
  readonly rows: ReadonlySet<number>
}

export type ChangeAction =
  | 'clear'
  | 'fill'
  | 'undo'
  | 'redo'
  | 'add'
  | 'remove'
  | 'review'
  | 'commit'

/** What changes cells, where they can be changed. */
export type GridChanges = {
  /** A sign was typed on the active cell; it is empty where an accent or a word begins. */
  type: (at: GridPosition, text: string) => void
  act: (action: ChangeAction, target: GridTarget) => void
  /** Answers which cells were filled. */
  paste: (block: CopiedBlock, range: GridRange) => GridRange | undefined
}

type Content = {
  columns: readonly GridColumn[]
  rowCount: number
  cell: (row: number, column: number) => Cell
  onCopy?: (text: string) => void
  selected?: ReadonlySet<number>
  onSelect?: (rows: ReadonlySet<number>) => void
  onRow?: (row: number) => void
  onRowAction?: (action: RowAction, row: number) => boolean
  onOpen?: (at: GridPosition) => boolean
  changes?: GridChanges | undefined
  onMenu?: ((target: GridTarget, at: { x: number; y: number }) => void) | undefined
  found?: { row: number | null; column: number } | undefined
  page?: string
  sort?: GridSort
  editor?: { at: GridPosition } | undefined
}

const rowActions: ReadonlySet<string | undefined> = new Set(['verify', 'history', 'blame', 'row'])
const isRowAction = (action: string | undefined): action is RowAction => rowActions.has(action)

type View = {
  /** Rows seen at once. */
  page: () => number
  /** Scrolls a cell into sight. */
  reveal: (position: GridPosition) => void
  /** Where the active cell is drawn. */
  activeBox: () => DOMRect | undefined
}

/** The active cell, and the opposite corner of the selection that begins at it. */
type Chosen = { readonly at: GridPosition; readonly corner: GridPosition | null }

/** The active cell, the selected ones, and what the keyboard and pointer do with them. */
export function useActiveCell(content: Content, layout: ColumnLayout, view: View) {
  const { columns, rowCount, cell, onCopy, onRow, onRowAction, changes, found, page } = content
  const [chosen, choose] = useState<Chosen>({
    at: { row: found?.row ?? 0, column: found?.column ?? 0 },
    corner: null,
  })
  const setActive = (at: GridPosition) => choose({ at, corner: null })
  // The keyboard continues from what was found.
  const [seen, setSeen] = useState(found)
  if (found !== seen) {
    setSeen(found)
    if (found) setActive({ row: found.row ?? 0, column: found.column })
  }
  const [seenPage, setSeenPage] = useState(page)
  if (page !== seenPage) {
    setSeenPage(page)
    setActive({ row: 0, column: chosen.at.column })
  }
  // And from the cell that is edited.
  const edited = content.editor?.at
  const editedName = edited ? `${edited.row} ${edited.column}` : ''
  const [seenEdited, setSeenEdited] = useState('')
  if (editedName !== seenEdited) {
    setSeenEdited(editedName)
    if (edited) setActive(edited)
  }
  const [opened, setOpened] = useState<GridPosition>()
  const navigate = useNavigate()
  const open = (at: GridPosition | undefined) => {
    const to = at && cell(at.row, at.column).to
    if (to !== undefined) navigate(to)
    else if (at === undefined || !content.onOpen?.(at)) setOpened(at)
  }
  const [told, tell] = useState('')
  const selection = useSelection(content)
  const within = ({ row, column }: GridPosition): GridPosition => ({
    row: Math.min(row, Math.max(0, rowCount - 1)),
    column: Math.min(column, Math.max(0, columns.length - 1)),
  })
  const active = within(chosen.at)
  const corner = chosen.corner && within(chosen.corner)
  const range = rangeBetween(active, corner ?? active)
  const hasRange = corner !== null
  const rows = content.selected ?? noRows
  const target: GridTarget = { active, range, rows }
  const empty = rowCount === 0 || columns.length === 0
  const extendTo = (to: GridPosition) => {
    choose({ at: active, corner: to })
    view.reveal(to)
    const { rows: high, columns: wide } = sizeOf(rangeBetween(active, to))
    tell(`${counted(high, 'row')}, ${counted(wide, 'column')} selected`)
  }

  /** Copies the selected cells, or else the rows that are chosen, or else the active cell. */
  const copy = async (of: GridTarget, isRange: boolean) => {
    const isOfRows = !isRange && of.rows.size > 0
    const from = isOfRows
      ? [...of.rows].filter((row) => row < rowCount).sort((one, other) => one - other)
      : numbersBetween(of.range.top, of.range.bottom)
    const across = isOfRows
      ? numbersBetween(0, columns.length - 1)
      : numbersBetween(of.range.left, of.range.right)
    const cells = from.map((row) => across.map((column) => cell(row, column)))
    const text = textOfCells(cells)
    const done = await copyText(text)
    const count = from.length * across.length
    tell(!done ? 'Could not copy' : count === 1 ? 'Copied' : `${counted(count, 'cell')} copied`)
    if (!done) return
    rememberCells(text, cells)
    onCopy?.(text)
  }
  const openAt = (position: GridPosition) => (onRow ? onRow(position.row) : open(position))
  const release = (): boolean => {
    if (hasRange) setActive(active)
    else if (rows.size > 0) content.onSelect?.(noRows)
    else return false
    tell('Nothing selected')
    return true
  }
  const showMenu = () => {
    const box = view.activeBox()
    if (!box || !content.onMenu) return false
    content.onMenu(target, { x: box.left + Math.min(24, box.width / 2), y: box.bottom })
    return true
  }
  const change = (event: KeyboardEvent): boolean => {
    if (!changes) return false
    const action = actionOf('rows', event)
    switch (action) {
      case 'clear':
      case 'fill':
      case 'undo':
      case 'redo':
      case 'add':
      case 'remove':
      case 'review':
        changes.act(action, target)
        return true
      case 'commit':
        // A key that is still held commits nothing more.
        if (!event.repeat) changes.act(action, target)
        return true
      default: {
        const text = typedText(event)
        // What the system composes goes on in the field.
        if (text !== undefined) changes.type(active, text)
        return text !== undefined && text !== ''
      }
    }
  }
  const act = (event: KeyboardEvent): boolean => {
    const action = actionOf('grid', event)
    const size = { rows: rowCount, columns: columns.length, page: view.page() }
    const to = nextPosition(active, event, size)
    const end = onRow ? undefined : extendedTo(corner ?? active, action, size)
    if (to) {
      setActive(to)
      view.reveal(to)
    } else if (end) extendTo(end)
    else if (selection.act(action, active.row)) return true
    else if (action === 'open') openAt(active)
    else if (action === 'release') return release()
    else if (action === 'menu') return showMenu()
    else if (action === 'copy' && !hasSelection()) void copy(target, hasRange)
    else if (action === 'narrower' || action === 'wider') {
      const step = action === 'wider' ? resizeStep : -resizeStep
      layout.resize(active.column, (layout.widths[active.column] ?? 0) + step)
    } else if (action === 'ascending' || action === 'descending') {
      if (!content.sort || content.sort.refusal(active.column) !== undefined) return false
      content.sort.by(active.column, action)
    } else if (isRowAction(action)) return onRowAction?.(action, active.row) ?? false
    else return change(event)
    return true
  }
  const drag = useDrag({
    isOn: !onRow,
    extend: (from, to) => {
      const end = within(to)
      choose({ at: from, corner: end })
      view.reveal(end)
    },
  })
  return {
    active,
    /** Undefined while only the active cell is selected. */
    range: hasRange ? range : undefined,
    opened: empty ? undefined : opened,
    open,
    /** Opens the dialog of a value. */
    show: (at: GridPosition) => setOpened(at),
    /** Said to screen readers. */
    told,
    /** Copies cells, whatever rows are chosen. */
    copyCells: (of: GridTarget) => void copy(of, true),
    /** Goes to a cell, which is brought into sight. */
    goTo: (to: GridPosition) => {
      const at = within(to)
      setActive(at)
      view.reveal(at)
    },
    press: (event: KeyboardEvent) => {
      // The value dialog is a child in React's tree, so its keys arrive here too.
      if (empty || event.target !== event.currentTarget) return
      if (act(event)) event.preventDefault()
    },
    paste: (event: ClipboardEvent) => {
      if (empty || !changes || !event.clipboardData) return
      event.preventDefault()
      const filled = changes.paste(cellsOfText(event.clipboardData.getData('text/plain')), range)
      if (filled)
        choose({
          at: { row: filled.top, column: filled.left },
          corner: { row: filled.bottom, column: filled.right },
        })
    },
    menu: (event: MouseEvent) => {
      if (empty || !content.onMenu || isField(event.target)) return
      const position = positionOf(event.target)
      const isKey = event.target === event.currentTarget
      if (!position && !isKey) return
      event.preventDefault()
      if (!position) return void showMenu()
      const at = { x: event.clientX, y: event.clientY }
      if (isInRange(position, range)) return content.onMenu(target, at)
      setActive(position)
      content.onMenu({ ...target, active: position, range: rangeBetween(position, position) }, at)
    },
    ...drag,
    click: (event: MouseEvent) => {
      if (isField(event.target)) return
      const position = positionOf(event.target)
      const row = numberedRow(event.target)
      if (position && event.shiftKey && !onRow) {
        document.getSelection()?.removeAllRanges()
        extendTo(position)
        return
      }
      if (position) setActive(position)
      // A link that opened elsewhere has the focus, and the keys would go to it.
      if (event.target instanceof HTMLAnchorElement && event.currentTarget instanceof HTMLElement)
        event.currentTarget.focus({ preventScroll: true })
      const pressed = position?.row ?? row
      if (onRow && pressed !== undefined && !hasSelection()) onRow(pressed)
      else if (row !== undefined) selection.choose(row, event.shiftKey)
    },
    // Not everywhere: a double press on the edge of a title fits the column.
    doubleClick: (event: MouseEvent) => {
      const position = positionOf(event.target)
      if (position && !onRow && !isField(event.target)) open(position)
    },
  }
}

const noRows: ReadonlySet<number> = new Set<number>()

/** Whether a press is on the field that stands in the place of a cell. */
function isField(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-editor]') !== null
}

/** Selecting with the pointer from one cell to another; text within one cell is still selected. */
function useDrag(of: { isOn: boolean; extend: (from: GridPosition, to: GridPosition) => void }) {
  const from = useRef<{ at: GridPosition; isFar: boolean } | null>(null)
  return {
    pointerDown: (event: PointerEvent<HTMLElement>) => {
      const isOurs = of.isOn && event.button === 0 && event.pointerType !== 'touch'
      const at = isOurs && !event.shiftKey && !isField(event.target) && positionOf(event.target)
      from.current = at ? { at, isFar: false } : null
    },
    pointerMove: (event: PointerEvent<HTMLElement>) => {
      const begun = from.current
      if (!begun || event.buttons !== 1) return
      const to = positionAt(event.currentTarget, event.clientX, event.clientY)
      if (!to || (!begun.isFar && to.row === begun.at.row && to.column === begun.at.column)) return
      // From here on outside of the grid as well, which then scrolls.
      if (!begun.isFar) event.currentTarget.setPointerCapture(event.pointerId)
      begun.isFar = true
      document.getSelection()?.removeAllRanges()
      of.extend(begun.at, to)
    },
    pointerUp: () => {
      if (from.current?.isFar) document.getSelection()?.removeAllRanges()
      from.current = null
    },
  }
}

/** The cell at a point; for one outside of the grid the cell at its edge, or the one behind it. */
function positionAt(grid: HTMLElement, x: number, y: number): GridPosition | undefined {
  const box = grid.getBoundingClientRect()
  const [right, bottom] = [box.left + grid.clientWidth - 2, box.top + grid.clientHeight - 2]
  const header = grid.querySelector('[role=columnheader]')?.getBoundingClientRect()
  const [left, top] = [(header?.right ?? box.left) + 2, (header?.bottom ?? box.top) + 2]
  const inside = {
    x: Math.max(left, Math.min(right, x)),
    y: Math.max(top, Math.min(bottom, y)),
  }
  const found = document.elementFromPoint(inside.x, inside.y)
  const at = found && positionOf(found)
  if (!at) return undefined
  return {
    row: Math.max(0, at.row + Math.sign(y - inside.y)),
    column: Math.max(0, at.column + Math.sign(x - inside.x)),
  }
}

/** Text that the user selected with the pointer is copied by the browser instead of the cell. */
function hasSelection(): boolean {
  return document.getSelection()?.isCollapsed === false
}

function positionOf(target: EventTarget): GridPosition | undefined {
  const element = target instanceof Element ? target.closest('[role=gridcell]') : null
  const column = Number(element?.getAttribute('aria-colindex')) - 2
  const row = Number(element?.parentElement?.getAttribute('aria-rowindex')) - 2
  return column >= 0 && row >= 0 ? { row, column } : undefined
}

/** The row whose number was pressed, but not the mark beside it. */
function numberedRow(target: EventTarget): number | undefined {
  if (!(target instanceof Element) || target.closest('[data-mark]')) return undefined
  const row =
    Number(target.closest('[role=rowheader]')?.parentElement?.getAttribute('aria-rowindex')) - 2
  return row >= 0 ? row : undefined
}

type Size = {
  rows: number
  columns: number
  /** Rows that are seen at once. */
  page: number
}

/** Where a key moves the active cell, by the ARIA grid pattern; `undefined` for every other key. */
export function nextPosition(
  from: GridPosition,
  press: Press,
  size: Size,
): GridPosition | undefined {
  return moved(from, actionOf('grid', press), size)
}

const movesOf: Partial<Record<Action<'grid'>, Action<'grid'>>> = {
  extendUp: 'up',
  extendDown: 'down',
  extendLeft: 'left',
  extendRight: 'right',
  extendHome: 'firstColumn',
  extendEnd: 'lastColumn',
  extendPageUp: 'pageUp',
  extendPageDown: 'pageDown',
}

/** Where a key moves the corner of the selection; `undefined` for every other key. */
function extendedTo(from: GridPosition, action: Action<'grid'> | undefined, size: Size) {
  return moved(from, action && movesOf[action], size)
}

function moved(
  from: GridPosition,
  action: Action<'grid'> | undefined,
  size: Size,
): GridPosition | undefined {
  if (size.rows === 0 || size.columns === 0) return undefined
  const to = step(from, action, size)
  return (
    to && {
      row: Math.min(size.rows - 1, Math.max(0, to.row)),
      column: Math.min(size.columns - 1, Math.max(0, to.column)),
    }
  )
}

function step(
  { row, column }: GridPosition,
  action: Action<'grid'> | undefined,
  { rows, columns, page }: Size,
): GridPosition | undefined {
  switch (action) {
    case 'up':
      return { row: row - 1, column }
    case 'down':
      return { row: row + 1, column }
    case 'left':
      return { row, column: column - 1 }
    case 'right':
      return { row, column: column + 1 }
    case 'firstRow':
      return { row: 0, column }
    case 'lastRow':
      return { row: rows - 1, column }
    case 'firstColumn':
      return { row, column: 0 }
    case 'lastColumn':
      return { row, column: columns - 1 }
    case 'firstCell':
      return { row: 0, column: 0 }
    case 'lastCell':
      return { row: rows - 1, column: columns - 1 }
    case 'pageUp':
      return { row: row - page, column }
    case 'pageDown':
      return { row: row + page, column }
    default:
      return undefined
  }
}

type SelectionContent = {
  rowCount: number
  selected?: ReadonlySet<number>
  onSelect?: (rows: ReadonlySet<number>) => void
}

/** Which rows are chosen, and how the keyboard and pointer choose. */
function useSelection({ rowCount, selected = new Set(), onSelect }: SelectionContent) {
  const last = useRef<number>(null)
  /** Turns a row round, or chooses all from the last one turned up to it. */
  const choose = (row: number, isRange: boolean) => {
    const rows = new Set(selected)
    if (isRange && last.current !== null) {
      const [from, to] = [Math.min(last.current, row), Math.max(last.current, row)]
      for (let one = from; one <= to; one += 1) rows.add(one)
    } else if (!rows.delete(row)) rows.add(row)
    last.current = row
    onSelect?.(rows)
  }
  const chooseAll = () => {
    const isWhole = selected.size === rowCount
    onSelect?.(new Set(isWhole ? [] : Array.from({ length: rowCount }, (_, row) => row)))
  }
  /** Answers whether the action was one of choosing rows. */
  const act = (action: Action<'grid'> | undefined, row: number): boolean => {
    if (!onSelect) return false
    if (action === 'chooseAll') chooseAll()
    else if (action === 'choose' || action === 'chooseRange') choose(row, action === 'chooseRange')
    else return false
    return true
  }
  return { choose, act }
}
