import { cutText } from '~/lib/visible-text'
import type { RowEdits } from './use-row-edits'

/** Longest value of a key that names its row. */
const namedLength = 40

/** A row in words: `id = 7`, or `new row 1`. */
export function nameOfRow({ table }: Pick<RowEdits, 'table'>, id: string): string {
  // See `rowId`.
  if (!id.startsWith('[')) return id.replace('new', 'new row')
  const values: readonly unknown[] = JSON.parse(id)
  return table.primaryKey
    .map((name, at) => `${name} = ${cutText(String(values[at]), namedLength)}`)
    .join(', ')
}
