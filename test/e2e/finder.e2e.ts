import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test, walk } from '../support/e2e'
import { dropFile, FinderPage } from '../support/finder-page'
import { setKeys } from '../support/keys-page'
import { expectAccessible, resize, sizes, unhurried } from '../support/looks'

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

const isWithin = (page: Page, selector: string) =>
  page.evaluate((place) => document.activeElement?.closest(place) !== null, selector)

describe('the finder', () => {
  test(
    'opens over the SQL editor and leads to a table, a key, a row and a transaction by keys alone',
    walk,
    async ({ server, smallTable, open }) => {
      await setKeys(await api(server.url), [['shop/1', 'bread']])
      const console = await open(server.url)
      const { page } = console
      const finder = new FinderPage(console)
      await console.signIn('/query')
      await console.editor.click()
      await page.keyboard.type('SELECT 1;')
      await finder.open()
      await finder.close()
      await expect
        .poll(() => console.editor.evaluate((box) => box.contains(document.activeElement)))
        .toBe(true)
      expect(await console.editor.textContent()).toContain('SELECT 1;')
      await finder.find(smallTable, 'Table')
      await expect.poll(() => parameter(page, 'table')).toBe(smallTable)
      await finder.find('shop/', 'shop/1')
      await expect.poll(() => parameter(page, 'key')).toBe('shop/1')
      await expect.poll(() => isWithin(page, '#content')).toBe(true)
      await finder.find('tx 1', 'tx 1')
      await expect.poll(() => parameter(page, 'id')).toBe('1')
      await finder.find(`${smallTable} 2`, 'Row')
      await expect.poll(() => parameter(page, 'row')).toBe('n:2')
    },
  )

  test('gets what is typed while it is on its way, and no cell or text below does', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE early (id INTEGER, v VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO early (id, v) VALUES (1, 'as it was');")
    const console = await open(server.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/query?db=defaultdb&table=early')
    const part = /\/Finder-[^/]*\.js$/
    const held: Route[] = []
    await page.route(part, (route) => void held.push(route))
    const asked = () => expect.poll(() => held.length).toBe(1)
    const come = () => Promise.all(held.splice(0).map((route) => route.continue()))
    const cell = page.getByRole('gridcell', { name: 'as it was' })
    await cell.click()
    await page.keyboard.press('ControlOrMeta+K')
    await asked()
    await page.keyboard.type('nox')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await come()
    await expect.poll(() => finder.field.inputValue()).toBe('no')
    await page.keyboard.type('w')
    await expect.poll(() => finder.field.inputValue()).toBe('now')
    await finder.close()
    await cell.waitFor()
    expect(await page.getByText(/^Staged/).count()).toBe(0)
    // Given up: it does not come, and the cell takes keys again.
    await page.reload()
    await cell.waitFor()
    await cell.click()
    const late = page.waitForResponse(part)
    await page.keyboard.press('ControlOrMeta+K')
    await asked()
    await page.keyboard.press('Escape')
    await page.keyboard.type('new')
    await expect.poll(() => page.locator(':focus').inputValue()).toBe('new')
    await come()
    await late
    expect(await finder.panel.count()).toBe(0)
    // Given up and asked for again, it gets what was typed the second time.
    await page.reload()
    await cell.waitFor()
    await page.keyboard.press('ControlOrMeta+K')
    await asked()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('no')
    await come()
    await expect.poll(() => finder.field.inputValue()).toBe('no')
    await page.keyboard.type('w')
    await expect.poll(() => finder.field.inputValue()).toBe('now')
  })

  test('finds a transaction by a hash among all of them, on request', async ({ server, open }) => {
    const db = await api(server.url)
    await setKeys(db, [['one', '1']])
    const { txs } = await db.call<{ txs: { header: { id: string; eH: string } }[] }>('/db/tx', {
      initialTx: '1',
      limit: 1,
    })
    const [{ header }] = txs as [{ header: { id: string; eH: string } }]
    const console = await open(server.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/keys')
    await finder.open()
    await finder.field.fill(Buffer.from(header.eH, 'base64').toString('hex'))
    await finder.options.filter({ hasText: 'Look through the transactions' }).click()
    await page.getByText(/^Looked at all \d+ transactions?: 1 found\.$/).waitFor()
    await finder.options.filter({ hasText: 'hash of its entries' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'id')).toBe(header.id)
  })

  test('finds in other databases what it finds in the open one, and looks through all on request', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await setKeys(db, [['x/needle/0', '1']])
    await db.createDatabase('bare')
    await db.createDatabase('shop')
    await db.use('shop')
    await db.exec(
      "CREATE TABLE orders(id INTEGER, place VARCHAR[30], PRIMARY KEY (id, place)); INSERT INTO orders(id, place) VALUES (7, 'north, or south');",
    )
    await setKeys(db, [['a/needle/1', '1']])
    const newest = String(await db.txId())
    const console = await open(server.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/keys?db=defaultdb')
    await finder.open()
    await page.getByRole('radio', { name: 'All databases' }).check()
    const isFound = async (text: string, option: RegExp) => {
      await finder.field.fill(text)
      await finder.options.filter({ hasText: option }).waitFor()
    }
    await isFound(`tx ${newest}`, new RegExp(`^Transactiontx ${newest}database shop$`))
    await isFound('place', /^Columnplacein orders, database shop$/)
    const all = /^Search.*the keys of all \d+ databases for this text$/
    await isFound('needle', all)
    await finder.options.filter({ hasText: all }).click()
    await page.getByText(/^Looked at all \d+ keys of \d+ databases: 2 found\.$/).waitFor()
    await finder.options.filter({ hasText: /^Keya\/needle\/1database shop$/ }).waitFor()
    await isFound("orders (7, 'north, or south')", /^Row.*database shop$/)
    await finder.field.press('Enter')
    await expect.poll(() => parameter(page, 'db')).toBe('shop')
    expect(parameter(page, 'table')).toBe('orders')
  })

  test('keeps its results while the server does not answer, and says of what it has none', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/keys')
    const release = proxy.hold({ path: '/api/db/scan' })
    await finder.open()
    await finder.field.fill('deep audit')
    await finder.questions.getByText(/that begin with “deep audit”: asking…/).waitFor()
    await finder.options.first().getByText('Deep audit').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'tab')).toBe('audit')
    release()
  })

  test('opens the forms for a new table and a new collection from any screen', async ({
    server,
    smallTable,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/keys?db=defaultdb')
    await finder.find('new table', 'New table')
    await page.getByRole('dialog', { name: 'Create a table' }).waitFor()
    await page.keyboard.press('Escape')
    await console.tables.getByText(smallTable).first().waitFor()
    await finder.find('new collection', 'New collection')
    const form = page.getByRole('dialog', { name: 'Create a collection' })
    await form.waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'hidden' })
    await expect.poll(() => parameter(page, 'dialog')).toBeNull()
  })

  test('takes an evidence file that is dropped on any page to Verify', async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/keys')
    const drop = (name: string, text: string) =>
      dropFile(page.getByRole('heading', { name: 'Keys' }), name, text)
    await drop('rows.csv', 'a,b')
    await page.getByText(/“rows.csv” was not opened/).waitFor()
    expect(new URL(page.url()).pathname).toBe('/keys')
    await drop('get.json', readFileSync('test/fixtures/files/get.json', 'utf8'))
    await page.getByRole('tab', { name: 'Evidence', selected: true }).waitFor()
    await page.getByText('Consistent in itself').waitFor()
  })

  test('an evidence file on an editor opens Verify, any other one is text', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/query?db=defaultdb')
    await console.write('')
    const drop = (name: string, text: string) => dropFile(console.editor, name, text)
    await drop('notes.txt', 'SELECT 7;')
    await console.holds('SELECT 7;')
    await drop('get.json', readFileSync('test/fixtures/files/get.json', 'utf8'))
    await page.getByRole('tab', { name: 'Evidence', selected: true }).waitFor()
    await page.getByText('Consistent in itself').waitFor()
    await page.goBack()
    await console.holds('SELECT 7;')
  })

  test('has no violation in any size', unhurried, async ({ server, smallTable, open }) => {
    const console = await open(server.url)
    const { page } = console
    const finder = new FinderPage(console)
    await console.signIn('/')
    for (const { size, viewport } of sizes) {
      await resize(page, viewport)
      await page.getByRole('button', { name: 'Find anything' }).click()
      await finder.field.fill(smallTable)
      await finder.options.first().waitFor()
      await page.getByText(/keys of .*: nothing found/).waitFor()
      await expectAccessible(page, `finder ${size}`)
      await finder.close()
    }
  })
})
