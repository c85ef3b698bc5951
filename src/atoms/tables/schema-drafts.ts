import * as v from 'valibot'
import { unappliedForms } from '~/core/drafts'
import type { SchemaChange } from '~/sql/schema-changes'
import { column } from './new-table-drafts'

const table = v.string()

/** Forms that add to a table or rename in it; what is typed for a new table is kept for all tabs. */
const typed = v.union([
  v.object({ kind: v.literal('add-column'), table, column }),
  v.object({ kind: v.literal('rename-column'), table, column: v.string(), to: v.string() }),
  v.object({
    kind: v.literal('create-index'),
    table,
    columns: v.array(v.string()),
    isUnique: v.boolean(),
  }),
])

/** By database, and by what the form began with. */
export const schemaForms = unappliedForms<SchemaChange>('schema', typed)
