import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { listDatabases } from '~/api/databases'
import { clientAtom, ensureDatabaseToken } from './client'
import { databaseAtom, lostDatabaseAtom } from './session'
import { keepSessionAtom, listedAtom } from './start'

export const databasesKey = ['databases'] as const

/** Every database the signed-in user may see. */
export const databasesAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  const listed = get(listedAtom)
  return {
    queryKey: databasesKey,
    queryFn: ({ signal }) => listDatabases(client, signal),
    ...(listed ? { initialData: [...listed] } : {}),
  }
})

/** Counts the choices of a database, so that of two quick ones the later stays. */
const choiceAtom = atom(0)

/**
 * Makes a database the one of this tab; rejects with `ApiError`, the old one stays then. Resolves
 * false when another was chosen before this one was open.
 */
export const openDatabaseAtom = atom(null, async (get, set, name: string): Promise<boolean> => {
  const choice = get(choiceAtom) + 1
  set(choiceAtom, choice)
  await ensureDatabaseToken({ get, set }, get(clientAtom), name)
  if (get(choiceAtom) !== choice) return false
  set(databaseAtom, name)
  set(lostDatabaseAtom, null)
  set(keepSessionAtom)
  return true
})

/** Asks again for the databases, for instance after a statement made one. */
export const refreshDatabasesAtom = atom(null, (get) =>
  get(queryClientAtom).invalidateQueries({ queryKey: databasesKey }),
)
