import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { type Halt, strangerOf } from './broken-history'
import { incidentOf, newIncident } from './incident-log'
import { olderThanSent, verdictWhenChecked } from './object-verdict'
import { labelOf } from './open-leaves'
import { trustsAtom } from './trust'
import type { Incident } from './trust-record'
import { outdateRecords } from './trust-records'
import { trustedStatesAtom } from './trusted-states'
import type { Proof } from './verification'

/** Notes an incident. Never rejects, because the finding is shown even if it cannot be noted. */
export async function noteIncident(io: Io, id: DatabaseId, incident: Incident): Promise<void> {
  await io
    .get(trustedStatesAtom)
    .noteIncident(id, incident)
    .catch(() => {})
  outdateRecords(io)
}

/** See `strangerOf`; notes another server when it is first reported. */
export async function noteStranger(io: Io, id: DatabaseId): Promise<Halt | null> {
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
export async function noteContradictions(io: Io, proofs: readonly Proof[]): Promise<void> {
  for (const proof of proofs) {
    const judged = verdictWhenChecked(proof)
    if (judged.cause !== 'different') continue
    const { database, server, what } = proof.verification
    const id = { ...io.get(databaseIdAtom)(database), server }
    const found = newIncident('contradicted', what)
    const old = olderThanSent(judged)
    const names = (judged.parts ?? [])
      // Clocks may differ about what has expired.
      .filter(({ name, value }) => value.is !== 'passed' && !(old && name === 'what was sent'))
      .map(labelOf)
    if (names.length > 0) {
      const part = [...new Set(names)].join(', ')
      await noteIncident(io, id, { ...found, reason: 'not-as-shown', part })
    }
    if (old) await noteIncident(io, id, { ...found, reason: 'not-new' })
  }
}
