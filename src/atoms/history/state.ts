import type { QueryClient } from '@tanstack/query-core'
import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { ApiError } from '~/api/errors'
import { readState, type State } from '~/api/server'
import { firstTransaction, outagePollDelays, statePollPeriod } from '~/lib/constants'
import type { Moment } from '~/sql/time-travel'
import { clientAtom } from '../session/client'
import { perDatabase } from '../session/per-database'
import { databaseAtom } from '../session/session'
import { pollPeriodAtom } from '../settings/settings'

export const stateKey = (database: string) => ['state', database] as const

/**
 * The database's newest transaction, asked for every ten seconds or as it is set while the tab is
 * visible; quicker while the server is away, so that its return is seen within seconds. The first good answer after
 * an outage refreshes everything else.
 */
export const stateAtom = perDatabase((database) =>
  atomWithQuery((get) => {
    const client = get(clientAtom)
    const period = get(pollPeriodAtom)
    return {
      queryKey: stateKey(database),
      enabled: database !== '',
      // Each answer is one of its own: an equal one is not an old one to whoever follows the history.
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
)

/**
 * For one query about a database that others write to: on entry it is asked again if the database
 * has grown since it was read, however short ago that was.
 */
export function askOnGrowth(database: string) {
  let readAt: string | undefined
  const present = (cache: QueryClient) => cache.getQueryData<State>(stateKey(database))?.txId
  return {
    /** Notes how far the database is known to be; called when the query is sent. */
    note: (cache: QueryClient) => {
      readAt = present(cache)
    },
    refetchOnMount: (cache: QueryClient) => present(cache) === readAt || ('always' as const),
  }
}

function pollPeriod(period: number | false, error: Error | null, failures: number): number | false {
  // A server that is away stores no call, so its return is looked for in any case.
  if (!isAway(error)) return period
  const last = outagePollDelays.length - 1
  return outagePollDelays[Math.min(failures - 1, last)] ?? statePollPeriod
}

/** Whether a failure means that no immudb answered, as against one that answered “no”. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return ['network', 'timeout', 'unavailable', 'not-immudb', 'bad-answer'].includes(error.kind)
}

/** The failure that keeps the newest state from being known, or null. */
export const outageAtom = atom((get) => {
  const { error } = get(stateAtom)
  return isAway(error) ? error : null
})

/** Newest transaction id of the database, `'0'` while it is empty or not known. */
export const presentTxAtom = atom((get) => get(stateAtom).data?.txId ?? '0')

/** Whether the database holds any transaction; without one it has no tables either. */
export const hasTransactionsAtom = atom((get) => get(presentTxAtom) !== '0')

/** The transaction chosen to look at; the newest one until something else is chosen. */
export const chosenTxAtom = atom((get) => {
  const moment = get(momentAtom)
  if (moment?.at.kind === 'tx') return moment.at.id
  const present = get(presentTxAtom)
  return present === '0' ? firstTransaction : present
})

/** The moment queries look at, or null when that is the present after all. */
export const pastMomentAtom = atom((get) => {
  const moment = get(momentAtom)
  const isPresent = moment?.bound === 'UNTIL' && get(chosenTxAtom) === get(presentTxAtom)
  return isPresent && moment.at.kind === 'tx' ? null : moment
})

/** Asks for the state at once, for instance after a write. */
export const refreshStateAtom = atom(null, (get) =>
  get(queryClientAtom).invalidateQueries({ queryKey: stateKey(get(databaseAtom) ?? '') }),
)

/** The moment chosen for each database; a database that is not in it is seen as it is now. */
const chosenAtom = atom<ReadonlyMap<string, Moment>>(new Map())

/** The moment chosen for the open database, or null for the present. */
export const momentAtom = atom((get) => get(chosenAtom).get(get(databaseAtom) ?? '') ?? null)

/** The moment chosen for any database. */
export const momentsAtom = atom((get) => get(chosenAtom))

/** Chooses the moment at which queries on the open database look; null is the present. */
export const chooseMomentAtom = atom(null, (get, set, moment: Moment | null) => {
  const database = get(databaseAtom)
  if (database === null) return
  const moments = new Map(get(chosenAtom))
  if (moment === null) moments.delete(database)
  else moments.set(database, moment)
  set(chosenAtom, moments)
})
