import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { pages } from '../../src/lib/paths'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { base64 } from '../support/keys-page'
import { fits, sizes } from '../support/looks'
import { until } from '../support/until'
import { UsersPage } from '../support/users-page'

const counts = { databases: 50, users: 200, tables: 300 }
const pad = (index: number) => String(index).padStart(4, '0')
const names = (what: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${what}_${pad(index)}`)
const portion = 25

/** Does something for each, a few at a time. */
async function forEach(all: readonly string[], work: (one: string) => Promise<unknown>) {
  for (let at = 0; at < all.length; at += portion) {
    await Promise.all(all.slice(at, at + portion).map(work))
  }
}

/** Makes databases, users and tables as fast as the server takes them. */
async function fill(admin: Api) {
  await forEach(names('db', counts.databases), (name) => admin.createDatabase(name))
  await forEach(names('user', counts.users), (name) =>
    admin.createUser(name, 'C0rrect-horse', 2, `db_${pad(Number(name.slice(-4)) % 50)}`),
  )
  const tables = names('table', counts.tables)
  for (let at = 0; at < tables.length; at += portion) {
    const each = tables.slice(at, at + portion)
    await admin.exec(
      each.map((name) => `CREATE TABLE ${name} (id INTEGER, PRIMARY KEY id);`).join(' '),
    )
  }
}

/** Opens every page in turn; none of them may complain. */
async function openEveryPage({ page, visit }: ConsolePage) {
  for (const { path, title } of pages) {
    await page.evaluate((to) => history.pushState(null, '', to), path)
    await expect.poll(() => page.title()).toBe(`${title} · webconsole`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.locator('.shimmer').first().waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').allTextContents(), title).toEqual([])
    await visit.watch.assertClean()
  }
}

async function show({ page }: ConsolePage, path: string) {
  await page.evaluate((to) => history.pushState(null, '', to), path)
}

const linesOf = (tree: Locator) => tree.getByRole('treeitem').count()

describe.for(sizes)('the longest name that a database may have, $size', ({ viewport }) => {
  test('fits on every page', async ({ ownServer, open }) => {
    const longest = 'a_database_of_everything_'.repeat(6).slice(0, 127)
    await (await api(ownServer.url)).createDatabase(longest)
    const console = await open(ownServer.url, { viewport })
    await console.signIn(`/?db=${longest}`)
    await console.database.getByText(longest).waitFor()
    for (const { path, title } of pages) {
      await show(console, `${path}?db=${longest}`)
      await expect.poll(() => console.page.title()).toBe(`${title} · webconsole`)
      await console.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await console.page.locator('.shimmer').first().waitFor({ state: 'detached' })
      await fits(console.page, title)
      const crumb = console.page.locator('nav[aria-label=Breadcrumbs] li[aria-current]')
      expect(await crumb.evaluate((item) => item.scrollWidth <= item.clientWidth), title).toBe(true)
    }
  })
})

describe('a server', () => {
  test('without anything: every page opens, and says that there is nothing yet', async ({
    ownServer,
    open,
  }) => {
    const console = await open(ownServer.url)
    const { page } = console
    await console.signIn('/')
    await openEveryPage(console)
    await show(console, '/query')
    await page.getByRole('button', { name: 'Add demo data' }).waitFor()
    await show(console, '/keys')
    await page.getByText('No keys', { exact: true }).waitFor()
    await show(console, '/databases')
    await page.getByText('1 database', { exact: true }).waitFor()
    await show(console, '/users')
    await page.getByText('1 user', { exact: true }).waitFor()
  })

  test(`with ${counts.databases} databases, ${counts.users} users and ${counts.tables} tables`, async ({
    server,
    open,
  }) => {
    await fill(await api(server.url))
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/')
    await openEveryPage(console)
    await console.database.click()
    await page.getByRole('option', { name: 'db_0049', exact: true }).click()
    await expect.poll(() => console.database.textContent()).toContain('db_0049')
    await console.pickDatabase('defaultdb')
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')

    await show(console, '/databases')
    await page.getByText('51 databases', { exact: true }).waitFor()
    await page.getByLabel('Filter by name').fill('_004')
    await page.getByText('10 of 51 databases').waitFor()
    // Counted before they are drawn.
    await expect.poll(() => page.getByRole('button', { name: /^db_00\d\d$/ }).count()).toBe(10)
    expect(await page.getByRole('button', { name: /^db_004\d$/ }).count()).toBe(10)

    await show(console, '/users')
    const users = new UsersPage(page)
    await page.getByText('201 users', { exact: true }).waitFor()
    await users.filter.fill('USER_019')
    await page.getByText('10 of 201 users').waitFor()
    await users.select('user_0199')
    await users.panel('user_0199').getByText('db_0049').waitFor()

    await show(console, '/query')
    await console.tables.getByRole('treeitem', { name: /^table_0000/ }).waitFor()
    await console.tables.focus()
    await page.keyboard.press('End')
    await console.tables.getByRole('treeitem', { name: /^table_0299/ }).waitFor()
    await console.tables.press('ArrowRight')
    await console.tables.getByRole('treeitem', { name: /^id/ }).waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
  })
})

const type = { 'content-type': 'application/json' }
const answer = (body: unknown) =>
  ({ kind: 'answer', status: 200, headers: type, body: JSON.stringify(body) }) as const

/** Goes down a list by the keyboard alone until this is reached. */
async function toTheEnd(page: Page, list: Locator, last: Locator) {
  for (let press = 0; press < 200 && !(await last.isVisible()); press++) {
    await page.keyboard.press('PageDown')
  }
  await last.waitFor()
  await expect.poll(() => list.evaluate((box) => box.contains(document.activeElement))).toBe(true)
}

describe('a list of', () => {
  test('2,000 tables is windowed, found by typing and walked by the keyboard', async ({
    proxy,
    open,
  }) => {
    const rows = names('many', 2_000).map((name) => ({ values: [{ s: name }] }))
    proxy.fault({ path: '/db/table/list', fault: answer({ rows }) })
    const console = await open(proxy.url)
    const { page } = console
    await console.signIn('/query')
    const line = (name: string) =>
      console.tables.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await line('many_0000').waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
    expect(await page.locator('*').count()).toBeLessThanOrEqual(3_000)
    await console.tables.focus()
    await toTheEnd(page, console.tables, line('many_1999'))
    await page.keyboard.press('Home')
    await line('many_0000').waitFor()
    await page.keyboard.type('many_1234')
    await line('many_1234').waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
  })

  test('1,000 databases and 500 users: each row is reached by Tab and Enter', async ({
    proxy,
    open,
  }) => {
    const databases = ['defaultdb', ...names('db', 1_000)].map((name) => ({ name, loaded: true }))
    const users = names('user', 500).map((name) => ({
      user: base64(name),
      active: true,
      permissions: [{ database: 'defaultdb', permission: 1 }],
    }))
    const self = { user: base64('immudb'), active: true, permissions: [everything] }
    proxy.fault({ path: '/db/list/v2', fault: answer({ databases }) })
    proxy.fault({ path: '/user/list', fault: answer({ users: [...users, self] }) })
    const console = await open(proxy.url)
    const { page } = console
    await console.signIn('/databases')
    for (const [path, all, filter, found] of [
      ['/databases', '1,001 databases', 'db_0777', '1 of 1,001 databases'],
      ['/users', '501 users', 'user_0477', '1 of 501 users'],
    ] as const) {
      await show(console, path)
      // The field of the page before has the same name.
      await page.getByText(all, { exact: true }).waitFor()
      const field = page.getByLabel('Filter by name')
      await field.fill(filter)
      await page.getByText(found).waitFor()
      const row = page.getByRole('button', { name: filter, exact: true })
      await field.focus()
      for (let press = 0; press < 20; press++) {
        if (await row.evaluate((one) => one === document.activeElement)) break
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: new RegExp(`^${filter}`) }).waitFor()
      await until(
        () => page.evaluate(() => document.activeElement?.textContent ?? ''),
        (text) => text.includes(filter),
      )
      expect(await page.getByRole('row').count()).toBeLessThan(60)
    }
  })
})

const everything = { database: '*', permission: 255 }
