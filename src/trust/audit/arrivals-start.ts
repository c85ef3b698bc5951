import { readVerifiableTx } from '~/api/proof'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { startBehind } from '~/proof/audit-walk'
import { startDeepAudit } from '~/proof/deep-audit'
import { anyFields } from '~/proof/kernel/read'
import { catalogTxOf, readTarget, type SavedDeepAudit, saveDeepAudit } from '~/proof/saved-audit'
import type { TrustRecord } from '../trust-record'
import { type Arrivals, findArrivals, keepArrivals, laterTx, readRecord } from './audit-store'

/** The record that a check continues from: its own, or that of a deep audit. */
export type Source = 'arrivals' | 'audit'
/** What it continues from, and where that was saved. */
export type Start = { arrivals: Arrivals; source: Source }

/**
 * Continues after what this check or a deep audit read before, whichever leaves no gap; null when
 * nothing was read.
 */
export async function savedStart(io: Io, trust: TrustRecord): Promise<Start | 'damaged' | null> {
  const { id } = trust
  const known = await findArrivals(io, id, trust)
  if (known === 'damaged') return 'damaged'
  const { record, isDamaged } = await readRecord(io, id)
  if (isDamaged) return 'damaged'
  const { finished } = record
  const audited: Start | null = finished && {
    arrivals: { first: '1', saved: finished, at: Date.now(), resting: null },
    source: 'audit',
  }
  if (!known) return audited
  if (!audited || !finished) return { arrivals: known, source: 'arrivals' }
  const [end, further] = [BigInt(finished.chain.txId), BigInt(known.saved.chain.txId)]
  const isJoined = end + 1n >= BigInt(known.first)
  if (!isJoined || end > further) return audited
  const join = (saved: SavedDeepAudit) => ({
    ...saved,
    catalogTx: laterTx(catalogTxOf(finished), catalogTxOf(saved)),
  })
  const { saved, resting, at } = known
  const joined = { first: '1', saved: join(saved), at, resting: resting && join(resting) }
  return { arrivals: joined, source: 'arrivals' }
}

/** Begins at the trusted state; the proof of it has everything needed. */
export async function startAtTrusted(io: Io, trust: TrustRecord): Promise<Start | 'lagging'> {
  const { id, point } = trust
  const at = Date.now()
  if (point.txId === '0') {
    const saved = savedFrom(startDeepAudit(readTarget(point), false))
    return { arrivals: { first: '1', saved, at, resting: null }, source: 'arrivals' }
  }
  const answer = await readVerifiableTx(io.get(clientAtom), {
    database: id.database,
    tx: point.txId,
    since: point.txId,
    entries: 'none',
  })
  const chain = startBehind(readTarget(point), anyFields(answer, 'answer').dualProof)
  if (!chain) return 'lagging'
  const first = chain.txId + 1n
  const saved = savedFrom({ ...startDeepAudit(readTarget(point), false), chain, first })
  const arrivals = { first: String(first), saved, at, resting: null }
  await keepArrivals(io, trust, arrivals)
  return { arrivals, source: 'arrivals' }
}

function savedFrom(audit: Parameters<typeof saveDeepAudit>[0]): SavedDeepAudit {
  const saved = saveDeepAudit(audit)
  if (!saved) throw new Error('there is nothing pending in it')
  return saved
}
