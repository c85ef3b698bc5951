import { describe } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { createWideTable } from '../support/sql-samples'

async function closed(console: ConsolePage) {
  const { page, dialog } = console
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // The focus goes back a moment later, and would be taken from what is pressed until then.
  await page.waitForFunction(() => document.activeElement !== document.body)
}

describe.for(sizes)('Query, $size', unhurried, ({ size, viewport }) => {
  test('has no violation in any of its states and dialogs', async ({ server, open }) => {
    const database = `look_${size}`
    const db = await api(server.url)
    await db.createDatabase(database)
    const console = await open(server.url, { viewport })
    const { page } = console
    const show = async (tab: string) => {
      if (size === 'phone') await page.getByRole('tab', { name: tab, exact: true }).click()
    }
    await console.enter(`/query?db=${database}`)
    await show('Tables')
    const demo = page.getByRole('button', { name: 'Add demo data' })
    await demo.click()
    await console.dialog.waitFor()
    await look(console, 'query-demo')
    await console.dialog.getByRole('button', { name: 'Add demo data' }).click()
    await console
      .result(1)
      .getByText(/Committed/)
      .waitFor()
    await show('Tables')
    const bicycles = console.tables.getByRole('treeitem', { name: /^bicycles/ })
    await bicycles.locator('[data-arrow]').click()
    await page.getByRole('button', { name: 'Count the rows of bicycles' }).click()
    await console.tables.getByRole('treeitem', { name: /7 rows/ }).waitFor()
    await look(console, 'query-tree')
    await page.getByRole('button', { name: 'Preview bicycles' }).click()
    await console.grid(2).waitFor()
    await look(console, 'query-preview')
    await page.getByRole('button', { name: 'Pin result 2 to the top' }).click()
    await page.getByRole('button', { name: 'Search the output' }).click()
    await page.getByRole('textbox', { name: 'Search the output' }).fill('cargo')
    await page
      .getByRole('search')
      .getByText(/^[1-9]\d* hits?$/)
      .waitFor()
    await page.keyboard.press('Enter')
    await look(console, 'query-search')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Unpin result 2' }).click()
    await page.keyboard.press('?')
    await console.dialog.waitFor()
    await look(console, 'query-shortcuts')
    await closed(console)
    await console.grid(2).press('End')
    await console.grid(2).press('Enter')
    await console.dialog.getByRole('tree').waitFor()
    await look(console, 'query-json')
    await closed(console)
    await console.result(2).getByRole('button', { name: 'Export result 2' }).click()
    await page.getByRole('menu', { name: 'Export as' }).waitFor()
    await look(console, 'query-export')
    await page.keyboard.press('Escape')
    await show('Editor')
    await console.openAsOf()
    await console.dialog.waitFor()
    await look(console, 'query-moment')
    await closed(console)
    await console.runSql("UPDATE bicycles SET weight = 17.2 WHERE frame = 'RV-0117';")
    await console
      .result(3)
      .getByText(/Committed/)
      .waitFor()
    await show('Editor')
    await console.travelTo('1')
    await console.runSql('SELECT frame, weight FROM bicycles;')
    await console.grid(4).waitFor()
    await look(console, 'query-past')
    await show('Editor')
    await look(console, 'query-past-editor')
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByRole('button', { name: 'Code history' }).click()
    await console.dialog.getByRole('listitem').first().waitFor()
    await look(console, 'query-history')
    await closed(console)
    await console.write('DROP TABLE rides;\nDELETE FROM stations;')
    await console.runAll.click()
    await console.dialog.waitFor()
    await look(console, 'query-danger')
    await closed(console)
    await createWideTable(await db.use(database), 'long_one', 2_501, 3)
    await console.runSql('SELECT * FROM long_one;')
    await console
      .result(5)
      .getByText(/more exist/)
      .waitFor()
    await look(console, 'query-pages')
    await console.open(`/query?db=${database}&sql=SELECT%201;`)
    await console.signedIn()
    await page.getByText(/came with a link/).waitFor()
    await look(console, 'query-link')
  })
})
