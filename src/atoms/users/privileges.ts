import { atom } from 'jotai'
import { permissionOn } from '~/immudb/permission'
import { privilegesOn } from '~/immudb/privileges'
import { databaseAtom, sessionAtom } from '../session/session'
import { usersAtom } from './list'

/**
 * Why the signed-in user may not run statements that need an SQL privilege on the open database;
 * undefined when it may, or while its privileges are not known. The server decides.
 */
export const privilegeRefusalAtom = atom((get) => (privilege: string): string | undefined => {
  const own = get(usersAtom).data?.find(({ user }) => user === get(sessionAtom)?.user)
  const database = get(databaseAtom) ?? ''
  // The system admin may do everything, and its privileges are not listed.
  if (!own || permissionOn(own.permissions, database) === 255) return undefined
  if (privilegesOn(own, database).includes(privilege)) return undefined
  return `This needs the SQL privilege ${privilege} on the database.`
})
