import type { Io } from '../io'
import { incidentOf } from './incident-log'
import { type Halt, strangerOf } from './known'
import type { PointId } from './point-id'
import type { Incident } from './record'
import { outdateRecordsAtom, trustsAtom } from './trust'
import { trustedPointsAtom } from './trusted-points'

/** Notes what happened in a history. Never rejects: what cannot be noted is shown all the same. */
export async function noteIncident(io: Io, id: PointId, incident: Incident): Promise<void> {
  await io
    .get(trustedPointsAtom)
    .noteIncident(id, incident)
    .catch(() => {})
  io.set(outdateRecordsAtom)
}

/** See `strangerOf`; notes a server that was not yet said to be another one. */
export async function noteStranger(io: Io, id: PointId): Promise<Halt | null> {
  const halt = await strangerOf(io, id)
  if (halt && io.get(trustsAtom).get(id.database) !== halt) {
    await noteIncident(io, id, incidentOf(halt.broken))
  }
  return halt
}
