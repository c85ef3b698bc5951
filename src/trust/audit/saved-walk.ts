import type { Io } from '~/core/act'
import { base64Of } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import type { SavedAudit } from '~/proof/audit-walk'
import type { Context } from '~/proof/kernel/context'
import type { TxFacts } from '~/proof/kernel/proven-facts'
import { ProofError } from '~/proof/kernel/steps'
import { factsAlone } from '~/proof/shown'
import { breakOf, incidentOf } from '../findings'
import { noteIncident } from '../incidents'
import { refusedOf, verifyInWorker } from '../proof-worker'
import { questionOfTx } from '../questions'
import { type Break, recordedStates, type TrustRecord } from '../trust-record'
import { trustedStatesAtom } from '../trusted-states'
import type { Verification } from '../verification'
import { verifyObject } from '../verify-object'
import { noteFinding } from '../verify-state'

/** How a saved walk compares with the presently trusted history. */
export type SavedFit =
  | { kind: 'fits' }
  /** One of the two has changed; noted as a finding. */
  | { kind: 'differs'; broken: Break }
  /** A proof was refused, which is a finding already. */
  | { kind: 'broken' }
  /** Nothing could be compared; this is no finding. */
  | { kind: 'unknown'; why: string }

/**
 * Compares the transaction that a saved walk has reached with the same one in the trusted history,
 * which the server must prove. Continuing a walk that does not fit would end in a refusal that
 * blames the server, even if someone changed the saved walk.
 * @throws ApiError when the server cannot be asked
 */
export async function fitOf(io: Io, trust: TrustRecord, walk: SavedAudit): Promise<SavedFit> {
  if (walk.txId === '0') return { kind: 'fits' }
  const { id, point } = trust
  const hash = recordedHash(trust, walk.txId)
  if (hash !== null) return hash === walk.alh ? { kind: 'fits' } : differs(io, trust, walk, hash)
  if (BigInt(walk.txId) > BigInt(point.txId)) {
    const why = `The saved audit stands at transaction ${formatTx(walk.txId)}, behind the trusted state, tx ${formatTx(point.txId)}.`
    return { kind: 'unknown', why }
  }
  const { database } = id
  const found = await verifyObject(io, {
    ...questionOfTx(database, walk.txId, factsAlone),
    isHeaderOnly: true,
  })
  const { outcome } = found
  if (outcome.kind === 'refused') return { kind: 'broken' }
  if (outcome.kind === 'unproven') return { kind: 'unknown', why: outcome.why }
  const { alh } = outcome.verified.facts as TxFacts // those of a transaction
  const proven = base64Of(alh)
  return proven === walk.alh ? { kind: 'fits' } : differs(io, trust, walk, proven)
}

/** Null when this browser never trusted that transaction. */
function recordedHash(record: TrustRecord, txId: string): string | null {
  return recordedStates(record).find((one) => one.txId === txId)?.txHash ?? null
}

/** The finding has everything needed to see the difference again. */
async function differs(
  io: Io,
  trust: TrustRecord,
  walk: SavedAudit,
  txHash: string,
): Promise<SavedFit> {
  const { id, firstContact } = trust
  const { database, server } = id
  const context: Context = { db: database, trusted: { txId: walk.txId, txHash }, publicKey: null }
  const request = { initialTx: String(BigInt(walk.txId) + 1n), limit: 0, after: walk }
  const response = { txs: [] }
  const refusal = await verifyInWorker('audit', context, request, response).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProofError && error.step !== 'context') return refusedOf(error)
      throw error
    },
  )
  if (!refusal) return { kind: 'fits' }
  const keeping = await io.get(trustedStatesAtom).keeping()
  const verification: Verification = {
    database,
    server,
    kind: 'audit',
    what: `the saved audit up to tx ${formatTx(walk.txId)}`,
    context,
    basis: { contact: firstContact, keeping },
    request,
    response,
    shown: factsAlone,
    at: Date.now(),
    outcome: { kind: 'refused', refusal },
  }
  const found: Break = { ...breakOf(verification, refusal), kind: 'saved-audit' }
  await noteIncident(io, id, incidentOf(found))
  const broken = await noteFinding(io, id, trust, found)
  const why = 'The trusted state was forgotten in the meantime.'
  return broken ? { kind: 'differs', broken } : { kind: 'unknown', why }
}
