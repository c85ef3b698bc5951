import type { QueryClient } from '@tanstack/query-core'
import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Entry } from '~/api/keys'
import { askOnGrowth, refreshStateAtom } from '~/core/history/newest-state'
import { listsOf } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { memoizeByNames } from '~/lib/memoize-by-names'
import {
  type KeyPage,
  type KeyState,
  noKeysRead,
  type RevisionPage,
  readKeyPage,
  readKeyState,
  readNewestRevisions,
  readRevisionPage,
} from './key-pages'
import { type PastKeyState, readPastKeyState } from './past-state'

/** Milliseconds for which a state that was read counts as the newest one. */
const justRead = 5_000

export const keysKey = (database: string) => ['keys', database] as const

const stateKeyOf = (database: string, key: string, revision: string) =>
  [...keysKey(database), 'state', key, revision] as const

/** The keys of a database with a prefix. Both are names of the list; keys and prefixes are base64. */
export const keyLists = listsOf<KeyPage>({
  key: (database = '', prefix = '') => [...keysKey(database), 'list', prefix],
  start: () => noKeysRead,
  read: (get, known, { signal }, database = '', prefix = '') =>
    readKeyPage(get(clientAtom), { database, prefix, signal }, known),
  next: ({ next }) => next,
  size: ({ items }) => items.length,
  grows: true,
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

/** The revisions of a key of a database, newest first. */
export const keyRevisions = listsOf<RevisionPage>({
  key: (database = '', key = '') => [...keysKey(database), 'revisions', key],
  start: () => ({ revisions: [], hasMore: true }),
  read: async (get, { revisions }, { signal }, database = '', key = '') => {
    const request = { database, key, signal }
    const newest =
      revisions.length === 0 ? await newestOf(get(queryClientAtom), database, key) : null
    const more = newest
      ? await readNewestRevisions(get(clientAtom), request, newest)
      : await readRevisionPage(get(clientAtom), request, revisions.length)
    return { ...more, revisions: [...revisions, ...more.revisions] }
  },
  next: ({ revisions, hasMore }) => (hasMore ? revisions.length : null),
  size: ({ revisions }) => revisions.length,
  grows: true,
})

/**
 * The newest revision as the state of the key has it: one that is being read is waited for. Null
 * where the state was not just read, for instance while another revision is shown.
 */
async function newestOf(cache: QueryClient, database: string, key: string): Promise<Entry | null> {
  const queryKey = stateKeyOf(database, key, '')
  const query = cache.getQueryCache().find<KeyState>({ queryKey })
  if (query?.state.fetchStatus === 'fetching') await query.promise?.catch(() => {})
  const { data, isInvalidated, dataUpdatedAt } = query?.state ?? {}
  const isFresh = !isInvalidated && Math.abs(Date.now() - (dataUpdatedAt ?? 0)) < justRead
  return isFresh && data && 'entry' in data ? data.entry : null
}

/** Fetches everything about the keys of a database again, for instance after a write. */
export const refreshKeysAtom = atom(null, (get, set, database: string) => {
  void set(refreshStateAtom)
  return get(queryClientAtom).invalidateQueries({ queryKey: keysKey(database) })
})
