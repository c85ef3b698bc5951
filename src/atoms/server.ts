import { atomWithQuery } from 'jotai-tanstack-query'
import { readPageHeaders, readServerInfo } from '~/api/server-figures'
import { clientAtom } from './client'

export const serverInfoKey = ['serverInfo'] as const

/** Figures of the whole server; there are none while one of its databases is unloaded. */
export const serverInfoAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  return { queryKey: serverInfoKey, queryFn: ({ signal }) => readServerInfo(client, signal) }
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
