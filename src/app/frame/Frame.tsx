import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useAct } from '~/core/act'
import { chooseSidebar, sidebarAtom } from '~/core/page-view'
import { loadingAtom } from '~/core/session/calls-under-way'
import { knownAsAtom, reportedVersionAtom } from '~/core/session/server-version'
import { callCountAtom, modeAtom } from '~/core/session/session'
import { pollPeriodAtom } from '~/core/settings'
import { build } from '~/lib/build'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Boundary } from '~/ui/Boundary'
import { cx } from '~/ui/cx'
import { Progress } from '~/ui/Progress'
import { Sheet } from '~/ui/Sheet'
import { useOneColumn } from '~/ui/use-narrow'
import { useConnection } from '../connection'
import { DroppedFiles } from '../DroppedFiles'
import { TrustWatch, Watch } from '../watch/Watch'
import { Navigation } from './Navigation'
import { Banner, ModeBar, Notices } from './Notices'
import { TopBar } from './TopBar'

/** Navigation, top bar, content and footer around every screen. */
export function Frame({ children }: { children: ReactNode }) {
  const isOneColumn = useOneColumn()
  const mode = useAtomValue(modeAtom)
  const sidebar = useAtomValue(sidebarAtom)
  const setSidebar = useAct(chooseSidebar)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const toggle = () =>
    isOneColumn ? setSheetOpen(true) : setSidebar({ collapsed: !sidebar.collapsed })
  return (
    <div className="flex h-full flex-col short:overflow-y-auto">
      <a
        className="sr-only focus:not-sr-only focus:absolute focus:z-header focus:p-2"
        href="#content"
      >
        Skip to the content
      </a>
      {mode !== 'login' && <ModeBar mode={mode} />}
      <TopBar
        isNavigationShown={isOneColumn ? isSheetOpen : !sidebar.collapsed}
        onNavigation={toggle}
      />
      {/* Room for messages that would cover a control anywhere else. */}
      <div className="h-(--toast-room) shrink-0 transition-[height] duration-300" />
      <Boundary fallback={() => null}>
        <TrustWatch />
      </Boundary>
      <div className="flex min-h-0 grow short:h-full short:shrink-0">
        {!isOneColumn && !sidebar.collapsed && (
          <Navigation isMini={sidebar.mini} onMini={(mini) => setSidebar({ mini })} />
        )}
        <main
          className="relative min-w-0 grow overflow-auto outline-none"
          id="content"
          tabIndex={-1}
        >
          <Busy />
          {/* Screens that fill their place need some; a lower window scrolls them. */}
          <div className="h-full min-h-112">{children}</div>
        </main>
      </div>
      {/* Below the content, so that nothing moves under the pointer when one of them comes. */}
      <Banner />
      <Notices />
      <Boundary fallback={() => null}>
        <Watch />
      </Boundary>
      <DroppedFiles />
      <Footer />
      {isOneColumn && isSheetOpen && (
        <Sheet onClose={() => setSheetOpen(false)} open title="immudb webconsole">
          <Navigation isMini={false} onPick={() => setSheetOpen(false)} />
        </Sheet>
      )}
    </div>
  )
}

/** The bar along the top while the server is being asked; quick answers do not show it. */
export function Busy() {
  const labels = useAtomValue(loadingAtom)
  return <Progress active={labels.length > 0} label="Waiting for the server" />
}

const words = { up: 'Connected', unsure: 'Checking…', away: 'Not connected' }
const dots = { up: 'bg-info', unsure: 'bg-field', away: 'bg-warning' }

/** Product, versions, licence, and how many calls this tab has made. */
export function Footer() {
  const version = useAtomValue(reportedVersionAtom)
  const { like } = useAtomValue(knownAsAtom)
  const calls = useAtomValue(callCountAtom)
  const { standing } = useConnection()
  const isPolled = useAtomValue(pollPeriodAtom) !== false
  const server = version.length > 1 ? `immudb ${visibleText(version)}` : 'immudb'
  const isIdle = standing === 'up' && !isPolled
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 overflow-hidden whitespace-nowrap border-line border-t bg-panel px-3 text-muted text-xs">
      <span>
        {server}
        {like !== null && `, used like ${like}`}
      </span>
      <span title={`Build ${build.commit}`}>webconsole {build.version}</span>
      <span className="hidden xs:inline">Apache-2.0</span>
      <span className="ms-auto" title="Calls of this tab since it was opened">
        {counted(calls, 'call')}
      </span>
      <span className={cx('flex items-center gap-1.5', standing === 'away' && 'text-warning')}>
        <span
          aria-hidden="true"
          className={cx('size-2 rounded-full', isIdle ? 'bg-muted' : dots[standing])}
        />
        {isIdle ? 'Polling is off' : words[standing]}
      </span>
    </footer>
  )
}
