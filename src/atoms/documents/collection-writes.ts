import { atom } from 'jotai'
import * as v from 'valibot'
import {
  type CollectionChange,
  describeCollections,
  changeCollection as sendChangeCollection,
} from '~/api/collections'
import type { Reason } from '~/api/errors'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import { clientAtom } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { failedCheck } from '~/core/write'
import { type Collection, defaultIdField, fieldTypes, indexName } from '~/immudb/collection'
import type { Refused } from '~/lib/write-state'
import { defineWrite } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocuments } from './collections'
import { refusalOfRenamed } from './id-field'

const changing = defineWrite<{ database: string; change: CollectionChange }, string>({
  isSame: (one, other) =>
    one.database === other.database && JSON.stringify(one.change) === JSON.stringify(other.change),
  confirm: async (io, { database, change }) =>
    change.kind === 'rename ids' ? refusalOfRename(io, database, change) : null,
  send: async ({ get }, { database, change }) => {
    await sendChangeCollection(get(clientAtom), { database, change })
    return `${subject(change)} ${done[change.kind]}.`
  },
  secondReasons: ({ change }) => secondReasons[change.kind],
  settle: async (io, { database }, outcome) => {
    await refreshDocuments(io, database)
    return outcome
  },
})

/** Changes a collection once; null while another change is under way. Resolves with what was done. */
export function changeCollection(io: Io, change: CollectionChange) {
  return changing.write(io, { database: io.get(databaseAtom) ?? '', change })
}

/** The server renames whichever field holds the ids. */
async function refusalOfRename(
  io: Io,
  database: string,
  { collection, from, idField }: CollectionChange & { kind: 'rename ids' },
): Promise<Refused | null> {
  const unless = (name: string) => refusalOfRenamed(io, { database, collection, idField: name })
  // It may be done already, and is not done twice then.
  return (await unless(idField)) && unless(from)
}

/** How the server refuses a change that was just made. */
const secondReasons: Record<CollectionChange['kind'], readonly Reason[]> = {
  create: ['exists'],
  'add field': ['exists'],
  'add index': ['exists'],
  delete: ['missing'],
  'rename ids': [],
  'remove field': ['missing'],
  'remove index': ['missing'],
}

const done: Record<CollectionChange['kind'], string> = {
  create: 'was created',
  delete: 'was deleted',
  'rename ids': 'holds the ids now',
  'add field': 'was added',
  'remove field': 'was removed',
  'add index': 'was added',
  'remove index': 'was removed',
}

function subject(change: CollectionChange): string {
  switch (change.kind) {
    case 'create':
      return `The collection ${change.of.name}`
    case 'delete':
      return `The collection ${change.collection}`
    case 'rename ids':
      return `The field ${change.idField}`
    case 'add field':
      return `The field ${change.field.name}`
    case 'remove field':
      return `The field ${change.field}`
    case 'add index':
      return `The index on ${indexName(change.index)}`
    case 'remove index':
      return `The index on ${indexName(change)}`
  }
}

/** A sentence about whether a change without an answer was made. */
export async function checkCollection(io: Io, change: CollectionChange): Promise<string> {
  const database = io.get(databaseAtom) ?? ''
  try {
    const collections = await describeCollections(io.get(clientAtom), { database })
    void refreshDocuments(io, database)
    return isMade(change, collections)
      ? `${subject(change)} ${done[change.kind]}: the server lists it so. It does not say who did it.`
      : notSoFar('Not done so far.', 'do it')
  } catch (error) {
    return failedCheck(error)
  }
}

function isMade(change: CollectionChange, collections: readonly Collection[]): boolean {
  const name = change.kind === 'create' ? change.of.name : change.collection
  const found = collections.find((one) => one.name === name)
  const hasIndex = (fields: readonly string[]) =>
    found?.indexes.some((index) => indexName(index) === indexName({ fields })) ?? false
  const hasField = (field: string) => found?.fields.some((one) => one.name === field) ?? false
  switch (change.kind) {
    case 'create':
      return found !== undefined
    case 'delete':
      return found === undefined
    case 'rename ids':
      return found?.idField === change.idField
    case 'add field':
      return hasField(change.field.name)
    case 'remove field':
      return !hasField(change.field)
    case 'add index':
      return hasIndex(change.index.fields)
    case 'remove index':
      return !hasIndex(change.fields)
  }
}

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
