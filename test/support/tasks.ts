import type { Page } from 'playwright-core'

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds: when it began, and for how long its thread was at work. */
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string; data?: { message?: string } }
}

/** Other work on the same processor slows runs down; the fastest run is the most telling. */
const runs = 3

/** What `yardstick` takes on an idle machine of two cores, in milliseconds. */
const yardstickTakes = 10
const yardstickName = 'yardstick'

/**
 * The longest that the main threads of the browser's pages were at work without a pause while
 * something was done, in milliseconds of their own processor time on an idle machine: a piece of
 * work that is always the same is measured in the same trace and shows how slow the machine is
 * now. It is done up to three times until it is short enough, and the calmest counts.
 */
export async function longestTask(
  page: Page,
  enough: number,
  work: () => Promise<void>,
): Promise<number> {
  let calmest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && calmest > enough; run++) {
    calmest = Math.min(calmest, await longestOnce(page, work))
  }
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
    for (let measured = 0; measured < runs; measured++) {
      await page.evaluate(yardstick, yardstickName)
    }
  } finally {
    // One that is not ended fails the next test that wants one, too.
    trace = await browser.stopTracing()
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  return longestIn(traceEvents)
}

/** Runs in the page: sorts, writes and reads a list, in a task of its own with a mark in it. */
function yardstick(mark: string): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      console.timeStamp(mark)
      const list = Array.from({ length: 9_000 }, (_, n) => ({ n, text: `${(n * 7919) % 9_000}` }))
      const text = JSON.stringify(list.sort((a, b) => (a.text < b.text ? -1 : 1)))
      if (JSON.parse(text).length === list.length) resolve()
    })
  })
}

function longestIn(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = events.filter(
    (event) => event.ph === 'X' && /RunTask$/.test(event.name) && mains.has(threadOf(event)),
  )
  const marks = events.filter(({ args }) => args?.data?.message === yardstickName)
  const isMarked = (task: TraceEvent) =>
    marks.some(
      (mark) =>
        threadOf(mark) === threadOf(task) &&
        mark.ts >= task.ts &&
        mark.ts <= task.ts + (task.dur ?? 0),
    )
  const took = (of: TraceEvent[]) => of.map(({ tdur = 0 }) => tdur / 1000)
  const measured = took(tasks.filter(isMarked))
  if (measured.length < runs) throw new Error('the trace does not hold the yardstick')

  const slowness = Math.max(1, Math.min(...measured) / yardstickTakes)
  return Math.max(0, ...took(tasks.filter((task) => !isMarked(task)))) / slowness
}
