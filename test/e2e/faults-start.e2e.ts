import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { shot } from '../support/shots'

const gone = { kind: 'answer', status: 404, body: 'not found' } as const
const hotel = { kind: 'answer', status: 200, body: '<h1>Welcome to our hotel</h1>' } as const
const page = { method: 'GET', path: /^\/(query)?\/?(\?.*)?$/ }
const screen = /\/assets\/QueryScreen-[^/]*\.js$/
const styles = /\/assets\/[^/]*\.css$/

function countLoads({ page: tab }: ConsolePage): () => number {
  let loads = 0
  tab.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return () => loads
}

describe('files of the build that do not arrive', () => {
  test('F53: a part answered with a page of someone else and status 200 is a missing part', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    console.visit.watch.expect(/MIME type|dynamically imported module|Failed to load/)
    await console.signIn('/query')
    await console.keepsSession()
    await console.write('SELECT 53; -- draft')
    await console.keeps('SELECT 53; -- draft')
    await console.forgetFiles()
    const before = proxy.count(page)
    // Until the page is loaded again.
    proxy.weather(({ path }) =>
      screen.test(path) && proxy.count(page) === before ? hotel : undefined,
    )
    await console.page.goto(`${proxy.url}/settings`)
    await console.signedIn()
    const loads = countLoads(console)
    await console.link('Query').click()
    await console.holds('SELECT 53; -- draft')
    expect(loads()).toBe(1)
    expect(await console.page.content()).not.toContain('Welcome to our hotel')
  })

  test('F54: without its style sheet the page is loaded once more, then it is readable and says so', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.forgetFiles()
    console.visit.watch.expect(/Failed to load|MIME type/)
    const mend = proxy.fault({ path: styles, fault: gone })
    const loads = countLoads(console)
    await console.page.goto(proxy.url)
    const note = console.page.getByRole('alert').getByText(/style sheet .* did not arrive/)
    await note.waitFor()
    expect(loads()).toBe(2)
    await shot(console.page, 'start-unstyled')
    await console.submitLogin()
    await console.account.waitFor()
    await console.keepsSession()
    mend()
    await console.page.getByRole('button', { name: 'Load it again' }).click()
    await expect.poll(() => backgroundOf(console)).not.toBe('rgba(0, 0, 0, 0)')
    await console.signedIn()
    await note.waitFor({ state: 'detached' })
  })

  test('F54: a browser that is too old gets a page that says so, and nothing is asked', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'any'))
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(request.url())
    })
    await console.open('/query')
    await page
      .getByRole('alert')
      .getByText(/^This browser is too old .* needs Chromium \d+/)
      .waitFor()
    expect(await page.getByText('The console is loading').isVisible()).toBe(false)
    expect(await console.logIn.count()).toBe(0)
    expect(calls).toEqual([])
  })

  test('F54: without its first script the page says so and can be loaded again', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.forgetFiles()
    console.visit.watch.expect(/Failed to load|MIME type/)
    const html = await (await fetch(`${proxy.url}/query`)).text()
    const [, start = ''] = /type="module" src="[^"]*\/([^"/]+)"/.exec(html) ?? []
    expect(start).toMatch(/\.js$/)
    const mend = proxy.fault({ path: `/assets/${start}`, fault: gone })
    const loads = countLoads(console)
    await console.page.goto(`${proxy.url}/query`)
    await expect.poll(loads).toBe(2)
    await console.page.getByText(/one of its files did not arrive/).waitFor()
    await shot(console.page, 'start-incomplete')
    mend()
    await console.page.getByRole('link', { name: 'Load it again' }).click()
    await console.logIn.waitFor()
  })

  test('F54: a preloaded part that fails once is fetched again by anyone who needs it', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.forgetFiles()
    console.visit.watch.expect(/Failed to load|preload/)
    const html = await (await fetch(proxy.url)).text()
    const [, preloaded = ''] = /rel="modulepreload" href="\.\/([^"]+)"/.exec(html) ?? []
    expect(preloaded).toMatch(/^assets\//)
    const at = new RegExp(`/${preloaded.replaceAll('.', '\\.')}$`)
    proxy.fault({ path: at, times: 1, fault: { kind: 'answer', status: 503 } })
    await console.signIn('/settings')
    await expect.poll(() => proxy.count({ path: at })).toBeGreaterThan(1)
  })

  test('F55: an old page in front of a new build loads once more and works', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.forgetFiles()
    console.visit.watch.expect(/Failed to load|status of 404|MIME type/)
    const fresh = await (await fetch(`${proxy.url}/query`)).text()
    // The theme script kept its name; all else was renamed by the new build.
    const old = fresh.replace(
      /(assets\/(?!theme)[\w.-]+-)[A-Z0-9]{8}(\.(?:js|css))/g,
      '$1OLDOLDOL$2',
    )
    expect(old).not.toBe(fresh)
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    proxy.fault({ ...page, times: 1, fault: { kind: 'answer', status: 200, headers, body: old } })
    const loads = countLoads(console)
    await console.signIn('/query')
    expect(loads()).toBe(2)
    await expect.poll(() => console.page.title()).toBe('Query · webconsole')
  })
})

function backgroundOf({ page: tab }: ConsolePage): Promise<string> {
  return tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}
