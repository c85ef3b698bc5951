import { useAtom, useAtomValue, useStore } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { keptSessionAtom } from '~/atoms/documents/session'
import { consentAtom, isCookieBarOpenAtom } from '~/atoms/settings/consent'
import { useAct } from '~/core/act'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { refreshState, stateAtom } from '~/core/history/newest-state'
import { followMissedLogout } from '~/core/session/missed-logout'
import { askServerAhead, readServerAhead } from '~/core/session/server-clock'
import { clockOffsetAtom, sessionAtom } from '~/core/session/session'
import { idleLimitAtom, lockIdle } from '~/core/session/session-end'
import { joinTabs, type Tabs } from '~/core/session/tab-messages'
import { areSingleKeysOnAtom, isShortcutListOpenAtom } from '~/core/settings'
import { build, needsConsent, optionalScripts, options } from '~/lib/build'
import { clockSkewLimit } from '~/lib/constants'
import { formatSpan } from '~/lib/time'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { Grid } from '~/ui/Grid'
import { CloseIcon, InfoIcon, OfflineIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useShortcut } from '~/ui/use-shortcut'
import { useConnection } from '../connection'
import { allowScripts } from '../policy'
import { Expiry } from './Expiry'
import { cover, watchIdle } from './idle'
import { Limits } from './Limits'
import { NoticeLine } from './NoticeLine'
import { Proofs } from './Proofs'
import { whenAtRest } from './rest'
import { ShortcutList } from './ShortcutList'

// Outside React: use of the page, the network, other tabs and scripts of others.

const TrustParts = lazyWithRetry(
  async () => {
    // Most other screens show rows. There is time now, and they wait for one script less.
    void Grid.prepare()
    return (await import('../trust/TrustParts')).TrustParts
  },
  { isUnasked: true },
)

const CookieBar = lazyWithRetry(
  () => import('~/screens/settings/CookieBar').then((part) => part.CookieBar),
  { isUnasked: true },
)

/** Told apart by the address of this very script, which changes with every build. */
const ownBuild = `${build.version} ${build.commit} ${new URL(import.meta.url).pathname}`

/**
 * What the console keeps an eye on whatever the screen: use and idleness, the end of the session,
 * the network, clocks, other builds, cookies. Fetched after the first screen.
 */
export function Watch() {
  const [isOld, setOld] = useState(false)
  useTabs(() => setOld(true))
  useReturn()
  useConsentedScripts()
  useLookWhenOffline()
  useAtomValue(keptSessionAtom)
  return (
    <>
      <div aria-live="polite">
        <Offline />
        <Clock />
        <Expiry />
        {isOld && <NewBuild />}
      </div>
      <Cookies />
      <Proofs />
      <Limits />
      <Shortcuts />
    </>
  )
}

/**
 * What was found out about histories, once there is time for it; an alarm stands on top. What it
 * needs is asked for again with every answer of the server if it could not be fetched.
 */
export function TrustWatch() {
  const isIdle = useIdle()
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  if (!isIdle) return null
  return (
    <Boundary fallback={() => null} resetKey={String(dataUpdatedAt)}>
      <TrustParts />
    </Boundary>
  )
}

/** Whether there is time for what the first screen does not need. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let isGone = false
    void whenAtRest().then(() => {
      if (!isGone) setIdle(true)
    })
    return () => {
      isGone = true
    }
  }, [])
  return isIdle
}

/** Tabs share their use, so that one in use keeps the others open, and tell of their build. */
function useTabs(onOtherBuild: () => void) {
  const limit = useAtomValue(idleLimitAtom)
  const lock = useAct(lockIdle)
  const ahead = useAct(readServerAhead)
  const askAhead = useAct(askServerAhead)
  const tabs = useRef<Tabs>(null)
  const idle = useRef<ReturnType<typeof watchIdle>>(null)
  const told = useRef(onOtherBuild)
  useEffect(() => {
    const joined = joinTabs((news) => {
      if (news.kind === 'used') idle.current?.usedElsewhere()
      else if (news.build !== ownBuild) told.current()
    })
    tabs.current = joined
    joined.opened(ownBuild)
    return () => joined.close()
  }, [])
  useEffect(() => {
    if (limit === null) return
    const watch = watchIdle(limit, {
      used: () => tabs.current?.used(),
      idle: () => lock(),
      ahead,
      askAhead,
    })
    idle.current = watch
    return () => {
      idle.current = null
      watch.stop()
    }
  }, [limit, lock, ahead, askAhead])
}

/**
 * A page that the browser kept for “back” did not hear other tabs meanwhile. It shows nothing before
 * it knows of log-outs, and reads again what it compares with.
 */
