import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import { everything, queryFromAddress } from '~/immudb/document-query'
import { pathTo } from '~/lib/paths'
import { useNavigate, useSearchParam } from '~/ui/location'

/** What the screen shows, as its address says it. */
type Place = {
  collection: string | null
  /** The id of the open document; null for none. */
  id: string | null
  /** Empty for the newest one. */
  revision: string
  /** The search as an address has it; empty for everything. */
  search: string
  tab: DocumentsTab
}

export const documentsTabs = ['documents', 'structure'] as const
export type DocumentsTab = (typeof documentsTabs)[number]

/**
 * The place in the address, and how to go to others. Opening an address only ever reads.
 * `isBroken`: the search in the address cannot be read.
 */
export function useDocumentsAddress() {
  const navigate = useNavigate()
  const database = useAtomValue(databaseAtom)
  const [addressedDatabase] = useSearchParam('db')
  const [collection = ''] = useSearchParam('collection')
  const [id = ''] = useSearchParam('doc')
  const [revision = ''] = useSearchParam('rev')
  const [q = ''] = useSearchParam('q')
  const [tab = ''] = useSearchParam('tab')
  const query = queryFromAddress(q)
  const place: Place = {
    collection: collection || null,
    id: id.toLowerCase() || null,
    revision: /^[1-9]\d{0,8}$/.test(revision) ? revision : '',
    search: query === null ? '' : q,
    tab: documentsTabs.find((one) => one === tab) ?? 'documents',
  }
  const pathOf = (change: Partial<Place>) => {
    // Another collection has other documents and fields.
    const isOther = change.collection !== undefined && change.collection !== place.collection
    const kept = isOther ? { ...place, id: null, revision: '', search: '' } : place
    const next = { ...kept, ...change }
    const db = addressedDatabase ?? database
    return pathTo('documents', {
      ...(db ? { db } : {}),
      ...(next.collection ? { collection: next.collection } : {}),
      ...(next.id ? { doc: next.id } : {}),
      ...(next.id && next.revision ? { rev: next.revision } : {}),
      ...(next.search ? { q: next.search } : {}),
      ...(next.tab === 'structure' ? { tab: next.tab } : {}),
    })
  }
  return {
    ...place,
    database: database ?? '',
    query: query ?? everything,
    isBroken: query === null,
    pathOf,
    go: (change: Partial<Place>, options?: { replace?: boolean }) =>
      navigate(pathOf(change), options),
  }
}
