import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { setKeys } from '../support/keys-page'
import { expectAccessible, resize, sizes, unhurried } from '../support/looks'

const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything', exact: true })
const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Find anything', exact: true })
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

async function openFinder({ page }: ConsolePage) {
  await page.keyboard.press('ControlOrMeta+K')
  await field(page).waitFor()
  await expect.poll(() => field(page).evaluate((box) => box === document.activeElement)).toBe(true)
}

/** Opens the first result once it is the one that is meant. */
async function find(console: ConsolePage, text: string, first: string) {
  const { page } = console
  await openFinder(console)
  await field(page).fill(text)
  await expect.poll(() => options(page).first().textContent()).toContain(first)
  await page.keyboard.press('Enter')
  await panel(page).waitFor({ state: 'hidden' })
}

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
      await console.signIn('/query')
      await console.editor.click()
      await page.keyboard.type('SELECT 1;')
      await openFinder(console)
      await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'hidden' })
      await expect
        .poll(() => console.editor.evaluate((box) => box.contains(document.activeElement)))
        .toBe(true)
      expect(await console.editor.textContent()).toContain('SELECT 1;')
      await find(console, smallTable, 'Table')
      await expect.poll(() => parameter(page, 'table')).toBe(smallTable)
      await find(console, 'shop/', 'shop/1')
      await expect.poll(() => parameter(page, 'key')).toBe('shop/1')
      await expect.poll(() => isWithin(page, '#content')).toBe(true)
      await find(console, 'tx 1', 'tx 1')
      await expect.poll(() => parameter(page, 'id')).toBe('1')
      await find(console, `${smallTable} 2`, 'Row')
      await expect.poll(() => parameter(page, 'row')).toBe('n:2')
    },
  )

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
    await console.signIn('/keys')
    await openFinder(console)
    await field(page).fill(Buffer.from(header.eH, 'base64').toString('hex'))
    await options(page).filter({ hasText: 'Look through the transactions' }).click()
    await page.getByText(/^Looked at all \d+ transactions?: 1 found\.$/).waitFor()
    await options(page).filter({ hasText: 'hash of its entries' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'id')).toBe(header.id)
  })

  test('keeps its results while the server does not answer, and says of what it has none', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    const { page } = console
    await console.signIn('/keys')
    const release = proxy.hold({ path: '/api/db/scan' })
    await openFinder(console)
    await field(page).fill('deep audit')
    const asked = page.getByRole('region', { name: 'Questions to the server' })
    await asked.getByText(/that begin with “deep audit”: asking…/).waitFor()
    await options(page).first().getByText('Deep audit').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'tab')).toBe('audit')
    release()
  })

  test('takes an evidence file that is dropped on any page to Verify', async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/keys')
    const drop = (name: string, text: string) =>
      page.getByRole('heading', { name: 'Keys' }).evaluate(
        (target, [fileName, content]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([content ?? ''], fileName ?? ''))
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
          target.dispatchEvent(event)
        },
        [name, text],
      )
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
    const drop = (name: string, text: string) =>
      console.editor.evaluate(
        (target, [fileName, content]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([content ?? ''], fileName ?? ''))
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
          target.dispatchEvent(event)
        },
        [name, text],
      )
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
    await console.signIn('/')
    for (const { size, viewport } of sizes) {
      await resize(page, viewport)
      await page.getByRole('button', { name: 'Find anything' }).click()
      await field(page).fill(smallTable)
      await options(page).first().waitFor()
      await page.getByText(/No key begins so/).waitFor()
      await expectAccessible(page, `finder ${size}`)
      await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'hidden' })
    }
  })
})
