import { describe } from 'vitest'
import { retryBaseDelay } from '../../src/lib/constants'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { TrustPage } from '../support/trust-page'

const state = { method: 'GET', path: '/db/state' }
const slowQuery = { method: 'POST', path: '/db/sqlquery', body: /SELECT 6/ }
const html = { kind: 'answer', status: 200, body: '<h1>Welcome to our hotel</h1>' } as const

/** A poll and its three repeats. */
const triesOfPoll = 4

/** What is said about a server that does not answer as immudb; never as a login form. */
function outage(console: ConsolePage) {
  return console.page.getByText(/cannot be reached|did not answer|not reachable/i).first()
}

// Side by side, because most of the time they wait for the console's own timers.
describe.concurrent('slow faults', () => {
  test('F01: two resets are mended by the third try, within 1.2 s and without a word', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/settings')
    await new TrustPage(console).known()
    const times: number[] = []
    // The calmest of three polls tells the most where others use the machine as well.
    for (let poll = 0; poll < 3 && Math.min(...times) > 1_200; poll += 1) {
      const quiet = () => performance.now() - (proxy.seen().at(-1)?.at ?? 0)
      await expect.poll(quiet).toBeGreaterThan(1_000)
      // On a kept connection the browser itself would repeat what was reset, and at once.
      proxy.dropIdle()
      const before = proxy.count(state)
      proxy.fault({ ...state, times: 2, fault: { kind: 'reset' } })
      await expect.poll(() => proxy.seen(state).at(before + 2)?.status).toBe(200)
      const [first, second, third] = proxy.seen(state).slice(before)
      const start = first?.at ?? 0
      if ((second?.at ?? 0) - start >= retryBaseDelay) times.push((third?.endedAt ?? 0) - start)
    }
    expect(Math.min(...times)).toBeLessThanOrEqual(1_200)
    expect(await outage(console).count()).toBe(0)
    expect(await console.alerts.count()).toBe(0)
  })

  test('F02: an outage is said within two polls, gone 5 s after the return, and all is fresh', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE made_before (id INTEGER, PRIMARY KEY id);')
    const console = await open(proxy.url)
    console.visit.watch.expectAway()
    await console.enter('/query')
    await console.tables.getByRole('treeitem', { name: /made_before/ }).waitFor()
    await new TrustPage(console).known()
    let tries = 0
    console.page.on('request', (request) => {
      if (request.url().endsWith(state.path)) tries += 1
    })
    await proxy.down()
    // First, because the longer an outage lasts, the more seldom the console asks.
    await db.exec('CREATE TABLE made_meanwhile (id INTEGER, PRIMARY KEY id);')
    await outage(console).waitFor()
    expect(tries).toBeLessThanOrEqual(2 * triesOfPoll)
    await proxy.up()
    await outage(console).waitFor({ state: 'hidden', timeout: 5_000 })
    await console.tables.getByRole('treeitem', { name: /made_meanwhile/ }).waitFor()
    expect(await console.logIn.count()).toBe(0)
  })

  test('F03: a poll without answer ends by its own timer and no second one piles up', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/settings')
    await new TrustPage(console).known()
    const before = proxy.count(state)
    proxy.fault({ ...state, times: 1, fault: { kind: 'hang' } })
    await expect.poll(() => proxy.count(state)).toBe(before + 1)
    await expect.poll(() => proxy.seen(state)[before + 1]?.status, { timeout: 45_000 }).toBe(200)
    const hung = proxy.seen(state)[before]
    expect(hung?.cutOff).toBe(true)
    const waited = (hung?.endedAt ?? 0) - (hung?.at ?? 0)
    expect(waited).toBeGreaterThan(29_000)
    expect(waited).toBeLessThan(32_000)
    expect(proxy.peak(state)).toBe(1)
  })

  test('F09: a page of someone else with status 200 is named and signs nobody out', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/settings')
    const mend = proxy.fault({ ...state, fault: html })
    const notice = console.page.getByText(/other than immudb|not immudb/i).first()
    await notice.waitFor({ timeout: 15_000 })
    expect(await console.logIn.count()).toBe(0)
    mend()
    await notice.waitFor({ state: 'hidden', timeout: 15_000 })
    expect(await console.page.content()).not.toContain('Welcome to our hotel')
  })

  test('F10: a poll outlives 502, 503 and 504 of something in between', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/settings')
    await new TrustPage(console).known()
    const before = proxy.count(state)
    for (const status of [502, 503, 504]) {
      proxy.fault({ ...state, times: 1, fault: { kind: 'answer', status, body: '<h1>no</h1>' } })
    }
    await expect.poll(() => proxy.seen(state)[before + 3]?.status, { timeout: 15_000 }).toBe(200)
    expect(
      proxy
        .seen(state)
        .slice(before)
        .map((one) => one.status),
    ).toEqual([502, 503, 504, 200])
    expect(await outage(console).count()).toBe(0)
  })

  test('F06: after 30 s the query is given up, the server is told, the text stays', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/query')
    proxy.fault({ ...slowQuery, fault: { kind: 'delay', ms: 31_000 } })
    await console.runSql('SELECT 6 AS slow;')
    await console.alerts.getByText(/did not answer in time/).waitFor({ timeout: 40_000 })
    await console.holds('SELECT 6 AS slow;')
    await expect.poll(() => proxy.seen(slowQuery)).toMatchObject([{ cutOff: true }])
  })
})
