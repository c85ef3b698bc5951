import { api } from '../support/api'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { type ImmudbServer, startServer } from '../support/immudb'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'
import { type Figure, figure } from './figures'

const rows = 1_000
const runs = 10
const polls = 6

export type VerifyingFigures = {
  /** From the click until the summary of all rows of a result stands there. */
  readonly rows: Figure
  /** The longest task of the main thread during a run, 0 when none took 50 ms; only Chromium tells. */
  readonly longest: Figure | undefined
  /** The same while a poll finds a newer state and has it checked, with nothing else going on. */
  readonly longestOfPoll: Figure | undefined
  /** Bytes of what a poll asks for in addition, with its header lines. */
  readonly bytesOfPoll: Figure
}

/** Verifies results and newer states in a browser, and looks at what its main thread does. */
export async function verifyingFigures(browser: Browser): Promise<VerifyingFigures> {
  const server = await startServer()
  try {
    return await measured(browser, server)
  } finally {
    await server.dispose()
  }
}

async function measured(browser: Browser, server: ImmudbServer): Promise<VerifyingFigures> {
  const db = await api(server.url)
  await db.exec('CREATE TABLE bench (id INTEGER, name VARCHAR[32], total FLOAT, PRIMARY KEY id);')
  const values = Array.from({ length: rows }, (_, n) => `(${n}, 'name ${n}', ${n}.5)`)
  const write = () => db.exec(`UPSERT INTO bench (id, name, total) VALUES ${values.join(', ')};`)
  await write()
  const console = new ConsolePage(await visit(browser, server.url), server.url)
  await console.signIn('/query')
  const trust = new TrustPage(console)
  await trust.checkNow()
  const ofPolls: number[] = []
  for (let poll = 1; poll <= polls; poll += 1) {
    await write()
    ofPolls.push(await longestDuring(console, () => followed(console)))
  }
  const [times, tasks] = [[] as number[], [] as number[]]
  for (let run = 1; run <= runs; run += 1) {
    // Rows that a later transaction may have changed are asked for one by one.
    await write()
    await trust.checkNow()
    const { time, longest } = await verifyAll(console, run)
    times.push(time)
    tasks.push(longest)
  }
  const bytes = await console.page.evaluate(bytesOfProofs)
  return {
    rows: figure(times),
    longest: known(tasks),
    longestOfPoll: known(ofPolls),
    bytesOfPoll: figure(bytes),
  }
}

function known(samples: readonly number[]): Figure | undefined {
  return samples.some(Number.isNaN) ? undefined : figure(samples)
}

/** Until the next poll has had the newest state checked, without a look at the page meanwhile. */
async function followed({ page }: ConsolePage): Promise<void> {
  await page.waitForResponse((response) => ofProof.test(response.url()))
  await page.waitForTimeout(1_000)
}

const ofProof = /verifiable\/tx\/.*EXCLUDE/

async function verifyAll(console: ConsolePage, run: number) {
  const verify = new VerifyPage(console)
  await console.runSql(`SELECT id, name, total FROM bench`)
  const button = verify.verify(run)
  await button.waitFor()
  let time = 0
  const longest = await longestDuring(console, async () => {
    const started = performance.now()
    await button.click()
    const all = rows.toLocaleString('en')
    await verify
      .summary(run)
      // No audit has confirmed the table.
      .getByText(new RegExp(`^0 of ${all} rows verified, ${all} in part`))
      .waitFor()
    time = performance.now() - started
  })
  return { time, longest }
}

/** The longest task of the page's main thread, as far as it took 50 ms; NaN where none are told. */
async function longestDuring({ page }: ConsolePage, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    })
    observer.observe({ type: 'longtask' })
    Reflect.set(window, '__bench', { tasks, observer })
  })
  await act()
  return page.evaluate(() => {
    const { tasks, observer } = Reflect.get(window, '__bench')
    if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return Number.NaN
    for (const { duration } of observer.takeRecords()) tasks.push(duration)
    observer.disconnect()
    return Math.max(0, ...tasks)
  })
}

/** Runs in the page: what the proofs of newer states weighed, headers included. */
function bytesOfProofs(): number[] {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => /verifiable\/tx\/.*EXCLUDE/.test(entry.name))
    .map((entry) => (entry as PerformanceResourceTiming).transferSize)
}

export function verifyingTable(found: VerifyingFigures): string {
  const line = (name: string, figure: Figure | undefined, unit: string) =>
    figure
      ? `${name}: ${figure.median.toFixed(1)} ${unit} median, ${figure.p95.toFixed(1)} p95`
      : `${name}: this browser does not tell`
  return [
    line(`${rows} rows of one transaction, click to summary`, found.rows, 'ms'),
    line('longest task of the main thread meanwhile (0: none of 50 ms)', found.longest, 'ms'),
    line('longest task while a poll has a newer state checked', found.longestOfPoll, 'ms'),
    line('what that asks for in addition', found.bytesOfPoll, 'bytes'),
  ].join('\n')
}
