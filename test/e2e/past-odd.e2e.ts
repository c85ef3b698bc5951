import type { Page, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { startFilledServer } from '../bench/goaudit'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { setKeys } from '../support/keys-page'
import { lookInBoth, sizes, unhurried } from '../support/looks'
import { readState } from '../support/page-storage'

const drawerOf = (page: Page) => page.getByRole('dialog', { name: /^History of / })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const headingOf = (page: Page, id: number) =>
  page.getByRole('heading', { name: `Transaction ${id}`, exact: true })
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

describe('an empty database', () => {
  test('has no past, no transaction and nothing to compare, and each page says so', async ({
    server,
    open,
  }) => {
    await (await api(server.url)).createDatabase('bare')
    const console = await open(server.url)
    const { page } = console
    const noPast = 'Nothing was written to this database yet, so it has no past.'
    await console.enter('/query?db=bare')
    await console.keepsSession()
    await console.asOf.waitFor()
    for (const at of ['tx:1', '2026-01-01T00:00:00Z', 'since:tx:1']) {
      for (const path of ['/query', '/keys', '/tx']) {
        await console.open(`${path}?db=bare&at=${at}`)
        await console.signedIn()
        await page.getByText(noPast, { exact: true }).first().waitFor()
        expect(searchOf(page)).toEqual({ db: 'bare', at })
      }
    }
    await console.open('/query?db=bare&at=tx:1')
    await console.signedIn()
    await console.runSql('SELECT 1 AS one;')
    await console.result(1).getByText(noPast).waitFor()
    await button(page, 'Back to now').click()
    await console.runSql('SELECT 2 AS two;')
    await console.cell(2, '2').waitFor()

    await console.open('/tx?db=bare')
    await console.signedIn()
    await page.getByText('Nothing was ever written to this database.').waitFor()
    await console.open('/tx?db=bare&id=1')
    await console.signedIn()
    await page.getByText('The database has no transactions yet.').waitFor()
    for (const search of ['', '&from=tx:1&to=tx:2', '&tab=keys', '&tab=documents', '&tab=schema']) {
      await console.open(`/compare?db=bare${search}`)
      await console.signedIn()
      await page
        .getByText('Nothing was ever written to this database, so it has no two moments.')
        .waitFor()
    }
    expect(await console.alerts.count()).toBe(0)
  })
})

describe('the last visit', () => {
  test('is forgotten with the storage, and nothing is claimed of it', async ({ server, open }) => {
    const db = await api(server.url)
    await setKeys(db, [['visited', 'once']])
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await console.keepsSession()
    const visits = async () => Object(await readState(page)).visits ?? []
    await expect.poll(visits).toHaveLength(1)
    await page.goto('about:blank')
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await setKeys(db, [['visited', 'again']])
    await console.open('/')
    await console.signedIn()
    const since = region(page, 'Since your last visit')
    await since.getByRole('link', { name: 'See what changed' }).click()
    await page.getByRole('heading', { name: 'Compare', exact: true }).first().waitFor()
    expect(searchOf(page)).toMatchObject({
      db: 'defaultdb',
      from: expect.stringMatching(/^tx:\d+$/),
      to: expect.stringMatching(/^tx:\d+$/),
    })
    await page.goBack()
    await since.waitFor()
    await clearStorage(page)
    await page.reload()
    await console.submitLogin()
    await console.signedIn()
    await since.getByText(/No earlier visit remembered/).waitFor()
    expect(await since.getByRole('link').count()).toBe(0)
  })
})

/** As the browser's own “clear site data” does. */
async function clearStorage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

describe('a database that changes meanwhile', () => {
  test('takes its transaction and its history along when another is opened', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    for (const name of ['one', 'two']) {
      await db.createDatabase(name)
      await (await db.use(name)).call('/db/set', keyOf(`in ${name}`))
      await db.call('/db/set', keyOf(`again in ${name}`))
    }
    const console = await open(server.url)
    const { page } = console
    await console.enter('/tx?db=one&id=2')
    await console.keepsSession()
    await page.getByText('again in one').first().waitFor()
    await console.pickDatabase('two')
    await page.getByRole('grid', { name: 'Transactions', exact: true }).waitFor()
    await expect.poll(() => searchOf(page)).toEqual({ db: 'two' })
    expect(await page.getByText('again in one').count()).toBe(0)
    await console.open('/tx?db=two&id=2')
    await console.signedIn()
    await page.getByText('again in two').first().waitFor()
    await console.goTo('/tx?db=one&id=2')
    await page.getByText('again in one').first().waitFor()
    await expect.poll(() => console.database.textContent()).toContain('one')
    await button(page, 'History').first().click()
    await drawerOf(page).getByText('again in one').first().waitFor()
    await page.goBack()
    await page.getByText('again in two').first().waitFor()
    await expect.poll(() => console.database.textContent()).toContain('two')
    await drawerOf(page).waitFor({ state: 'detached' })
  })

  test('is said to be unloaded over a transaction, a history and a comparison', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.createDatabase('leaving')
    await db.use('leaving')
    await db.exec('CREATE TABLE t (id INTEGER, v VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO t (id, v) VALUES (1, 'a');")
    await db.exec("UPDATE t SET v = 'b' WHERE id = 1;")
    const console = await open(server.url)
    const { page } = console
    await console.enter('/query?db=leaving&table=t&row=n:1')
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: /^rev 2 .*tx 3/ }).waitFor()
    const admin = await api(server.url)
    await admin.call('/db/unload', { database: 'leaving' })
    await button(page, 'Verify').click()
    const proof = page.getByRole('dialog', { name: /^Proof of / })
    await proof
      .getByText(/unloaded|already closed/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.getByText(/nothing in it can be read or written/).waitFor()
    // What was read once stays, because the past cannot change; the rest names the reason.
    await console.link('Compare').click()
    await page
      .getByText(/The database is unloaded/)
      .first()
      .waitFor()
    await console.link('Transactions').click()
    await button(page, 'Load it').click()
    await page.getByText(/nothing in it can be read or written/).waitFor({ state: 'detached' })
    const rows = page.getByRole('grid', { name: 'Transactions', exact: true }).getByRole('row')
    await rows.filter({ hasText: 'tx 3' }).waitFor()
  })
})

