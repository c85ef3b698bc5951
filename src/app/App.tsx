import { Provider, useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { themeChoiceAtom } from '~/core/page-view'
import { phaseAtom, sessionLossAtom } from '~/core/session/session'
import { sharedArea } from '~/lib/storage-areas'
import { Boundary } from '~/ui/Boundary'
import { portalContainerId } from '~/ui/portal-container'
import { ErrorPage } from './ErrorPage'
import type { Identities } from './identity'
import { Console, startBehindLogin } from './page-start'
import { Splash } from './splash/Splash'
import { followTheme, paintTheme, type ThemeChoice } from './theme'

// Outside React: the document's theme.

/**
 * The splash with the login form, and under it the console. A lost session brings the splash back
 * over a console that stays mounted, so that nothing typed or fetched is lost.
 */
export function App({ mount }: { mount: string }) {
  const phase = useAtomValue(phaseAtom)
  const isLost = useAtomValue(sessionLossAtom) !== null
  const [isShown, setShown] = useState(false)
  useTheme()
  const isEntering = phase === 'entering'
  useEffect(() => {
    if (isEntering) startBehindLogin()
  }, [isEntering])
  const isOpen = phase === 'ready' && !isLost
  const isCovered = !isOpen || !isShown
  // The same element each time: nothing behind the login is drawn again because it is uncovered.
  const behind = useMemo(() => <Console mount={mount} onReady={() => setShown(true)} />, [mount])
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
            {behind}
          </Boundary>
          <div id={portalContainerId} />
        </div>
      )}
      {isCovered && <Splash />}
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
    if (isRestored) return followTheme(choice, applyTheme)
  }, [choice, isRestored])
}

/** Everything below belongs to one identity and is thrown away with it. */
export function Root({ identities, mount }: { identities: Identities; mount: string }) {
  const identity = useSyncExternalStore(identities.subscribe, identities.present)
  return (
    <Provider key={identity.number} store={identity.store}>
      <App mount={mount} />
    </Provider>
  )
}

/** `static/theme.js` reads the same key before the first paint. */
const storageKey = 'webconsole-theme'

/** Paints a theme and mirrors the choice to where the next page load finds it before painting. */
export function applyTheme(choice: ThemeChoice): void {
  paintTheme(choice)
  sharedArea.write(storageKey, choice)
}
