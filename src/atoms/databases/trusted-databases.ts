import { atom } from 'jotai'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { knownOf } from '~/trust/trust'
import type { KnownServer, TrustRecord } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { databasesAtom } from './database-list'

/** A database of the present server, with its record if there is one. */
export type OwnDatabase = { database: string; record: TrustRecord | null }

/** Databases of this server with their records, and the records of all others; null at first. */
export const statesAtom = atom((get) => {
  const all = get(trustRecordsAtom)
  if (all === null) return null
  const { records, log, unreadable, keeping, isOfNewer } = all
  const here = get(databaseIdAtom)('')
  const isHere = ({ origin, server }: DatabaseId) =>
    origin === here.origin && server === here.server
  const own = new Map(records.filter(({ id }) => isHere(id)).map((one) => [one.id.database, one]))
  const named = (get(databasesAtom).data ?? []).filter(({ loaded }) => loaded)
  const present = get(databaseAtom)
  const names = new Set([...own.keys(), ...named.map(({ name }) => name)])
  if (present !== null) names.add(present)
  return {
    here,
    own: [...names].sort().map(
      (name): OwnDatabase => ({
        database: name,
        record: own.get(name) ?? null,
      }),
    ),
    others: records.filter(({ id }) => !isHere(id)),
    log,
    unreadable,
    keeping,
    isOfNewer,
  }
})

/** The trust that this page found for a database of the present server. */
export const trustOfAtom = atom((get) => (database: string) => knownOf({ get }, database) ?? null)

/** One that may answer at an address. */
export type ListedServer = Pick<KnownServer, 'server' | 'at'> & {
  origin: string
  /**
   * The operator's reason for accepting it; null for the first one, which was taken automatically.
   */
  reason: string | null
  isAnswering: boolean
  /** Whether it is the only one there, so that it cannot be revoked. */
  isOnly: boolean
}

/** All servers that may answer, those at this address first. */
export const serversAtom = atom((get): readonly ListedServer[] => {
  const all = get(trustRecordsAtom)
  const here = get(databaseIdAtom)('')
  const lines = all?.log.filter(({ what }) => what === 'server-accepted') ?? []
  const listed = [...(all?.servers ?? [])].flatMap(([origin, { servers }]) =>
    servers.map(({ server, at, reason }): ListedServer => {
      // Older consoles wrote the reason into the log alone.
      const line = lines.findLast(({ id }) => id.origin === origin && id.server === server)
      return {
        origin,
        server,
        at,
        reason: reason ?? line?.reason ?? null,
        isAnswering: origin === here.origin && server === here.server,
        isOnly: servers.length === 1,
      }
    }),
  )
  const rank = ({ origin }: ListedServer) => (origin === here.origin ? 0 : 1)
  return listed.sort((one, other) => rank(one) - rank(other))
})
