import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { listUsers, type User } from '~/api/users'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { perDatabase } from '~/core/session/per-database'
import { databaseAtom, modeAtom, permissionsAtom, sessionAtom } from '~/core/session/session'
import { keepSession } from '~/core/session/session-start'
import { permissionOn } from '~/immudb/permission'

/** The key of all user lists, for any database. */
const allUsersKey = ['users'] as const
export const usersKey = (database: string) => [...allUsersKey, database] as const

function listQuery(get: Getter, database: string) {
  const client = get(clientAtom)
  return {
    queryKey: usersKey(database),
    enabled: database !== '' && get(modeAtom) === 'login',
    queryFn: ({ signal }: { signal: AbortSignal }) => listUsers(client, { database, signal }),
  }
}

/** The users that the server lists for the current user, who is always among them. */
export const usersAtom = perDatabase((database) => atomWithQuery((get) => listQuery(get, database)))

/**
 * The same for the Users screen, fetched again when it opens, because others may have changed them.
 */
export const freshUsersAtom = perDatabase((database) =>
  atomWithQuery((get) => ({ ...listQuery(get, database), refetchOnMount: 'always' as const })),
)

/** The user's permissions as the server lists them; null until known. */
export const ownPermissionsAtom = atom((get) => {
  const own = get(usersAtom).data?.find((user) => user.user === get(sessionAtom)?.user)
  return own?.permissions ?? null
})

/** Keeps the own permissions with the session, for the next start. */
export const keepPermissionsAtom = atom(
  (get) => get(ownPermissionsAtom),
  (get, set) => {
    const permissions = get(ownPermissionsAtom)
    if (permissions === null) return
    set(permissionsAtom, permissions)
    keepSession({ get, set })
  },
)

/** The signed-in user's level on the open database; 0 while no permissions are known. */
export const levelAtom = atom((get) => {
  const permissions = get(ownPermissionsAtom) ?? get(permissionsAtom) ?? []
  return permissionOn(permissions, get(databaseAtom) ?? '')
})

/** Fetches the users again, for instance after a change. */
export function refreshUsers({ get }: Io) {
  return get(queryClientAtom).invalidateQueries({ queryKey: allUsersKey })
}

/** A user as the server has it now, null when the list does not show it; rejects with `ApiError`. */
export async function readUser({ get }: Io, name: string): Promise<User | null> {
  const database = get(databaseAtom) ?? ''
  const users = await listUsers(get(clientAtom), { database })
  get(queryClientAtom).setQueryData(usersKey(database), users)
  return users.find(({ user }) => user === name) ?? null
}
