import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/store-access'
import { newIncident } from './incident-log'
import { noteIncident } from './incidents'
import { verdictWhenChecked } from './object-verdict'
import type { Proof } from './proof-drawer'

/**
 * Notes what a page showed, or had sent, that is not what was proven of the same transaction. A
 * proof that shows something else than may have been read belongs to no incident: the caller knows.
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
