import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { sentence } from '~/atoms/failure'
import { dropTokenAtom, enterAtom, enterFailureAtom } from '~/atoms/start'
import { retryPeriod } from '~/lib/constants'
import { visibleText } from '~/lib/visible-text'
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
    <div className="grid w-full justify-items-center gap-3 text-center" role="alert">
      <p className="max-h-60 max-w-full overflow-auto font-medium [overflow-wrap:anywhere]">
        <bdi>{visibleText(sentence(failure))}</bdi>
      </p>
      <p className="text-muted">You are still signed in. The console tries again by itself.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => drop('Log in to continue.')}>Log in again</Button>
        <Button onClick={() => enter()}>Try now</Button>
      </div>
    </div>
  )
}
