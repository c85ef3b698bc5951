import { useAtom, useSetAtom, useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { isDraftAtRiskAtom } from '~/atoms/editor'
import { openQueryCache } from '~/atoms/query-client'
import { probeAtom } from '~/atoms/start'
import { keepPermissionsAtom } from '~/atoms/users'
import { beforeReload } from '~/ui/load-chunk'
import { clearToasts, Toaster } from '~/ui/toast'
import { AddressedDatabase } from './AddressedDatabase'
import { Frame } from './frame/Frame'
import { Pages } from './Pages'

type Props = { mount: string; onReady: () => void }

/** Everything behind the login. Its cache of answers lives and dies with it. */
export default function Console({ mount, onReady }: Props) {
  const isReady = useQueryCache()
  useReloadOnlyFromServer()
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

/** A part that cannot be fetched is no reason to reload while the server is away. */
function useReloadOnlyFromServer() {
  const probe = useSetAtom(probeAtom)
  useEffect(() => beforeReload(probe), [probe])
}

/** The browser asks before a text is lost that could not be stored. */
function useLeaveQuestion() {
  const store = useStore()
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (store.get(isDraftAtRiskAtom)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [store])
}
