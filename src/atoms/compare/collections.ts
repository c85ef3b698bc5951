import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { listCollections } from '~/api/collections'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'

/** Gives the query of the names of a database's collections; the same one each time it is asked. */
export const collectionsAtom = atom(() =>
  memoizeByNames((database = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: ['collections', database],
        queryFn: ({ signal }) => listCollections(client, { database, signal }),
      }
    }),
  ),
)
