import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'

describe.for(sizes)('the looks of the databases, $size', unhurried, ({ size, viewport }) => {
  test('axe finds nothing in the list, the panel and each dialog', async ({ server, open }) => {
    const admin = await api(server.url)
    const names = [`ledger_${size}`, `старое_${size}`, 'a'.repeat(128)]
    for (const name of names) await admin.call('/db/create/v2', { name, ifNotExists: true })
    const [ledger = '', old = ''] = names
    await admin.call('/db/unload', { database: old })
    const console = await open(server.url, { viewport })
    const { page } = console
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    await console.enter('/databases')
    await page.getByRole('table', { name: 'Databases' }).waitFor()
    await look(console, 'databases-list')
    await page.getByLabel('Filter by name').fill('no such name')
    await page.getByText('Nothing found').waitFor()
    await look(console, 'databases-none')
    await press('Show all databases')
    await press(new RegExp(`^${old}`))
    await page
      .getByText(/It is unloaded/)
      .first()
      .waitFor()
    await look(console, 'databases-unloaded')
    await press('Close the database')
    await press(new RegExp(`^${ledger}`))
    await press(`Compact the index: ${ledger}`)
    await page.getByText(/too little to compact/).waitFor()
    await look(console, 'databases-panel')
    await press(`Truncate: ${ledger}`)
    await page.getByRole('dialog').waitFor()
    await look(console, 'databases-truncate')
    await press('Cancel')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('Longest key').waitFor()
    await look(console, 'databases-settings')
    await press('Change settings…')
    await page.getByRole('dialog').getByText('Performance', { exact: true }).click()
    await page.getByLabel('Parallel commits', { exact: true }).fill('x')
    await look(console, 'databases-change')
    await page.getByLabel('Parallel commits', { exact: true }).fill('12')
    await press('Review 1 change')
    await look(console, 'databases-review')
    await press('Back')
    await press('Cancel')
    await press('Close the database')
    await press('Create database')
    await page.getByLabel('Name', { exact: true }).fill('Café')
    await page.getByRole('dialog').getByText('Storage', { exact: true }).click()
    await look(console, 'databases-create')
  })
})
