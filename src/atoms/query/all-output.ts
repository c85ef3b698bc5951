import { atom } from 'jotai'
import type { OutputItem } from './output-entry'

/** The output of each editor, by its key. Results of a closed editor wait until it is opened again. */
export const outputsAtom = atom<ReadonlyMap<string, readonly OutputItem[]>>(new Map())

/** The output of all editors, in no order. */
export const allOutputAtom = atom((get) => [...get(outputsAtom).values()].flat())

/** Whether any output shows outcomes of writes, which are lost when the page closes. */
export const holdsOutcomeAtom = atom((get) =>
  get(allOutputAtom).some(
    (item) => item.kind === 'entry' && (item.tx !== null || item.status === 'unknown'),
  ),
)
