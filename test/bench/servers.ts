import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { startServer } from '../support/immudb'
import { startFleet } from '../support/stand-in'
import { type Comparison, figure } from './figures'

const runs = 5

type Sample = { readonly list: number; readonly again: number; readonly longest: number }

/**
 * How long the list of servers takes with fifty of them, one of which hangs, against two: after the
 * login, and with all sessions kept. The last line is the longest task while their answers come.
 */
export async function serverFigures(browser: Browser): Promise<readonly Comparison[]> {
  const [many, few] = [await samples(browser, 49), await samples(browser, 1)]
  const compared = (name: string, of: keyof Sample): Comparison => ({
    name,
    measured: figure(many.map((sample) => sample[of])),
    floor: figure(few.map((sample) => sample[of])),
  })
  return [
    compared('50 servers: list after the login', 'list'),
    compared('50 servers: list after a reload', 'again'),
    compared('50 servers: longest task', 'longest'),
  ]
}

async function samples(browser: Browser, count: number): Promise<readonly Sample[]> {
  const fleet = await startFleet(count, 20)
  const real = await startServer()
  const front = await startServer({ servers: { real: real.url, ...fleet.servers } })
  try {
    const found: Sample[] = []
    for (let run = 0; run < runs; run += 1) found.push(await sample(browser, front.url, count + 1))
    return found
  } finally {
    for (const server of [front, real]) await server.dispose()
    await fleet.close()
  }
}

async function sample(browser: Browser, url: string, count: number): Promise<Sample> {
  const console = new ConsolePage(await visit(browser, url), url)
  const { page } = console
  const rows = page.getByRole('grid', { name: 'Servers', exact: true }).getByRole('row')
  const answering = page.getByText('Answers', { exact: true })
  await page.addInitScript(noteTasks)
  await console.open('/servers')
  await page.getByRole('checkbox', { name: /Use the same name and password/ }).check()
  const begun = await page.evaluate(() => performance.now())
  await console.submitLogin()
  await rows.nth(count).waitFor()
  const list = (await page.evaluate(() => performance.now())) - begun
  const answers = count > 20 ? count - 1 : count
  await answering.nth(answers - 1).waitFor()
  await console.open('/servers')
  await rows.nth(count).waitFor()
  const again = await page.evaluate(() => performance.now())
  await page.evaluate(forgetTasks)
  await answering.nth(answers - 1).waitFor()
  // Tasks of up to 50 ms are not told.
  const longest = Math.max(50, ...(await page.evaluate(() => globalThis.longTasks ?? [])))
  await console.visit.end()
  return { list, again, longest }
}

declare global {
  var longTasks: number[] | undefined
}

/** Runs in the page: keeps the durations of tasks of more than 50 ms. */
function noteTasks() {
  globalThis.longTasks = []
  new PerformanceObserver((found) => {
    globalThis.longTasks?.push(...found.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'longtask' })
}

/** Runs in the page. */
function forgetTasks() {
  globalThis.longTasks = []
}
