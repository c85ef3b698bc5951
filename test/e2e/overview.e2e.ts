import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { uiBreakpoint } from '~/lib/constants'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import type { ServerOptions } from '../support/immudb'
import { fits, look, lookInBoth, sizes, unhurried, wide } from '../support/looks'
import { readState } from '../support/page-storage'
import { createSmallTable } from '../support/sql-samples'
import { tokenIn } from '../support/tokens'

const port9497 = /:9497\/metrics$/
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })
const metricsRequests = ({ visit }: ConsolePage) =>
  visit.watch.requests
    .map((url) => url.replace(/\?.*/, ''))
    .filter((url) => url.endsWith('/metrics'))
/** The address of the worker that read the metrics. */
const workerOf = ({ visit }: ConsolePage) =>
  visit.watch.requests.find((url) => /exposition-worker-/.test(url))

/** Waits until the metrics are there: three seconds after the screen was opened. */
const measured = (page: Page) =>
  region(page, 'Counters').getByText('Memory', { exact: true }).waitFor()
/** Waits until a chart has a line, from its second measurement on: each opening of the screen makes one. */
async function drawn(console: ConsolePage) {
  await measured(console.page)
  await console.goTo('/settings')
  await console.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await console.goTo('/')
  await figure(console.page, 'Memory').getByRole('slider').waitFor()
}
const unreachable = (page: Page) => region(page, 'Metrics unreachable').waitFor()

/** Runs in the page: when its database was open, without which there is no screen, and what came then. */
function metricsTimes(): { opened: number; asked: number } {
  const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const use = calls.find(({ name }) => name.includes('/api/db/use/'))
  const metrics = calls.find(({ name }) => name.includes('/metrics'))
  return { opened: use?.responseEnd ?? 0, asked: metrics?.startTime ?? 0 }
}

