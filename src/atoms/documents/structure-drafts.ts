import * as v from 'valibot'
import { unappliedForms } from '~/core/drafts'
import { fieldTypes } from '~/immudb/collection'

/** What is typed for a new field, by database and collection. */
export const newFieldForms = unappliedForms(
  'field',
  v.object({ name: v.string(), type: v.picklist(fieldTypes) }),
)

/** What is typed as the name of the field for ids, by database and collection. */
export const idFieldForms = unappliedForms('id-field', v.string())

/** What is chosen for a new index, by database and collection. */
export const newIndexForms = unappliedForms(
  'index',
  v.object({ fields: v.array(v.string()), isUnique: v.boolean() }),
)
