import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { base64Of } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import type { TrustedState } from '~/proof/context'
import { factsAlone } from '~/proof/shown'
import {
  type Comparison,
  importState,
  provenTx,
  whyNotVerified,
  whyUnproven,
} from '~/trust/compared-state'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'

/**
 * The hash of a transaction of the trusted history, in base64, or why there is none. It is that of
 * the trusted state, or of a transaction that the server has just proven to be part of it.
 */
export async function provenHash(
  io: Io,
  id: DatabaseId,
  txId: string,
): Promise<{ txHash: string } | { why: string }> {
  const points = io.get(trustedStatesAtom)
  const trust = await verifyState(io, id.database)
  const known = (await points.read(id))?.point
  const keeping = await points.keeping()
  if (keeping !== 'kept') return { why: whyUnproven[keeping] }
  if (!known) return { why: 'This browser keeps no trusted state of this database yet.' }
  if (trust.kind === 'broken') return { why: 'The history of this database is broken.' }
  if (known.txId === txId) return { txHash: known.txHash }
  if (BigInt(txId) > BigInt(known.txId)) {
    const newest = `tx ${formatTx(known.txId)}`
    return { why: `Transaction ${formatTx(txId)} is newer than the trusted state, ${newest}.` }
  }
  try {
    const verification = await provenTx(io, id.database, txId, factsAlone)
    const { outcome } = verification
    if (outcome.kind === 'refused') return { why: 'The proof of this transaction was refused.' }
    if (outcome.kind === 'unproven') return { why: outcome.why }
    const { facts } = outcome.verified
    if (!facts) return { why: 'The answer contains no proof.' }
    const why = whyNotVerified(verification)
    if (why === null) return { txHash: base64Of(facts.alh) }
    return { why: why || 'The proof does not hold in full.' }
  } catch (error) {
    return { why: sentence(error) }
  }
}

/**
 * Whether a state of before is still part of the history that this browser trusts. Unlike
 * `importState` it never makes it the trusted state.
 */
export async function checkState(io: Io, id: DatabaseId, point: TrustedState): Promise<Comparison> {
  if ((await io.get(trustedStatesAtom).read(id)) !== null) return importState(io, id, point)
  return { kind: 'unknown', why: 'This browser keeps no trusted state of this database.' }
}