describe('the overview', () => {
  test('draws its charts in a browser whose language is none, without loading the page again', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'language', { get: () => 'c' }),
    )
    await console.enter('/')
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    await drawn(console)
    await figure(page, 'Memory').locator('canvas').waitFor()
    expect(loads).toBe(0)
  })

  test('shows state, counters, recent transactions and the check-up of a real server', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'overview_t')
    const tx = await db.txId()
    const console = await open(server.url)
    await console.signIn('/')
    const { page } = console
    const state = region(page, 'State')
    await state.getByText('reported by server').waitFor()
    await state.getByText(`tx ${tx}`, { exact: true }).waitFor()
    const counters = region(page, 'Counters')
    await expect.poll(() => counters.textContent()).toMatch(/Uptime\d+ [ms]/)
    const rows = region(page, 'Recent transactions').getByRole('row')
    await expect.poll(() => rows.count()).toBe(Math.min(10, tx) + 1)
    await rows.nth(1).getByText(`tx ${tx}`, { exact: true }).waitFor()
    const attention = region(page, 'Needs attention')
    await expect
      .poll(() => attention.getByRole('listitem').first().textContent())
      .toMatch(/^Danger: Default password/)
    await attention.getByText(/--signingKey FILE, or webconsole --signing-key FILE/).waitFor()
    const check = region(page, 'Security check-up')
    await check.getByText(/other checks/).click()
    await check.getByText('Protecting headers').waitFor()
    // What this browser verified stands apart and may come at any time.
    for (const reported of [state, counters, region(page, 'Recent transactions'), check]) {
      expect(await reported.locator('[class*="verified"]').count()).toBe(0)
    }
  })

  test(
    'reads the metrics of its own server in a worker, once after three seconds',
    walk,
    async ({ proxy, open }) => {
      const console = await open(proxy.url)
      const { page } = console
      await console.enter('/')
      await measured(page)
      const { opened, asked } = await page.evaluate(metricsTimes)
      expect(asked - opened).toBeGreaterThan(2_900)
      expect(metricsRequests(console)).toEqual([`${proxy.url}/metrics`])
      await expect.poll(() => workerOf(console)).toContain(`${proxy.url}/assets/`)
      await region(page, 'State').getByText('up to date', { exact: true }).waitFor()
      await figure(page, 'Size per database')
        .getByText(/systemdb/)
        .first()
        .waitFor()
      proxy.fault({ path: '/metrics', fault: { kind: 'hang' } })
      const again = page.waitForRequest(/\/metrics(\?|$)/)
      await console.link('Settings').click()
      await page.getByRole('heading', { name: 'Settings', exact: true, level: 1 }).waitFor()
      await console.link('Overview').click()
      // What was measured before is there, since nothing is answered any more.
      await measured(page)
      await again
    },
  )

  test('charts follow the select of the database, and are read with the keyboard', async ({
    server,
    open,
  }) => {
    await (await api(server.url)).createDatabase('charted')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await drawn(console)
    const size = figure(page, 'Size per database')
    await page.getByRole('combobox', { name: 'Chart database', exact: true }).click()
    await page.getByRole('option', { name: 'defaultdb', exact: true }).click()
    await expect.poll(() => size.getByRole('listitem').count()).toBe(1)
    expect(await size.getByRole('listitem').textContent()).toMatch(/^defaultdb: /)
    await page.getByRole('combobox', { name: 'Time window', exact: true }).click()
    await page.getByRole('option', { name: 'Last 15 minutes', exact: true }).click()
    const slider = size.getByRole('slider')
    await slider.press('Home')
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('0')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/: defaultdb \d/)
    await size.getByRole('button', { name: /^Table/ }).click()
    await size.getByRole('grid', { name: 'Size per database, as a table' }).waitFor()
  })

  test('is there for a user who may only read, without anything refused', async ({
    server,
    open,
  }) => {
    const admin = await api(server.url)
    await createSmallTable(admin, 'read_overview')
    await admin.createUser('overviewer', 'Only-reads-1', 1, 'defaultdb')
    const console = await open(server.url)
    await console.enter('/', 'overviewer', 'Only-reads-1')
    const { page } = console
    await region(page, 'Recent transactions').getByRole('row').nth(1).waitFor()
    await measured(page)
    const check = region(page, 'Security check-up')
    await check.getByText(/other checks/).click()
    await check.getByText(/whether user immudb still has the default password/i).waitFor()
    await check.getByText('Not known: Access to systemdb').waitFor()
    await check.getByText('Not known: SQL privileges without permission').waitFor()
    expect(await check.getByText('No default password').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('tells what came since the last visit', async ({ server, open }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'visited')
    const tx = await db.txId()
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await region(page, 'Since your last visit')
      .getByText(/No earlier visit remembered/)
      .waitFor()
    const visits = async () => Object(await readState(page)).visits
    await expect.poll(visits).toMatchObject([{ tx: String(tx) }])
    // The page must not see what comes, nor find itself unused for an hour.
    await page.goto('about:blank')
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await db.exec("INSERT INTO visited (id, name) VALUES (9, 'new');")
    await console.open('/')
    await console.signedIn()
    await region(page, 'Since your last visit').getByText(`It was at tx ${tx}`).waitFor()
    await region(page, 'Since your last visit').getByText('1 new transaction.').waitFor()
    await console.logOut()
    await console.signedOut()
    await expect.poll(visits).toEqual([])
    await console.signIn('/')
    await region(page, 'Since your last visit')
      .getByText(/No earlier visit remembered/)
      .waitFor()
  })
})

