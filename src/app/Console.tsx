import { useAtom, useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { isWritingAtom } from '~/atoms/loading'
import { holdsOutcomeAtom } from '~/atoms/output'
import { openQueryCache } from '~/atoms/query-client'
import { probeAtom } from '~/atoms/start'
import { keepPermissionsAtom } from '~/atoms/users'
import { isWorkAtRiskAtom } from '~/atoms/work-at-risk'
import { beforeReload } from '~/ui/load-chunk'
import { clearToasts, Toaster } from '~/ui/toast'
import { AddressedDatabase } from './AddressedDatabase'
import { Frame } from './frame/Frame'
import { Pages } from './Pages'

type Props = { mount: string; onReady: () => void }

/** Everything behind the login. Its cache of answers lives and dies with it. */
export default function Console({ mount, onReady }: Props) {
  const isReady = useQueryCache()
  useReloadOnlyInPeace()
  useLeaveQuestion()
  // Messages outlive their page; those of one user are not for the next.
  useEffect(() => clearToasts, [])
  useEffect(() => {
    if (isReady) onReady()
  }, [isReady, onReady])
  if (!isReady) return null
  return (
    <Router base={mount}>
      <AddressedDatabase />
      <KeptPermissions />
      <Frame>
        <Pages />
      </Frame>
      <Toaster />
    </Router>
  )
}

/** The permissions as last listed are stored with the session. */
function KeptPermissions() {
  const [permissions, keep] = useAtom(keepPermissionsAtom)
  useEffect(() => {
    if (permissions !== null) keep()
  }, [permissions, keep])
  return null
}

/** The cache listens to the window's focus and connection, which are outside of React. */
function useQueryCache(): boolean {
  const store = useStore()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const close = openQueryCache(store)
    setOpen(true)
    return close
  }, [store])
  return isOpen
}

/**
 * A part that cannot be fetched is no reason to reload without a server, during a write, or over
 * the word of what became of one, or a text that is stored nowhere: the part then says that it is
 * missing, and reloading is a click.
 */
function useReloadOnlyInPeace() {
  const store = useStore()
  useEffect(
    () =>
      beforeReload(async () => {
        holdOverWork(store)
        await store.set(probeAtom)
        // The operator may have gone on while the server was asked.
        holdOverWork(store)
      }),
    [store],
  )
}

function holdOverWork(store: ReturnType<typeof useStore>) {
  if (store.get(isWritingAtom) || store.get(holdsOutcomeAtom)) {
    throw new Error('what becomes of a write would be lost')
  }
  if (store.get(isWorkAtRiskAtom)) throw new Error('a text is stored nowhere')
}

/** The browser asks before a text is lost that is stored nowhere, or the answer to a write. */
function useLeaveQuestion() {
  const store = useStore()
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (store.get(isWorkAtRiskAtom) || store.get(isWritingAtom)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [store])
}
