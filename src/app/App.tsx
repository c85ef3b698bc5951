import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useRef, useState } from 'react'
import { sessionLossAtom } from '~/atoms/session'
import { phaseAtom } from '~/atoms/start'
import { themeChoiceAtom } from '~/atoms/view'
import { appSplashDuration } from '~/lib/constants'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { overlayRoomId } from '~/ui/overlay-room'
import { followTheme } from '~/ui/theme'
import { ErrorPage } from './ErrorPage'
import { Splash } from './splash/Splash'

const Console = fetchedLater(() => import('./Console').then((module) => module.default))

/**
 * The splash with the login form, and under it the console. A lost session brings the splash back
 * over a console that stays mounted, so that nothing typed or fetched is lost.
 */
export function App({ mount }: { mount: string }) {
  const phase = useAtomValue(phaseAtom)
  const isLost = useAtomValue(sessionLossAtom) !== null
  const [isShown, setShown] = useState(false)
  useTheme()
  const isOpen = phase === 'ready' && !isLost
  const isCovered = !isOpen || !isShown
  const lastFocus = useRef<HTMLElement | null>(null)
  useEffect(() => {
    // The same place as before a session was lost, or the content after a login.
    if (!isCovered) focusAgain(lastFocus.current)
  }, [isCovered])
  return (
    <>
      {phase === 'ready' && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers what had the focus.
        <div
          className={isCovered ? 'invisible h-full' : 'h-full'}
          inert={isCovered}
          onFocus={(event) => {
            lastFocus.current = event.target
          }}
        >
          <Boundary
            fallback={(error, retry) => (
              <ConsoleFailed error={error} onRetry={retry} onShown={() => setShown(true)} />
            )}
          >
            <Suspense fallback={null}>
              <Console mount={mount} onReady={() => setShown(true)} />
            </Suspense>
          </Boundary>
          <div id={overlayRoomId} />
        </div>
      )}
      {isCovered && <Splash duration={appSplashDuration} />}
    </>
  )
}

/** The last place; else what the address names, if it takes the focus, or the content. */
function focusAgain(last: HTMLElement | null) {
  const named = document.getElementById(window.location.hash.slice(1))
  const places = last?.isConnected ? [last] : [named, document.getElementById('content')]
  for (const place of places) {
    place?.focus({ preventScroll: true })
    if (place !== null && place === document.activeElement) return
  }
}

type Failed = { error: unknown; onRetry: () => void; onShown: () => void }

/** The splash would hide this page for ever, so it says that there is something to see. */
function ConsoleFailed({ error, onRetry, onShown }: Failed) {
  useEffect(onShown, [onShown])
  return <ErrorPage error={error} message="The console could not be shown." onRetry={onRetry} />
}

/** The document's theme lives outside of React. */
function useTheme() {
  const choice = useAtomValue(themeChoiceAtom)
  const isRestored = useAtomValue(phaseAtom) !== 'restoring'
  useEffect(() => {
    // Before storage is read the default would paint over what the page found for itself.
    if (isRestored) return followTheme(choice)
  }, [choice, isRestored])
}