describe.concurrent('F70 metrics', () => {
  const html = { 'content-type': 'text/html' }
  const plain = { 'content-type': 'text/plain' }
  test.for([
    ['closed', { kind: 'reset' }],
    ['404', { kind: 'answer', status: 404, headers: plain, body: '404 page not found\n' }],
    ['a page', { kind: 'answer', status: 200, headers: html, body: '<h1>portal</h1>' }],
    ['garbage', { kind: 'answer', status: 200, headers: plain, body: '\u0001{{"\n= 1 }\n' }],
    ['a gateway', { kind: 'answer', status: 502, headers: html, body: 'bad gateway' }],
  ] as const)(
    '%s: “unreachable”, everything else works',
    async ([, fault], { proxy, open, expect }) => {
      proxy.fault({ path: '/metrics', fault })
      const console = await open(proxy.url)
      const { page } = console
      await console.enter('/')
      await unreachable(page)
      await region(page, 'Metrics unreachable')
        .getByText(/webconsole --metrics URL/)
        .waitFor()
      await region(page, 'Needs attention').getByText('Metrics unreachable').waitFor()
      await figure(page, 'Size per database')
        .getByText(/now, between/)
        .first()
        .waitFor({ state: 'attached' })
      await figure(page, 'Memory').getByText('Not known without metrics.').waitFor()
      await expect.poll(() => region(page, 'Counters').textContent()).toMatch(/Uptime\d+/)
      // The policy of our own handler allows no other address, so none is tried.
      expect(metricsRequests(console)).toEqual([`${proxy.url}/metrics`])
      proxy.clearFaults()
      await page.getByRole('button', { name: 'Try again', exact: true }).click()
      await measured(page)
      await region(page, 'Metrics unreachable').waitFor({ state: 'detached' })
    },
  )

  test('hanging: given up after five seconds, nothing else waits', async ({
    proxy,
    open,
    expect,
  }) => {
    // Would be there after six.
    proxy.fault({ path: '/metrics', fault: { kind: 'delay', ms: 6_000 } })
    const console = await open(proxy.url)
    const { page } = console
    await console.enter('/')
    await region(page, 'State').getByText('reported by server').waitFor()
    await region(page, 'Metrics unreachable')
      .getByText(/within five seconds/)
      .waitFor()
    const [asked] = proxy.seen({ path: '/metrics' })
    await expect.poll(() => asked?.endedAt).toBeDefined()
    const { at = 0, endedAt = 0 } = asked ?? {}
    // Five seconds from when the page sent it, which may arrive here late.
    expect(endedAt - at).toBeGreaterThan(4_000)
    const [state] = proxy.seen({ path: '/api/db/state' })
    expect(state?.endedAt).toBeLessThan(endedAt)
    expect(metricsRequests(console)).toHaveLength(1)
  })

  test('port 9497 of this host is asked when this address has none, by a simple request', async ({
    serve,
    open,
    expect,
  }) => {
    const server = await serve({ kind: 'drop-in' })
    const text = await (await fetch(`${server.metricsUrl}/metrics`)).text()
    const console = await open(server.url)
    const { page } = console
    const seen: string[] = []
    await page.route(port9497, async (route) => {
      seen.push(`${route.request().method()} ${tokenIn(route.request().headers()) ?? 'none'}`)
      const headers = { 'access-control-allow-origin': '*' }
      await route.fulfill({ contentType: 'text/plain; version=0.0.4', body: text, headers })
    })
    await console.enter('/')
    await measured(page)
    expect(seen).toEqual(['GET none'])
    await region(page, 'Needs attention').getByText('Metrics readable by every web page').waitFor()
  })

  test(
    'the address is settable, on that port only, and kept',
    unhurried,
    async ({ serve, open, expect }) => {
      const server = await serve({ kind: 'drop-in' })
      const console = await open(server.url)
      const { page } = console
      await page.route(port9497, (route) => {
        if (!route.request().url().includes('localhost')) return route.abort()
        const headers = { 'access-control-allow-origin': '*' }
        const body = 'immudb_uptime_hours 1\ngo_memstats_sys_bytes 2048\n'
        return route.fulfill({ contentType: 'text/plain', body, headers })
      })
      await console.enter('/')
      await unreachable(page)
      const field = page.getByLabel('Metrics address', { exact: true })
      await field.fill('localhost:9498')
      await page.keyboard.press('Enter')
      await page.getByText(/Only port 9497 is possible/).waitFor()
      await lookInBoth(console, 'overview-metrics-address')
      await field.fill('localhost')
      await page.keyboard.press('Enter')
      await measured(page)
      await expect
        .poll(() => readState(page))
        .toMatchObject({ settings: { metrics: expect.stringContaining('localhost') } })
      await page.reload()
      await console.signedIn()
      await measured(page)
      expect(metricsRequests(console).at(-1)).toBe('http://localhost:9497/metrics')
    },
  )
})

