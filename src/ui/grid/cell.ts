/** What a cell holds, which decides how it is written and aligned. */
export type CellKind =
  | 'null'
  | 'empty'
  | 'number'
  | 'text'
  | 'boolean'
  | 'blob'
  | 'time'
  | 'json'
  | 'uuid'

/** The text is exact and complete, and the grid shortens what it shows, unless `exact` is there. */
export type Cell = {
  text: string
  kind: CellKind
  /** Makes the whole value where the text is only a preview, because making it takes time. */
  exact?: () => string
  /** The value that it had before, where both are shown. */
  before?: Cell
  /** The row is to be deleted. */
  isGone?: boolean
  /** Why the text is not a value of the column. */
  error?: string
  /** The value itself with its type, as a result has it, where the text is only how it is written. */
  source?: { readonly type: string; readonly value: string | null }
  /** Where it leads, by a press or by Enter, in place of the dialog: a path built by `pathTo`. */
  to?: string
}

export type GridColumn = {
  title: string
  /** Its type, written small beside the title. */
  detail?: string
  align: 'start' | 'end'
  /** Characters that there is room for, where the values come later. */
  room?: number
}

/** The order of the rows by a column, and what changes it from the titles of the columns. */
export type GridSort = {
  /** Null where no column that is shown gives the order. */
  readonly at: {
    readonly column: number
    readonly isDescending: boolean
    /** Nobody asked for the order: its sign would only take room. */
    readonly isPlain: boolean
  } | null
  /** Why rows cannot be in the order of a column; undefined where they can. */
  readonly refusal: (column: number) => string | undefined
  /** Orders by a column in a direction, and no longer where it is so already; without one, the next in turn. */
  readonly by: (column: number, direction?: 'ascending' | 'descending') => void
}

/** Zero-based, without the header and the column of row numbers. */
export type GridPosition = { row: number; column: number }

/** Cells in a rectangle, both ends included. */
export type GridRange = {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** What a key can do with the active row. */
export type RowAction = 'verify' | 'history' | 'blame' | 'row'

/** Longest stretch of a value that a cell shows, in UTF-16 units. */
export const previewLength = 256

/** What the clipboard gets: the exact value, and nothing for NULL. */
export function copiedText(cell: Cell): string {
  return cell.kind === 'null' || cell.kind === 'empty' ? '' : (cell.exact?.() ?? cell.text)
}

/** What is known of a row, shown beside its number. */
export type RowMark = {
  /** `verified` is for what this browser has verified itself and for nothing else. */
  tone: 'verified' | 'warning' | 'error' | 'neutral'
  /** A word or a sentence. */
  label: string
}

/** The mark of a row whose button is all that is known of it. */
export function plainMark(label: string): RowMark {
  return { tone: 'neutral', label }
}
