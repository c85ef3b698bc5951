import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import { clientAtom } from '~/core/session/client'
import { memoizeByNames } from '~/lib/memoize-by-names'

/** The query of the names of a database's collections. */
export function collectionNamesQuery(client: Client, database: string) {
  return {
    queryKey: ['collections', database],
    queryFn: ({ signal }: { signal: AbortSignal }) => listCollections(client, { database, signal }),
  }
}

/** Returns the query atom of the names of a database's collections; the same one each time. */
export const collectionNamesAtom = atom(() =>
  memoizeByNames((database = '') =>
    atomWithQuery((get) => collectionNamesQuery(get(clientAtom), database)),
  ),
)
