import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { readHealth, readPageHeaders, readServerInfo } from '~/api/server'
import { metricsPeriod } from '~/lib/constants'
import { stateAtom } from '../history/newest-state'
import { clientAtom } from './client'
import { isLockedAtom } from './session'
import { healthAtom } from './session-start'

export const serverInfoKey = ['serverInfo'] as const

/** Figures of the whole server; there are none while one of its databases is unloaded. */
export const serverInfoAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  return { queryKey: serverInfoKey, queryFn: ({ signal }) => readServerInfo(client, signal) }
})

/** The server's health, asked for every minute while a screen shows it; begins with the last login's. */
export const currentHealthAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  const atLogin = get(healthAtom)
  return {
    queryKey: ['health'],
    enabled: !get(isLockedAtom),
    refetchInterval: metricsPeriod,
    queryFn: async ({ signal }) => ({
      ...(await readHealth(client, { signal, isPoll: true })),
      at: Date.now(),
    }),
    ...(atLogin && { initialData: atLogin, initialDataUpdatedAt: atLogin.at }),
  }
})

/** Two atoms, because one whose options change sends its request twice. */
const headers = (enabled: boolean) =>
  atomWithQuery((get) => {
    const client = get(clientAtom)
    return {
      queryKey: ['pageHeaders'],
      enabled,
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      queryFn: ({ signal }) => readPageHeaders(client, signal),
    }
  })
const [askedHeadersAtom, waitingHeadersAtom] = [headers(true), headers(false)]

/**
 * The headers of the console's own page, which protect it; asked for once, after the state, so that
 * no screen waits behind them.
 */
export const pageHeadersAtom = atom((get) =>
  get(get(stateAtom).isPending ? waitingHeadersAtom : askedHeadersAtom),
)
