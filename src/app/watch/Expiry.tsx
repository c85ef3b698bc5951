import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { expiryAtom, extendSession, steadyExpiryAtom } from '~/core/session/expiry'
import { sentence } from '~/core/session/failure-words'
import { sessionLossAtom } from '~/core/session/session'
import { expiryWarnings } from '~/lib/constants'
import { formatClock, steadyNow } from '~/lib/time'
import { Button } from '~/ui/Button'
import { WarningIcon } from '~/ui/Icon'
import { showToast } from '~/ui/toast'
import { NoticeLine } from './NoticeLine'

// Outside React: time.

/** How often to check how much time is left, in milliseconds. */
const period = 5_000

/** Says so ten minutes and one minute before the session ends, and offers to extend it. */
export function Expiry() {
  const end = useAtomValue(expiryAtom)
  const isLost = useAtomValue(sessionLossAtom) !== null
  const timezone = useAtomValue(timezoneAtom)
  const extend = useAct(extendSession)
  const [isBusy, setBusy] = useState(false)
  const stage = useStage(useAtomValue(steadyExpiryAtom))
  if (end === null || stage === 'far' || isLost) return null
  const stay = () => {
    setBusy(true)
    extend()
      .catch((error: unknown) =>
        showToast({ kind: 'error', text: `The session was not extended. ${sentence(error)}` }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <NoticeLine
      action={
        stage !== 'over' && (
          <Button busy={isBusy} onClick={stay} size="small">
            Stay signed in
          </Button>
        )
      }
      icon={<WarningIcon />}
      isUrgent
    >
      {words[stage]} {stage !== 'over' && `It ends at ${formatClock(end, timezone)}.`}
    </NoticeLine>
  )
}

const words: Record<Exclude<ExpiryStage, 'far'>, string> = {
  soon: 'Your session ends in less than ten minutes.',
  now: 'Your session ends in less than a minute.',
  over: 'Your session has ended. You will be asked to log in; your work is kept.',
}

/** Time passes outside of React, also while the computer sleeps. */
function useStage(end: number | null): ExpiryStage {
  const [stage, setStage] = useState<ExpiryStage>('far')
  useEffect(() => {
    const look = () => setStage(end === null ? 'far' : expiryStage(end - steadyNow()))
    look()
    const timer = setInterval(look, period)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [end])
  return stage
}

/** How near the end of a session is: not worth a word, ten minutes, one minute, past. */
type ExpiryStage = 'far' | 'soon' | 'now' | 'over'

/** The stage for so many milliseconds that are left. */
export function expiryStage(left: number): ExpiryStage {
  const [soon, now] = expiryWarnings
  if (left <= 0) return 'over'
  if (left <= now) return 'now'
  return left <= soon ? 'soon' : 'far'
}
