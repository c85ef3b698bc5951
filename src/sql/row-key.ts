import { literalOf } from './literals'
import { lowerAscii, quoteName } from './names'

/** A column of a primary key with its value in one row, as a result has it. */
type KeyCell = { readonly column: string; readonly type: string; readonly value: string }

declare const isWhole: unique symbol

/**
 * The primary key of one row: a value of each of its columns, which are one at least. Only
 * {@link wholeKey} makes one, and statements about one row take nothing else to find it. So none can
 * be built that finds other rows too, or all of them, whatever the server has answered.
 */
export type WholeKey = readonly KeyCell[] & { readonly [isWhole]: true }

/**
 * The key of the row with these values; null where one is missing or NULL, and for no columns.
 * @param columns of the primary key, in its order
 */
export function wholeKey(
  columns: readonly { readonly name: string; readonly type: string }[],
  cellOf: (column: string) => string | null | undefined,
): WholeKey | null {
  const cells = columns.flatMap(({ name, type }) => {
    const value = cellOf(name) ?? null
    return value === null ? [] : [{ column: name, type, value }]
  })
  // To the server names that differ in capitals alone are one.
  const names = new Set(cells.map(({ column }) => lowerAscii(column)))
  const isAll = columns.length > 0 && names.size === columns.length
  return isAll ? (cells as readonly KeyCell[] as WholeKey) : null // as it was just found to be
}

/** The condition that finds the row with a primary key. */
export function conditionOf(key: WholeKey): string {
  return key
    .map(({ column, type, value }) => `${quoteName(column)} = ${literalOf(type, value)}`)
    .join(' AND ')
}
