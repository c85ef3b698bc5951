import { useAtomValue, useStore } from 'jotai'
import { Suspense, useEffect } from 'react'
import { databaseAtom } from '~/atoms/session'
import { stateAtom } from '~/atoms/state'
import { isTrustOpenAtom, trustAtom } from '~/atoms/trust'
import { followPoints, watchState } from '~/atoms/trust-work'
import { BrokenBar } from '~/screens/trust/BrokenBar'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'

const TrustDrawer = fetchedLater(() =>
  import('~/screens/trust/TrustDrawer').then((part) => part.TrustDrawer),
)

/**
 * Follows the history of the open database: each state that was answered is checked, and what was
 * found wrong stands on every screen. Fetched when the page is idle, with the words for what is
 * wrong, because a server that was tampered with may not be there to give them.
 */
export function TrustParts() {
  useFollowedHistory()
  const trust = useAtomValue(trustAtom)
  const isOpen = useAtomValue(isTrustOpenAtom)
  return (
    <>
      {trust.kind === 'broken' && (
        <Boundary fallback={() => null}>
          <BrokenBar broken={trust.broken} key={trust.broken.at} record={trust.record} />
        </Boundary>
      )}
      {isOpen && (
        <Boundary fallback={() => null}>
          <Suspense fallback={null}>
            <TrustDrawer />
          </Suspense>
        </Boundary>
      )}
    </>
  )
}

function useFollowedHistory() {
  const store = useStore()
  const database = useAtomValue(databaseAtom)
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useAtomValue(stateAtom)
  useEffect(() => followPoints({ get: store.get, set: store.set }), [store])
  useEffect(() => {
    const isAnswered = dataUpdatedAt > 0 || errorUpdatedAt > 0
    if (database === null || !isAnswered) return
    void watchState({ get: store.get, set: store.set }, database, { data, error })
  }, [store, database, data, error, dataUpdatedAt, errorUpdatedAt])
}
