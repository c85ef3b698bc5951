import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { catalogTxOf, type SavedDeepAudit } from '~/proof/saved-audit'
import { type AuditPart, auditFormat, auditKey, sumOfAudit } from '../stored-audit'
import { readStored } from '../stored-records'
import {
  isSameContact,
  keyOf,
  type ReadRange,
  recordedStates,
  type TrustRecord,
} from '../trust-record'
import { type TrustedStates, trustedStatesAtom } from '../trusted-states'
import { type AuditRecord, noRecord } from './audit-record'

/** A record about the history with this first contact, and about no other. */
type Kept<T> = { contact: TrustRecord['firstContact']; record: T }

/** Saves it, unless its trusted history has been forgotten. @throws when storage fails */
async function keep(io: Io, of: TrustRecord, record: unknown, which?: AuditPart): Promise<void> {
  const points = io.get(trustedStatesAtom)
  const isForgotten = async () => {
    const known = await points.read(of.id)
    return known === null || !isSameContact(of, known)
  }
  if (await isForgotten()) return
  const parts = { contact: of.firstContact, record }
  await points.writeAudit(of.id, { format: auditFormat, ...parts, sum: sumOfAudit(parts) }, which)
  // Another tab may have forgotten it in the meantime and removed the older record.
  if (await isForgotten()) await points.dropAudit(of.id, which)
}

/** Saves the audit record of a trusted history. @throws when storage fails */
export function keepRecord(io: Io, of: TrustRecord, record: AuditRecord): Promise<void> {
  return keep(io, of, record)
}

/**
 * Sets aside a saved audit that cannot continue, and keeps its report.
 * @throws when storage fails, and then nothing is overwritten
 */
export async function keepReportAlone(
  io: Io,
  of: TrustRecord,
  report: AuditRecord['report'],
): Promise<void> {
  await io.get(trustedStatesAtom).setAuditAside(of.id)
  await keepRecord(io, of, { ...noRecord, report })
}

/** The audit record of a database and its trusted history. */
export type Found = { trust: TrustRecord | null; record: AuditRecord; isDamaged: boolean }

/** Reads it, sets a damaged record aside and reports that. */
export async function findRecord(io: Io, id: DatabaseId): Promise<Found> {
  const found = await readRecord(io, id)
  if (found.isDamaged) {
    await io
      .get(trustedStatesAtom)
      .setAuditAside(id)
      .catch(() => {})
  }
  return found
}

/** Reads it and leaves a damaged record in place. */
export async function readRecord(io: Io, id: DatabaseId): Promise<Found> {
  const points = io.get(trustedStatesAtom)
  const trust = await points.read(id).catch(() => null)
  const kept = await readKept<AuditRecord>(points, id).catch(() => null)
  const isDamaged = kept === 'damaged'
  return { trust, record: ofHistory(kept, trust) ?? noRecord, isDamaged }
}

/** The transactions read on arrival, without earlier ones. */
export type Arrivals = {
  /** The first transaction that was read; all of them up to the end of `saved` were. */
  first: string
  /** Where the next check begins; its target was the trusted state when it ended. */
  saved: SavedDeepAudit
  /** When that was, in milliseconds since 1970. */
  at: number
  /** An unfinished check. */
  resting: SavedDeepAudit | null
}

/** Writes how far new transactions were read. @throws when storage fails */
export function keepArrivals(io: Io, of: TrustRecord, arrivals: Arrivals): Promise<void> {
  return keep(io, of, arrivals, 'arrivals')
}

/**
 * Reads it and leaves a damaged record in place; null when nothing of the trusted history was read
 * yet.
 */
export async function findArrivals(
  io: Io,
  id: DatabaseId,
  trust: TrustRecord | null,
): Promise<Arrivals | 'damaged' | null> {
  const points = io.get(trustedStatesAtom)
  const kept = await readKept<Arrivals>(points, id, 'arrivals').catch(() => null)
  return kept === 'damaged' ? kept : ofHistory(kept, trust)
}

/**
 * The transactions that audits and checks of new transactions have read; null for none. A range
 * that differs from a newer record of this browser does not count; the next audit or check will
 * find the difference.
 */
export async function readRangeOf(io: Io, trust: TrustRecord): Promise<ReadRange | null> {
  const { own, newer } = await keptOnce(io.get(trustedStatesAtom), trust.id)
  const finished = ofHistory(own, trust)?.finished ?? null
  const arrivals = ofHistory(newer, trust)
  const audited = finished && rangeOf('1', finished, trust)
  const arrived = arrivals && rangeOf(arrivals.first, arrivals.saved, trust)
  if (!audited || !arrived) return audited ?? arrived
  const isJoined = BigInt(arrived.readFrom) <= BigInt(audited.readTo) + 1n
  const isFurther = BigInt(arrived.readTo) > BigInt(audited.readTo)
  if (!isFurther) return audited
  if (!isJoined) return arrived
  const catalogTx = laterTx(audited.catalogTx, arrived.catalogTx)
  return { readFrom: '1', readTo: arrived.readTo, catalogTx }
}

type Both = { own: Read<AuditRecord>; newer: Read<Arrivals> }

/** The records of each database and the change after which they were read; see `keptOnce`. */
const readBefore = new WeakMap<TrustedStates, Map<string, { after: number; both: Promise<Both> }>>()

/**
 * Both records of a database. They are read and hashed again only after a change, because each
 * proof in a page of rows needs them. Rejects when storage fails; the next call then reads again.
 */
function keptOnce(points: TrustedStates, id: DatabaseId): Promise<Both> {
  const before = readBefore.get(points) ?? new Map<string, { after: number; both: Promise<Both> }>()
  readBefore.set(points, before)
  const known = before.get(keyOf(id))
  const after = points.auditChanges
  if (known?.after === after) return known.both
  const both = Promise.all([
    readKept<AuditRecord>(points, id),
    readKept<Arrivals>(points, id, 'arrivals'),
  ]).then(([own, newer]) => ({ own, newer }))
  before.set(keyOf(id), { after, both })
  both.catch(() => before.get(keyOf(id))?.both === both && before.delete(keyOf(id)))
  return both
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

type Read<T> = Kept<T> | 'damaged' | null

/** A record of another console version is unusable but not damaged. */
async function readKept<T>(
  points: TrustedStates,
  id: DatabaseId,
  which?: AuditPart,
): Promise<Read<T>> {
  const found = readStored('audits', auditKey(id, which), await points.readAudit(id, which))
  if (found.kind === 'here') return found.value as Kept<T> // as we wrote it, for the sum is right
  return found.kind === 'damaged' ? 'damaged' : null
}

/** Null for a record about another history. */
function ofHistory<T>(kept: Read<T>, trust: TrustRecord | null): T | null {
  if (!kept || kept === 'damaged' || !trust) return null
  return isSameContact({ ...trust, firstContact: kept.contact }, trust) ? kept.record : null
}
