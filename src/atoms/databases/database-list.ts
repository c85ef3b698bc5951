import { atom, type Getter } from 'jotai'
import { type AtomWithQueryOptions, atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { type Database, databaseNamed, listDatabases } from '~/api/databases'
import { ApiError, troubleOf } from '~/api/errors'
import type { Io } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { endGeneration } from '~/core/session/renewed-databases'
import {
  databaseAtom,
  lostDatabaseAtom,
  modeAtom,
  type Session,
  sessionAtom,
} from '~/core/session/session'
import { keepSession, listedAtom, listedTxAtom, openFirst } from '~/core/session/session-start'
import { changeStoredPart } from '~/core/storage/stored'
import { defaultDatabase, systemDatabase } from '~/lib/constants'

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
    queryFn: ({ signal, client: cache }) => {
      const before = cache.getQueryData<Database[]>(databasesKey) ?? []
      const open = get(databaseAtom)
      const known = [...before.map(({ name }) => name), ...(open === null ? [] : [open])]
      return listDatabases(client, signal, known)
    },
    ...(listed ? { initialData: [...listed] } : {}),
  }
}

/** Every database that the user may see. */
export const databasesAtom = atomWithQuery(listQuery)

/** The same, fetched again when the Databases screen opens. */
const listedOnEntryAtom = atomWithQuery<Database[]>((get) => ({
  ...listQuery(get),
  refetchOnMount: 'always',
}))

/** The list for the Databases screen; the open database shows its newest state. */
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

/** Whether the open database is a replica, which takes no writes. */
export const isReplicaAtom = atom((get) => isReplicaIn(get(databasesAtom).data, get(databaseAtom)))

export const replicaReason = 'This database is a replica. It changes only through its primary.'

/** Why no screen shows the database of the server itself. */
const notShown = 'It holds password hashes and live session IDs. Audit log hides those.'

/** Counts the choices of a database, so that the later of two quick ones wins. */
const choiceAtom = atom(0)

/**
 * Opens a database in this tab. Rejects with `ApiError`, and the old one stays open. Resolves to
 * false when another was chosen in the meantime.
 */
export async function openDatabase(io: Io, name: string): Promise<boolean> {
  const { get, set } = io
  if (name === systemDatabase) throw new ApiError({ kind: 'refused', text: notShown })
  const choice = get(choiceAtom) + 1
  set(choiceAtom, choice)
  await ensureDatabaseToken(io, get(clientAtom), name)
  if (get(choiceAtom) !== choice) return false
  set(databaseAtom, name)
  set(lostDatabaseAtom, null)
  keepSession(io)
  void changeStoredPart(io, (stored) => ({
    ...stored,
    database: { ...stored.database, chosen: true },
  }))
  return true
}

/** Fetches the list of databases again. Resolves once it is here or has failed. */
export function refreshDatabases({ get }: Io) {
  return get(queryClientAtom).invalidateQueries({ queryKey: databasesKey })
}

/**
 * Switches from a deleted database to one that can be opened, and keeps the reason for the notice.
 * Resolves with the new one, or null when there is none.
 */
export async function leaveDatabase(io: Io, gone: string) {
  const { get, set } = io
  set(sessionAtom, withoutTokenOf(get(sessionAtom), gone))
  const next = await openFirst(io, defaultDatabase)
  if (get(databaseAtom) === gone) {
    set(databaseAtom, next)
    set(lostDatabaseAtom, gone)
    keepSession(io)
  }
  forgetAnswers(io, gone)
  void refreshDatabases(io)
  return next
}

/** Forgets answers from a deleted database, because a new one of the same name has other data. */
export function forgetAnswers(io: Io, gone: string) {
  endGeneration(io, gone)
  if (io.get(listedTxAtom)?.database === gone) io.set(listedTxAtom, null)
  const cache = io.get(queryClientAtom).getQueryCache()
  for (const query of cache.findAll({ predicate: ({ queryKey }) => queryKey[1] === gone })) {
    // Observers keep a removed query, so it is reset instead.
    query.reset()
  }
}

/**
 * The token of a deleted database does not open a new one of the same name. The server also refuses
 * other calls with it, such as the user list.
 */
export function withoutTokenOf(session: Session | null, database: string): Session | null {
  if (!session) return null
  const databaseTokens = new Map(session.databaseTokens)
  const gone = databaseTokens.get(database)
  databaseTokens.delete(database)
  const [other = session.token] = databaseTokens.values()
  return { ...session, databaseTokens, token: session.token === gone ? other : session.token }
}

/** Why a database of an address was not opened, as far as the answer tells causes apart. */
type WhyUnopened = 'missing' | 'permission' | 'unloaded' | 'system' | 'failed'

/** The gRPC code of an answer about something that is not there. */
const codeOfMissing = 5

export function whyUnopened(name: string, error: unknown): WhyUnopened {
  if (name === systemDatabase) return 'system'
  if (!(error instanceof ApiError)) return 'failed'
  // By its code, because the text with a very long name is cut before it says so.
  if (error.code === codeOfMissing) return 'missing'
  if (error.kind === 'permission') return 'permission'
  return troubleOf(error) === 'unloaded' ? 'unloaded' : 'failed'
}
