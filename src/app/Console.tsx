import { useStore } from 'jotai'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { openQueryCache } from '~/atoms/query-client'
import { Toaster } from '~/ui/toast'
import { AddressedDatabase } from './AddressedDatabase'
import { Frame } from './frame/Frame'
import { Pages } from './Pages'

type Props = { mount: string; onReady: () => void }

/** Everything behind the login. Its cache of answers lives and dies with it. */
export default function Console({ mount, onReady }: Props) {
  const isReady = useQueryCache()
  useEffect(() => {
    if (isReady) onReady()
  }, [isReady, onReady])
  if (!isReady) return null
  return (
    <Router base={mount}>
      <AddressedDatabase />
      <Frame>
        <Pages />
      </Frame>
      <Toaster />
    </Router>
  )
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
