import type { StoreAccess } from '../storage/store-access'
import type { DatabaseId } from './database-id'
import { incidentOf } from './incident-log'
import { type Halt, strangerOf } from './known-break'
import type { Incident } from './record'
import { outdateRecordsAtom } from './records'
import { trustsAtom } from './trust'
import { trustedStatesAtom } from './trusted-states'

/** Notes what happened in a history. Never rejects: what cannot be noted is shown all the same. */
export async function noteIncident(
  io: StoreAccess,
  id: DatabaseId,
  incident: Incident,
): Promise<void> {
  await io
    .get(trustedStatesAtom)
    .noteIncident(id, incident)
    .catch(() => {})
  io.set(outdateRecordsAtom)
}

/** See `strangerOf`; notes a server that was not yet said to be another one. */
export async function noteStranger(io: StoreAccess, id: DatabaseId): Promise<Halt | null> {
  const halt = await strangerOf(io, id)
  if (halt && io.get(trustsAtom).get(id.database) !== halt) {
    await noteIncident(io, id, incidentOf(halt.broken))
  }
  return halt
}
