import { atom } from 'jotai'

/** Set while the browser's storage cannot keep the staged edits of tables. */
export const rowEditsNotKeptAtom = atom(false)
