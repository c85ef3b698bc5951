import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { listTransactions, type TxHeader } from '~/api/transactions'
import { clientAtom } from '../session/client'
import { perDatabase } from '../session/per-database'
import { perNames } from '../session/per-names'
import { pollPeriodAtom } from '../settings/settings'
import { hasTransactionsAtom, presentTxOfAtom, statesAtom } from './newest-state'

export type RecentTx = TxHeader & {
  /** Base64 of the transaction's hash; empty when the answer lacks it. */
  hash: string
}

type Recent = { upTo: string; transactions: readonly RecentTx[] }

/** Transactions shown. */
const count = 10

/** Changes less often than the state that it comes from. */
const newestHashAtom = perNames(
  (get, database = '') => get(get(statesAtom)(database)).data?.txHash ?? '',
)

const listedAtom = perDatabase((database) =>
  atomWithQuery<Recent>((get) => {
    const client = get(clientAtom)
    const period = get(pollPeriodAtom)
    const upTo = get(get(presentTxOfAtom)(database))
    const newestHash = get(get(newestHashAtom)(database))
    return {
      queryKey: ['transactions', database],
      enabled: upTo !== '0',
      queryFn: async ({ signal }) => {
        const headers = await listTransactions(client, { database, upTo, limit: count, signal })
        return { upTo, transactions: withHashes(headers, newestHash) }
      },
      // The state is polled anyway; only its change triggers this query.
      refetchInterval: ({ state: { data, error } }) => {
        if (error) return period
        return data !== undefined && data.upTo !== upTo ? 1 : false
      },
    }
  }),
)

/**
 * The newest transactions of the open database, fetched again as soon as the state reports more;
 * null while there are none.
 */
export const recentTransactionsAtom = atom((get) =>
  get(hasTransactionsAtom) ? get(listedAtom) : null,
)

/** Each transaction carries the hash of the one before it, and the state that of the newest. */
function withHashes(headers: readonly TxHeader[], newestHash: string): RecentTx[] {
  return headers.map((header, index) => ({
    ...header,
    hash: headers[index - 1]?.prevAlh ?? newestHash,
  }))
}
