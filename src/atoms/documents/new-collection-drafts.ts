import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { draftKeeper } from '~/core/storage/draft-keeper'
import { defaultIdField, fieldTypes } from '~/immudb/collection'

const id = v.pipe(v.number(), v.safeInteger())
const typed = v.object({
  name: v.string(),
  idField: v.string(),
  /** Their ids tell them apart, and are larger the later they were added. */
  fields: v.array(v.object({ id, name: v.string(), type: v.picklist(fieldTypes) })),
  indexes: v.array(v.object({ id, text: v.string(), isUnique: v.boolean() })),
})
const kept = v.object({ drafts: v.array(v.object({ database: v.string(), typed })) })

/** A collection as it is typed, before it is created. */
export type NewCollectionDraft = v.InferOutput<typeof typed>

const untouched: NewCollectionDraft = {
  name: '',
  idField: defaultIdField,
  fields: [],
  indexes: [],
}

/** By database. */
const draftsAtom = atom<ReadonlyMap<string, NewCollectionDraft>>(
  new Map<string, NewCollectionDraft>(),
)

const keeper = draftKeeper<NewCollectionDraft>({
  kind: 'collections',
  draftsAtom,
  notKeptAtom: atom(false),
  storable: (drafts) => [...drafts].map(([database, typed]) => ({ database, typed })),
  read: (value) =>
    v.is(kept, value) ? value.drafts.map(({ database, typed }) => [database, typed]) : null,
})

/** Whether the stored drafts are loaded. Forms that mount this atom keep what is typed. */
export const areNewCollectionsBackAtom = keeper.areBackAtom

/** What is typed for a new collection of the open database. */
export const newCollectionAtom = atom(
  (get) => get(draftsAtom).get(get(databaseAtom) ?? '') ?? untouched,
)

/** Changes what is typed for a new collection of the open database; null forgets it. */
export function changeNewCollection(
  { get, set }: Io,
  change: Partial<NewCollectionDraft> | null,
): void {
  const database = get(databaseAtom) ?? ''
  const drafts = new Map(get(draftsAtom))
  if (change === null) drafts.delete(database)
  else drafts.set(database, { ...get(newCollectionAtom), ...change })
  keeper.change(get, set, drafts)
}
