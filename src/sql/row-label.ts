import { formatCount } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import type { EditTable } from './row-edits'

/** Longest value of a key that names its row. */
const namedLength = 40

/** A key in words, by the columns and their values: `id = 7, part = 2`. */
export function keyLabel(key: readonly (readonly [column: string, value: string])[]): string {
  return key.map(([column, value]) => `${column} = ${cutText(value, namedLength)}`).join(', ')
}

/** A row in words, by its `rowId`: `id = 7`, or `new row 1`. */
export function rowLabel({ primaryKey }: Pick<EditTable, 'primaryKey'>, id: string): string {
  if (!id.startsWith('[')) return id.replace('new', 'new row')
  const values: readonly unknown[] = JSON.parse(id)
  return keyLabel(primaryKey.map((name, at) => [name, String(values[at])]))
}

/** Rows that a sentence names; the others are counted. */
const mostNamed = 5

/** Rows in words, by their `rowId`. */
export function rowLabels(table: EditTable, ids: readonly string[]): string {
  const shown = ids.slice(0, mostNamed).map((id) => rowLabel(table, id))
  const more = ids.length - mostNamed
  return `${shown.join('; ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}