describe.concurrent('F71 hostile metrics', () => {
  test('A13 labels are text only, and the page stays whole', async ({ proxy, open, expect }) => {
    const names = [
      '<img src=x onerror=window.__pwn=1>',
      '</script><script>window.__pwn=1</script>',
      '__proto__',
      'constructor',
      '\u202Egnp.exe',
      'javascript:alert(1)',
    ]
    const lines = names.flatMap((name, index) => [
      `immudb_db_size_bytes{db="${name}"} ${90_000 - index}`,
      `immudb_number_of_stored_entries{db="${name}"} 5`,
    ])
    const body = `immudb_uptime_hours 1\n${lines.join('\n')}\ngo_memstats_sys_bytes 5\n`
    const headers = { 'content-type': 'text/plain' }
    proxy.fault({ path: '/metrics', fault: { kind: 'answer', status: 200, headers, body } })
    // A table draws the columns that there is room for; here three are asked about.
    const console = await open(proxy.url, { viewport: wide.viewport })
    const { page } = console
    await console.enter('/')
    await drawn(console)
    const size = figure(page, 'Size per database')
    await size.getByText(names[0] ?? '', { exact: true }).waitFor()
    await expect.poll(() => size.textContent()).toContain('__proto__')
    await size.getByRole('button', { name: /^Table/ }).click()
    await size.getByRole('grid').getByText('__proto__').first().waitFor()
    await page.getByRole('combobox', { name: 'Chart database', exact: true }).click()
    await page.getByRole('option', { name: '__proto__', exact: true }).click()
    await expect.poll(() => size.getByRole('listitem').count()).toBe(1)
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await console.visit.watch.assertClean()
  })
})

const hosts: readonly [string, ServerOptions][] = [
  ['our handler below /ops/immudb/', { prefix: '/ops/immudb' }],
  ['immudb’s own file server', { kind: 'drop-in' }],
]

describe.concurrent('the worker is found and metrics are read', () => {
  test.for(hosts)('served by %s', async ([, options], { serve, open, expect }) => {
    const server = await serve(options)
    const text = await (await fetch(`${server.metricsUrl}/metrics`)).text()
    const console = await open(server.url)
    const { page } = console
    await page.route(port9497, (route) => {
      const headers = { 'access-control-allow-origin': '*' }
      return route.fulfill({ contentType: 'text/plain', body: text, headers })
    })
    await console.enter('/')
    await measured(page)
    await expect.poll(() => workerOf(console)).toContain(`${server.url}/assets/`)
  })
})

describe.concurrent('looks', unhurried, () => {
  test('stay inside their cards where three cards have least room', async ({
    server,
    smallTable: _table,
    open,
  }) => {
    const console = await open(server.url, { viewport: { width: uiBreakpoint, height: 720 } })
    const { page } = console
    await console.enter('/')
    await region(page, 'Trusted history').getByRole('link', { name: /^tx / }).nth(1).waitFor()
    const recent = region(page, 'Recent transactions')
    await recent
      .getByRole('button', { name: /^Verify tx/ })
      .first()
      .waitFor()
    await fits(page, 'Overview')
  })

  test.for(sizes)(
    'axe finds nothing, with and without metrics, $size',
    async ({ viewport }, { proxy, smallTable: _table, open }) => {
      const console = await open(proxy.url, { viewport })
      const { page } = console
      await console.enter('/')
      await drawn(console)
      await look(console, 'overview-charts')
      await figure(page, 'Memory')
        .getByRole('button', { name: /^Table/ })
        .click()
      await figure(page, 'Memory').getByRole('grid').waitFor()
      await region(page, 'Security check-up')
        .getByText(/other checks/)
        .click()
      await look(console, 'overview-table')
      proxy.fault({ path: '/metrics', fault: { kind: 'reset' } })
      await console.keepsSession()
      await page.reload()
      await console.signedIn()
      await unreachable(page)
      await look(console, 'overview-unreachable')
    },
  )
})
