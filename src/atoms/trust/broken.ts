import { atom } from 'jotai'
import { breaksAtom } from './trust'

/** Whether nothing of a database is to be called verified. */
export const isBrokenAtom = atom(
  (get) => (database: string) => get(breaksAtom)(database).length > 0,
)
