import type { QueryClient } from '@tanstack/query-core'
import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { ApiError, type ErrorKind } from '~/api/errors'
import { readState, type State } from '~/api/server'
import type { Io } from '~/core/act'
import { outagePollDelays, statePollPeriod } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'
import { perNames } from '../session/per-names'
import { databaseAtom } from '../session/session'
import { type ListedTx, listedTxAtom } from '../session/session-start'
import { pollPeriodAtom } from '../settings'

export const stateKey = (database: string) => ['state', database] as const

/** The newest known transaction of a database, or `'0'`. A write sent now commits in a later one. */
export function newestKnown(get: Getter, database: string): string {
  return get(queryClientAtom).getQueryData<State>(stateKey(database))?.txId ?? '0'
}

/**
 * Returns the query atom of a database's newest transaction, polled at the chosen period, by default
 * every ten seconds, while the tab is visible. While the server is away it is polled faster, so that
 * its return shows within seconds. The first good answer after an outage refreshes everything else.
 */
export const statesAtom = atom(() =>
  memoizeByNames((database = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      const period = get(pollPeriodAtom)
      return {
        queryKey: stateKey(database),
        enabled: database !== '',
        // An equal answer must still count as new, because the proofs follow each answer.
        structuralSharing: false,
        queryFn: async ({ signal, queryKey, client: cache }) => {
          const wasAway = isAway(cache.getQueryState([...queryKey])?.error)
          const state = await readState(client, database, signal)
          if (wasAway) {
            void cache.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'state' })
          }
          return state
        },
        refetchInterval: (query) =>
          pollPeriod(period, query.state.error, query.state.errorUpdateCount),
      }
    }),
  ),
)

/** The newest transaction of the open database. */
export const stateAtom = atom((get) => get(get(statesAtom)(get(databaseAtom) ?? '')))

/**
 * Query options: on entry, fetch again if the database has grown since the last answer, however
 * recent it is.
 */
export function askOnGrowth(database: string) {
  let readAt: string | undefined
  const present = (cache: QueryClient) => cache.getQueryData<State>(stateKey(database))?.txId
  return {
    /**
     * Notes the newest known transaction, that of the list before there is a state; called when the
     * query is sent.
     */
    note: (cache: QueryClient, listed: ListedTx | null = null) => {
      readAt = present(cache) ?? (listed?.database === database ? listed.txId : undefined)
    },
    refetchOnMount: (cache: QueryClient) => present(cache) === readAt || ('always' as const),
  }
}

function pollPeriod(period: number | false, error: Error | null, failures: number): number | false {
  // A server that is away logs no calls, so polling for its return costs nothing.
  if (!isAway(error)) return period
  const last = outagePollDelays.length - 1
  return outagePollDelays[Math.min(failures - 1, last)] ?? statePollPeriod
}

/** Whether a failure means that no immudb answered, rather than one that refused. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return awayKinds.includes(error.kind)
}

const awayKinds: readonly ErrorKind[] = [
  'network',
  'timeout',
  'unavailable',
  'not-immudb',
  'proxy',
  'bad-answer',
]

/** The failure that hides the newest state, or null. */
export const outageAtom = atom((get) => {
  const { error } = get(stateAtom)
  return isAway(error) ? error : null
})

/**
 * Returns the atom of the newest transaction id of a database, null until the server has named it:
 * after a login first in the list of databases, so that the screen need not wait for the state.
 */
const namedTxOfAtom = perNames((get, database = ''): string | null => {
  const listed = get(listedTxAtom)
  const first = listed?.database === database ? listed.txId : null
  return get(get(statesAtom)(database)).data?.txId ?? first
})

/** The same of the open database. */
export const namedTxAtom = atom((get) => get(get(namedTxOfAtom)(get(databaseAtom) ?? '')))

/**
 * Returns the atom of the newest transaction id of a database, `'0'` while it is empty or not known.
 * What is asked of one database uses its own number: that of the open one changes when another is
 * chosen.
 */
export const presentTxOfAtom = perNames(
  (get, database = '') => get(get(namedTxOfAtom)(database)) ?? '0',
)

/** The same of the open database. */
export const presentTxAtom = atom((get) => get(get(presentTxOfAtom)(get(databaseAtom) ?? '')))

/** Whether the database has any transaction; without one it has no tables either. */
export const hasTransactionsAtom = atom((get) => get(presentTxAtom) !== '0')

/** Fetches the state at once, for instance after a write. */
export function refreshState({ get }: Io) {
  return get(queryClientAtom).invalidateQueries({ queryKey: stateKey(get(databaseAtom) ?? '') })
}

/** The text of `at` in the address, by database: as last seen there. */
export const addressedMomentsAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>())

/** What the address says of the moment in which the open database is shown; null for now. */
export const addressedMomentAtom = atom(
  (get) => get(addressedMomentsAtom).get(get(databaseAtom) ?? '') ?? null,
)

/** Notes the `at` of an address. Only what watches the address calls it: the address decides. */
export function noteAddressedMoment({ get, set }: Io, database: string, text: string | undefined) {
  const known = get(addressedMomentsAtom)
  if (known.get(database) === (text || undefined)) return
  const moments = new Map(known)
  if (text) moments.set(database, text)
  else moments.delete(database)
  set(addressedMomentsAtom, moments)
}

/** Why nothing can be written while the past is looked at; null while it is not. */
export const writesOffAtom = atom((get) =>
  get(addressedMomentAtom) === null
    ? null
    : 'You are looking at the past, which cannot be changed. Go back to now to write.',
)
