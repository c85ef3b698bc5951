import { atom } from 'jotai'
import { databaseIdAtom } from '~/core/session/session'
import { type Judged, verdictOf } from '~/proof/verdict'
import { trustRecordsAtom } from '~/trust/trust-records'
import type { ComparedPair, ComparedServer } from './histories'

/**
 * The verdict on whether two servers have one history; null where that is not what was found.
 * A finding of this browser about the database on either server counts against it.
 */
export const pairVerdictAtom = atom((get) => {
  const records = get(trustRecordsAtom)?.records ?? null
  const addressOf = get(databaseIdAtom)
  return (
    { server, other, isOneId, found }: ComparedPair,
    servers: readonly ComparedServer[],
  ): Judged | null => {
    if (found.kind !== 'same') return null
    const both = servers.filter(({ name }) => name === server || name === other)
    const isBroken = both.some(({ database, origin = addressOf(database).origin }) =>
      records?.some(
        ({ id, ...record }) =>
          id.origin === origin && id.database === database && record.break !== null,
      ),
    )
    return verdictOf({
      proof: 'holds',
      ground: records === null ? 'late' : 'each-other',
      history: isBroken ? 'broken' : 'followed',
      // The words are what was compared.
      shown: [],
      isOdd: false,
      // With one id it may be one server that was compared with itself.
      open: isOneId ? ['one-server'] : [],
    })
  }
})
