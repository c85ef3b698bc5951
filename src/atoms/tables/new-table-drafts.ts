import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import type { NewColumn } from '~/sql/schema-changes'

export const column = v.object({
  name: v.string(),
  type: v.string(),
  length: v.string(),
  isNullable: v.boolean(),
  isPrimaryKey: v.boolean(),
  isAutoIncrement: v.boolean(),
})
const kept = v.object({ database: v.string(), table: v.string(), columns: v.array(column) })

/** A table that was typed and not created yet. */
export type NewTableDraft = { readonly table: string; readonly columns: readonly NewColumn[] }

/** By database. */
export const newTableDrafts = draftsOf<NewTableDraft, v.InferOutput<typeof kept>>({
  kind: 'tables',
  schema: kept,
  read: ({ database, ...draft }) => [database, draft],
  write: ({ table, columns }, database) => ({ database, table, columns: [...columns] }),
})

/** Keeps what is typed for a new table of a database; null forgets it. */
export function keepNewTable(io: Io, database: string, draft: NewTableDraft | null): void {
  newTableDrafts.put(io, database, draft && { table: draft.table, columns: draft.columns })
}
