import * as v from 'valibot'
import type { Client } from './client'
import { filled, id, int64, list, listAnswer, object, text } from './schemas'

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
 * `POST /db/tx`: headers of the transactions up to one, newest first. An empty `entriesSpec` keeps
 * the entries, possibly megabytes, out of the answer.
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

const transactionPage = listAnswer(
  'txs',
  object({ header: object({ id, ts: int64 }), entries: list(object({ key: filled })) }),
)
/** The keys that a transaction wrote. */
export type TxKeys = {
  id: string
  /** Seconds since 1970. */
  ts: string
  /** Base64 of the raw keys; those of rows begin with the number of their table. */
  keys: readonly string[]
}

/**
 * `POST /db/tx` without `entriesSpec`, which lists entries of all kinds by their digests:
 * transactions from a given one on, oldest first.
 */
export async function listTxKeys(
  client: Client,
  request: { database: string; from: string; count: number },
): Promise<TxKeys[]> {
  const txs = await client.call(transactionPage, {
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
