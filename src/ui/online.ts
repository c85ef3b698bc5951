import { useSyncExternalStore } from 'react'

let since: number | null = null

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Milliseconds since 1970 of the moment the network was lost; the first look counts as one. */
function lostAt(): number | null {
  since = navigator.onLine ? null : (since ?? Date.now())
  return since
}

/**
 * When the computer lost its network, in milliseconds since 1970; null while it has one. A server
 * on the computer itself answers without one.
 */
export function useOfflineSince(): number | null {
  return useSyncExternalStore(subscribe, lostAt)
}
