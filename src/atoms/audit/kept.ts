import { utf8 } from '~/proof/bytes'
import { hash, hex } from '~/proof/hash'
import type { Io } from '../io'
import type { PointId } from '../trust/point-id'
import { isSameContact, type TrustRecord } from '../trust/record'
import { auditFormat } from '../trust/stored-records'
import { trustedPointsAtom } from '../trust/trusted-points'
import { type AuditRecord, noRecord } from './record'

/**
 * A record as it lies in the browser's storage: `sum` tells whether it is still what was written,
 * so that damage there is never taken for something the server did. It has no key: who can write to
 * this storage can write a sum that fits, so it detects damage and not intent.
 */
type Kept = {
  format: typeof auditFormat
  /** The trusted history that it is about; of another one it says nothing. */
  contact: TrustRecord['firstContact']
  record: AuditRecord
  sum: string
}

const sumOf = ({ contact, record }: Pick<Kept, 'contact' | 'record'>) =>
  hex(hash(utf8(JSON.stringify([auditFormat, contact, record]))))

/** Writes what is to be kept of the audits of a trusted history. @throws when storage fails */
export async function keepRecord(io: Io, of: TrustRecord, record: AuditRecord): Promise<void> {
  const parts = { contact: of.firstContact, record }
  const kept: Kept = { format: auditFormat, ...parts, sum: sumOf(parts) }
  await io.get(trustedPointsAtom).writeAudit(of.id, kept)
}

/** What is kept of the audits of a database, and the trusted history that they are about. */
export type Found = { trust: TrustRecord | null; record: AuditRecord; isDamaged: boolean }

/** Reads it; what is damaged is set aside, and said. */
export async function findRecord(io: Io, id: PointId): Promise<Found> {
  const points = io.get(trustedPointsAtom)
  const trust = await points.read(id).catch(() => null)
  const nothing = { trust, record: noRecord, isDamaged: false }
  const kept = await points.readAudit(id).catch(() => null)
  // What another version of the console wrote is of no use, but it is no damage.
  if (kept === null || !trust || versionOf(kept) !== auditFormat) return nothing
  const whole = wholeOf(kept)
  if (!whole) {
    await points.setAuditAside(id).catch(() => {})
    return { ...nothing, isDamaged: true }
  }
  const isAboutIt = isSameContact({ ...trust, firstContact: whole.contact }, trust)
  return isAboutIt ? { ...nothing, record: whole.record } : nothing
}

function versionOf(kept: unknown): number {
  const found = typeof kept === 'object' && kept !== null && 'format' in kept ? kept.format : null
  return typeof found === 'number' ? found : auditFormat
}

/** Null when it is not what was written. */
function wholeOf(kept: unknown): Kept | null {
  if (typeof kept !== 'object' || kept === null || !('sum' in kept)) return null
  const found = kept as Kept // as we wrote it if the sum is right
  try {
    return found.sum === sumOf(found) ? found : null
  } catch {
    // Storage keeps more kinds of values than JSON has.
    return null
  }
}
