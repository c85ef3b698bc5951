import { atom } from 'jotai'
import { lackingAtom } from '~/core/session/server-version'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { permissionOn } from '~/immudb/permission'
import { privilegesOn } from '~/immudb/privileges'
import { usersAtom } from './user-list'
import { writeRefusalAtom } from './viewer'

/**
 * Why the signed-in user may not run statements that need an SQL privilege on the open database;
 * undefined when it may, where there are none, or while they are not known. The server decides.
 */
export const privilegeRefusalAtom = atom((get) => {
  const user = get(sessionAtom)?.user
  const own = get(usersAtom).data?.find((one) => one.user === user)
  const database = get(databaseAtom) ?? ''
  const hasNone = get(lackingAtom)('sqlPrivileges') !== undefined
  return (privilege: string): string | undefined => {
    // The system admin may do everything, and its privileges are not listed.
    if (hasNone || !own || permissionOn(own.permissions, database) === 255) return undefined
    if (privilegesOn(own, database).includes(privilege)) return undefined
    return `This needs the SQL privilege ${privilege} on the database.`
  }
})

/** Why nothing can be imported into the open database; undefined when it can. */
export const importRefusalAtom = atom(
  (get) => get(writeRefusalAtom) ?? get(privilegeRefusalAtom)('INSERT'),
)

/** Why no table can be made for an import; undefined when it can. */
export const newTableRefusalAtom = atom((get) => get(privilegeRefusalAtom)('CREATE'))
