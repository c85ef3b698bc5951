import { atom, type Getter, type Setter } from 'jotai'
import { idle, isBusy, type Write } from '~/lib/write'
import type { Schema, SchemaChange } from '~/sql/schema-changes'
import { placeIn } from '../write/write'

/** A change of the schema that was committed. */
export type ChangedSchema = {
  readonly tx: string
  readonly text: string
  readonly database: string
}

const stateAtom = atom<Write<ChangedSchema>>(idle)

/** The state of the present or last change of a schema. */
export const schemaStateAtom = atom((get) => get(stateAtom))

/** Where the write of a change keeps how far it is. */
export const schemaPlace = (get: Getter, set: Setter) => placeIn(get, set, stateAtom)

/** A form for a change: what it begins with, and the schema as it is. */
export type OpenForm = {
  readonly database: string
  readonly start: SchemaChange
  readonly of: Omit<Schema, 'tables'>
}

const formAtom = atom<OpenForm | null>(null)

/** The open form; null closes it, and forgets what became of its change. */
export const schemaFormAtom = atom(
  (get) => get(formAtom),
  (get, set, form: OpenForm | null) => {
    if (isBusy(get(stateAtom))) return
    set(stateAtom, idle)
    set(formAtom, form)
  },
)
