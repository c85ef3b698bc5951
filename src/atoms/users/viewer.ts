import { atom } from 'jotai'
import { writesOffAtom } from '~/core/history/newest-state'
import { databaseAtom, modeAtom, permissionsAtom, sessionAtom } from '~/core/session/session'
import { readOnlyDatabasesAtom, readOnlyReason } from '~/core/settings'
import { permissionNames, permissionOn, refusalFor } from '~/immudb/permission'
import type { Viewer } from '~/immudb/user-rules'
import { defaultDatabase } from '~/lib/constants'
import { writesHeldAtom } from '~/trust/write-block'
import {
  databasesAtom,
  isReplicaAtom,
  isReplicaIn,
  replicaReason,
} from '../databases/database-list'
import { keepPermissionsAtom, levelAtom, ownPermissionsAtom } from './user-list'

/**
 * Whether users and databases themselves come from another server. `--replication-is-replica` makes
 * defaultdb a replica together with the hidden systemdb, and neither can be changed later.
 */
export const isReplicaServerAtom = atom((get) =>
  isReplicaIn(get(databasesAtom).data, defaultDatabase),
)

/** The logged-in user with its permissions, as far as known. */
export const viewerAtom = atom(
  (get): Viewer => ({
    name: get(sessionAtom)?.user ?? '',
    permissions: get(ownPermissionsAtom) ?? get(permissionsAtom) ?? [],
    ...(get(isReplicaServerAtom) && { isOnReplica: true }),
  }),
)

/** The signed-in user's level on any database, 0 while it is not known or there is none. */
export const levelOnAtom = atom((get) => {
  const permissions = get(keepPermissionsAtom) ?? get(permissionsAtom) ?? []
  return (database: string) => permissionOn(permissions, database)
})

/** The user's level on any database in words; null until it is known. */
export const levelWordsAtom = atom((get) => {
  const isKnown = (get(keepPermissionsAtom) ?? get(permissionsAtom)) !== null
  const levelOn = get(levelOnAtom)
  return (database: string): string => {
    const level = levelOn(database)
    return isKnown ? (permissionNames.get(level) ?? `Level ${level}`) : 'asking…'
  }
})

/** The level on all databases, which creating a database requires. */
export const wildcardLevelAtom = atom((get) => get(levelOnAtom)('*'))

/** Why this user can create no database here; undefined when it can. */
export const databaseCreationRefusalAtom = atom((get) => {
  if (get(isReplicaServerAtom)) {
    return 'This server is a replica: databases are created on its primary.'
  }
  const isRefused = refusalFor(get(wildcardLevelAtom), 'create database') !== undefined
  return isRefused ? 'Only the system admin can create databases.' : undefined
})

/** Why nothing can be written to the open database from here; undefined when it can. */
export const writeRefusalAtom = atom((get) => {
  const database = get(databaseAtom) ?? ''
  if (get(modeAtom) === 'maintenance') return 'In maintenance mode the server accepts no writes.'
  const byLevel = refusalFor(get(levelAtom), 'write')
  if (byLevel !== undefined) return byLevel
  if (get(isReplicaAtom)) return replicaReason
  const held = get(writesHeldAtom)(database)
  if (held !== undefined) return held
  const past = get(writesOffAtom)
  if (past !== null) return past
  if (!get(readOnlyDatabasesAtom).has(database)) return undefined
  return readOnlyReason(database)
})
