import { atom } from 'jotai'
import { databasesAtom } from '../databases'
import { databaseAtom, pointIdAtom } from '../session'
import { knownOf } from './known'
import type { PointId } from './point-id'
import type { TrustRecord } from './record'
import { trustRecordsAtom } from './trust'

/** A database of the server that answers: what is recorded of it, if anything. */
export type OwnDatabase = { database: string; record: TrustRecord | null }

/** Databases of this server with their records, and the records of all others; null at first. */
export const pointsAtom = atom((get) => {
  const all = get(trustRecordsAtom)
  if (all === null) return null
  const { records, log, keeping } = all
  const here = get(pointIdAtom)('')
  const isHere = ({ origin, server }: PointId) => origin === here.origin && server === here.server
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
    keeping,
  }
})

/** What was found out in this page about a database of the server that answers. */
export const trustOfAtom = atom((get) => (database: string) => knownOf({ get }, database) ?? null)
