import type { Client } from './client'
import { filled, id, int64, list, listAnswer, object } from './schemas'

const transactions = listAnswer(
  'txs',
  object({ header: object({ id, ts: int64 }), entries: list(object({ key: filled })) }),
)
/** What a transaction wrote, by its keys. */
export type TxKeys = {
  id: string
  /** Seconds since 1970. */
  ts: string
  /** Base64 of the raw keys; those of rows begin with the number of their table. */
  keys: readonly string[]
}

/**
 * `POST /db/tx` without a specification of entries, which lists all kinds by their digests: the
 * transactions from one on, oldest first.
 */
export async function listTxKeys(
  client: Client,
  request: { database: string; from: string; count: number },
): Promise<TxKeys[]> {
  const txs = await client.call(transactions, {
    method: 'POST',
    path: '/db/tx',
    body: { initialTx: request.from, limit: request.count },
    database: request.database,
    isRead: true,
  })
  return txs.map(({ header, entries }) => ({
    id: header.id,
    ts: header.ts,
    keys: entries.map(({ key }) => key),
  }))
}
