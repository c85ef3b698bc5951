const uses = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** How often it is looked whether the console is still in use, in milliseconds. */
const period = 5_000

/**
 * Calls back once when nobody has used the page for `limit` milliseconds. After a sleep of the
 * computer the first sign of life finds the limit passed and does not count as use.
 * @returns what stops watching, and what tells of use elsewhere
 */
export function watchIdle(limit: number, tell: { used: () => void; idle: () => void }) {
  let last = Date.now()
  const isOver = () => Date.now() - last >= limit
  const check = () => {
    if (!isOver()) return false
    stop()
    tell.idle()
    return true
  }
  const use = () => {
    if (check()) return
    last = Date.now()
    tell.used()
  }
  const timer = setInterval(check, period)
  const stop = () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
    for (const name of uses) window.removeEventListener(name, use, true)
  }
  document.addEventListener('visibilitychange', check)
  for (const name of uses) window.addEventListener(name, use, { capture: true, passive: true })
  return {
    stop,
    usedElsewhere: () => {
      if (!isOver()) last = Date.now()
    },
  }
}
