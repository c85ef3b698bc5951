import type { CDPSession } from 'playwright-core'

/** Bytes of the page's heap after a collection. */
export async function collected(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return used(session)
}

async function used(session: CDPSession): Promise<number> {
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

/** The largest heap seen until something ends. */
export async function peakUntil(session: CDPSession, end: Promise<void>): Promise<number> {
  let isOver = false
  const ended = end.finally(() => {
    isOver = true
  })
  let peak = 0
  while (!isOver) {
    peak = Math.max(peak, await used(session))
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 250))])
  }
  await ended
  return peak
}
