import { beginning } from '~/lib/visible-text'
import { editOf } from '~/sql/row-edits'
import type { RowEdits } from './use-row-edits'

/** Longest value of a key that names its row. */
const namedLength = 40

/** A row in words: `id = 7`, or `new row 1`. */
export function nameOfRow({ table, state }: Pick<RowEdits, 'table' | 'state'>, id: string): string {
  const edit = editOf(state.edits, id)
  if (!edit || edit.kind === 'add') return id.replace('new', 'new row')
  return table.primaryKey
    .map((name) => `${name} = ${short(edit.before.get(name) ?? 'NULL')}`)
    .join(', ')
}

const short = (text: string) =>
  text.length > namedLength ? `${beginning(text, namedLength)}…` : text
