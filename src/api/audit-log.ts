import * as v from 'valibot'
import { type AuditEvent, auditPrefix, readAuditEvent } from '~/immudb/audit-event'
import { base64ToBytes, textToBase64 } from '~/lib/bytes'
import { systemDatabase } from '~/lib/constants'
import type { Client } from './client'
import { base64, filledBase64, id, listAnswer, object } from './schemas'

/** The session ID of an event ends here: nothing behind this schema can show or keep it. */
const wireEvent = v.pipe(
  object({
    tx: id,
    key: filledBase64,
    value: base64,
  }),
  v.transform(
    (entry): AuditEvent =>
      readAuditEvent(entry, base64ToBytes(entry.key), base64ToBytes(entry.value)),
  ),
)

const events = listAnswer('entries', wireEvent)

export type AuditScan = {
  /** The key to begin with, in standard base64; null begins with the newest event. */
  from: string | null
  /** Whether the event with this very key comes too. */
  isInclusive?: boolean
  /** No key before this one, which is plain text; null for no end. */
  end: string | null
  limit: number
  signal?: AbortSignal
}

/**
 * `POST /db/scan` of the audit log, newest first. The server stores the call itself as an event.
 * Only the prefix of events is read, because the same database holds the hashes of passwords.
 */
export function scanAuditLog(client: Client, scan: AuditScan): Promise<AuditEvent[]> {
  const { from, end, limit, signal } = scan
  return client.call(events, {
    method: 'POST',
    path: '/db/scan',
    body: {
      prefix: textToBase64(auditPrefix),
      desc: true,
      limit: String(limit),
      ...(from === null ? {} : { seekKey: from }),
      ...(scan.isInclusive ? { inclusiveSeek: true } : {}),
      ...(end === null ? {} : { endKey: textToBase64(end) }),
    },
    database: systemDatabase,
    isRead: true,
    ...(signal ? { signal } : {}),
  })
}
