import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { describeCollections } from '~/api/collections'
import { countDocuments } from '~/api/documents'
import type { Io } from '~/core/act'
import { askOnGrowth, refreshState } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { queryFromAddress } from '~/immudb/document-query'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { refuseLacking } from './search-pages'

const documentsKey = (database: string) => ['documents', database] as const

/** The key of an answer about the documents of a database. */
export const keyOfDocuments = (database: string, ...of: readonly string[]) => [
  ...documentsKey(database),
  ...of,
]

/** Returns the query atom of a database's collections with their fields and indexes. */
export const describedCollectionsAtom = atom(() =>
  memoizeByNames((database = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: keyOfDocuments(database, 'collections'),
        enabled: database !== '',
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: ({ signal, client: cache }) => {
          growth.note(cache)
          return describeCollections(client, { database, signal })
        },
      }
    })
  }),
)

/** Returns the query atom of how many documents a search finds; `search` as in an address. */
export const documentCountsAtom = atom(() =>
  memoizeByNames((database = '', collection = '', search = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: keyOfDocuments(database, 'count', collection, search),
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: ({ signal, client: cache }) => {
          growth.note(cache)
          const query = queryFromAddress(search) ?? { groups: [], orderBy: [], limit: 0 }
          refuseLacking({ get }, query)
          return countDocuments(client, { database, collection, query, signal })
        },
      }
    })
  }),
)

/** Fetches everything about the documents of a database again, for instance after a write. */
export function refreshDocuments(io: Io, database: string) {
  void refreshState(io)
  return io.get(queryClientAtom).invalidateQueries({ queryKey: documentsKey(database) })
}
