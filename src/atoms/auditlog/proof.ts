import { readVerifiableEntry } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { type AuditEvent, eventInstant, readAuditEvent } from '~/immudb/audit-event'
import { base64ToBytes, base64ToHex } from '~/lib/bytes'
import { systemDatabase } from '~/lib/constants'
import { withHiddenValue } from '~/proof/hidden-value'
import { bytesValue, matchOf, objectLeaf, textValue } from '~/proof/shown'
import { noteContradictions } from '~/trust/incidents'
import { openProofDrawer } from '~/trust/proof-drawer'
import { prove } from '~/trust/prove'
import { writtenLeaves } from '~/trust/questions'
import type { Proof } from '~/trust/verification'

/** Verifies an event in the transaction that stored it, and opens the proof. */
export function openEventProof(io: Io, event: AuditEvent) {
  return openProofDrawer(io, { what: nameOf(event), of: event, prove: proveEvent })
}

function nameOf(event: AuditEvent): string {
  return `audit event of ${eventInstant(event) ?? `tx ${event.tx}`}`
}

/**
 * Of an event with a session ID only the hash of its value leaves this function, since the proof,
 * evidence and incidents are kept and shown.
 * @throws ApiError when the server cannot be asked
 */
async function proveEvent(io: Io, event: AuditEvent): Promise<readonly Proof[]> {
  const client = io.get(clientAtom)
  const hidesValue = event.content?.hasSession !== false
  const keyRequest = { key: event.key, atTx: event.tx }
  let answered: AuditEvent | null = null
  const question = {
    database: systemDatabase,
    kind: 'get',
    what: nameOf(event),
    request: { keyRequest, ...(hidesValue && { hidesValue }) },
    shown: {
      leaves: [
        objectLeaf('the key', bytesValue(base64ToHex(event.key))),
        ...writtenLeaves(event.tx),
      ],
      whole: [],
    },
  } as const
  const { verification } = await prove(io, question, {
    asks: async (since) => {
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
  // The event in the answer is the proven one: the answer's own value was hashed.
  const [shown, proven] = [textValue(JSON.stringify(event)), textValue(JSON.stringify(answered))]
  const compared = { ...objectLeaf('the event', shown), proven, match: matchOf(shown, proven) }
  const proof: Proof = {
    verification,
    ...(isProven && { doubts: [compared] }),
    ...(isProven && hidesValue && { notes: [hiddenNote] }),
  }
  if (compared.match !== 'same') await noteContradictions(io, [proof])
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
