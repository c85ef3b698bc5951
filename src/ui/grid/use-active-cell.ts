import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { type Action, actionOf, type Press } from '~/lib/shortcuts'
import { copyText } from '../clipboard'
import { useNavigate } from '../location'
import { type Cell, copiedText, type GridColumn, type GridPosition, type GridSort } from './cell'
import type { ColumnLayout } from './use-columns'

/** Pixels that one key press makes a column wider or narrower. */
const resizeStep = 24

type Content = {
  columns: readonly GridColumn[]
  rowCount: number
  cell: (row: number, column: number) => Cell
  onCopy?: (text: string) => void
  selected?: ReadonlySet<number>
  onSelect?: (rows: ReadonlySet<number>) => void
  onRow?: (row: number) => void
  onLetter?: (letter: string, row: number) => boolean
  onOpen?: (at: GridPosition) => boolean
  found?: { row: number | null; column: number } | undefined
  page?: string
  sort?: GridSort
}

type View = {
  /** Rows seen at once. */
  page: () => number
  /** Scrolls a cell into sight. */
  reveal: (position: GridPosition) => void
}

/** The active cell and what the keyboard and pointer do with it. */
export function useActiveCell(content: Content, layout: ColumnLayout, view: View) {
  const { columns, rowCount, cell, onCopy, onRow, onLetter, found, page } = content
  const [chosen, setActive] = useState<GridPosition>({
    row: found?.row ?? 0,
    column: found?.column ?? 0,
  })
  // The keyboard continues from what was found.
  const [seen, setSeen] = useState(found)
  if (found !== seen) {
    setSeen(found)
    if (found) setActive({ row: found.row ?? 0, column: found.column })
  }
  const [seenPage, setSeenPage] = useState(page)
  if (page !== seenPage) {
    setSeenPage(page)
    setActive({ row: 0, column: chosen.column })
  }
  const [opened, setOpened] = useState<GridPosition>()
  const navigate = useNavigate()
  const open = (at: GridPosition | undefined) => {
    const to = at && cell(at.row, at.column).to
    if (to !== undefined) navigate(to)
    else if (at === undefined || !content.onOpen?.(at)) setOpened(at)
  }
  const [copied, setCopied] = useState('')
  const selection = useSelection(content)
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
  const openAt = (position: GridPosition) => (onRow ? onRow(position.row) : open(position))
  const act = (event: KeyboardEvent): boolean => {
    const action = actionOf('grid', event)
    const to = nextPosition(active, event, {
      rows: rowCount,
      columns: columns.length,
      page: view.page(),
    })
    if (to) {
      setActive(to)
      view.reveal(to)
    } else if (selection.act(action, active.row)) return true
    else if (action === 'open') openAt(active)
    else if (action === 'copy' && !hasSelection()) void copy()
    else if (action === 'narrower' || action === 'wider') {
      const step = action === 'wider' ? resizeStep : -resizeStep
      layout.resize(active.column, (layout.widths[active.column] ?? 0) + step)
    } else if (action === 'ascending' || action === 'descending') {
      if (!content.sort || content.sort.refusal(active.column) !== undefined) return false
      content.sort.by(active.column, action)
    } else {
      const isLetter = action === 'verify' || action === 'history' || action === 'row'
      return isLetter && (onLetter?.(event.key, active.row) ?? false)
    }
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
      const row = numberedRow(event.target)
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
      if (position && !onRow) open(position)
    },
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
  if (size.rows === 0 || size.columns === 0) return undefined
  const to = target(from, actionOf('grid', press), size)
  return (
    to && {
      row: Math.min(size.rows - 1, Math.max(0, to.row)),
      column: Math.min(size.columns - 1, Math.max(0, to.column)),
    }
  )
}

function target(
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
