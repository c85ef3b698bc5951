import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import { checksum, firstChecksum } from '~/lib/checksum'
import { type CellInput, isValue } from '~/sql/cell-input'
import { type Cells, type Edits, editOf, type StagedEdit, withoutEdit } from '~/sql/row-edits'

const cell = v.object({
  name: v.string(),
  value: v.optional(v.nullable(v.string())),
  text: v.optional(v.string()),
  error: v.optional(v.string()),
})
const edit = v.object({
  kind: v.picklist(['change', 'add', 'delete']),
  id: v.string(),
  /** Of the row as it was read, or of the one that a new row copies; empty when not known. */
  checksum: v.string(),
  cells: v.array(cell),
  /** The row that a new one is a copy of, and the columns that still are. */
  copied: v.nullable(v.object({ id: v.string(), names: v.array(v.string()) })),
})
const kept = v.object({
  database: v.string(),
  table: v.string(),
  edits: v.array(edit),
  sent: v.nullable(v.object({ txBefore: v.string(), at: v.number() })),
})

/**
 * An edit as it is stored: what was typed, and the key of its row. It lacks the values that were
 * read, because answers of the server are not stored on this computer.
 */
export type StoredEdit = v.InferOutput<typeof edit>

/** A table in a database. */
export type Place = { readonly database: string; readonly table: string }

/** A commit that was sent and not answered: the newest transaction before it, and when. */
type SentMark = { readonly txBefore: string; readonly at: number }

/** The staged edits of a table. */
export type TableEdits = Place & {
  readonly edits: Edits
  /** Edits before each step, the last one first to be undone. */
  readonly past: readonly Edits[]
  readonly future: readonly Edits[]
  /** Edits of an earlier visit whose rows were not read again yet. */
  readonly waiting: readonly StoredEdit[]
  /** Rows that someone else changed, as they were found; null for one that is gone. */
  readonly conflicts: ReadonlyMap<string, Cells | null>
  readonly sent: SentMark | null
}

/** The staged edits of all tables, by the names of their places. */
export const rowDrafts = draftsOf<TableEdits, v.InferOutput<typeof kept>>({
  kind: 'rows',
  schema: kept,
  read: ({ database, table, edits, sent }) => [
    placeName({ database, table }),
    { ...noEdits({ database, table }), waiting: edits, sent },
  ],
  write: ({ database, table, edits, waiting, conflicts, sent }) => {
    if (edits.length + waiting.length === 0) return null
    const stored = edits.map((one) => storedEdit(one, conflicts.has(one.id)))
    return { database, table, edits: [...waiting, ...stored], sent }
  },
  lengthOf: ({ edits, waiting }) => {
    const typed = [...edits, ...waiting].flatMap((one) =>
      'cells' in one ? one.cells : one.kind === 'delete' ? [] : cellsOf(one.after),
    )
    return typed.reduce((sum, { value, text }) => sum + (value ?? text ?? '').length, 0)
  },
})

function storedEdit(of: StagedEdit, isConflict: boolean): StoredEdit {
  const { kind, id } = of
  if (kind === 'delete') {
    return { kind, id, checksum: isConflict ? '' : rowChecksum(of.before), cells: [], copied: null }
  }
  if (kind === 'change') {
    const sum = isConflict ? '' : rowChecksum(of.before)
    return { kind, id, checksum: sum, cells: cellsOf(of.after), copied: null }
  }
  const isCopied = (name: string, input: CellInput) =>
    isValue(input) && of.copied?.cells.get(name) === input.value
  const names = [...of.after].filter(([name, input]) => isCopied(name, input)).map(([name]) => name)
  const own = new Map([...of.after].filter(([name]) => !names.includes(name)))
  const cells = cellsOf(own)
  if (!of.copied) return { kind, id, checksum: '', cells, copied: null }
  // That it is decided later must survive the next reload, too.
  const sum = isConflict ? 'changed' : rowChecksum(of.copied.cells)
  return { kind, id, checksum: sum, cells, copied: { id: of.copied.id, names } }
}

function cellsOf(after: ReadonlyMap<string, CellInput>): StoredEdit['cells'] {
  return [...after].map(([name, input]) => ({ name, ...input }))
}

/** What was typed into an edit that was stored. */
export function inputsOf({ cells }: StoredEdit): ReadonlyMap<string, CellInput> {
  return new Map(
    cells.map(({ name, value, text = '', error }): [string, CellInput] => [
      name,
      value === undefined ? { text, error: error ?? 'This is not a value.' } : { value },
    ]),
  )
}

/** Rows are asked for again at each keystroke, and never change. */
const knownChecksums = new WeakMap<Cells, string>()

/** Tells whether a row is as it was read, without its values. */
export function rowChecksum(cells: Cells): string {
  const known = knownChecksums.get(cells) ?? checksumOf(cells)
  knownChecksums.set(cells, known)
  return known
}

function checksumOf(cells: Cells): string {
  const text = JSON.stringify([...cells].sort(([one], [other]) => (one < other ? -1 : 1)))
  return [firstChecksum, text.length].map((start) => checksum(start, text).toString(16)).join('-')
}

/** Names a table of a database. */
export const placeName = ({ database, table }: Place): string => JSON.stringify([database, table])

function noEdits({ database, table }: Place): TableEdits {
  const sent: SentMark | null = null
  return {
    database,
    table,
    edits: [],
    past: [],
    future: [],
    waiting: [],
    conflicts: new Map(),
    sent,
  }
}

/** The staged edits of a table. */
export const editsOfAtom = atom((get) => {
  const all = get(rowDrafts.draftsAtom)
  return (place: Place): TableEdits => all.get(placeName(place)) ?? noEdits(place)
})

/** What is staged for a table at the moment of the call. */
export const stagedNow = ({ get }: Io, place: Place): Edits => get(editsOfAtom)(place).edits

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
