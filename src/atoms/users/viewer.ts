import { atom } from 'jotai'
import type { Viewer } from '~/immudb/user-rules'
import { defaultDatabase } from '~/lib/constants'
import { databasesAtom, isReplicaIn } from '../databases/list'
import { permissionsAtom, sessionAtom } from '../session/session'
import { ownPermissionsAtom } from './list'

/**
 * Whether users and databases themselves come from another server. `--replication-is-replica` makes
 * defaultdb a replica together with the hidden systemdb, and neither can be changed later.
 */
export const isReplicaServerAtom = atom((get) =>
  isReplicaIn(get(databasesAtom).data, defaultDatabase),
)

/** Who is signed in and may do what, as far as the server has told. */
export const viewerAtom = atom(
  (get): Viewer => ({
    name: get(sessionAtom)?.user ?? '',
    permissions: get(ownPermissionsAtom) ?? get(permissionsAtom) ?? [],
    ...(get(isReplicaServerAtom) && { isOnReplica: true }),
  }),
)
