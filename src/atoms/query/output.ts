import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { outputLimit } from '~/lib/constants'
import type { ResultHit } from '~/sql/find-in-result'
import type { ResultTable } from '~/sql/result'
import { outputsAtom } from './all-output'
import { type EditorName, shownEditorAtom } from './editor'
import type { Failure, NewEntry, OutputEntry, OutputItem } from './output-entry'

/** The rows of a result as rows that can be proven. */
export function rowSetOfResult(
  { database, number, source, sent, txBefore }: OutputEntry,
  rows: ResultTable,
): RowSet {
  return { database, number, sql: sent ?? source, rows, txBefore }
}

/** Whether to show the sent text, because it differs from the typed one. */
export function isSentShown({ sent, notes, paging }: OutputEntry): boolean {
  return sent !== null && (notes.length > 0 || paging !== null)
}

/** The place of a failure in its statement, or an empty text. */
export function placeWords({ place }: Failure): string {
  return place ? `line ${place.line}, column ${place.column}` : ''
}

export type SeverityFilter = 'all' | OutputEntry['stream']

/** Names an editor in maps. */
export const editorKey = ({ database, id }: EditorName) => JSON.stringify([database, id])

const shownKeyAtom = atom((get) => editorKey(get(shownEditorAtom)))

const nothing: readonly OutputItem[] = []

/**
 * Where a searched text stands: in a statement, in what is said about it, in the folded details of
 * its failure, or in its rows.
 */
export type OutputHit = { readonly entry: number } & (
  | { readonly kind: 'statement' | 'answer' | 'details' }
  | ResultHit
)

/** The hit that is shown; the search itself comes when it is opened (output-search.ts). */
export const shownHitAtom = atom<OutputHit | null>(null)

const lastNumberAtom = atom(0)
const pinnedAtom = atom<ReadonlySet<number>>(new Set<number>())

/** Results that stay on top, even when the output is cleared. */
export const pinnedResultsAtom = atom((get) => get(pinnedAtom))

/** Pins a result to the top of the output, or lets go of it. */
export function togglePin({ get, set }: Io, number: number) {
  const pinned = new Set(get(pinnedAtom))
  if (!pinned.delete(number)) pinned.add(number)
  set(pinnedAtom, pinned)
}

const droppedAtom = atom<ReadonlyMap<string, number>>(new Map<string, number>())

/** How many of the oldest results of the shown editor were dropped to keep the page quick. */
export const droppedCountAtom = atom((get) => get(droppedAtom).get(get(shownKeyAtom)) ?? 0)

/** The output of the shown editor, oldest first. */
export const outputAtom = atom((get) => get(outputsAtom).get(get(shownKeyAtom)) ?? nothing)

/** The output of an editor. */
export const outputOfAtom = atom((get) => {
  const outputs = get(outputsAtom)
  return (editor: EditorName) => outputs.get(editorKey(editor)) ?? nothing
})

const severitiesAtom = atom<ReadonlyMap<string, SeverityFilter>>(new Map())

/** Which results of the shown editor are let through. */
export const severityAtom = atom(
  (get) => get(severitiesAtom).get(get(shownKeyAtom)) ?? 'all',
  (get, set, severity: SeverityFilter) =>
    set(severitiesAtom, new Map(get(severitiesAtom)).set(get(shownKeyAtom), severity)),
)

/**
 * The output with only what the filter lets through, and no divider without a result. Pinned results
 * come first and are never filtered away.
 */
export const visibleOutputAtom = atom((get) => {
  const filter = get(severityAtom)
  const pinned = get(pinnedAtom)
  const items = get(outputAtom)
  const isPinned = ({ number }: OutputItem) => pinned.has(number)
  const others = items.filter(
    (item) =>
      !isPinned(item) && (filter === 'all' || (item.kind === 'entry' && item.stream === filter)),
  )
  if (others.length === items.length) return items
  return [...items.filter(isPinned), ...others]
})

/** Appends a result and a divider to the output of an editor; returns the result's number. */
export function appendOutput(
  { get, set }: Io,
  entry: NewEntry,
  editor: EditorName = get(shownEditorAtom),
): number {
  const number = get(lastNumberAtom) + 1
  set(lastNumberAtom, number)
  const key = editorKey(editor)
  const outputs = new Map(get(outputsAtom)).set(key, [
    ...(get(outputsAtom).get(key) ?? []),
    { ...entry, kind: 'entry', number },
    { kind: 'divider', number },
  ])
  const surplus = surplusOf([...outputs.values()].flat(), get(pinnedAtom))
  const dropped = new Map(get(droppedAtom))
  for (const [of, items] of surplus.size > 0 ? outputs : []) {
    const left = items.filter((item) => !surplus.has(item.number))
    if (left.length === items.length) continue
    outputs.set(of, left)
    dropped.set(of, (dropped.get(of) ?? 0) + (items.length - left.length) / 2)
  }
  if (surplus.size > 0) set(droppedAtom, dropped)
  set(outputsAtom, outputs)
  return number
}

/**
 * The oldest results of all editors beyond the limit; pinned ones stay, and so do the newest and
 * those that still run.
 */
function surplusOf(items: readonly OutputItem[], pinned: ReadonlySet<number>): ReadonlySet<number> {
  const surplus = items.length / 2 - outputLimit
  if (surplus <= 0) return new Set()
  const entries = items.filter((item) => item.kind === 'entry')
  const newest = Math.max(...entries.map(({ number }) => number))
  const free = entries.filter(
    ({ number, status }) => number !== newest && status !== 'running' && !pinned.has(number),
  )
  const numbers = free.map(({ number }) => number).sort((one, other) => one - other)
  return new Set(numbers.slice(0, surplus))
}

/** Removes every result of the shown editor that is not pinned; numbers go on. */
export function clearOutput(io: Io) {
  const pinned = io.get(pinnedAtom)
  setOutput(
    io,
    io.get(outputAtom).filter(({ number }) => pinned.has(number)),
  )
}

/** Changes a result in place, unless it was cleared in the meantime. */
export function changeOutput({ get, set }: Io, number: number, change: Partial<NewEntry>) {
  const isIt = (item: OutputItem) => item.kind === 'entry' && item.number === number
  const [key, items] = [...get(outputsAtom)].find(([, all]) => all.some(isIt)) ?? []
  if (key === undefined || items === undefined) return
  const changed = items.map((item) => (isIt(item) ? { ...item, ...change } : item))
  set(outputsAtom, new Map(get(outputsAtom)).set(key, changed))
}

/** Sets the output of an editor as a whole; an empty list clears it, numbers go on. */
export function setOutput(
  { get, set }: Io,
  items: readonly OutputItem[],
  editor: EditorName = get(shownEditorAtom),
) {
  const key = editorKey(editor)
  set(outputsAtom, new Map(get(outputsAtom)).set(key, items))
  set(droppedAtom, new Map(get(droppedAtom)).set(key, 0))
}

/** Moves the results behind a number from one editor to another, where their run went. */
export function moveOutput({ get, set }: Io, from: EditorName, to: EditorName, before: number) {
  const outputs = get(outputsAtom)
  const [left, right] = [outputs.get(editorKey(from)) ?? [], outputs.get(editorKey(to)) ?? []]
  const isOfRun = ({ number }: OutputItem) => number > before
  set(
    outputsAtom,
    new Map(outputs)
      .set(
        editorKey(from),
        left.filter((item) => !isOfRun(item)),
      )
      .set(editorKey(to), [...right, ...left.filter(isOfRun)]),
  )
}