function useReturn() {
  const store = useStore()
  useEffect(() => {
    const back = async ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      const uncover = cover()
      await followMissedLogout(store)
      const isOver = store.get(sessionAtom) === null
      uncover(isOver)
      if (isOver) return
      store.get(trustedStatesAtom).catchUp()
      void refreshState(store)
    }
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [store])
}

/** Without a network the server is asked at once: the next poll may be ten seconds away. */
function useLookWhenOffline() {
  const { isOffline } = useConnection()
  const refresh = useAct(refreshState)
  useEffect(() => {
    if (isOffline) void refresh()
  }, [isOffline, refresh])
}

/** Scripts of others are loaded only after consent to the optional category. */
function useConsentedScripts() {
  const isAllowed = useAtomValue(consentAtom)?.has('optional') ?? false
  useEffect(() => {
    if (isAllowed) bringScripts(optionalScripts(options))
  }, [isAllowed])
}

function Cookies() {
  const consent = useAtomValue(consentAtom)
  const isOpen = useAtomValue(isCookieBarOpenAtom)
  const [isClosed, setClosed] = useState(false)
  const isAsked = needsConsent(options) && consent === null && !isClosed
  if (!isOpen && !isAsked) return null
  return <CookieBar onClose={() => setClosed(true)} runsOthers={hasBrought} />
}

/** The clocks of this computer and of the server differ by more than a proxy could explain. */
function Clock() {
  const offset = useAtomValue(clockOffsetAtom)
  const [isClosed, setClosed] = useState(false)
  if (isClosed || Math.abs(offset) <= clockSkewLimit) return null
  const way = offset > 0 ? 'behind' : 'ahead of'
  return (
    <NoticeLine
      action={
        <IconButton
          icon={<CloseIcon />}
          label="Close the notice about the clock"
          onClick={() => setClosed(true)}
          size="small"
        />
      }
      icon={<WarningIcon />}
    >
      The clock of this computer is {formatSpan(Math.abs(offset))} {way} the server’s. Times that
      the server wrote are shown as it wrote them; your session goes by the server’s clock.
    </NoticeLine>
  )
}

/** What to do first about drafts that are stored nowhere, by their kind. */
const reasons = {
  sql: 'Your draft could not be stored; copy it first.',
  keys: 'A value typed on the screen Keys could not be stored; save or discard it first.',
  operations: 'Operations on the screen Keys could not be stored; send or discard them first.',
  rows: 'Staged edits of a table could not be stored; commit or discard them first.',
  documents: 'A document that you write could not be stored; save or discard it first.',
  tables: 'A new table that you typed could not be stored; create or cancel it first.',
  collections: 'A new collection that you typed could not be stored; create or cancel it first.',
}

/** Another tab was opened with another build, so the server was upgraded under this one. */
export function NewBuild() {
  const atRisk = useAtomValue(draftsAtRiskAtom)
  const [reason] = Object.entries(reasons).flatMap(([kind, why]) => (atRisk.has(kind) ? [why] : []))
  return (
    <NoticeLine
      action={
        <Button disabledReason={reason} onClick={() => window.location.reload()} size="small">
          Reload
        </Button>
      }
      icon={<InfoIcon />}
    >
      There is a new version of the console. Reload this tab when it suits you; drafts are kept.
    </NoticeLine>
  )
}

const words = {
  away: 'The console reconnects on its own.',
  unsure: 'Checking whether the server still answers…',
  up: 'The server still answers.',
}

/** The computer has no network, which need not mean that the server is away. */
function Offline() {
  const { standing, isOffline } = useConnection()
  if (!isOffline) return null
  return (
    <NoticeLine icon={<OfflineIcon />} isUrgent={standing === 'away'}>
      This computer is offline. {words[standing]}
    </NoticeLine>
  )
}

/** Opens the list of shortcuts by its key; menus and Settings open it too. */
export function Shortcuts() {
  const [isOpen, setOpen] = useAtom(isShortcutListOpenAtom)
  const isOn = useAtomValue(areSingleKeysOnAtom)
  useShortcut('everywhere', 'help', () => setOpen(true), { isOn })
  if (!isOpen) return null
  return <ShortcutList onClose={() => setOpen(false)} />
}

const brought = new Set<string>()

/** Adds scripts of others to the page, each once; only after consent. */
export function bringScripts(urls: readonly string[]): void {
  const wanted = urls.filter((url) => !brought.has(url))
  allowScripts(wanted)
  for (const url of wanted) {
    brought.add(url)
    const script = document.createElement('script')
    script.async = true
    script.src = url
    document.head.append(script)
  }
}

/** Whether any was added; only a reload ends one that runs. */
export function hasBrought(): boolean {
  return brought.size > 0
}
