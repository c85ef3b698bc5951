import { atom } from 'jotai'
import { databaseAtom, pointIdAtom } from '../session'
import { stateAtom } from '../state'
import { checkTrustAtom, pinKeyAtom } from './decisions'
import { trustRecordsAtom } from './trust'

export type ServerName = { origin: string; server: string }

/** The key pinned for the server that answers, and those of others; null until they are read. */
export const signingKeysAtom = atom((get) => {
  const records = get(trustRecordsAtom)
  if (records === null) return null
  const here = get(pointIdAtom)('')
  const all = [...records.keys].map(([name, key]) => {
    const [origin = '', server = ''] = JSON.parse(name) as string[] // as `listRecords` wrote it
    return { origin, server, key }
  })
  const isHere = (one: ServerName) => one.origin === here.origin && one.server === here.server
  const others = all.filter((one) => !isHere(one))
  return { here, pinned: all.find(isHere)?.key ?? null, others }
})

/** What the newest state of the open database is signed with, as the server says. */
export type Seen = { kind: 'key'; key: string } | { kind: 'unsigned' } | { kind: 'unknown' }

export const seenKeyAtom = atom((get): Seen => {
  if (get(databaseAtom) === null) return { kind: 'unknown' }
  const { data } = get(stateAtom)
  if (!data) return { kind: 'unknown' }
  return data.signature?.publicKey
    ? { kind: 'key', key: data.signature.publicKey }
    : { kind: 'unsigned' }
})

/** Pins a key for a server, or none for null, and checks the open database with it at once. */
export const changeKeyAtom = atom(
  null,
  async (get, set, of: ServerName, key: string | null): Promise<void> => {
    await set(pinKeyAtom, of, key)
    if (get(databaseAtom) !== null) void set(checkTrustAtom)
  },
)
