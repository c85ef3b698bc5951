import { type WholeKey, wholeKey } from '~/sql/row-key'

/** The primary key of a row by its cells, as a test writes it. */
export function keyOfCells(
  cells: readonly { readonly column: string; readonly type: string; readonly value: string }[],
): WholeKey {
  const columns = cells.map(({ column, type }) => ({ name: column, type }))
  const key = wholeKey(columns, (name) => cells.find(({ column }) => column === name)?.value)
  if (!key) throw new Error('this is no whole key')
  return key
}
