import type { Page } from 'playwright-core'

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/** Other work on the same processor slows runs down; the fastest run is the most telling. */
const runs = 3

/**
 * The longest that the main threads of the browser's pages were at work without a pause while
 * something was done, in milliseconds of their own processor time: a machine that is busy with
 * other things hardly makes it longer. It is done three times, and the calmest counts.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  let calmest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) calmest = Math.min(calmest, await longestOnce(page, work))
  return calmest
}

async function longestOnce(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await browser.startTracing(page, {
    categories: [
      'toplevel',
      'disabled-by-default-devtools.timeline',
      'devtools.timeline',
      '__metadata',
    ],
  })
  let trace: Buffer
  try {
    await work()
  } finally {
    // One that is not ended fails the next test that wants one, too.
    trace = await browser.stopTracing()
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && mains.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace holds no tasks')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
