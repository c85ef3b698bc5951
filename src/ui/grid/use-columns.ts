import { type CSSProperties, useMemo, useState } from 'react'
import { hasHidden, visibleText } from '~/lib/visible-text'
import { type Cell, type CellKind, type GridColumn, previewLength } from './cell'

export type ColumnLayout = {
  widths: readonly number[]
  /** Pixels from the left edge of the first column; one more than there are columns. */
  starts: readonly number[]
  /** One style object per column, shared by all rows so that React can skip equal ones. */
  places: readonly CSSProperties[]
  numberWidth: number
  /** Of everything, the row numbers included. */
  totalWidth: number
  resize: (column: number, width: number) => void
  /** The width that fits the rows that are there now. */
  fit: (column: number) => void
}

/** A result as long as a page may grow; its numbers have room for these digits from the beginning. */
const mayGrowFrom = 1_000
const roomyDigits = 6

/** Column geometry: estimated from the content, then as the user drags it. */
export function useColumns(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
  markWidth = 0,
  numbersFrom = 0,
): ColumnLayout {
  // Widths that the user chose belong to these columns and end with them.
  const [chosen, setChosen] = useState<{ of: unknown; widths: Map<number, number> }>()
  const fitting = useFirstWidths(columns, rowCount, cell)
  const own = chosen?.of === columns ? chosen.widths : undefined
  const geometry = useMemo(() => {
    const widths = fitting.map((width, index) => own?.get(index) ?? width)
    const starts = columnStarts(widths)
    const digits = rowCount < mayGrowFrom ? String(rowCount).length : roomyDigits
    const numberWidth =
      markWidth + 24 + Math.max(digits, String(numbersFrom + rowCount).length) * 7.5
    const places = widths.map((width, index) => ({
      left: numberWidth + (starts[index] ?? 0),
      width,
    }))
    return { widths, starts, places, numberWidth, totalWidth: numberWidth + (starts.at(-1) ?? 0) }
  }, [fitting, own, rowCount, markWidth, numbersFrom])
  const change = (edit: (widths: Map<number, number>) => void) => {
    const widths = new Map(own)
    edit(widths)
    setChosen({ of: columns, widths })
  }
  return {
    ...geometry,
    resize: (column, width) =>
      change((widths) => widths.set(column, Math.max(minWidth, Math.round(width)))),
    fit: (column) =>
      change((widths) =>
        widths.set(column, columnWidths(columns, rowCount, cell)[column] ?? minWidth),
      ),
  }
}

/** Widths by the first rows that came: nothing jumps when more are fetched. */
function useFirstWidths(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
): readonly number[] {
  const measured = () => ({
    of: columns,
    isEmpty: rowCount === 0,
    widths: columnWidths(columns, rowCount, cell),
  })
  const [first, setFirst] = useState(measured)
  if (first.of === columns && (!first.isEmpty || rowCount === 0)) return first.widths
  const next = measured()
  setFirst(next)
  return next.widths
}

export const minWidth = 56
const padding = 26
/** Rows looked at in a column of few, and cells in a table of many columns. */
const sampleRows = 60
const sampleCells = 6_000
const fewestRows = 8

/** Average advances in pixels of 13 px text and of the header's, for the widest of the usual fonts. */
const uiAdvance = 7.4
const monoAdvance = 7.9
const wideAdvance = 13.5
const titleAdvance = 9.2
const detailAdvance = 8.8

/** Columns of text share about this much, and none is narrower or wider than these for its content. */
const room = 900
const textLimits = { min: 280, max: 640 }
/** Values of these kinds mean nothing when they are cut, and are never long. */
const wholeKinds: ReadonlySet<CellKind> = new Set(['number', 'boolean', 'time', 'uuid'])
const longestWhole = 420
const longestTitle = 360

/** What a column asks for: titles and whole values in any case, texts as far as there is room. */
type Wish = { readonly whole: number; readonly text: number }

/**
 * Widths in pixels from the titles and a sample of the content, so that nothing is measured on
 * the page and the same answer always looks the same. Numbers, times and UUIDs are shown whole.
 */
export function columnWidths(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
): number[] {
  const perColumn = Math.floor(sampleCells / Math.max(1, columns.length))
  const rows = Math.min(sampleRows, Math.max(fewestRows, perColumn))
  const step = Math.max(1, Math.floor(rowCount / rows))
  const wishes = columns.map((column, index) => {
    const room = padding + (column.room ?? 0) * monoAdvance
    let whole = Math.max(minWidth, room, Math.min(longestTitle, padding + titleWidth(column)))
    let text = whole
    for (let row = 0; row < rowCount; row += step) {
      const value = cell(row, index)
      const width = padding + contentWidth(value)
      if (wholeKinds.has(value.kind) && !value.before)
        whole = Math.max(whole, Math.min(longestWhole, width))
      else text = Math.max(text, width)
    }
    return { whole, text }
  })
  const limit = textLimit(wishes)
  return wishes.map(({ whole, text }) => Math.round(Math.max(whole, Math.min(limit, text))))
}

/** The width up to which texts may grow, so that all columns together fill the room. */
function textLimit(wishes: readonly Wish[]): number {
  let left = room - wishes.reduce((sum, { whole }) => sum + whole, 0)
  const growing = wishes.filter(({ whole, text }) => text > whole).sort((a, b) => a.text - b.text)
  left += growing.reduce((sum, { whole }) => sum + whole, 0)
  for (const [index, { text }] of growing.entries()) {
    const share = left / (growing.length - index)
    if (text > share) return Math.min(textLimits.max, Math.max(textLimits.min, share))
    left -= text
  }
  return textLimits.max
}

/** Pixels from the left edge of the first column to each column, and at the end to the last edge. */
export function columnStarts(widths: readonly number[]): number[] {
  const starts = [0]
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width)
  return starts
}

function titleWidth({ title, detail = '' }: GridColumn): number {
  return title.length * titleAdvance + detail.length * detailAdvance + 12
}

/** Of the arrow between an old value and the new one. */
const arrowWidth = 40

/** Letters of East Asia take the room of two. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g

function contentWidth({ text, kind, before }: Cell): number {
  if (before) return contentWidth(before) + arrowWidth + contentWidth({ text, kind })
  if (kind === 'null') return 34
  const advance = kind === 'text' ? uiAdvance : monoAdvance
  const start = text.slice(0, previewLength)
  const seen = hasHidden(start) ? visibleText(start) : start
  const wides = seen.match(wide)?.length ?? 0
  return Math.min(seen.length, previewLength) * advance + wides * (wideAdvance - advance)
}
