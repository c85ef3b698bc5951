import { useAtomValue } from 'jotai'
import { type TxFilter, type TxKind, txKinds } from '~/atoms/transactions/tx-kind'
import { databaseAtom } from '~/core/session/session'
import { isTxId } from '~/immudb/moment'
import { useChangeSearch, useSearchParam } from '~/ui/location'

/** Characters of what is looked for. */
const longestText = 200
const mostEntries = /^[1-9]\d{0,5}$/

/** What the list shows, as the address says it, and what changes it. */
export function useListAddress() {
  const database = useAtomValue(databaseAtom) ?? ''
  const [kindText = ''] = useSearchParam('kind')
  const [entriesText = ''] = useSearchParam('q')
  const [touched = ''] = useSearchParam('touched')
  const [place = ''] = useSearchParam('tx')
  const change = useChangeSearch()
  const kind = txKinds.find((one) => one === kindText) ?? null
  const filter: TxFilter = {
    kind,
    entries: mostEntries.test(entriesText) ? Number(entriesText) : 0,
    touched: touched.slice(0, longestText),
  }
  return {
    database,
    filter,
    /** The transaction to begin with; null for the newest. */
    place: isTxId(place) ? place : null,
    setPlace: (tx: string | null) => change({ tx: tx ?? undefined }, { replace: true }),
    setKind: (next: TxKind | null) => change({ kind: next ?? undefined }),
    setTouched: (text: string) => change({ touched: text.trim() || undefined }),
    setEntries: (least: number) => change({ q: least > 0 ? String(least) : undefined }),
  }
}
