import { steadyNow } from '~/lib/time'

const uses = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** How often to check whether the console is still in use, in milliseconds. */
const period = 5_000

type Tell = {
  used(): void
  /** Once, when the limit has passed. */
  idle(): void
  /** Milliseconds that the server's clock is ahead of `steadyNow` by its last answer; null if unknown. */
  ahead(): number | null
  /** The same by an answer of this moment; null when none comes soon. Never rejects. */
  askAhead(): Promise<number | null>
}

/**
 * Calls back once when nobody has used the page for `limit` milliseconds. After a sleep of the
 * computer the first sign of life finds the limit passed and does not count as use.
 *
 * This computer's clock counts a sleep, but someone may set it. The steady one cannot be set, but
 * may stand still during a sleep. Where they disagree about the limit, the server's clock decides:
 * time that two of the three have counted has passed. Without its answer the time counts as passed.
 * @returns what stops watching, and what tells of use elsewhere
 */
export function watchIdle(limit: number, tell: Tell) {
  const now = () => ({ clock: Date.now(), steady: steadyNow(), ahead: tell.ahead() })
  let last = now()
  let isAsking = false
  let isStopped = false
  const lock = () => {
    stop()
    tell.idle()
    return true
  }
  /** True when the limit has passed, or when that is being found out. */
  const check = () => {
    if (isAsking) return true
    if (steadyNow() - last.steady >= limit) return lock()
    if (Date.now() - last.clock < limit) return false
    if (last.ahead === null) return lock()
    void ask(last.ahead)
    return true
  }
  const ask = async (before: number) => {
    isAsking = true
    const uncover = cover()
    const ahead = await tell.askAhead()
    isAsking = false
    if (!isStopped) {
      const steady = steadyNow() - last.steady
      const slept = ahead === null ? Number.POSITIVE_INFINITY : ahead - before
      const idle = Math.max(steady, Math.min(Date.now() - last.clock, steady + slept))
      if (idle >= limit) lock()
      else last = { clock: Date.now() - idle, steady: steadyNow() - idle, ahead }
    }
    uncover()
  }
  const use = () => {
    if (check()) return
    last = now()
    tell.used()
  }
  const timer = setInterval(check, period)
  const stop = () => {
    isStopped = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
    for (const name of uses) window.removeEventListener(name, use, true)
  }
  document.addEventListener('visibilitychange', check)
  for (const name of uses) window.addEventListener(name, use, { capture: true, passive: true })
  return {
    stop,
    usedElsewhere: () => {
      if (!check()) last = now()
    },
  }
}

/** Nothing is seen or pressed until it is known whether the page is locked; typed text stays. */
function cover(): () => void {
  const page = document.documentElement
  const focused = document.activeElement
  page.inert = true
  page.style.visibility = 'hidden'
  return () => {
    page.inert = false
    page.style.visibility = ''
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
