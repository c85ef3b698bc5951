import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import type { State } from '~/api/server'
import { listTransactions, type TxHeader } from '~/api/transactions'
import { clientAtom } from '../session/client'
import { perDatabase } from '../session/per-database'
import { pollPeriodAtom } from '../settings'
import {
  hasTransactionsAtom,
  presentTxAtom,
  presentTxOfAtom,
  stateAtom,
  stateKey,
} from './newest-state'

export type RecentTx = TxHeader & {
  /** Base64 of the transaction's hash; empty when the answer lacks it. */
  hash: string
}

/** As fetched; the hash of the newest one is empty where no state had named it yet. */
type Fetched = { upTo: string; headers: readonly TxHeader[]; newestHash: string }

/** Transactions shown. */
const count = 10

/** Changes less often than the state that it comes from. */
const newestHashAtom = atom((get) => get(stateAtom).data?.txHash ?? '')

const listedAtom = perDatabase((database) =>
  atomWithQuery<Fetched>((get) => {
    const client = get(clientAtom)
    const period = get(pollPeriodAtom)
    const upTo = get(get(presentTxOfAtom)(database))
    return {
      queryKey: ['transactions', database],
      enabled: upTo !== '0',
      queryFn: async ({ signal, client: cache }) => {
        const state = cache.getQueryData<State>(stateKey(database))
        const newestHash = state?.txId === upTo ? state.txHash : ''
        const headers = await listTransactions(client, { database, upTo, limit: count, signal })
        return { upTo, headers, newestHash }
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
export const recentTransactionsAtom = atom((get) => {
  if (!get(hasTransactionsAtom)) return null
  const asked = get(listedAtom)
  if (!asked.data) return { ...asked, data: undefined }
  const { upTo, headers, newestHash } = asked.data
  // A list that came before the state gets the hash of its newest one from it.
  const hash = newestHash || (upTo === get(presentTxAtom) ? get(newestHashAtom) : '')
  return { ...asked, data: { upTo, transactions: withHashes(headers, hash) } }
})

/** Each transaction carries the hash of the one before it, and the state that of the newest. */
function withHashes(headers: readonly TxHeader[], newestHash: string): RecentTx[] {
  return headers.map((header, index) => ({
    ...header,
    hash: headers[index - 1]?.prevAlh ?? newestHash,
  }))
}
