import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { listUsers } from '~/api/users'
import { permissionOn } from '~/lib/permission'
import { clientAtom } from './client'
import { perDatabase } from './per-database'
import { databaseAtom, permissionsAtom, sessionAtom } from './session'
import { keepSessionAtom } from './start'

export const usersKey = (database: string) => ['users', database] as const

/** Users as far as the server lets the signed-in one see; always contains at least oneself. */
export const usersAtom = perDatabase((database) =>
  atomWithQuery((get) => {
    const client = get(clientAtom)
    return {
      queryKey: usersKey(database),
      enabled: database !== '',
      queryFn: ({ signal }) => listUsers(client, { database, signal }),
    }
  }),
)

/** Own permissions as the server lists them; null until it has. */
const ownPermissionsAtom = atom((get) => {
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
    set(keepSessionAtom)
  },
)

/** The signed-in user's level on the open database; 0 while no permissions are known. */
export const levelAtom = atom((get) => {
  const permissions = get(ownPermissionsAtom) ?? get(permissionsAtom) ?? []
  return permissionOn(permissions, get(databaseAtom) ?? '')
})
