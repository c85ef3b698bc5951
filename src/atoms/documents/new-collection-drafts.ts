import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'
import { defaultIdField, fieldTypes } from '~/immudb/collection'

const id = v.pipe(v.number(), v.safeInteger())
const typed = v.object({
  name: v.string(),
  idField: v.string(),
  /** Their ids tell them apart, and are larger the later they were added. */
  fields: v.array(v.object({ id, name: v.string(), type: v.picklist(fieldTypes) })),
  indexes: v.array(v.object({ id, text: v.string(), isUnique: v.boolean() })),
})
const kept = v.object({ database: v.string(), typed })

/** A collection as it is typed, before it is created. */
export type NewCollectionDraft = v.InferOutput<typeof typed>

const untouched: NewCollectionDraft = {
  name: '',
  idField: defaultIdField,
  fields: [],
  indexes: [],
}

/** By database. */
export const newCollectionDrafts = draftsOf<NewCollectionDraft, v.InferOutput<typeof kept>>({
  kind: 'collections',
  schema: kept,
  read: ({ database, typed }) => [database, typed],
  write: (typed, database) => ({ database, typed }),
})

/** What is typed for a new collection of the open database. */
export const newCollectionAtom = atom((get) => get(newCollectionDrafts.hereAtom) ?? untouched)

/** Changes what is typed for a new collection of the open database; null forgets it. */
export function changeNewCollection(io: Io, change: Partial<NewCollectionDraft> | null): void {
  const typed = change && { ...io.get(newCollectionAtom), ...change }
  newCollectionDrafts.put(io, io.get(databaseAtom) ?? '', typed)
}
