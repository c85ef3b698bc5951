import type { Locator } from 'playwright-core'
import { type Browser, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { type ImmudbServer, startServer } from '../support/immudb'
import { type Figure, figure } from './figures'

const runs = 10

/** A slow mobile link, and a processor that is four times slower than this one. */
const link = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

export type LoadFigures = {
  /** Milliseconds from the click on “Log in” to the figures of Overview, with nothing cached. */
  readonly overview: Figure
  /** The same where the password is typed, ten keys in a second. */
  readonly typed: Figure
  /** From the link to Query, on a page that was opened on Settings, to its editor. */
  readonly query: Figure
  /** The same with the mouse, which is over the link for 300 ms before it is pressed. */
  readonly pointed: Figure
  /** The same as the first with everything cached. */
  readonly again: Figure
  /** Scripts asked for between the click and a complete Overview. */
  readonly scripts: number
}

/** How long a first visit takes on a slow link, each in a profile of its own. */
export async function loadFigures(browser: Browser): Promise<LoadFigures> {
  const server = await startServer()
  try {
    const all = {
      overview: [] as number[],
      typed: [] as number[],
      query: [] as number[],
      pointed: [] as number[],
      again: [] as number[],
    }
    let scripts = 0
    for (let run = 0; run < runs; run += 1) {
      const first = await toOverview(browser, server)
      all.overview.push(first.cold)
      all.again.push(first.warm)
      scripts = first.scripts
      all.typed.push(await typedToOverview(browser, server))
      // Not the mouse, which fetches the screen when it comes near the link.
      all.query.push(await toEditor(browser, server, (link) => link.press('Enter')))
      all.pointed.push(await toEditor(browser, server, (link) => link.click(), pointAt))
    }
    const { overview, typed, query, pointed, again } = all
    return {
      overview: figure(overview),
      typed: figure(typed),
      query: figure(query),
      pointed: figure(pointed),
      again: figure(again),
      scripts,
    }
  } finally {
    await server.dispose()
  }
}

async function opened(browser: Browser, { url }: ImmudbServer, path: string): Promise<ConsolePage> {
  const console = new ConsolePage(await visit(browser, url), url)
  const session = await console.visit.context.newCDPSession(console.page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', link)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await console.open(path)
  await console.logIn.waitFor()
  await console.page.waitForLoadState('networkidle')
  return console
}

async function toOverview(browser: Browser, server: ImmudbServer) {
  const console = await opened(browser, server, '/')
  const asked: string[] = []
  console.page.on('request', (request) => {
    if (request.url().endsWith('.js')) asked.push(request.url())
  })
  const cold = await timed(console)
  await console.page.waitForLoadState('networkidle')
  const scripts = asked.length
  await console.logOut()
  await console.logIn.waitFor()
  await console.page.reload()
  await console.logIn.waitFor()
  await console.page.waitForLoadState('networkidle')
  const warm = await timed(console)
  await console.visit.end()
  return { cold, warm, scripts }
}

async function typedToOverview(browser: Browser, server: ImmudbServer): Promise<number> {
  const console = await opened(browser, server, '/')
  const time = await timed(console, () =>
    console.password.pressSequentially('immudb', { delay: 100 }),
  )
  await console.visit.end()
  return time
}

async function timed(
  console: ConsolePage,
  enterPassword = () => console.password.fill('immudb'),
): Promise<number> {
  await console.user.fill('immudb')
  await enterPassword()
  return shownAfter(console, 'Server health', () => console.logIn.click())
}

/** Milliseconds from a press until the figure or the field of this name can be used. */
async function shownAfter(
  { page }: ConsolePage,
  name: string,
  press: () => Promise<void>,
): Promise<number> {
  await page.evaluate(watchFor, name)
  await press()
  return page.evaluate(() => Reflect.get(window, 'shown'))
}

/** Runs in the page, because asking from outside would take up to half a second to notice. */
function watchFor(name: string): void {
  let pressed = 0
  for (const press of ['click', 'keydown']) {
    addEventListener(
      press,
      ({ timeStamp }) => {
        pressed ||= timeStamp
      },
      true,
    )
  }
  Reflect.set(
    window,
    'shown',
    new Promise<number>((resolve) => {
      const look = new MutationObserver(() => {
        const isThere =
          document.querySelector(`[aria-label="${name}"]`) ??
          [...document.querySelectorAll('dt')].some(({ textContent }) => textContent === name)
        if (!isThere || document.querySelector('[role=dialog]')) return
        look.disconnect()
        resolve(performance.now() - pressed)
      })
      look.observe(document, { attributes: true, childList: true, subtree: true })
    }),
  )
}

async function pointAt(link: Locator): Promise<void> {
  await link.hover()
  await link.page().waitForTimeout(300)
}

async function toEditor(
  browser: Browser,
  server: ImmudbServer,
  follow: (link: Locator) => Promise<void>,
  before?: (link: Locator) => Promise<void>,
): Promise<number> {
  const console = await opened(browser, server, '/settings')
  await console.submitLogin()
  await console.signedIn()
  await console.page.waitForLoadState('networkidle')
  const toQuery = console.link('Query')
  await before?.(toQuery)
  const time = await shownAfter(console, 'SQL editor', () => follow(toQuery))
  await console.visit.end()
  return time
}

/** The figures as lines. */
export function loadTable(figures: LoadFigures): string {
  const { overview, typed, query, pointed, again, scripts } = figures
  const line = (name: string, { median, p95 }: Figure) =>
    `${name.padEnd(34)}${median.toFixed(0).padStart(7)} ms${p95.toFixed(0).padStart(7)} ms`
  return [
    `${'1.6 Mbit/s, 150 ms, processor ÷ 4'.padEnd(34)} median       95 %`,
    line(`Log in to Overview (${scripts} scripts)`, overview),
    line('the same, password typed', typed),
    line('the same on a second visit', again),
    line('link Query to the editor, by key', query),
    line('the same with the mouse', pointed),
  ].join('\n')
}
