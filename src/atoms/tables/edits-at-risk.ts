import { atom } from 'jotai'
import type { TableEdits } from './edits-stored'

/** The staged edits of all tables, by the names of their places. */
export const allEditsAtom = atom<ReadonlyMap<string, TableEdits>>(new Map<string, TableEdits>())

/** Set while the browser's storage cannot keep the staged edits. */
export const rowEditsNotKeptAtom = atom(false)

/** Whether staged edits would be lost with the page. */
export const areRowEditsAtRiskAtom = atom(
  (get) =>
    get(rowEditsNotKeptAtom) &&
    [...get(allEditsAtom).values()].some(({ edits, waiting }) => edits.length + waiting.length > 0),
)
