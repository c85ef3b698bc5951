import type { QueryClient } from '@tanstack/query-core'
import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Entry } from '~/api/keys'
import { askOnGrowth, refreshStateAtom } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { rounds } from '~/lib/rounds'
import {
  joinPages,
  type KeyPage,
  type KeyState,
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

const listKey = (database: string, prefix: string) => [...keysKey(database), 'list', prefix]
const stateKeyOf = (database: string, key: string, revision: string) =>
  [...keysKey(database), 'state', key, revision] as const
const revisionsKey = (database: string, key: string) => [...keysKey(database), 'revisions', key]

/**
 * Returns the query atom of the keys with a prefix, always the same one, with the pages fetched so
 * far. Keys and prefixes are standard base64.
 */
export const keyListsAtom = atom(() =>
  memoizeByNames((database = '', prefix = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: listKey(database, prefix),
        enabled: database !== '',
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: async ({ signal, queryKey, client: cache }) => {
          growth.note(cache)
          const before = cache.getQueryData<KeyPage>(queryKey)?.items.length ?? 0
          const listing = { database, prefix, signal }
          let page = await readKeyPage(client, listing)
          const round = rounds()
          while (page.next && page.items.length < before) {
            round(page.next)
            page = joinPages(page, await readKeyPage(client, listing, page.next))
          }
          return page
        },
      }
    })
  }),
)

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

/** Returns the query atom of a key's revisions, with the pages fetched so far. */
export const revisionsAtom = atom(() =>
  memoizeByNames((database = '', key = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: revisionsKey(database, key),
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: async ({ signal, queryKey, client: cache }) => {
          growth.note(cache)
          const before = cache.getQueryData<RevisionPage>(queryKey)?.revisions.length ?? 0
          const request = { database, key, signal }
          const newest = await newestOf(cache, database, key)
          let page = newest
            ? await readNewestRevisions(client, request, newest)
            : await readRevisionPage(client, request)
          const round = rounds()
          while (page.hasMore && page.revisions.length < before) {
            round(page.revisions.length)
            page = longer(page, await readRevisionPage(client, request, page.revisions.length))
          }
          return page
        },
      }
    })
  }),
)

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

function longer(page: RevisionPage, more: RevisionPage): RevisionPage {
  return { revisions: [...page.revisions, ...more.revisions], hasMore: more.hasMore }
}

/**
 * The next page in progress, and why the last one failed. `atomWithInfiniteQuery` would forget all
 * pages of a list that is left after one of them failed.
 */
type Addition = { to: string; isBusy: boolean; error: unknown }

export const additionAtom = atom<Addition>({ to: '', isBusy: false, error: null })

/** Adds the next keys to a list, unless the list changed in the meantime. */
export const addKeysAtom = atom(null, async (get, set, prefix: string) => {
  const database = get(databaseAtom) ?? ''
  const cache = get(queryClientAtom)
  const page = cache.getQueryData<KeyPage>(listKey(database, prefix))
  if (!page?.next || get(additionAtom).isBusy) return
  const from = page.next
  await set(addAtom, `list ${prefix}`, async () => {
    const more = await readKeyPage(get(clientAtom), { database, prefix }, from)
    cache.setQueryData<KeyPage>(listKey(database, prefix), (now) =>
      now === page ? joinPages(page, more) : now,
    )
  })
})

/** Adds the next older revisions of a key. */
export const addRevisionsAtom = atom(null, async (get, set, key: string) => {
  const database = get(databaseAtom) ?? ''
  const cache = get(queryClientAtom)
  const page = cache.getQueryData<RevisionPage>(revisionsKey(database, key))
  if (!page?.hasMore || get(additionAtom).isBusy) return
  await set(addAtom, `revisions ${key}`, async () => {
    const request = { database, key }
    const more = await readRevisionPage(get(clientAtom), request, page.revisions.length)
    cache.setQueryData<RevisionPage>(revisionsKey(database, key), (now) =>
      now === page ? longer(page, more) : now,
    )
  })
})

/** Reads on in a list, see `additionAtom`. */
export const addAtom = atom(null, async (_get, set, to: string, add: () => Promise<void>) => {
  set(additionAtom, { to, isBusy: true, error: null })
  const error: unknown = await add().then(
    () => null,
    (failure: unknown) => failure,
  )
  set(additionAtom, { to, isBusy: false, error })
})

/** Fetches everything about the keys of a database again, for instance after a write. */
export const refreshKeysAtom = atom(null, (get, set, database: string) => {
  void set(refreshStateAtom)
  return get(queryClientAtom).invalidateQueries({ queryKey: keysKey(database) })
})
