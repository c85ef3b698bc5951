import { steadyNow } from '~/lib/time'

const uses = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Whatever acts. Releasing a key or pointer only ends what began before, and its click is here. Text
 * that is in a field already (`input`) must be heard of, or it would be lost.
 */
const acts = [
  'keydown',
  'keypress',
  'pointerdown',
  'mousedown',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'beforeinput',
  'paste',
  'cut',
  'drop',
] as const

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
 * computer the first sign of life finds the limit passed: it neither counts as use nor acts.
 *
 * This computer's clock counts a sleep, but someone may set it. The steady one cannot be set, but
 * may stand still during a sleep. Where they disagree about the limit, the server's clock decides:
 * time that two of the three have counted has passed. Without its answer the time counts as passed.
 *
 * The clock of a server in a virtual machine may stand still as well and be put right after the
 * sleep. So what it did not count stays in doubt for as long as the limit, whoever uses the page:
 * once its clock has caught up, the page locks. Until then, and with a server that lies about its
 * clock, only the steady clock locks.
 * @returns what stops watching, and what tells of use elsewhere
 */
export function watchIdle(limit: number, tell: Tell) {
  /** Milliseconds that this computer's clock is ahead of the steady one. */
  const day = () => Date.now() - steadyNow()
  /** By the steady clock, less the sleep that was counted. */
  let lastUse = steadyNow()
  const idle = () => steadyNow() - lastUse
  /** How far the other clocks were ahead when no sleep was left to count. */
  let base = { day: day(), server: tell.ahead() }
  /** Up to where `day` was asked about. */
  let asked = base.day
  let doubtEnd = Number.NEGATIVE_INFINITY
  let isAsking = false
  let isStopped = false
  const lock = () => {
    stop()
    tell.idle()
    return true
  }
  /** Counts a sleep that both other clocks have counted. */
  const countSleep = (server: number | null) => {
    // Set back, a clock may still count a sleep from there.
    base.day = Math.min(base.day, day())
    if (base.server === null || server === null) return
    const slept = Math.max(0, Math.min(day() - base.day, server - base.server))
    lastUse -= slept
    base = { day: base.day + slept, server: base.server + slept }
  }
  /** True when the limit has passed, or when that is being found out. */
  const check = () => {
    if (isAsking) return true
    countSleep(tell.ahead())
    if (idle() >= limit) return lock()
    asked = Math.min(Math.max(asked, base.day), day())
    if (idle() + day() - asked < limit) return false
    if (base.server === null) return lock()
    void ask()
    return true
  }
  const ask = async () => {
    isAsking = true
    const uncover = cover()
    const server = await tell.askAhead()
    isAsking = false
    if (!isStopped) {
      countSleep(server)
      asked = day()
      if (server === null || idle() >= limit) lock()
      else doubtEnd = steadyNow() + limit
    }
    uncover(isStopped)
  }
  const note = () => {
    lastUse = steadyNow()
    if (lastUse < doubtEnd) return
    base = { day: day(), server: tell.ahead() }
    asked = base.day
  }
  const use = () => {
    if (check()) return
    note()
    tell.used()
  }
  const guard = (event: Event) => {
    if (!check()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const timer = setInterval(check, period)
  const stop = () => {
    isStopped = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
    for (const name of acts) window.removeEventListener(name, guard, true)
    for (const name of uses) window.removeEventListener(name, use, true)
  }
  document.addEventListener('visibilitychange', check)
  // Before it counts as use.
  for (const name of acts) window.addEventListener(name, guard, { capture: true, passive: false })
  for (const name of uses) window.addEventListener(name, use, { capture: true, passive: true })
  return {
    stop,
    usedElsewhere: () => {
      if (!check()) note()
    },
  }
}

/**
 * Nothing is seen, and nothing has the focus, until it is known whether the page is locked; typed
 * text stays.
 */
export function cover(): (isLocked: boolean) => void {
  const page = document.documentElement
  const focused = document.activeElement
  if (focused instanceof HTMLElement) focused.blur()
  page.inert = true
  page.style.visibility = 'hidden'
  return (isLocked) => {
    page.inert = false
    page.style.visibility = ''
    if (!isLocked && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
