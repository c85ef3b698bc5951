import { useAtomValue } from 'jotai'
import { type ComponentType, useEffect, useState } from 'react'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { type Phase, phaseAtom, sessionLossAtom } from '~/core/session/session'
import { dropToken } from '~/core/session/session-end'
import { enterFailureAtom, enterSession } from '~/core/session/session-start'
import {
  appSplashDuration,
  retryPeriod,
  splashLogoHeight,
  splashProviderHeight,
  splashSpinnerSize,
} from '~/lib/constants'
import { messages } from '~/lib/shared-sentences'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Logo } from '~/ui/Logo'
import { loadQuietly } from '~/ui/lazy-with-retry'
import { Mascot } from '~/ui/Mascot'
import { Spinner } from '~/ui/Spinner'
import { isEvidenceAddress } from '../page-start'
import { LoginCard } from './LoginCard'

// Outside React: time and the address.

/**
 * Covers everything until a user is logged in and the console is ready. A start with a token is
 * over as soon as all is ready; after 1.2 seconds it says what it still waits for.
 */
export function Splash() {
  const phase = useAtomValue(phaseAtom)
  const isLost = useAtomValue(sessionLossAtom) !== null
  const mayCheck = !isLost && (phase === 'signed-out' || phase === 'unreachable')
  const evidence = useEvidence(mayCheck)
  if (evidence.Page && mayCheck) return <evidence.Page onLeave={evidence.leave} />
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
          <Content phase={isLost ? 'signed-out' : evidence.isOpening ? 'entering' : phase} />
          {mayCheck && !evidence.isOpening && (
            <EvidenceLink hasFailed={evidence.hasFailed} onOpen={evidence.open} />
          )}
        </div>
        <ProviderMark height={splashProviderHeight} />
      </div>
    </div>
  )
}

type EvidencePage = ComponentType<{ onLeave: () => void }>

const loadEvidence = () =>
  loadQuietly(() => import('~/screens/verify/evidence/EvidencePane')).then(
    (part) => part.EvidencePage,
  )

/** The page for evidence files, which needs no login; also where the address asks for it. */
function useEvidence(mayCheck: boolean) {
  const [Page, setPage] = useState<EvidencePage | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [isWanted, setWanted] = useState(isEvidenceAddress)
  useEffect(() => {
    if (!isWanted || !mayCheck) return
    loadEvidence().then(
      (found) => setPage(() => found),
      () => {
        setFailed(true)
        setWanted(false)
      },
    )
  }, [isWanted, mayCheck])
  return {
    Page: isWanted ? Page : null,
    isOpening: isWanted && mayCheck && Page === null,
    hasFailed,
    open: () => {
      setFailed(false)
      setWanted(true)
    },
    leave: () => setWanted(false),
  }
}

function EvidenceLink({ hasFailed, onOpen }: { hasFailed: boolean; onOpen: () => void }) {
  return (
    <div className="mt-4 text-center">
      <button
        className="min-h-11 text-muted underline hover:text-text xs:min-h-0"
        onClick={onOpen}
        onFocus={() => void loadEvidence().catch(() => {})}
        onMouseEnter={() => void loadEvidence().catch(() => {})}
        type="button"
      >
        Check an evidence file
      </button>
      {hasFailed && (
        <p className="text-error" role="alert">
          This part could not be loaded. The server may be away.
        </p>
      )}
    </div>
  )
}

function Content({ phase }: { phase: Phase }) {
  if (phase === 'signed-out') return <LoginCard />
  if (phase === 'unreachable') return <Unreachable />
  return <Loading />
}

function Loading() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), appSplashDuration)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid justify-items-center gap-4">
      <Spinner label={messages.loading} size={splashSpinnerSize} />
      <p className="min-h-5 text-muted" role="status">
        {isLate && 'Waiting for the server…'}
      </p>
    </div>
  )
}

/** The session could not be opened, for instance because the server is away; tries again by itself. */
function Unreachable() {
  const enter = useAct(enterSession)
  const drop = useAct(dropToken)
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
      <p className="text-muted">You are still logged in. The console tries again by itself.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => drop({ text: 'Log in to continue.' })}>Log in again</Button>
        <Button onClick={() => enter()}>Try now</Button>
      </div>
    </div>
  )
}

/** Turns of one ellipse, in degrees; together they draw a rosette like that of a share or a seal. */
const turns = Array.from({ length: 9 }, (_, index) => index * 20)

/** A neutral mark for the provider of the server: a seal in line work. */
function ProviderMark({ height = 64 }: { height?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="text-muted"
      fill="none"
      height={height}
      stroke="currentColor"
      strokeWidth="0.6"
      viewBox="0 0 64 64"
      width={height}
    >
      {turns.map((turn) => (
        <ellipse
          cx="32"
          cy="32"
          key={turn}
          opacity="0.75"
          rx="29"
          ry="13"
          transform={`rotate(${turn} 32 32)`}
        />
      ))}
      <circle cx="32" cy="32" r="31" />
      <circle cx="32" cy="32" fill="var(--page)" r="10" strokeWidth="1.2" />
      <path
        d="m27.6 32.4 3 3 5.8-6.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="1.8"
      />
    </svg>
  )
}
