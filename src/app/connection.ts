import { useAtomValue } from 'jotai'
import { useSyncExternalStore } from 'react'
import { outageAtom, stateAtom } from '~/core/history/newest-state'

/**
 * Whether the server answers: `unsure` from the moment the network is lost until the next answer
 * or failure. `isOffline` is about the computer alone.
 */
export function useConnection(): { standing: 'up' | 'unsure' | 'away'; isOffline: boolean } {
  const isAway = useAtomValue(outageAtom) !== null
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  const since = useOfflineSince()
  const isUnsure = since !== null && dataUpdatedAt < since
  return {
    standing: isAway ? 'away' : isUnsure ? 'unsure' : 'up',
    isOffline: since !== null,
  }
}

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
function useOfflineSince(): number | null {
  return useSyncExternalStore(subscribe, lostAt)
}
