import * as v from 'valibot'
import type { Client } from './client'
import { id, int64, listAnswer, object, text } from './schemas'

const header = object({
  id,
  /** The hash of the transaction before this one. */
  prevAlh: text,
  /** Seconds since 1970. */
  ts: int64,
  nentries: v.optional(v.number(), 0),
})
/** The header of a committed transaction. */
export type TxHeader = v.InferOutput<typeof header>

const transactions = listAnswer('txs', object({ header }))

/**
 * `POST /db/tx`: headers of the transactions up to one, newest first. A specification of entries
 * that names none keeps the entries out of the answer, which could be megabytes.
 */
export async function listTransactions(
  client: Client,
  request: { database: string; upTo: string; limit: number; signal?: AbortSignal },
): Promise<TxHeader[]> {
  const answer = await client.call(transactions, {
    method: 'POST',
    path: '/db/tx',
    body: { initialTx: request.upTo, limit: request.limit, desc: true, entriesSpec: {} },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.map(({ header }) => header)
}
