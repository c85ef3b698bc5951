import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { sentence } from '~/atoms/failure'
import { dropTokenAtom, enterAtom, enterFailureAtom } from '~/atoms/start'
import { retryPeriod } from '~/lib/constants'
import { Button } from '~/ui/Button'

/** The session could not be opened, for instance because the server is away; tries again by itself. */
export function Unreachable() {
  const enter = useSetAtom(enterAtom)
  const drop = useSetAtom(dropTokenAtom)
  const failure = useAtomValue(enterFailureAtom)
  useEffect(() => {
    const timer = setTimeout(enter, retryPeriod)
    return () => clearTimeout(timer)
  }, [enter])
  return (
    <div className="grid justify-items-center gap-3 text-center" role="alert">
      <p className="font-medium">{sentence(failure)}</p>
      <p className="text-muted">You are still signed in. The console tries again by itself.</p>
      <div className="flex gap-2">
        <Button onClick={() => drop('Log in to continue.')}>Log in again</Button>
        <Button onClick={() => enter()}>Try now</Button>
      </div>
    </div>
  )
}
