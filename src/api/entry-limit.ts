import * as v from 'valibot'
import type { Client } from './client'
import { object } from './schemas'

const settings = object({
  maxTxEntries: v.pipe(
    v.number(),
    v.check((limit) => limit > 0),
  ),
})

/** `POST /db/settings`: most entries of one transaction of a database, which never changes. */
export async function readEntryLimit(
  client: Client,
  { database, signal }: { database: string; signal?: AbortSignal },
): Promise<number> {
  const answer = await client.call(settings, {
    method: 'POST',
    path: '/db/settings',
    body: {},
    database,
    isRead: true,
    ...(signal ? { signal } : {}),
  })
  return answer.maxTxEntries
}
