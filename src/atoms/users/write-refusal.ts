import { atom } from 'jotai'
import { refusalFor } from '~/immudb/permission'
import { isReplicaAtom, replicaReason } from '../databases/list'
import { databaseAtom, modeAtom } from '../session/session'
import { readOnlyDatabasesAtom } from '../settings/settings'
import { writesHeldAtom } from '../trust/write-block'
import { levelAtom } from './list'

/** Why nothing can be written to the open database from here; undefined when it can. */
export const writeRefusalAtom = atom((get) => {
  const database = get(databaseAtom) ?? ''
  if (get(modeAtom) === 'maintenance') return 'In maintenance mode nothing can be written.'
  const byLevel = refusalFor(get(levelAtom), 'write')
  if (byLevel !== undefined) return byLevel
  if (get(isReplicaAtom)) return replicaReason
  const held = get(writesHeldAtom)(database)
  if (held !== undefined) return held
  if (!get(readOnlyDatabasesAtom).has(database)) return undefined
  return `${database} is set to read-only in this browser (Settings, Safety).`
})
