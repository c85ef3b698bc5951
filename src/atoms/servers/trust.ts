import { atom } from 'jotai'
import { fleetAtom } from '~/core/session/fleet'
import { databaseIdAtom } from '~/core/session/session'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { standingsAtom } from './standings'

/** What this browser has recorded about the databases of a server. */
export type ServerTrust = {
  /** Databases whose recorded finding has not ended. */
  broken: readonly string[]
  /** Databases with a trusted state, and all that the server has loaded. */
  trusted: number
  of: number | null
}

/** By the ids of the servers; null until the records are read. */
export const serverTrustAtom = atom((get): ReadonlyMap<string, ServerTrust> | null => {
  const fleet = get(fleetAtom)
  const all = get(trustRecordsAtom)
  if (!fleet || all === null) return null
  return new Map(
    get(standingsAtom).map(({ server, uuid, holdings }) => {
      const { origin } = fleet.storeOf(server).get(databaseIdAtom)('')
      const records = all.records.filter(({ id }) => id.origin === origin && id.server === uuid)
      const loaded = holdings?.filter((one) => one.loaded).map(({ name }) => name) ?? null
      const isHeld = (name: string) => loaded === null || loaded.includes(name)
      return [
        server.id,
        {
          broken: records.filter((one) => one.break !== null).map(({ id }) => id.database),
          trusted: records.filter(({ id }) => isHeld(id.database)).length,
          of: loaded?.length ?? null,
        },
      ]
    }),
  )
})
