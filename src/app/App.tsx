import { useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionLossAtom } from '~/atoms/session'
import { phaseAtom } from '~/atoms/start'
import { themeAtom } from '~/atoms/view'
import { appSplashDuration } from '~/lib/constants'
import { loadOrReload } from '~/ui/load-chunk'
import { applyTheme } from '~/ui/theme'
import { Boundary } from './Boundary'
import { Splash } from './splash/Splash'

const Console = lazy(() => loadOrReload(() => import('./Console')))

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
  return (
    <>
      {phase === 'ready' && (
        <div className={isCovered ? 'invisible h-full' : 'h-full'} inert={isCovered}>
          <Boundary what="The console">
            <Suspense fallback={null}>
              <Console mount={mount} onReady={() => setShown(true)} />
            </Suspense>
          </Boundary>
        </div>
      )}
      {isCovered && <Splash duration={appSplashDuration} />}
    </>
  )
}

/** The document's theme lives outside of React. */
function useTheme() {
  const theme = useAtomValue(themeAtom)
  const isRestored = useAtomValue(phaseAtom) !== 'restoring'
  useEffect(() => {
    // Before storage is read the default would paint over what the page found for itself.
    if (isRestored) applyTheme(theme)
  }, [theme, isRestored])
}
