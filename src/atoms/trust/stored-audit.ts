import * as v from 'valibot'
import { utf8 } from '~/proof/bytes'
import { hash, hex } from '~/proof/hash'
import type { DatabaseId } from './database-id'
import { keyOf } from './record'

/** What an audit keeps, of the history that began with `contact`; its `format` is its version. */
export type StoredAudit = { format: number; contact: unknown; record: unknown; sum: string }

export const auditFormat = 2

/**
 * Tells whether an audit is still what was written, so that damage in this browser is never taken
 * for something the server did. It has no key: who can write to this storage can write a sum that
 * fits, so it detects damage and not intent.
 */
export const sumOfAudit = ({ contact, record }: Pick<StoredAudit, 'contact' | 'record'>) =>
  hex(hash(utf8(JSON.stringify([auditFormat, contact, record]))))

/** What is kept beside the audits that an operator starts: what was read as it arrived. */
export type AuditPart = 'arrivals'

/** Where what is kept of the audits of a database lies. */
export const auditKey = (id: DatabaseId, which?: AuditPart) =>
  which ? `${keyOf(id)} ${which}` : keyOf(id)

const time = v.number()
const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const point = v.looseObject({ txId: digits, txHash: v.string() })

/** As far as the page reads it; the engine reads the rest when it goes on from there. */
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

/** Whether an audit is what was written, and of the kind that lies there. */
export function isWhole(at: string, value: StoredAudit): boolean {
  // Each of them is a list as JSON, with the name of a part behind it.
  const form = at.endsWith(']') ? auditRecord : arrivals
  try {
    return v.is(form, value.record) && value.sum === sumOfAudit(value)
  } catch {
    // Storage keeps more kinds of values than JSON has.
    return false
  }
}
