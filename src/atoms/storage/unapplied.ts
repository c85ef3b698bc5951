import { atom } from 'jotai'
import * as v from 'valibot'
import { type DraftOwner, draftOwnerAtom, keepForTab, keptForTab } from './drafts'

const kept = v.object({ drafts: v.array(v.tuple([v.string(), v.unknown()])) })

/** Forms that are remembered; the one that was typed in least recently goes first. */
const mostForms = 50

/**
 * Keeps in this tab what is typed in forms of one kind and not applied yet, so that a reload or a
 * log-out does not lose it. A form reads it once, when it opens, and has it itself from then on.
 * @param kind such as `filter`
 * @param schema what is typed, as it can be stored
 */
export function unappliedForms<T>(kind: string, schema: v.GenericSchema<T>) {
  const keyOf = (name: readonly unknown[]) => JSON.stringify([kind, ...name])
  return {
    /** Reads what was typed in the form of a name; null for nothing. */
    readAtom: atom((get) => (...name: readonly unknown[]): T | null => {
      const owner = get(draftOwnerAtom)
      const typed = owner && formsOf(owner).get(keyOf(name))
      return v.is(schema, typed) ? typed : null
    }),
    /** Keeps what is typed in the form of a name; null forgets it. */
    keepAtom: atom(null, (get, _set, typed: T | null, ...name: readonly unknown[]): void => {
      const owner = get(draftOwnerAtom)
      if (owner === null) return
      const forms = formsOf(owner)
      forms.delete(keyOf(name))
      if (typed !== null) forms.set(keyOf(name), typed)
      keepForTab('forms', owner, { drafts: [...forms].slice(-mostForms) })
    }),
  }
}

function formsOf(owner: DraftOwner): Map<string, unknown> {
  const value = keptForTab('forms', owner)
  return new Map(v.is(kept, value) ? value.drafts : [])
}
