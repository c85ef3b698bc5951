import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, Suspense, useState } from 'react'
import { modeAtom } from '~/atoms/session'
import { setSidebarAtom, sidebarAtom } from '~/atoms/view'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { useNarrow } from '~/ui/use-narrow'
import { Banner } from './Banner'
import { Busy } from './Busy'
import { Footer } from './Footer'
import { Navigation } from './Navigation'
import { Notices } from './Notices'
import { TopBar } from './TopBar'

const Sheet = fetchedLater(() => import('~/ui/Sheet').then((module) => module.Sheet))

const ModeBar = fetchedLater(() => import('./ModeBar').then((module) => module.ModeBar))

const Watch = fetchedLater(() => import('../watch/Watch').then((module) => module.Watch))

const TrustWatch = fetchedLater(() => import('../watch/Watch').then((module) => module.TrustWatch))

/** Navigation, top bar, content and footer around every screen. */
export function Frame({ children }: { children: ReactNode }) {
  const isNarrow = useNarrow()
  const mode = useAtomValue(modeAtom)
  const sidebar = useAtomValue(sidebarAtom)
  const setSidebar = useSetAtom(setSidebarAtom)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const toggle = () =>
    isNarrow ? setSheetOpen(true) : setSidebar({ collapsed: !sidebar.collapsed })
  return (
    <div className="flex h-full flex-col">
      <Busy />
      <a
        className="sr-only focus:not-sr-only focus:absolute focus:z-header focus:p-2"
        href="#content"
      >
        Skip to the content
      </a>
      {mode !== 'login' && (
        <Suspense fallback={null}>
          <ModeBar mode={mode} />
        </Suspense>
      )}
      <TopBar
        isNavigationShown={isNarrow ? isSheetOpen : !sidebar.collapsed}
        onNavigation={toggle}
      />
      {/* Room for messages that would cover a control anywhere else. */}
      <div className="h-(--toast-room) shrink-0 transition-[height] duration-300" />
      <Boundary fallback={() => null}>
        <Suspense fallback={null}>
          <TrustWatch />
        </Suspense>
      </Boundary>
      <div className="flex min-h-0 grow">
        {!isNarrow && !sidebar.collapsed && (
          <Navigation isMini={sidebar.mini} onMini={(mini) => setSidebar({ mini })} />
        )}
        <main
          className="relative min-w-0 grow overflow-auto outline-none"
          id="content"
          tabIndex={-1}
        >
          {children}
        </main>
      </div>
      {/* Below the content, so that nothing moves under the pointer when one of them comes. */}
      <Banner />
      <Notices />
      <Boundary fallback={() => null}>
        <Suspense fallback={null}>
          <Watch />
        </Suspense>
      </Boundary>
      <Footer />
      {isNarrow && isSheetOpen && (
        <Suspense fallback={null}>
          <Sheet onClose={() => setSheetOpen(false)} open title="immudb webconsole">
            <Navigation isMini={false} onPick={() => setSheetOpen(false)} />
          </Sheet>
        </Suspense>
      )}
    </div>
  )
}
