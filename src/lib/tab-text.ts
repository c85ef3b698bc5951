import { csvReader, inQuotes } from './csv'

/** A block of cells, row by row; null is NULL, which differs from an empty text. */
export type TextBlock = readonly (readonly (string | null)[])[]

/** A field of tab-separated text as spreadsheets write it: quoted where it would break its row. */
export function tabField(text: string): string {
  return /[\t\r\n"]/.test(text) ? inQuotes(text) : text
}

/**
 * Cells as spreadsheets put them on the clipboard. NULL is an empty field and an empty text is `""`,
 * which spreadsheets both show as an empty cell.
 */
export function tabText(block: TextBlock): string {
  const field = (text: string | null) => (text === '' ? '""' : text === null ? '' : tabField(text))
  const text = block.map((row) => row.map(field).join('\t')).join('\n')
  // Else the line end before a last empty row would count as the end of the text.
  return text.endsWith('\n') ? `${text}\n` : text
}

/**
 * The cells of a text from the clipboard. A text without well-formed quotes is read as it stands, so
 * that nothing of it is lost.
 */
export function readTabText(text: string): TextBlock {
  if (text === '') return [[null]]
  const quoted = recordsOf(text, '"')
  const records = quoted.some(({ problem }) => problem !== null) ? recordsOf(text, '') : quoted
  return records.map(({ cells, quoted: inQuotes }) =>
    cells.map((text, at) => (text === '' && !inQuotes[at] ? null : text)),
  )
}

function recordsOf(text: string, quote: string) {
  const reader = csvReader({ separator: '\t', quote })
  return [...reader.read(text), ...reader.end()]
}
