import { QueryClient } from '@tanstack/query-core'
import { queryClientAtom } from 'jotai-tanstack-query'
import { ioAtom } from '../act'
import type { Store } from './client'
import { askAgainAtom } from './session'

/**
 * The cache of server answers for one signed-in identity. Repeats are the wire's business, so this
 * layer has none; `always` because a server on this machine answers without any network.
 */
export function openQueryCache(store: Store): () => void {
  const cache = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 60_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  store.set(queryClientAtom, cache)
  store.set(ioAtom, store)
  store.set(askAgainAtom, { ask: () => void cache.invalidateQueries() })
  cache.mount()
  return () => {
    cache.unmount()
    cache.clear()
  }
}
