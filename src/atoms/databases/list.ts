import { atom, type Getter } from 'jotai'
import { type AtomWithQueryOptions, atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { type Database, databaseNamed, listDatabases } from '~/api/databases'
import { defaultDatabase } from '~/lib/constants'
import { stateAtom } from '../history/state'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import {
  databaseAtom,
  lostDatabaseAtom,
  modeAtom,
  type Session,
  sessionAtom,
} from '../session/session'
import { keepSessionAtom, listedAtom, openFirst } from '../session/start'
import { changeStoredAtom } from '../storage/stored'

export const databasesKey = ['databases'] as const

function listQuery(get: Getter): AtomWithQueryOptions<Database[]> {
  const client = get(clientAtom)
  const listed = get(listedAtom)
  if (get(modeAtom) !== 'login') {
    // A server without login lists none.
    const name = get(databaseAtom) ?? defaultDatabase
    return { queryKey: [...databasesKey, name], queryFn: () => [databaseNamed(name)] }
  }
  return {
    queryKey: databasesKey,
    queryFn: ({ signal }) => listDatabases(client, signal),
    ...(listed ? { initialData: [...listed] } : {}),
  }
}

/** Every database the signed-in user may see. */
export const databasesAtom = atomWithQuery(listQuery)

/** The same, asked for when the screen about them is opened. */
const listedOnEntryAtom = atomWithQuery<Database[]>((get) => ({
  ...listQuery(get),
  refetchOnMount: 'always',
}))

/** The list for the screen about the databases; the open one is as far as its newest state says. */
export const freshDatabasesAtom = atom((get) => {
  const list = get(listedOnEntryAtom)
  const { data: state, dataUpdatedAt } = get(stateAtom)
  const name = get(databaseAtom)
  if (!state || dataUpdatedAt < list.dataUpdatedAt) return list
  const data = list.data?.map((one) =>
    one.name === name && one.loaded ? { ...one, numTransactions: state.txId } : one,
  )
  return { ...list, data }
})

export const isReplicaIn = (data: readonly Database[] | undefined, name: string | null) =>
  data?.some((one) => one.name === name && one.isReplica) ?? false

/** Whether the open database copies another one, and so takes no writes. */
export const isReplicaAtom = atom((get) => isReplicaIn(get(databasesAtom).data, get(databaseAtom)))

export const replicaReason = 'This database is a replica: it changes only with its primary.'

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
  void set(changeStoredAtom, (stored) => ({
    ...stored,
    database: { ...stored.database, chosen: true },
  }))
  return true
})

/** Asks again for the list of databases; resolves once it is here, or cannot be had. */
export const refreshDatabasesAtom = atom(null, (get) =>
  get(queryClientAtom).invalidateQueries({ queryKey: databasesKey }),
)

/**
 * Leaves a database that is gone for one that can be opened, with the reason kept for the notice.
 * Resolves with the new one, or null when there is none.
 */
export const leaveDatabaseAtom = atom(null, async (get, set, gone: string) => {
  set(sessionAtom, withoutTokenOf(get(sessionAtom), gone))
  const next = await openFirst({ get, set }, defaultDatabase)
  if (get(databaseAtom) === gone) {
    set(databaseAtom, next)
    set(lostDatabaseAtom, gone)
    set(keepSessionAtom)
  }
  set(forgetAnswersAtom, gone)
  void set(refreshDatabasesAtom)
  return next
})

/** Forgets what was read from a database that is gone: one of the same name has none of it. */
export const forgetAnswersAtom = atom(null, (get, _set, gone: string) => {
  const cache = get(queryClientAtom).getQueryCache()
  for (const query of cache.findAll({ predicate: ({ queryKey }) => queryKey[1] === gone })) {
    // Those that watch it keep a removed query, so it stays and becomes empty.
    query.reset()
  }
})

/**
 * A new database of the same name is not opened by the old one's token, and what is asked about no
 * database, such as who the users are, is refused with it.
 */
export function withoutTokenOf(session: Session | null, database: string): Session | null {
  if (!session) return null
  const databaseTokens = new Map(session.databaseTokens)
  const gone = databaseTokens.get(database)
  databaseTokens.delete(database)
  const [other = session.token] = databaseTokens.values()
  return { ...session, databaseTokens, token: session.token === gone ? other : session.token }
}
