import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { lookInBoth, unhurried } from '../support/looks'

describe('the looks of the databases', unhurried, () => {
  test('axe finds nothing in the list, the panel and each dialog', async ({ server, open }) => {
    const admin = await api(server.url)
    const names = ['ledger', 'старое', 'a'.repeat(128)]
    for (const name of names) await admin.call('/db/create/v2', { name, ifNotExists: true })
    const [ledger = '', old = ''] = names
    await admin.call('/db/unload', { database: old })
    const console = await open(server.url)
    const { page } = console
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    await console.enter('/databases')
    await page.getByRole('table', { name: 'Databases' }).waitFor()
    await lookInBoth(console, 'databases-list')
    await page.getByLabel('Filter by name').fill('no such name')
    await page.getByText('Nothing found').waitFor()
    await lookInBoth(console, 'databases-none')
    await press('Show all databases')
    await press(new RegExp(`^${old}`))
    await page
      .getByText(/It is unloaded/)
      .first()
      .waitFor()
    await lookInBoth(console, 'databases-unloaded')
    await press('Close the database')
    await press(new RegExp(`^${ledger}`))
    await press(`Compact the index: ${ledger}`)
    await page.getByText(/too little to compact/).waitFor()
    await lookInBoth(console, 'databases-panel')
    await press(`Truncate: ${ledger}`)
    await page.getByRole('dialog').waitFor()
    await lookInBoth(console, 'databases-truncate')
    await press('Cancel')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('Longest key').waitFor()
    await lookInBoth(console, 'databases-settings')
    await press('Change settings…')
    await page.getByRole('dialog').getByText('Performance', { exact: true }).click()
    await page.getByLabel('Parallel commits', { exact: true }).fill('x')
    await lookInBoth(console, 'databases-change')
    await page.getByLabel('Parallel commits', { exact: true }).fill('12')
    await press('Review 1 change')
    await lookInBoth(console, 'databases-review')
    await press('Back')
    await press('Cancel')
    await press('Close the database')
    await press('Create database')
    await page.getByLabel('Name', { exact: true }).fill('Café')
    await page.getByRole('dialog').getByText('Storage', { exact: true }).click()
    await lookInBoth(console, 'databases-create')
  })
})
