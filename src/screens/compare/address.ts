import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import { keyFromAddress } from '~/immudb/key-address'
import { lowerAscii } from '~/sql/names'
import { useChangeSearch, useSearchParam } from '~/ui/location'

export const compareTabs = ['tables', 'keys', 'documents', 'schema'] as const

/** What is compared, as the address says it, and how to change it. */
export function useCompareAddress() {
  const database = useAtomValue(databaseAtom) ?? ''
  const [from = ''] = useSearchParam('from')
  const [to = ''] = useSearchParam('to')
  const [at = ''] = useSearchParam('at')
  const [tab = 'tables'] = useSearchParam('tab')
  const [table = ''] = useSearchParam('table')
  const [prefix = ''] = useSearchParam('prefix')
  const [collection = ''] = useSearchParam('collection')
  const change = useChangeSearch()
  return {
    database,
    /** As `readAt` reads it; empty for the usual one. */
    from,
    to: to || at,
    tab: compareTabs.find((one) => one === tab) ?? 'tables',
    // The server has tables in lower case.
    table: lowerAscii(table),
    /** Base64 of the beginning of keys; null for a text that is not base64. */
    prefix: keyFromAddress(prefix),
    collection,
    change,
  }
}
