import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'
import type { DatabaseId } from './database-id'
import { incidentOf, newIncident } from './incident-log'
import { type Halt, strangerOf } from './known-break'
import { verdictWhenChecked } from './object-verdict'
import type { Proof } from './proof-drawer'
import type { Incident } from './record'
import { outdateRecordsAtom } from './records'
import { trustsAtom } from './trust'
import { trustedStatesAtom } from './trusted-states'

/** Notes an incident. Never rejects, because the finding is shown even if it cannot be noted. */
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

/** See `strangerOf`; notes another server when it is first reported. */
export async function noteStranger(io: StoreAccess, id: DatabaseId): Promise<Halt | null> {
  const halt = await strangerOf(io, id)
  if (halt && io.get(trustsAtom).get(id.database) !== halt) {
    await noteIncident(io, id, incidentOf(halt.broken))
  }
  return halt
}

/**
 * Notes shown or sent content that differs from the proof of the same transaction. The caller
 * decides whether the difference may have an innocent reason.
 */
export async function noteContradictions(io: StoreAccess, proofs: readonly Proof[]): Promise<void> {
  for (const proof of proofs) {
    if (verdictWhenChecked(proof).cause !== 'different') continue
    const { verification, compared = [], conflict } = proof
    const { database, server, what } = verification
    const id = { ...io.get(databaseIdAtom)(database), server }
    const found = newIncident('contradicted', what)
    const names = compared.filter(({ match }) => match === 'differs').map(({ name }) => name)
    if (names.length > 0) {
      const part = [...new Set(names)].join(', ')
      await noteIncident(io, id, { ...found, reason: 'not-as-shown', part })
    }
    if (conflict !== undefined) await noteIncident(io, id, { ...found, reason: 'not-new' })
  }
}
