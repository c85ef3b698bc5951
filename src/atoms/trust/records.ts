import { atom, type Getter } from 'jotai'
import { databaseAtom, databaseIdAtom } from '../session/session'
import { keyOf, type Records } from './record'
import { trustedStatesAtom } from './trusted-states'

const recordsAtom = atom<Records | null>(null)

/**
 * All trusted states of this browser, null until they were read; writing it reads them anew. They
 * are read when somebody begins to look, and follow every change from then on.
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

/** Reads the points anew if anybody has looked at them. */
export const outdateRecordsAtom = atom(null, (get, set) => {
  if (get(recordsAtom) !== null) void set(trustRecordsAtom)
})

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
