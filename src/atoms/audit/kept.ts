import { utf8 } from '~/proof/bytes'
import { hash, hex } from '~/proof/hash'
import { catalogTxOf, type SavedDeepAudit } from '~/proof/saved-audit'
import type { Io } from '../io'
import type { PointId } from '../trust/point-id'
import { isSameContact, type ReadRange, recordedStates, type TrustRecord } from '../trust/record'
import { auditFormat } from '../trust/stored-records'
import { trustedPointsAtom } from '../trust/trusted-points'
import { type AuditRecord, noRecord } from './record'

/**
 * A record as it lies in the browser's storage: `sum` tells whether it is still what was written,
 * so that damage there is never taken for something the server did. It has no key: who can write to
 * this storage can write a sum that fits, so it detects damage and not intent.
 */
type Kept<T> = {
  format: typeof auditFormat
  /** The trusted history that it is about; of another one it says nothing. */
  contact: TrustRecord['firstContact']
  record: T
  sum: string
}

const sumOf = ({ contact, record }: Pick<Kept<unknown>, 'contact' | 'record'>) =>
  hex(hash(utf8(JSON.stringify([auditFormat, contact, record]))))

function sealed<T>(of: TrustRecord, record: T): Kept<T> {
  const parts = { contact: of.firstContact, record }
  return { format: auditFormat, ...parts, sum: sumOf(parts) }
}

/** Writes what is to be kept of the audits of a trusted history. @throws when storage fails */
export async function keepRecord(io: Io, of: TrustRecord, record: AuditRecord): Promise<void> {
  await io.get(trustedPointsAtom).writeAudit(of.id, sealed(of, record))
}

/** What is kept of the audits of a database, and the trusted history that they are about. */
export type Found = { trust: TrustRecord | null; record: AuditRecord; isDamaged: boolean }

/** Reads it; what is damaged is set aside, and said. */
export async function findRecord(io: Io, id: PointId): Promise<Found> {
  const points = io.get(trustedPointsAtom)
  const trust = await points.read(id).catch(() => null)
  const kept = await points.readAudit(id).catch(() => null)
  const found = opened<AuditRecord>(kept, trust)
  if (found === 'damaged') await points.setAuditAside(id).catch(() => {})
  if (found === 'damaged' || !found) {
    return { trust, record: noRecord, isDamaged: found === 'damaged' }
  }
  return { trust, record: found, isDamaged: false }
}

/** How far new transactions were read as they arrived, without those before. */
export type Arrivals = {
  /** The first transaction that was read; all of them up to the end of `saved` were. */
  first: string
  /** Where the next check begins; its target was the trusted state when it ended. */
  saved: SavedDeepAudit
  /** When that was, in milliseconds since 1970. */
  at: number
  /** A check that did not get to its end yet. */
  resting: SavedDeepAudit | null
}

/** Writes how far new transactions were read. @throws when storage fails */
export async function keepArrivals(io: Io, of: TrustRecord, arrivals: Arrivals): Promise<void> {
  await io.get(trustedPointsAtom).writeAudit(of.id, sealed(of, arrivals), 'arrivals')
}

/** Reads it; null when nothing was read yet of the history that is trusted. */
export async function findArrivals(
  io: Io,
  id: PointId,
  trust: TrustRecord | null,
): Promise<Arrivals | 'damaged' | null> {
  const kept = await io
    .get(trustedPointsAtom)
    .readAudit(id, 'arrivals')
    .catch(() => null)
  return opened<Arrivals>(kept, trust)
}

/**
 * The transactions that audits and checks of what arrives have read; null when there are none. What
 * this browser recorded otherwise since is not counted: the next one of them finds that out.
 */
export async function readRangeOf(io: Io, trust: TrustRecord): Promise<ReadRange | null> {
  const { finished } = (await findRecord(io, trust.id)).record
  const arrivals = await findArrivals(io, trust.id, trust)
  const audited = finished && rangeOf('1', finished, trust)
  const arrived =
    arrivals && arrivals !== 'damaged' ? rangeOf(arrivals.first, arrivals.saved, trust) : null
  if (!audited || !arrived) return audited ?? arrived
  const isJoined = BigInt(arrived.readFrom) <= BigInt(audited.readTo) + 1n
  const isFurther = BigInt(arrived.readTo) > BigInt(audited.readTo)
  if (!isFurther) return audited
  if (!isJoined) return arrived
  const catalogTx = laterTx(audited.catalogTx, arrived.catalogTx)
  return { readFrom: '1', readTo: arrived.readTo, catalogTx }
}

function rangeOf(first: string, saved: SavedDeepAudit, trust: TrustRecord): ReadRange | null {
  const { txId, alh } = saved.chain
  if (BigInt(txId) < BigInt(first) || BigInt(txId) > BigInt(trust.point.txId)) return null
  const known = recordedStates(trust).filter((one) => one.txId === txId)
  const isKnown = known.every(({ txHash }) => txHash === alh)
  return isKnown ? { readFrom: first, readTo: txId, catalogTx: catalogTxOf(saved) } : null
}

/** The later of two transactions, in decimal digits. */
export const laterTx = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)

/** What another version of the console wrote, or of another history, is of no use, but no damage. */
function opened<T>(kept: unknown, trust: TrustRecord | null): T | 'damaged' | null {
  if (kept === null || !trust || versionOf(kept) !== auditFormat) return null
  const whole = wholeOf<T>(kept)
  if (!whole) return 'damaged'
  return isSameContact({ ...trust, firstContact: whole.contact }, trust) ? whole.record : null
}

function versionOf(kept: unknown): number {
  const found = typeof kept === 'object' && kept !== null && 'format' in kept ? kept.format : null
  return typeof found === 'number' ? found : auditFormat
}

/** Null when it is not what was written. */
function wholeOf<T>(kept: unknown): Kept<T> | null {
  if (typeof kept !== 'object' || kept === null || !('sum' in kept)) return null
  const found = kept as Kept<T> // as we wrote it if the sum is right
  try {
    return found.sum === sumOf(found) ? found : null
  } catch {
    // Storage keeps more kinds of values than JSON has.
    return null
  }
}
