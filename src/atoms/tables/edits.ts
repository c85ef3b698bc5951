import { atom } from 'jotai'
import { draftKeeper } from '~/core/storage/draft-keeper'
import { type Edits, editOf, withoutEdit } from '~/sql/row-edits'
import { allEditsAtom, rowEditsNotKeptAtom } from './edits-at-risk'
import {
  noEdits,
  type Place,
  placeName,
  readStoredEdits,
  storableEdits,
  type TableEdits,
} from './edits-stored'

const keeper = draftKeeper<TableEdits>({
  kind: 'rows',
  draftsAtom: allEditsAtom,
  notKeptAtom: rowEditsNotKeptAtom,
  storable: (drafts) => storableEdits(drafts.values()),
  read: readStoredEdits,
})

/** Whether the stored edits are loaded. Screens that mount this atom keep what is staged. */
export const areEditsBackAtom = keeper.areBackAtom

/** The staged edits of a table. */
export const editsOfAtom = atom((get) => {
  const all = get(allEditsAtom)
  return (place: Place): TableEdits => all.get(placeName(place)) ?? noEdits(place)
})

/** Steps that can be undone. */
const mostSteps = 200

/** What the last step was about; each keystroke in one field belongs to the same step. */
const lastStepAtom = atom('')

const stepName = (place: Place, about = '') => (about === '' ? '' : `${placeName(place)} ${about}`)

/**
 * Changes the staged edits by one step, which can be undone.
 * @param about changes about the same thing, one after the other, are one step
 */
export const stageAtom = atom(
  null,
  (get, set, place: Place, change: (edits: Edits) => Edits, about?: string) => {
    const { edits, past } = get(editsOfAtom)(place)
    const next = change(edits)
    if (next === edits) return
    const step = stepName(place, about)
    const isSame = step !== '' && step === get(lastStepAtom)
    set(lastStepAtom, step)
    set(changeEditsAtom, place, {
      edits: next,
      past: isSame ? past : [...past, edits].slice(-mostSteps),
      future: [],
    })
  },
)

/** Ends the step that is about something, so that it is undone by itself. */
export const endStepAtom = atom(null, (_get, set) => set(lastStepAtom, ''))

/**
 * Gives up what a step was about while it is still the last one, as if it had not been begun.
 * @param change takes it off the edits
 */
export const giveUpStepAtom = atom(
  null,
  (get, set, place: Place, change: (edits: Edits) => Edits, about: string) => {
    const { edits, past } = get(editsOfAtom)(place)
    if (get(lastStepAtom) !== stepName(place, about)) return
    set(lastStepAtom, '')
    set(changeEditsAtom, place, { edits: change(edits), past: past.slice(0, -1) })
  },
)

/** Takes back a new row in which nothing was typed, and with it the step that added it. */
export const takeBackRowAtom = atom(null, (get, set, place: Place, id: string) => {
  const { edits, past } = get(editsOfAtom)(place)
  const edit = editOf(edits, id)
  if (edit?.kind !== 'add' || edit.after.size > 0) return
  const wasAddedLast = past.at(-1)?.every((one) => one.id !== id) ?? false
  set(lastStepAtom, '')
  set(changeEditsAtom, place, {
    edits: withoutEdit(edits, id),
    past: wasAddedLast ? past.slice(0, -1) : past,
  })
})

export const undoEditAtom = atom(null, (get, set, place: Place) => {
  const { edits, past, future } = get(editsOfAtom)(place)
  const before = past.at(-1)
  if (before === undefined) return
  set(lastStepAtom, '')
  set(changeEditsAtom, place, {
    edits: before,
    past: past.slice(0, -1),
    future: [...future, edits],
  })
})

export const redoEditAtom = atom(null, (get, set, place: Place) => {
  const { edits, past, future } = get(editsOfAtom)(place)
  const next = future.at(-1)
  if (next === undefined) return
  set(changeEditsAtom, place, {
    edits: next,
    past: [...past, edits],
    future: future.slice(0, -1),
  })
})

/** Gives up all staged edits of a table, with those that wait for their rows. */
export const discardEditsAtom = atom(null, (_get, set, place: Place) =>
  set(changeEditsAtom, place, noEdits(place)),
)

/** Replaces parts of a table's edits. */
export const changeEditsAtom = atom(
  null,
  (get, set, place: Place, change: Partial<TableEdits>): void => {
    const before = get(editsOfAtom)(place)
    const after = withoutOldConflicts({ ...before, ...change })
    keeper.change(get, set, new Map(get(allEditsAtom)).set(placeName(place), after))
  },
)

/** A conflict is about a staged edit, and over once there is none. */
function withoutOldConflicts(of: TableEdits): TableEdits {
  const ids = new Set(of.edits.map(({ id }) => id))
  const left = [...of.conflicts].filter(([id]) => ids.has(id))
  return left.length === of.conflicts.size ? of : { ...of, conflicts: new Map(left) }
}
