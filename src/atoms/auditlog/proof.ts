import { atom } from 'jotai'
import { readVerifiableEntry } from '~/api/proof'
import { type AuditEvent, eventInstant, readAuditEvent } from '~/immudb/audit-event'
import { base64ToBytes } from '~/lib/bytes'
import { systemDatabase } from '~/lib/constants'
import { withHiddenValue } from '~/proof/hidden-value'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { noteContradictions } from '../trust/incidents'
import { gapOf } from '../trust/open-parts'
import { openProofAtom, type Proof } from '../trust/proof-drawer'
import { verifyObject } from '../trust/verify-object'

/** Verifies an event in the transaction that stored it, and opens the proof. */
export const openEventProofAtom = atom(null, (get, set, event: AuditEvent) =>
  set(openProofAtom, { what: nameOf(event), ask: () => proveEvent({ get, set }, event) }),
)

function nameOf(event: AuditEvent): string {
  return `audit event of ${eventInstant(event) ?? `tx ${event.tx}`}`
}

/**
 * Of an event with a session ID only the hash of its value leaves this function, since the proof,
 * evidence and incidents are kept and shown.
 * @throws ApiError when the server cannot be asked
 */
async function proveEvent(io: StoreAccess, event: AuditEvent): Promise<readonly Proof[]> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, systemDatabase)
  const hidesValue = event.content?.hasSession !== false
  const keyRequest = { key: event.key, atTx: event.tx }
  let answered: AuditEvent | null = null
  const verification = await verifyObject(io, systemDatabase, 'get', {
    what: nameOf(event),
    request: { keyRequest, ...(hidesValue && { hidesValue }) },
    ask: async (since) => {
      const answer = await readVerifiableEntry(client, {
        database: systemDatabase,
        keyRequest,
        since,
      })
      answered = eventIn(answer)
      // Another answer than the list had may hold a session ID where the list had none.
      return hidesValue || answered?.content?.hasSession !== false
        ? withHiddenValue(answer)
        : answer
    },
  })
  const isProven = verification.outcome.kind === 'ok'
  const isSame = JSON.stringify(answered) === JSON.stringify(event)
  const proof: Proof = {
    verification,
    ...(isProven && {
      compared: [{ name: 'the event', shown: null, match: isSame ? 'same' : 'differs' }],
    }),
    ...gapOf(verification),
    ...(isProven && hidesValue && { notes: [hiddenNote] }),
  }
  await noteContradictions(io, [proof])
  return [proof]
}

const hiddenNote =
  'The proof covers the hash of the whole stored event; the event itself is left out of evidence.'

function eventIn(answer: unknown): AuditEvent | null {
  const { entry } = (answer ?? {}) as { entry?: Record<string, unknown> } // each field is looked at
  const { tx, key, value = '' } = entry ?? {}
  if (typeof tx !== 'string' || typeof key !== 'string' || typeof value !== 'string') return null
  try {
    return readAuditEvent({ tx, key }, base64ToBytes(key), base64ToBytes(value))
  } catch {
    return null
  }
}
