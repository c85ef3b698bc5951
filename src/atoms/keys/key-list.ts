import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Io } from '~/core/act'
import { askOnGrowth, refreshState } from '~/core/history/newest-state'
import { listsOf } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { type KeyPage, noKeysRead, readKeyPage } from './key-pages'
import { type PastKeyState, readKeyState, readPastKeyState } from './key-state'

export const keysKey = (database: string) => ['keys', database] as const

export const stateKeyOf = (database: string, key: string, revision: string) =>
  [...keysKey(database), 'state', key, revision] as const

/** The keys of a database with a prefix. Both are names of the list; keys and prefixes are base64. */
export const keyLists = listsOf<KeyPage>({
  key: (database = '', prefix = '') => [...keysKey(database), 'list', prefix],
  start: () => noKeysRead,
  read: (io, known, { signal }, database = '', prefix = '') =>
    readKeyPage(io.get(clientAtom), { database, prefix, signal }, known),
  next: ({ next }) => next,
  size: ({ items }) => items.length,
  lasts: 'until growth',
})

/** Returns the query atom of a key's state in a revision or, for `''`, at present. */
export const keyStatesAtom = atom(() =>
  memoizeByNames((database = '', key = '', revision = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: stateKeyOf(database, key, revision),
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: ({ signal, client: cache }) => {
          growth.note(cache)
          return readKeyState(client, {
            database,
            key,
            signal,
            ...(revision === '' ? {} : { revision }),
          })
        },
      }
    })
  }),
)

/** Returns the query atom of a key's state as of a transaction, which is the same for ever. */
export const pastKeyStatesAtom = atom(() =>
  memoizeByNames((database = '', key = '', tx = '') =>
    atomWithQuery<PastKeyState>((get) => {
      const client = get(clientAtom)
      return {
        queryKey: ['past key', database, key, tx],
        staleTime: ({ state: { data } }) =>
          data && isForEver(data) ? Number.POSITIVE_INFINITY : 0,
        queryFn: ({ signal }) => readPastKeyState(client, { database, key, tx, signal }),
      }
    }),
  ),
)

/** Values expire, and a key that was never set may be set. */
function isForEver(state: PastKeyState): boolean {
  return state.kind === 'deleted' || (state.kind === 'live' && state.entry.expiresAt === null)
}

/** Fetches everything about the keys of a database again, for instance after a write. */
export function refreshKeys(io: Io, database: string) {
  void refreshState(io)
  return io.get(queryClientAtom).invalidateQueries({ queryKey: keysKey(database) })
}
