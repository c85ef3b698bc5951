import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'

describe('the same place', () => {
  test('is there again after another screen, a reload and a log-out', async ({ server, open }) => {
    const root = await api(server.url)
    await root.createDatabase('shop')
    const db = await root.use('shop')
    await db.exec('CREATE TABLE parts (id INTEGER, name VARCHAR[20], PRIMARY KEY id);')
    const rows = Array.from({ length: 250 }, (_, at) => `(${at}, 'part ${(at * 7) % 250}')`)
    await db.exec(`INSERT INTO parts (id, name) VALUES ${rows.join(', ')};`)
    const console = await open(server.url)
    await console.enter('/query?db=shop')
    const { page } = console
    await console.write('SELECT 1 FROM parts;')
    await page.getByRole('treeitem', { name: /^parts/ }).click()
    const title = page.getByRole('columnheader', { name: /^name/ })
    await title.getByRole('button').click()
    await page.getByText('Rows 1–100').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Rows 101–200').waitFor()
    const address = page.url()
    const isThere = async () => {
      await page.getByText('Rows 101–200').waitFor()
      expect(page.url()).toBe(address)
      expect(await title.getAttribute('aria-sort')).toBe('ascending')
    }
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Transactions' }).click()
    await page.getByRole('heading', { name: 'Transactions' }).first().waitFor()
    await main.getByRole('link', { name: 'Query' }).click()
    await isThere()
    await page.reload()
    await isThere()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await console.submitLogin()
    await isThere()
    // The SQL of one database stands in no other's editor.
    await page.getByRole('tab', { name: 'Editor', exact: true }).click()
    await console.editor.getByText('SELECT 1 FROM parts;').waitFor()
    await page.goto(`${server.url}/query?db=defaultdb`)
    await console.editor.waitFor()
    await console.write('SELECT 2;')
    await page.goto(`${server.url}/query?db=shop`)
    await console.editor.getByText('SELECT 1 FROM parts;').waitFor()
  })
})
