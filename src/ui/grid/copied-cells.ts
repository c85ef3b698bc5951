import { readTabText, tabText } from '~/lib/tab-text'
import { type Cell, copiedText } from './cell'

/** A cell from the clipboard: its text, null for NULL, and its value where a grid here wrote it. */
export type CopiedCell = {
  readonly text: string | null
  readonly source?: Cell['source']
}

export type CopiedBlock = readonly (readonly CopiedCell[])[]

/** What a grid wrote last: the clipboard keeps the text alone, which a value can be more than. */
let last: { readonly text: string; readonly block: CopiedBlock } | null = null

/** The text of one cell is the value itself, that of several is tab-separated. */
export function textOfCells(cells: readonly (readonly Cell[])[]): string {
  const [first, ...others] = cells.flat()
  if (first && others.length === 0) return copiedText(first)
  return tabText(cells.map((row) => row.map(plain)))
}

/** Keeps what was put on the clipboard, so that it comes back exactly. */
export function rememberCells(text: string, cells: readonly (readonly Cell[])[]): void {
  const block = cells.map((row) =>
    row.map((cell) => ({
      text: plain(cell),
      ...(cell.source && cell.error === undefined ? { source: cell.source } : {}),
    })),
  )
  last = { text, block }
}

/** The cells of a text from the clipboard. */
export function cellsOfText(text: string): CopiedBlock {
  // Systems write line ends in their own way.
  const isOurs = last !== null && lineEnds(text) === lineEnds(last.text)
  if (isOurs && last) return last.block
  return readTabText(text).map((row) => row.map((cell) => ({ text: cell })))
}

const plain = (cell: Cell): string | null => (cell.kind === 'null' ? null : copiedText(cell))

const lineEnds = (text: string): string => text.replace(/\r\n?/g, '\n')
