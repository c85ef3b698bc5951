import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { listDatabases } from '~/api/databases'
import { clientAtom, keepDatabaseToken } from './client'
import { databaseAtom, sessionAtom } from './session'
import { keepSessionAtom } from './start'

export const databasesKey = ['databases'] as const

/** Every database the signed-in user may see. */
export const databasesAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  return { queryKey: databasesKey, queryFn: ({ signal }) => listDatabases(client, signal) }
})

/** Makes a database the one of this tab; rejects with `ApiError`, the old one stays then. */
export const openDatabaseAtom = atom(null, async (get, set, name: string) => {
  const known = get(sessionAtom)?.databaseTokens.has(name) ?? false
  if (!known) await keepDatabaseToken({ get, set }, get(clientAtom), name)
  set(databaseAtom, name)
  set(keepSessionAtom)
})

/** Asks the server again for everything on the screen. */
export const refreshAllAtom = atom(null, (get) => get(queryClientAtom).invalidateQueries())
