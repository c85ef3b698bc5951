import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { copyText } from '~/ui/clipboard'
import { type Cell, copiedText, type GridColumn, type GridPosition } from '~/ui/grid/cell'
import { moved } from '~/ui/grid/move'
import type { ColumnLayout } from '~/ui/grid/use-columns'

/** Pixels that one key press makes a column wider or narrower. */
const resizeStep = 24

type Content = {
  columns: readonly GridColumn[]
  rowCount: number
  cell: (row: number, column: number) => Cell
  onCopy?: (text: string) => void
}

type View = {
  /** Rows seen at once. */
  page: () => number
  /** Scrolls a cell into sight. */
  reveal: (position: GridPosition) => void
}

/** The active cell and what the keyboard and pointer do with it. */
export function useActiveCell(content: Content, layout: ColumnLayout, view: View) {
  const { columns, rowCount, cell, onCopy } = content
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
    // Not everywhere: a double press on the edge of a title fits the column.
    doubleClick: (event: MouseEvent) => {
      const position = positionOf(event.target)
      if (position) open(position)
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
