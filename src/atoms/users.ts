import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { listUsers } from '~/api/users'
import { permissionOn } from '~/lib/permission'
import { clientAtom } from './client'
import { perDatabase } from './per-database'
import { databaseAtom, permissionsAtom, sessionAtom } from './session'

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

/** The signed-in user's level on the open database; 0 while no permissions are known. */
export const levelAtom = atom((get) => {
  const own = get(usersAtom).data?.find((user) => user.user === get(sessionAtom)?.user)
  const permissions = own?.permissions ?? get(permissionsAtom) ?? []
  return permissionOn(permissions, get(databaseAtom) ?? '')
})