function keyOf(value: string) {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return { KVs: [{ key: base64('shared'), value: base64(value) }] }
}

describe('a revision far from both ends', () => {
  test('is looked up when asked, and the search is stopped', unhurried, async ({ open }) => {
    const server = await startFilledServer({ transactions: 60_000, revisions: 2_100 })
    try {
      const console = await open(server.url)
      await console.enter('/query?db=defaultdb&table=ledger&row=n:1&rev=1050')
      await walkToMiddle(console)
    } finally {
      await server.dispose()
    }
  })
})

async function walkToMiddle(console: ConsolePage): Promise<void> {
  const { page } = console
  const drawer = drawerOf(page)
  const lookUp = drawer.getByRole('button', { name: 'Look up revision 1,050', exact: true })
  await lookUp.waitFor({ timeout: 60_000 })
  await drawer.getByText('transaction not looked up').first().waitFor()
  await lookInBoth(console, 'revision-far')
  // Nothing is answered until the search is stopped.
  const held: Route[] = []
  const transactions = /\/api\/db\/tx$/
  await page.route(transactions, (route) => void held.push(route))
  await lookUp.click()
  await drawer
    .getByText(/^looking for its transaction/)
    .first()
    .waitFor()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const stop = drawer.getByRole('button', { name: 'Stop', exact: true }).first()
  await stop.click()
  await lookUp.waitFor()
  await drawer.getByText('transaction not looked up').first().waitFor()
  const sent = held.length
  // What was asked for is taken back.
  await page.unroute(transactions)
  for (const route of held) await route.abort().catch(() => {})
  expect(held).toHaveLength(sent)
  await lookUp.press('Enter')
  await drawer
    .getByRole('button', { name: /^rev 1,050/ })
    .getByText(/tx [\d,]+/)
    .waitFor({ timeout: 60_000 })
  await lookUp.waitFor({ state: 'detached' })
}

