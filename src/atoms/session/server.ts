import { atomWithQuery } from 'jotai-tanstack-query'
import { readHealth } from '~/api/server'
import { readPageHeaders, readServerInfo } from '~/api/server-figures'
import { metricsPeriod } from '~/lib/constants'
import { clientAtom } from './client'
import { isLockedAtom } from './session'
import { healthAtom } from './start'

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

/** The headers of the console's own page, which protect it; asked for once. */
export const pageHeadersAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  return {
    queryKey: ['pageHeaders'],
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    queryFn: ({ signal }) => readPageHeaders(client, signal),
  }
})
