import { comparePoints } from '~/lib/point-text'
import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import type { TrustedPoint } from '~/proof/context'
import type { TxFacts } from '~/proof/facts'
import type { PointId } from './point-id'
import { base64Of, type TrustRecord } from './record'

/** How a file stands to what this browser recorded of that database. */
export type OwnPoint =
  | { kind: 'none' }
  /** What is recorded here, beside what the file holds. */
  | ({ kind: 'same' | 'different' | 'apart'; theirs: TrustedPoint } & TrustedPoint)

/**
 * Compares all that a file says of the history with all that was recorded of that database; one
 * transaction with another hash is enough to contradict it.
 */
export function ownPoint(
  evidence: EvidenceFile,
  rechecked: Rechecked,
  records: readonly TrustRecord[],
): OwnPoint {
  const { context } = evidence
  const points = recordsOf(evidence, records)
    .flatMap(({ point, history, firstContact }) => [point, ...history, firstContact])
    .filter(({ txId }) => txId !== '0')
  const [newest] = points
  const claims = claimsOf(evidence, rechecked)
  // What is older than the content does not vouch for it, but may contradict it.
  const isNewer = rechecked.unchecked.includes('newer')
  const vouching = claims.filter(({ txId }) => !isNewer || txId !== context.trusted?.txId)
  const [first] = vouching
  if (!first || !newest) return { kind: 'none' }
  const found = claims.map((theirs) => ({ theirs, ...comparePoints(theirs, points) }))
  for (const one of found) {
    const { theirs } = one
    if (one.kind === 'different') {
      return { kind: 'different', txId: one.txId, txHash: one.ours, theirs }
    }
  }
  const same = found.find(({ kind, theirs }) => kind === 'same' && vouching.includes(theirs))
  if (same) return { kind: 'same', ...same.theirs, theirs: same.theirs }
  return { kind: 'apart', txId: newest.txId, txHash: newest.txHash, theirs: first }
}

/** The records of the database that a file is of. */
export function recordsOf({ context, server }: EvidenceFile, records: readonly TrustRecord[]) {
  return records.filter(({ id }) => id.database === context.db && isOf(server, id))
}

/** By what a server calls itself, as trusted points are; by its address where it says nothing. */
function isOf({ uuid, origin }: EvidenceFile['server'], id: PointId): boolean {
  return uuid ? id.server === uuid : id.server === '' && id.origin === origin
}

/** The transactions whose hashes a file vouches for: its trusted point, and what it proves. */
function claimsOf({ context, kind }: EvidenceFile, { outcome }: Rechecked): TrustedPoint[] {
  const claims = [context.trusted]
  if (outcome.kind === 'ok') {
    const { next, facts } = outcome.verified
    claims.push(next)
    if (kind === 'tx') {
      const { id, alh } = facts as TxFacts // those of its kind
      claims.push({ txId: id, txHash: base64Of(alh) })
    }
  }
  return claims.filter((claim) => claim !== null).filter(({ txId }) => txId !== '0')
}
