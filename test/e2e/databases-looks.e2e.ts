import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { Theme } from '../support/browser'
import { test } from '../support/e2e'
import { shot } from '../support/shots'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes: readonly Theme[] = ['dark', 'light']
const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  themes.map((theme) => ({ size, viewport, theme })),
)

describe.for(looks)('the looks of the databases, $theme, $size', ({ size, viewport, theme }) => {
  test('axe finds nothing in the list, the panel and each dialog', async ({ server, open }) => {
    const admin = await api(server.url)
    const names = [`ledger_${theme}_${size}`, `старое_${theme}_${size}`, 'a'.repeat(128)]
    for (const name of names) await admin.call('/db/create/v2', { name, ifNotExists: true })
    const [ledger = '', old = ''] = names
    await admin.call('/db/unload', { database: old })
    const { page, ...console } = await open(server.url, { viewport }).then((one) => ({
      page: one.page,
      seed: () => one.seed({ view: { theme } }),
      signIn: () => one.signIn('/databases'),
    }))
    const seen = async (what: string) => {
      await shot(page, `databases-${what}-${theme}-${size}`)
      expect((await axeViolations(page)).join('\n'), what).toBe('')
    }
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    await console.seed()
    await console.signIn()
    await page.getByRole('table', { name: 'Databases' }).waitFor()
    await seen('list')
    await press(new RegExp(`^${old}`))
    await page
      .getByText(/It is unloaded/)
      .first()
      .waitFor()
    await seen('unloaded')
    await press('Close the database')
    await press(new RegExp(`^${ledger}`))
    await press(`Compact the index: ${ledger}`)
    await page.getByText(/too little to compact/).waitFor()
    await seen('panel')
    await press(`Truncate: ${ledger}`)
    await page.getByRole('dialog').waitFor()
    await seen('truncate')
    await press('Cancel')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('Longest key').waitFor()
    await seen('settings')
    await press('Change settings…')
    await page.getByRole('dialog').getByText('Performance', { exact: true }).click()
    await page.getByLabel('Parallel commits', { exact: true }).fill('x')
    await seen('change')
    await page.getByLabel('Parallel commits', { exact: true }).fill('12')
    await press('Review 1 change')
    await seen('review')
    await press('Back')
    await press('Cancel')
    await press('Close the database')
    await press('Create database')
    await page.getByLabel('Name', { exact: true }).fill('Café')
    await page.getByRole('dialog').getByText('Storage', { exact: true }).click()
    await seen('create')
  })
})
