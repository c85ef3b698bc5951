import { atom } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { mountedAtom } from '~/core/act'
import { browserQueriesAtom } from './browser-queries'
import { allKnownShared, isSharedListKey } from './shared-queries'

/** A saved query as far as something must know that only leads to it. */
export type KnownQuery = {
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly database: string
}

const readTimesAtom = atom(0)

/**
 * Every saved query that is known without a request: those of this browser, and the shared ones of
 * databases whose list was read. `/query?db=…&query=ID` opens one.
 */
export const knownQueriesAtom = mountedAtom(
  (get): readonly KnownQuery[] => {
    get(readTimesAtom)
    const own = get(browserQueriesAtom) ?? []
    const ids = new Set(own.map(({ id, database }) => JSON.stringify([id, database])))
    const shared = allKnownShared(get).filter(
      ({ id, database }) => !ids.has(JSON.stringify([id, database])),
    )
    return [...own, ...shared]
  },
  ({ get, set }) =>
    get(queryClientAtom)
      .getQueryCache()
      .subscribe(({ type, query }) => {
        if (type === 'updated' && isSharedListKey(query.queryKey)) {
          set(readTimesAtom, (times) => times + 1)
        }
      }),
)
