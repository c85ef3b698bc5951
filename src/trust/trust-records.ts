import { atom, type Getter } from 'jotai'
import type { Io } from '~/core/act'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { keyOf, type Records } from './trust-record'
import { trustedStatesAtom } from './trusted-states'

const recordsAtom = atom<Records | null>(null)

/**
 * All trusted states of this browser; null until they are read. Writing this atom reads them again.
 * It loads when first used and then follows every change.
 */
export const trustRecordsAtom = atom(
  (get) => get(recordsAtom),
  async (get, set): Promise<Records> => {
    const records = await listRecords(get)
    set(recordsAtom, records)
    return records
  },
)

trustRecordsAtom.onMount = (read) => void read()

/** Reads the trusted states again if they are in use. */
export function outdateRecords({ get, set }: Io) {
  if (get(recordsAtom) !== null) void set(trustRecordsAtom)
}

/** How many incidents of the open database there are, and of the address it is at. */
export const incidentCountAtom = atom((get) => {
  const id = get(databaseIdAtom)(get(databaseAtom) ?? '')
  const own = [id, { ...id, database: '' }].map(keyOf)
  return (get(recordsAtom)?.incidents ?? [])
    .filter((log) => own.includes(keyOf(log.id)))
    .reduce((count, { incidents, dropped }) => count + incidents.length + dropped, 0)
})

export async function listRecords(get: Getter): Promise<Records> {
  const points = get(trustedStatesAtom)
  const [records, log, keeping, others] = await Promise.all([
    points.all(),
    points.log(),
    points.keeping(),
    points.others(),
  ])
  return { records, log, keeping, ...others }
}
