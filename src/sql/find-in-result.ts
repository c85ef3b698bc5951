import { base64ToHex } from '~/lib/bytes'
import { formatCell, type TimeZone } from './cells'
import type { ResultTable } from './result'

/** A column's head, or one of its values. */
export type ResultHit =
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }

/** A literal search for a text that ignores case. */
export function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu')
}

/** Longest base64 of a blob that the search writes out in full. */
const longestBlob = 16_384

/**
 * Finds a pattern in a result, row by row: headings first, then values as shown, long ones to their
 * end. It yields the hits after each row, so that the caller may pause.
 */
export function* findInResult(
  { columns, rowCount }: ResultTable,
  pattern: RegExp,
  zone: TimeZone,
): Generator<readonly ResultHit[]> {
  yield columns.flatMap(({ label, type }, column) =>
    pattern.test(label) || pattern.test(type) ? [{ kind: 'column', column } as const] : [],
  )
  for (let row = 0; row < rowCount; row++) {
    const found: ResultHit[] = []
    columns.forEach(({ type, values }, column) => {
      if (pattern.test(searchedText(type, values[row] ?? null, zone)))
        found.push({ kind: 'cell', row, column })
    })
    yield found
  }
}

function searchedText(type: string, value: string | null, zone: TimeZone): string {
  if (value === null || type === 'TIMESTAMP') return formatCell(type, value, zone).text
  if (type !== 'BLOB') return value
  const shown = formatCell(type, value, zone).text
  if (value.length > longestBlob) return shown
  return `${shown} ${base64ToHex(value)}`
}
