import { atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import { databasesAtom } from './databases'
import { pointIdAtom, trustsAtom } from './trust'
import type { PointId, TrustRecord } from './trust-record'
import { listRecords, type Records } from './trust-work'
import { trustedPointsAtom } from './trusted-points'

const changesAtom = atom(0)

/** Counts what is changed in the records, by whichever tab, as long as somebody looks at them. */
const followAtom = atom(
  (get) => get(changesAtom),
  (get, set) => get(trustedPointsAtom).onChange(() => set(changesAtom, (count) => count + 1)),
)
followAtom.onMount = (start) => start()

type Listed = { kind: 'listed'; records: Records } | { kind: 'failed' } | null

/** All that is recorded; the last list stays while the next one is read. Null at first. */
export const recordsAtom = unwrap(
  atom(async (get): Promise<Listed> => {
    get(followAtom)
    return listRecords(get).then(
      (records) => ({ kind: 'listed', records }),
      () => ({ kind: 'failed' }),
    )
  }),
  (before): Listed => before ?? null,
)

/** A database of the server that answers: what is recorded of it, if anything. */
export type OwnDatabase = { database: string; record: TrustRecord | null }

/** Databases of this server with their records, and the records of all others. */
export const pointsAtom = atom((get) => {
  const listed = get(recordsAtom)
  if (listed?.kind !== 'listed') return null
  const { records } = listed.records
  const here = get(pointIdAtom)('')
  const isHere = ({ origin, server }: PointId) => origin === here.origin && server === here.server
  const own = new Map(records.filter(({ id }) => isHere(id)).map((one) => [one.id.database, one]))
  const named = (get(databasesAtom).data ?? []).filter(({ loaded }) => loaded)
  const names = new Set([...own.keys(), ...named.map(({ name }) => name)])
  return {
    here,
    own: [...names].sort().map(
      (name): OwnDatabase => ({
        database: name,
        record: own.get(name) ?? null,
      }),
    ),
    others: records.filter(({ id }) => !isHere(id)),
  }
})

/** What was found out in this page about a database of this server. */
export const trustOfAtom = atom((get) => {
  const trusts = get(trustsAtom)
  return (database: string) => trusts.get(database) ?? null
})
