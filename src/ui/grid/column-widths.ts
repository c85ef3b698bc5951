import { type Cell, type GridColumn, previewLength } from '~/ui/grid/cell'

export const minWidth = 56
const padding = 26
const sampleRows = 60

/** Average advances in pixels of 13 px text and of the header's, for the widest of the usual fonts. */
const uiAdvance = 7.4
const monoAdvance = 7.9
const titleAdvance = 9.2
const detailAdvance = 8.8

/**
 * Widths in pixels from the titles and a sample of the content, so that nothing is measured on
 * the page and the same answer always looks the same. Few columns may be wider.
 */
export function columnWidths(
  columns: readonly GridColumn[],
  rowCount: number,
  cell: (row: number, column: number) => Cell,
): number[] {
  const widest = columns.length <= 2 ? 640 : columns.length <= 5 ? 400 : 280
  const step = Math.max(1, Math.floor(rowCount / sampleRows))
  return columns.map((column, index) => {
    let width =
      column.title.length * titleAdvance + (column.detail?.length ?? 0) * detailAdvance + 12
    for (let row = 0; row < rowCount; row += step) {
      width = Math.max(width, textWidth(cell(row, index)))
    }
    return Math.round(Math.min(widest, Math.max(minWidth, width + padding)))
  })
}

/** Pixels from the left edge of the first column to each column, and at the end to the last edge. */
export function columnStarts(widths: readonly number[]): number[] {
  const starts = [0]
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width)
  return starts
}

function textWidth({ text, kind }: Cell): number {
  if (kind === 'null') return 34
  const advance = kind === 'text' ? uiAdvance : monoAdvance
  return Math.min(text.length, previewLength) * advance
}
