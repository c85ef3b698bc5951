import { atom } from 'jotai'
import type { Io } from '~/core/act'

const generationsAtom = atom<ReadonlyMap<string, number>>(new Map<string, number>())

/**
 * Tells databases apart that have one name, one after the other: what was read of the past of one is
 * not the past of the next.
 */
export const generationAtom = atom((get) => (database: string): string => {
  return `${get(generationsAtom).get(database) ?? 0} ${database}`
})

/** Notes that a database is gone. */
export function endGeneration({ get, set }: Io, gone: string) {
  const all = get(generationsAtom)
  set(generationsAtom, new Map(all).set(gone, (all.get(gone) ?? 0) + 1))
}
