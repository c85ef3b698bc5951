import { atom } from 'jotai'
import * as v from 'valibot'
import { type DraftOwner, draftOwnerAtom, keepForTab, keptForTab } from './drafts'

const kept = v.object({ drafts: v.array(v.tuple([v.string(), v.unknown()])) })

/** Forms that are remembered; the one that was typed in least recently goes first. */
const mostForms = 50

/**
 * Limit in characters for all forms together, as they are stored. Other drafts need room in the
 * same storage: once it is full, the copy of a reload is an older one.
 */
const mostCharacters = 500_000

/** What forms of one kind keep. */
export type UnappliedForms<T> = ReturnType<typeof unappliedForms<T>>

/**
 * Keeps in this tab what is typed in forms of one kind and not applied yet, so that a reload or a
 * log-out does not lose it. A form reads it once, when it opens, and has it itself from then on.
 * @param kind such as `filter`
 * @param schema what is typed, as it can be stored
 * @param place other than `forms` for what is not typed
 */
export function unappliedForms<T>(
  kind: string,
  schema: v.GenericSchema<T>,
  place: 'forms' | 'places' = 'forms',
) {
  const keyOf = (name: readonly unknown[]) => JSON.stringify([kind, ...name])
  return {
    /** Reads what was typed in the form of a name; null for nothing. */
    readAtom: atom((get) => (...name: readonly unknown[]): T | null => {
      const owner = get(draftOwnerAtom)
      const typed = owner && formsOf(owner, place).get(keyOf(name))
      return v.is(schema, typed) ? typed : null
    }),
    /** Keeps what is typed in the form of a name; null forgets it. */
    keepAtom: atom(null, (get, _set, typed: T | null, ...name: readonly unknown[]): void => {
      const owner = get(draftOwnerAtom)
      if (owner === null) return
      const forms = formsOf(owner, place)
      const key = keyOf(name)
      forms.delete(key)
      if (typed !== null && lengthOf([[key, typed]]) <= mostCharacters) forms.set(key, typed)
      const left = [...forms].slice(-mostForms)
      while (lengthOf(left) > mostCharacters) left.shift()
      keepForTab(place, owner, { drafts: left })
    }),
  }
}

const lengthOf = (typed: unknown) => JSON.stringify(typed).length

/** Whether the same is typed, whatever ids its parts got. */
export function isSameTyped(one: unknown, other: unknown): boolean {
  const textOf = (typed: unknown) =>
    JSON.stringify(typed, (key, value) => (key === 'id' ? undefined : value))
  return textOf(one) === textOf(other)
}

function formsOf(owner: DraftOwner, place: 'forms' | 'places'): Map<string, unknown> {
  const value = keptForTab(place, owner)
  return new Map(v.is(kept, value) ? value.drafts : [])
}
