import { describe, expect } from 'vitest'
import { draftDelay, draftStorageKey, storageDatabase, storageStore } from '~/lib/constants'
import { api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { readStorage } from '../support/page-storage'
import { corpus } from '../support/recorded'
import { createSmallTable } from '../support/sql-samples'
import { longestTask } from '../support/tasks'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'

/** Screens of an empty database with the text that is the last of each to come. */
const screens = [
  ['Query', 'No tables'],
  ['Keys', 'No keys'],
  ['Databases', '1 database'],
  ['Users', '1 user'],
  ['Overview', 'Every minute while open'],
] as const
const headers = { 'content-type': 'application/json' }

describe('F04: every answer takes a second', () => {
  test('F04: screens say that they load, ask for nothing twice, and do not jump', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    const { page } = console
    await console.enter('/settings')
    await console.keepsSession()
    await new TrustPage(console).known()
    proxy.fault({ path: /\/api\//, fault: { kind: 'delay', ms: 1_000 } })
    await page.evaluate(countShifts)
    for (const [name, last] of screens) {
      const before = proxy.seen({ path: /\/api\// }).length
      await console.link(name).click()
      await expect.poll(() => page.title()).toBe(`${name} · webconsole`)
      await page.locator('main').getByText(last).first().waitFor()
      await expect
        .poll(() => proxy.seen({ path: /\/api\// }).filter((one) => !one.endedAt).length)
        .toBe(0)
      const asked = proxy
        .seen({ path: /\/api\// })
        .slice(before)
        .filter(({ path }) => !/\/db\/state$/.test(path))
        .map(({ method, path, body }) => `${method} ${path} ${body}`)
      expect(asked, name).toEqual([...new Set(asked)])
    }
    // What Google calls good is below 0.1; a click just before counts as wanted, here none does.
    expect(await page.evaluate(() => Reflect.get(window, '__shift'))).toBeLessThan(0.1)
    proxy.clearFaults()
    const letGo = proxy.hold({ path: '/db/scan' })
    await page.reload()
    await console.signedIn()
    await console.link('Keys').click()
    await page
      .locator('main')
      .locator('[aria-busy=true], [role=progressbar], [role=status]')
      .filter({ visible: true })
      .first()
      .waitFor()
    letGo()
    await page.getByText('No keys').waitFor()
  })
})

/** Runs in the page: adds up by how much things moved that nobody had touched. */
function countShifts() {
  Reflect.set(window, '__shift', 0)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && typeof entry.value === 'number') {
        Reflect.set(window, '__shift', Reflect.get(window, '__shift') + entry.value)
      }
    }
  }).observe({ type: 'layout-shift', buffered: false })
}

describe('F67: 2,000 tables', () => {
  test('F67: are windowed, and scrolled through without a long wait', async ({
    server,
    proxy,
    open,
  }) => {
    await createSmallTable(await api(server.url), 'f67')
    const rows = Array.from({ length: 2_000 }, (_, index) => ({
      values: [{ s: `table_${String(index).padStart(4, '0')}` }],
    }))
    const body = JSON.stringify({ columns: [{ name: 'TABLE', type: 'VARCHAR' }], rows })
    proxy.fault({ path: '/db/table/list', fault: { kind: 'answer', status: 200, headers, body } })
    const console = await open(proxy.url, { isNew: true })
    await console.enter('/query')
    await console.tables.getByRole('treeitem', { name: /table_0000/ }).waitFor()
    const longest = await longestTask(console.page, 200, async () => {
      await console.tables
        .getByRole('treeitem', { name: /table_0000/ })
        .first()
        .locator('[data-arrow]')
        .click()
      await console.page.keyboard.press('End')
      await console.tables.getByRole('treeitem', { name: /table_1999/ }).waitFor()
      await console.page.keyboard.press('Home')
      await console.tables
        .getByRole('treeitem', { name: /table_0000/ })
        .first()
        .waitFor()
    })
    expect(longest).toBeLessThanOrEqual(200)
    expect(await console.tables.getByRole('treeitem').count()).toBeLessThanOrEqual(100)
  })
})

describe('A04: addresses that someone made up', () => {
  test.for(corpus('route').map(({ id, text = '' }) => [id, text] as const))(
    'A04: %s %s: no other origin, nothing runs, nothing is kept from it',
    async ([, path], { proxy, open }) => {
      const console = await open(proxy.url)
      console.visit.watch.expect(/status of 40[04]/)
      await console.enter('/settings')
      await console.keepsSession()
      const before = proxy.seen().length
      await console.page.goto(`${proxy.url}${path}`)
      const isOurs = (await console.page.locator('#root').count()) > 0
      if (isOurs) {
        await console.signedIn()
        await console.page.locator('main').getByRole('heading').first().waitFor()
        // Comes when the page has done all that it has to do.
        await new TrustPage(console).known()
      }
      await expect
        .poll(() => new URL(console.page.url()).search)
        .not.toMatch(/token=|sql=|__proto__/)
      expect(new URL(console.page.url()).origin).toBe(proxy.url)
      const writes = proxy
        .seen({ method: 'POST' })
        .filter((one) => /sqlexec|\/db\/set|\/user$|sqlquery/.test(one.path))
        .filter(({ body }) => /DROP/.test(body))
      expect(writes).toEqual([])
      expect(proxy.seen().length).toBeGreaterThan(before)
    },
  )
})

const draftPlace = `${storageDatabase}/${storageStore}/${draftStorageKey}`

describe('F63: a renderer that crashes', () => {
  test('F63: the text of more than a second ago is back in the next tab', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    console.visit.watch.expect(/renderer crashed/)
    await console.enter('/query')
    await console.keepsSession()
    await console.write('SELECT 63; -- before the crash')
    // Stored within a second of the typing, in what the next tab can read.
    expect(draftDelay).toBeLessThan(1_000)
    await until(
      () => readStorage(console.page),
      (kept) =>
        [...kept].some(
          ([place, value]) => place.startsWith(draftPlace) && /before the crash/.test(value),
        ),
    )
    await console.page.goto('chrome://crash').catch(() => {})
    await console.page.close()
    const next = new ConsolePage(console.visit, server.url, await console.visit.tab())
    await next.open('/query')
    await next.signedIn()
    await next.holds('SELECT 63; -- before the crash')
  })
})
