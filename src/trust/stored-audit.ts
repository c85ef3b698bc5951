import * as v from 'valibot'
import type { DatabaseId } from '~/core/session/database-id'
import { bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { hash } from '~/proof/kernel/hash'
import { keyOf } from './trust-record'

/** What an audit keeps, of the history that began with `contact`; its `format` is its version. */
export type StoredAudit = { format: number; contact: unknown; record: unknown; sum: string }

export const auditFormat = 2

/**
 * A checksum that shows whether a saved audit is unchanged, so that damage in this browser never
 * counts against the server. It has no key: anyone who can write to this storage can write a
 * fitting sum. So it detects damage, not intent.
 */
export const sumOfAudit = ({ contact, record }: Pick<StoredAudit, 'contact' | 'record'>) =>
  bytesToHex(hash(encodeUtf8(JSON.stringify([auditFormat, contact, record]))))

/** The record of the check of new transactions, beside that of deep audits. */
export type AuditPart = 'arrivals'

/** Where what is kept of the audits of a database lies. */
export const auditKey = (id: DatabaseId, which?: AuditPart) =>
  which ? `${keyOf(id)} ${which}` : keyOf(id)

const time = v.number()
const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const point = v.looseObject({ txId: digits, txHash: v.string() })

/** The parts that the page reads; the engine reads the rest when it continues. */
const walk = v.looseObject({
  chain: v.looseObject({ txId: digits, alh: v.string() }),
  catalogTx: v.exactOptional(digits),
})
const auditRecord = v.looseObject({
  resting: v.nullable(v.looseObject({ saved: walk, progress: v.looseObject({}), at: time })),
  report: v.nullable(v.looseObject({ point, finishedAt: time })),
  finished: v.nullable(walk),
})
const arrivals = v.looseObject({
  first: digits,
  saved: walk,
  at: time,
  resting: v.nullable(walk),
})

/** Whether a saved audit is unchanged and of the right kind. */
export function isWhole(at: string, value: StoredAudit): boolean {
  // Keys are a JSON list, followed by the name of a part, if any.
  const form = at.endsWith(']') ? auditRecord : arrivals
  try {
    return v.is(form, value.record) && value.sum === sumOfAudit(value)
  } catch {
    // Storage keeps more kinds of values than JSON has.
    return false
  }
}
