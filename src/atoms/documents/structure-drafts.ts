import * as v from 'valibot'
import { fieldTypes } from '~/immudb/collection'
import { unappliedForms } from '../storage/unapplied'

/** What is typed for a new field, by database and collection. */
export const newFieldForms = unappliedForms(
  'field',
  v.object({ name: v.string(), type: v.picklist(fieldTypes) }),
)

/** What is chosen for a new index, by database and collection. */
export const newIndexForms = unappliedForms(
  'index',
  v.object({ fields: v.array(v.string()), isUnique: v.boolean() }),
)
