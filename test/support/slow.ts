import type { Page } from 'playwright-core'

/**
 * The part that a run slows down to reveal races: `page` gives it a fifth of a processor, `hand`
 * pauses before each step of the test, `server` lets the database run every other 100 ms only.
 * Named by the environment (`SLOW=page npm run e2e`); nothing is slowed without it.
 */
export const slow = process.env.SLOW as 'page' | 'hand' | 'server' | undefined

/** Limits of time are this much longer in a slow run. */
export const patience = slow ? 3 : 1

/** Milliseconds before each step of a test. */
export const slowHand = slow === 'hand' ? 120 : 0

/** Slows the scripts of a page that has just been opened. */
export async function slowDown(page: Page): Promise<void> {
  if (slow !== 'page') return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 5 })
}

/** Lets a process run every other 100 ms only, until it ends or the returned function is called. */
export function falter(kill: (signal: 'SIGSTOP' | 'SIGCONT') => void): () => void {
  if (slow !== 'server') return () => undefined
  let isStopped = false
  const timer = setInterval(() => {
    isStopped = !isStopped
    kill(isStopped ? 'SIGSTOP' : 'SIGCONT')
  }, 100)
  return () => {
    clearInterval(timer)
    kill('SIGCONT')
  }
}