describe('a long name of a moment', () => {
  test('shows whole in the menus of a comparison', async ({ server, open }) => {
    const db = await api(server.url)
    await setKeys(db, [['named', 'once']])
    const console = await open(server.url)
    const { page } = console
    await console.enter('/verify?tab=points')
    await console.keepsSession()
    const section = region(page, 'Named moments')
    const name = `after\u202e ${'the change of every price '.repeat(2)}${'x'.repeat(20)}`
    await section.getByRole('textbox', { name: 'Name of the moment' }).fill(name)
    await section.getByRole('button', { name: 'Prove and name it' }).click()
    await section.getByRole('listitem').waitFor()
    for (const { viewport } of sizes) {
      await page.setViewportSize(viewport)
      await console.open('/compare?db=defaultdb&tab=keys')
      await console.signedIn()
      // On a phone the moments are two links until they are changed.
      if (viewport.width < 600) await page.getByRole('button', { name: /^Edit/ }).click()
      for (const end of ['From', 'To']) {
        await button(page, `${end}: choose a moment`).click()
        const menu = page.getByRole('menu', { name: `${end}: moments`, exact: true })
        await menu.getByText('⟨U+202E⟩').waitFor()
        const main = await page.locator('main').boundingBox()
        if (!main) throw new Error('nothing is shown')
        const reach = async () => {
          const { x = 0, width = 0 } = (await menu.boundingBox()) ?? {}
          return x >= main.x && width > 0 && x + width <= main.x + main.width
        }
        // Names that come after the menu make it wider, and then it moves.
        await expect.poll(reach, { message: `${end}, ${viewport.width}` }).toBe(true)
        await page.keyboard.press('Escape')
      }
    }
  })
})

describe('the keyboard alone', () => {
  test('walks from the list to a transaction, its history, a comparison and back', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.createDatabase('walked')
    await db.use('walked')
    for (const value of ['first', 'second', 'third']) await db.call('/db/set', keyOf(value))
    const console = await open(server.url)
    const { page } = console
    const { keyboard } = page
    await console.enter('/?db=walked')
    await tabTo(page, 'link', 'Transactions')
    await keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Transactions', exact: true }).getByText('tx 3').waitFor()
    await tabTo(page, 'grid', 'Transactions')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    const at = Number(searchOf(page).id)
    await headingOf(page, at).waitFor()
    await keyboard.press('[')
    await headingOf(page, at - 1).waitFor()
    await keyboard.press(']')
    await headingOf(page, at).waitFor()
    await tabTo(page, 'button', 'History')
    await keyboard.press('Enter')
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: /^rev 3/ }).waitFor()
    await tabTo(page, 'button', /^rev 3/)
    await keyboard.press('End')
    await expect.poll(() => drawer.locator('[aria-current=true]').textContent()).toContain('rev 1')
    await keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    // The focus is where the history was opened.
    await expect.poll(() => focused(page)).toBe('History')
    await tabTo(page, 'link', 'Compare')
    await keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'From', exact: true }).waitFor()
    await tabTo(page, 'textbox', 'From')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('2')
    await keyboard.press('Enter')
    await expect.poll(() => searchOf(page).from).toBe('tx:2')
    await tabTo(page, 'tab', 'Tables')
    await keyboard.press('ArrowRight')
    await page.getByRole('grid', { name: 'Differences', exact: true }).waitFor()
    // The browser's own key for a step back does not reach a page that a test drives.
    while (new URL(page.url()).pathname === '/compare') await page.goBack()
    await headingOf(page, at).waitFor()
    await tabTo(page, 'button', 'History')
    while (searchOf(page).id !== undefined) await page.goBack()
    await page.getByRole('grid', { name: 'Transactions', exact: true }).waitFor()
  })
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** Presses Tab until the focus is on or in an element of this role and name. */
async function tabTo(
  page: Page,
  role: 'link' | 'button' | 'grid' | 'textbox' | 'tab',
  name: string | RegExp,
) {
  const exact = typeof name === 'string' ? { exact: true } : {}
  const target = page.getByRole(role, { name, ...exact }).first()
  await target.waitFor()
  for (let press = 0; press < 80; press += 1) {
    if (await target.evaluate((element) => element.contains(document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches the ${role} ${name}`)
}
