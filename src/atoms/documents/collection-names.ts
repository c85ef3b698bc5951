import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'

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
