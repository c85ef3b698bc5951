import { atom } from 'jotai'
import { permissionNames, permissionOn } from '~/immudb/permission'
import { permissionsAtom } from '../session/session'
import { keepPermissionsAtom } from './list'

/** The signed-in user's level on any database, 0 while it is not known or there is none. */
export const levelOnAtom = atom((get) => {
  const permissions = get(keepPermissionsAtom) ?? get(permissionsAtom) ?? []
  return (database: string) => permissionOn(permissions, database)
})

/** The signed-in user's level on any database in words, which are not said before it is known. */
export const levelWordsAtom = atom((get) => {
  const isKnown = (get(keepPermissionsAtom) ?? get(permissionsAtom)) !== null
  return (database: string): string => {
    const level = get(levelOnAtom)(database)
    return isKnown ? (permissionNames.get(level) ?? `Level ${level}`) : 'asking…'
  }
})

/** The level that holds everywhere, which creating a database asks for. */
export const wildcardLevelAtom = atom((get) => get(levelOnAtom)('*'))
