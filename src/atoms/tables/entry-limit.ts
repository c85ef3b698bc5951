import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { readEntryLimit } from '~/api/entry-limit'
import { clientAtom } from '~/core/session/client'
import { usualEntryLimit } from '~/immudb/entry-limit'
import { memoizeByNames } from '~/lib/memoize-by-names'

const limitKey = (database: string) => ['entry limit', database] as const

const limitQueryAtom = atom(() =>
  memoizeByNames((database = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: limitKey(database),
        // It is chosen when the database is created.
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) => readEntryLimit(client, { database, signal }),
      }
    }),
  ),
)

/** Reads the most entries of a transaction of a database; the usual number while it is not known. */
export const readEntryLimitAtom = atom((get) => {
  const queryOf = get(limitQueryAtom)
  return memoizeByNames((database = '') =>
    atom((read) => read(queryOf(database)).data ?? usualEntryLimit),
  )
})

/** Gives the same as far as it was read. */
export const knownEntryLimitAtom = atom((get) => {
  const cache = get(queryClientAtom)
  return (database: string) => cache.getQueryData<number>(limitKey(database)) ?? usualEntryLimit
})
