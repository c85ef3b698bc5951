import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { enterAtom } from '~/atoms/start'
import { retryPeriod } from '~/lib/constants'
import { Button } from '~/ui/Button'

/** The server did not answer while the session was being opened; tries again by itself. */
export function Unreachable() {
  const enter = useSetAtom(enterAtom)
  useEffect(() => {
    const timer = setTimeout(() => enter(null), retryPeriod)
    return () => clearTimeout(timer)
  }, [enter])
  return (
    <div className="grid justify-items-center gap-3 text-center" role="alert">
      <p className="font-medium">The immudb server cannot be reached.</p>
      <p className="text-muted">You are still signed in. The console tries again by itself.</p>
      <Button onClick={() => enter(null)}>Try now</Button>
    </div>
  )
}
