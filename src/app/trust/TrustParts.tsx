import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect } from 'react'
import { useAct } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom, serverAtom } from '~/core/session/session'
import { BrokenBar, PlainBar, SwapBar } from '~/screens/trust/TrustBars'
import { TrustDrawer } from '~/screens/trust/TrustDrawer'
import { followStates, watchServer } from '~/trust/actions'
import { areArrivalsCheckedAtom, leaveArrivals, readNewArrivals } from '~/trust/audit/arrivals'
import { endAllWork } from '~/trust/audit/audit-job'
import { serverSwapAtom } from '~/trust/server-swap'
import { isFollowed, isTrustOpenAtom, trustAtom, trustsAtom } from '~/trust/trust'
import { watchState } from '~/trust/verify-state'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { beforeReload } from '~/ui/lazy-with-retry'
import { Revisions } from './Revisions'

// Outside React: other tabs, and states as they are answered.

/**
 * Follows the history of the open database: each state that was answered is checked, and what was
 * found wrong stands on every screen. Fetched when the page is idle, with the words for what is
 * wrong, because a server that was tampered with may not be there to give them.
 */
export function TrustParts() {
  useFollowedHistory()
  useReadArrivals()
  useNoReloadWhileBroken()
  const trust = useAtomValue(trustAtom)
  const isOpen = useAtomValue(isTrustOpenAtom)
  const swap = useAtomValue(serverSwapAtom)
  return (
    <>
      {swap && <SwapBar swap={swap} />}
      {trust.kind === 'broken' && (
        <Boundary
          fallback={(_, retry) => <PlainBar kind={trust.broken.kind} onRetry={retry} />}
          resetKey={`${trust.broken.kind} ${trust.broken.at}`}
        >
          <BrokenBar broken={trust.broken} key={trust.broken.at} record={trust.record} />
        </Boundary>
      )}
      <Revisions />
      {isOpen && (
        <Boundary fallback={(error, retry) => <NotShown error={error} onRetry={retry} />}>
          <TrustDrawer />
        </Boundary>
      )}
    </>
  )
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const setOpen = useSetAtom(isTrustOpenAtom)
  return (
    <div className="fixed inset-x-2 bottom-2 z-dialog mx-auto max-w-[520px] rounded bg-panel shadow-float">
      <ErrorNote
        advice={
          <Button onClick={() => setOpen(false)} size="small">
            Close
          </Button>
        }
        details={technicalDetails(error)}
        onRetry={onRetry}
        title="What is known of the history could not be shown."
      />
    </div>
  )
}

/**
 * A missing part never reloads a page that found something wrong: the server that answers now may
 * send another page, and what could not be stored would be lost. The user may still reload it.
 */
function useNoReloadWhileBroken() {
  const store = useStore()
  useEffect(
    () =>
      beforeReload(async () => {
        const isBroken = [...store.get(trustsAtom).values()].some(({ kind }) => kind === 'broken')
        if (isBroken) throw new Error('what was found wrong would be lost')
      }),
    [store],
  )
}

/** Reads new transactions with each trusted state, if that is on and the tab is visible. */
function useReadArrivals() {
  const isOn = useAtomValue(areArrivalsCheckedAtom)
  const trust = useAtomValue(trustAtom)
  const read = useAct(readNewArrivals)
  const leave = useAct(leaveArrivals)
  useEffect(() => {
    if (!isOn) return
    const look = () => void (document.hidden ? leave() : read())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isOn, read, leave])
  useEffect(() => {
    if (!isOn) return
    if (trust.kind === 'broken') void leave()
    else if (isFollowed(trust) && !document.hidden) void read()
  }, [isOn, trust, read, leave])
  // After a logout nothing may continue to read with the old token.
  const endAll = useAct(endAllWork)
  useEffect(() => () => void endAll(), [endAll])
}

function useFollowedHistory() {
  const store = useStore()
  const database = useAtomValue(databaseAtom)
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useAtomValue(stateAtom)
  const server = useAtomValue(serverAtom)
  useEffect(() => followStates({ get: store.get, set: store.set }), [store])
  useEffect(() => {
    if (database === null || server === null) return
    void watchServer({ get: store.get, set: store.set }, database)
  }, [store, database, server])
  useEffect(() => {
    const isAnswered = dataUpdatedAt > 0 || errorUpdatedAt > 0
    if (database === null || !isAnswered) return
    void watchState({ get: store.get, set: store.set }, database, { data, error })
  }, [store, database, data, error, dataUpdatedAt, errorUpdatedAt])
}
