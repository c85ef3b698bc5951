import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { sessionLossAtom } from '~/atoms/session'
import { type Phase, phaseAtom } from '~/atoms/start'
import {
  splashDuration,
  splashLogoHeight,
  splashProviderHeight,
  splashSpinnerSize,
} from '~/lib/constants'
import { messages } from '~/lib/messages'
import { Logo } from '~/ui/Logo'
import { Mascot } from '~/ui/Mascot'
import { ProviderMark } from '~/ui/ProviderMark'
import { Spinner } from '~/ui/Spinner'
import { LoginCard } from './LoginCard'
import { Unreachable } from './Unreachable'

/**
 * Covers everything until somebody is signed in and the console is ready. A start with a token is
 * over as soon as all is ready; after `duration` milliseconds it says what it still waits for.
 */
export function Splash({ duration = splashDuration }: { duration?: number }) {
  const phase = useAtomValue(phaseAtom)
  const isLost = useAtomValue(sessionLossAtom) !== null
  return (
    <div
      aria-label="immudb webconsole"
      aria-modal="true"
      className="pointer-events-auto fixed inset-0 z-splash overflow-auto bg-page"
      role="dialog"
    >
      <div className="mx-auto flex min-h-full w-full max-w-[420px] flex-col items-center gap-4 px-4 py-6">
        <Mascot />
        <Logo height={splashLogoHeight} />
        <div className="flex w-full grow flex-col items-center">
          <Content duration={duration} phase={isLost ? 'signed-out' : phase} />
        </div>
        <ProviderMark height={splashProviderHeight} />
      </div>
    </div>
  )
}

function Content({ phase, duration }: { phase: Phase; duration: number }) {
  if (phase === 'signed-out') return <LoginCard />
  if (phase === 'unreachable') return <Unreachable />
  return <Loading duration={duration} />
}

function Loading({ duration }: { duration: number }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), duration)
    return () => clearTimeout(timer)
  }, [duration])
  return (
    <div className="grid justify-items-center gap-4">
      <Spinner label={messages.loading} size={splashSpinnerSize} />
      <p className="min-h-5 text-muted" role="status">
        {isLate && 'Waiting for the server…'}
      </p>
    </div>
  )
}
