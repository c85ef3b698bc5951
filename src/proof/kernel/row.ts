import { bytesToHex, viewOf } from './bytes'
import { type Reason, refusalOf } from './steps'

/** The cells of a row by column id, in the order in which they are stored; NULL has none. */
export type Cells = ReadonlyMap<number, Uint8Array>

/**
 * Reads a stored row, VERIFY.md 7.6: `u32(cells)`, then `u32(id) u32(length) bytes` for each, and
 * nothing after it; `decodeRow` of pkg/client/sql.go.
 */
export function readRow(row: Uint8Array, reason: Reason = 'row-encoding'): Cells {
  const cells = new Map<number, Uint8Array>()
  const view = viewOf(row)
  const refuse = refusalOf(reason, 'content')
  let at = 0
  const next = () => {
    if (at + 4 > row.length) throw refuse('length')
    at += 4
    return view.getUint32(at - 4)
  }
  // Each round consumes at least 8 bytes, however many cells the row claims.
  for (let left = next(); left > 0; left -= 1) {
    const id = next()
    const size = next()
    if (at + size > row.length) throw refuse('length')
    if (cells.has(id)) throw refuse('id')
    cells.set(id, row.subarray(at, at + size))
    at += size
  }
  if (at !== row.length) throw refuse('length')
  return cells
}

/** Cells as facts have them, by column id. */
export function rawCells(cells: Iterable<readonly [number, Uint8Array]>): Record<string, string> {
  return Object.fromEntries(Array.from(cells, ([id, cell]) => [id, bytesToHex(cell)]))
}
