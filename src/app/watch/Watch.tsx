import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useEffect, useRef, useState } from 'react'
import { joinTabs, type Tabs } from '~/atoms/activity'
import { consentAtom, isCookieBarOpenAtom } from '~/atoms/consent'
import { idleLimitAtom, lockIdleAtom } from '~/atoms/lock'
import { refreshStateAtom, stateAtom } from '~/atoms/state'
import { build } from '~/lib/build'
import { idleDelay, longestIdleWait, revealPause } from '~/lib/constants'
import { needsConsent, optionalScripts, options } from '~/lib/options'
import { pause } from '~/lib/retry'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { partsAtRest } from '~/ui/load-chunk'
import { useConnection } from '../connection'
import { bringScripts } from '../cookies/third-parties'
import { Clock } from './Clock'
import { Expiry } from './Expiry'
import { watchIdle } from './idle'
import { NewBuild } from './NewBuild'
import { Offline } from './Offline'
import { Proofs } from './Proofs'
import { Shortcuts } from './Shortcuts'

const TrustParts = fetchedLater(
  () => import('../trust/TrustParts').then((part) => part.TrustParts),
  'unasked',
)

const CookieBar = fetchedLater(
  () => import('../cookies/CookieBar').then((part) => part.CookieBar),
  'unasked',
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
  useConsentedScripts()
  useLookWhenOffline()
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
      <Shortcuts />
    </>
  )
}

/**
 * Follows the history of the open database, once there is time for it; its alarm stands on top.
 * What it needs is asked for again with every answer of the server if it could not be fetched.
 */
export function TrustWatch() {
  const isIdle = useIdle()
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  if (!isIdle) return null
  return (
    <Boundary fallback={() => null} resetKey={String(dataUpdatedAt)}>
      <Suspense fallback={null}>
        <TrustParts />
      </Suspense>
    </Boundary>
  )
}

/** Whether all parts that the first screen asked for are here, so that there is time for more. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let isGone = false
    // A part that never comes must not keep the others away.
    void Promise.race([atRest(), pause(longestIdleWait)]).then(() => {
      if (!isGone) setIdle(true)
    })
    return () => {
      isGone = true
    }
  }, [])
  return isIdle
}

/** A part that has come may ask for more, but only when it is shown, which React may put off. */
async function atRest(): Promise<void> {
  let before = -1
  for (;;) {
    const asked = await partsAtRest()
    if (asked === before) return
    before = asked
    await idle()
    await pause(revealPause)
  }
}

/** Safari has no idle callbacks. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    typeof requestIdleCallback === 'undefined'
      ? setTimeout(resolve, idleDelay)
      : requestIdleCallback(resolve, { timeout: idleDelay }),
  )
}

/** Tabs share their use, so that one in use keeps the others open, and tell of their build. */
function useTabs(onOtherBuild: () => void) {
  const limit = useAtomValue(idleLimitAtom)
  const lock = useSetAtom(lockIdleAtom)
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
    })
    idle.current = watch
    return () => {
      idle.current = null
      watch.stop()
    }
  }, [limit, lock])
}

/** Without a network the server is asked at once: the next poll may be ten seconds away. */
function useLookWhenOffline() {
  const { isOffline } = useConnection()
  const refresh = useSetAtom(refreshStateAtom)
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
  return (
    <Suspense fallback={null}>
      <CookieBar onClose={() => setClosed(true)} />
    </Suspense>
  )
}
