import * as v from 'valibot'
import type { Client } from './client'
import { int64, list, text } from './schemas'

const transaction = v.object({
  header: v.object({ id: int64, ts: int64, eH: text }),
  entries: list(v.object({ key: text })),
})
/** What a transaction wrote, by its keys. */
export type TxKeys = {
  id: string
  /** Seconds since 1970. */
  ts: string
  /** Base64 of the raw keys; those of rows begin with the number of their table. */
  keys: readonly string[]
}

/** `GET /db/tx/{id}` without a specification of entries, which lists all kinds by their digests. */
export async function readTxKeys(
  client: Client,
  request: { database: string; id: string },
): Promise<TxKeys> {
  const { header, entries } = await client.call(transaction, {
    method: 'GET',
    path: `/db/tx/${request.id}`,
    database: request.database,
  })
  return { id: header.id, ts: header.ts, keys: entries.map(({ key }) => key) }
}
