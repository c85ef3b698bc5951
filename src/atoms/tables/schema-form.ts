import { atom, type Getter, type Setter } from 'jotai'
import { placeIn } from '~/core/write'
import { idle, isBusy, type Write } from '~/lib/write-state'
import type { Schema, SchemaChange } from '~/sql/schema-changes'

/** A change of the schema that was committed. */
export type ChangedSchema = {
  readonly tx: string
  readonly text: string
  readonly database: string
  readonly change: SchemaChange
}

const stateAtom = atom<Write<ChangedSchema>>(idle)

/** The state of the present or last change of a schema. */
export const schemaStateAtom = atom((get) => get(stateAtom))

/** Where the write of a change keeps how far it is. */
export const schemaPlace = (get: Getter, set: Setter) => placeIn({ get, set }, stateAtom)

/** A form for a change: what it begins with, and the schema as it is. */
export type OpenForm = {
  readonly database: string
  readonly start: SchemaChange
  readonly of: Omit<Schema, 'tables'>
}

const formAtom = atom<OpenForm | null>(null)

/**
 * The open form; null closes it. What became of the last change is forgotten, but for one that was
 * made: that stands in the list until another form opens.
 */
export const schemaFormAtom = atom(
  (get) => get(formAtom),
  (get, set, form: OpenForm | null) => {
    const state = get(stateAtom)
    if (isBusy(state)) return
    if (form !== null || state.kind !== 'committed') set(stateAtom, idle)
    set(formAtom, form)
  },
)

/** The change that was made last; setting null takes away the note about it. */
export const changedSchemaAtom = atom(
  (get) => {
    const state = get(stateAtom)
    return state.kind === 'committed' ? state.value : null
  },
  (get, set, _: null) => {
    if (get(stateAtom).kind === 'committed') set(stateAtom, idle)
  },
)
