import { idleDelay, longestIdleWait, revealPause } from '~/lib/constants'
import { pause } from '~/lib/retry'
import { partsAtRest } from '~/ui/lazy-with-retry'

/**
 * Resolves once all parts that the first screen asked for are here, so that there is time for more.
 * A part that never comes must not keep the others away.
 */
export function whenAtRest(): Promise<unknown> {
  return Promise.race([atRest(), pause(longestIdleWait)])
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
