import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { readOnlyDatabasesAtom, readOnlyReason } from '~/core/settings'
import { trustStoreTimeout } from '~/lib/constants'
import { pause } from '~/lib/retry'
import { recallBreak } from './incidents'
import { breaksAtom, trustsAtom } from './trust'
import type { Break } from './trust-record'

/** Databases that may be written to despite a finding. */
const releasedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** Identifies a finding; a new one holds writes again. */
const releaseOf = (database: string, { kind, received, at }: Break) =>
  JSON.stringify([database, kind, kind === 'other-server' ? received : at])

/**
 * Why the console holds writes to a database whose history is broken, as a sentence. Undefined when
 * it is not broken, or when the operator has typed the database's name to write anyway.
 */
export const writesHeldAtom = atom((get) => (database: string): string | undefined => {
  const released = get(releasedAtom)
  const isHeld = get(breaksAtom)(database).some((one) => !released.has(releaseOf(database, one)))
  if (!isHeld) return undefined
  return `The history of ${database} is broken. To write anyway, open it and choose “Write anyway” in the red bar.`
})

/** What a write changes: what a database holds, or the database itself among others. */
export type WriteOf = 'content' | 'databases'

/**
 * The outcome of a held write, which was not sent; null when it may be sent. It first waits briefly
 * for recorded findings.
 */
export async function findWriteBlock(io: Io, database: string, of: WriteOf) {
  if (of === 'content' && io.get(readOnlyDatabasesAtom).has(database)) {
    return refused(readOnlyReason(database))
  }
  const kind = io.get(trustsAtom).get(database)?.kind
  if (kind !== 'first' && kind !== 'consistent') {
    const recall = recallBreak(io, database)
    // A failed lookup must not hold writes.
    await Promise.race([recall.catch(() => {}), pause(trustStoreTimeout)])
  }
  const text = io.get(writesHeldAtom)(database)
  return text === undefined ? null : refused(text)
}

const refused = (text: string) => ({ kind: 'refused', text, details: 'not sent' }) as const

/** Lets this tab write to a database despite its present finding. */
export function releaseWrites({ get, set }: Io, database: string) {
  const found = get(breaksAtom)(database).map((one) => releaseOf(database, one))
  set(releasedAtom, new Set([...get(releasedAtom), ...found]))
}
