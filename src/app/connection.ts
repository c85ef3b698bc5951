import { useAtomValue } from 'jotai'
import { outageAtom, stateAtom } from '~/atoms/state'
import { useOfflineSince } from '~/ui/online'

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
