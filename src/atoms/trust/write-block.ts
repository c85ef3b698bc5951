import { atom } from 'jotai'
import { trustStoreTimeout } from '~/lib/constants'
import { pause } from '~/lib/retry'
import { recallBreak } from './known-break'
import type { Break } from './record'
import { breaksAtom, trustsAtom } from './trust'

/** Databases with the findings in spite of which they may be written to. */
const releasedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The same for a finding as long as it is the same one. */
const releaseOf = (database: string, { kind, received, at }: Break) =>
  JSON.stringify([database, kind, kind === 'other-server' ? received : at])

/**
 * Why nothing is to be written to a database whose history is broken, as a sentence; undefined
 * when it is not, or when the operator has typed the database's name to do it all the same.
 */
export const writesHeldAtom = atom((get) => (database: string): string | undefined => {
  const released = get(releasedAtom)
  const isHeld = get(breaksAtom)(database).some((one) => !released.has(releaseOf(database, one)))
  if (!isHeld) return undefined
  return `The history of ${database} is broken. To write all the same, open it and choose “Write anyway” in the red bar.`
})

/**
 * What became of a write that is held, and therefore not sent; null when it may be. Asked before
 * anybody follows the history, it waits for what was found wrong before, but not for long.
 */
export const writeBlockAtom = atom(null, async (get, set, database: string) => {
  const kind = get(trustsAtom).get(database)?.kind
  if (kind !== 'first' && kind !== 'consistent') {
    const recall = recallBreak({ get, set }, database)
    // What cannot be looked up holds nobody.
    await Promise.race([recall.catch(() => {}), pause(trustStoreTimeout)])
  }
  const text = get(writesHeldAtom)(database)
  return text === undefined ? null : ({ kind: 'refused', text, details: 'not sent' } as const)
})

/** Lets this tab write to a database in spite of what is wrong with it now. */
export const releaseWritesAtom = atom(null, (get, set, database: string) => {
  const found = get(breaksAtom)(database).map((one) => releaseOf(database, one))
  set(releasedAtom, new Set([...get(releasedAtom), ...found]))
})
