import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { type Edits, editOf, withoutEdit } from '~/sql/row-edits'
import { noEdits, type Place, placeName, rowDrafts, type TableEdits } from './edits-stored'

/** The staged edits of a table. */
export const editsOfAtom = atom((get) => {
  const all = get(rowDrafts.draftsAtom)
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
export function stageEdits(io: Io, place: Place, change: (edits: Edits) => Edits, about?: string) {
  const { edits, past } = io.get(editsOfAtom)(place)
  const next = change(edits)
  if (next === edits) return
  const step = stepName(place, about)
  const isSame = step !== '' && step === io.get(lastStepAtom)
  io.set(lastStepAtom, step)
  changeEdits(io, place, {
    edits: next,
    past: isSame ? past : [...past, edits].slice(-mostSteps),
    future: [],
  })
}

/** Ends the step that is about something, so that it is undone by itself. */
export function endEditStep({ set }: Io) {
  return set(lastStepAtom, '')
}

/**
 * Gives up what a step was about while it is still the last one, as if it had not been begun.
 * @param change takes it off the edits
 */
export function giveUpStep(io: Io, place: Place, change: (edits: Edits) => Edits, about: string) {
  const { edits, past } = io.get(editsOfAtom)(place)
  if (io.get(lastStepAtom) !== stepName(place, about)) return
  io.set(lastStepAtom, '')
  changeEdits(io, place, { edits: change(edits), past: past.slice(0, -1) })
}

/** Takes back a new row in which nothing was typed, and with it the step that added it. */
export function takeBackRow(io: Io, place: Place, id: string) {
  const { edits, past } = io.get(editsOfAtom)(place)
  const edit = editOf(edits, id)
  if (edit?.kind !== 'add' || edit.after.size > 0) return
  const wasAddedLast = past.at(-1)?.every((one) => one.id !== id) ?? false
  io.set(lastStepAtom, '')
  changeEdits(io, place, {
    edits: withoutEdit(edits, id),
    past: wasAddedLast ? past.slice(0, -1) : past,
  })
}

export function undoEdit(io: Io, place: Place) {
  const { edits, past, future } = io.get(editsOfAtom)(place)
  const before = past.at(-1)
  if (before === undefined) return
  io.set(lastStepAtom, '')
  changeEdits(io, place, {
    edits: before,
    past: past.slice(0, -1),
    future: [...future, edits],
  })
}

export function redoEdit(io: Io, place: Place) {
  const { edits, past, future } = io.get(editsOfAtom)(place)
  const next = future.at(-1)
  if (next === undefined) return
  changeEdits(io, place, {
    edits: next,
    past: [...past, edits],
    future: future.slice(0, -1),
  })
}

/** Gives up all staged edits of a table, with those that wait for their rows. */
export function discardEdits(io: Io, place: Place) {
  return changeEdits(io, place, noEdits(place))
}

/** Replaces parts of a table's edits. */
export function changeEdits(io: Io, place: Place, change: Partial<TableEdits>): void {
  const before = io.get(editsOfAtom)(place)
  const after = withoutOldConflicts({ ...before, ...change })
  rowDrafts.put(io, placeName(place), after)
}

/** A conflict is about a staged edit, and over once there is none. */
function withoutOldConflicts(of: TableEdits): TableEdits {
  const ids = new Set(of.edits.map(({ id }) => id))
  const left = [...of.conflicts].filter(([id]) => ids.has(id))
  return left.length === of.conflicts.size ? of : { ...of, conflicts: new Map(left) }
}
