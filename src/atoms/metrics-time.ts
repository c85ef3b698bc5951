import { atom } from 'jotai'
import { metricsDelay } from '~/lib/constants'
import { pause } from '~/lib/retry'

const shownAtom = atom(
  () => ({ since: 0 }),
  (get) => {
    get(shownAtom).since = performance.now()
  },
)
shownAtom.onMount = (note) => note()

/**
 * Waits until metrics may be asked for: a few seconds after the first screen looked at them, and
 * while somebody can see this tab. The function stays the same, because a query whose options
 * change starts its request anew.
 */
export const metricsTimeAtom = atom((get) => {
  const shown = get(shownAtom)
  return async (signal: AbortSignal) => {
    const left = shown.since + metricsDelay - performance.now()
    if (left > 0) await pause(left, signal)
    await seen(signal)
  }
})

function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (document.visibilityState === 'hidden' && !signal.aborted) return
      window.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    window.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}
