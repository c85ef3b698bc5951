import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { Theme } from '../support/browser'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { shot } from '../support/shots'
import { createWideTable } from '../support/sql-samples'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes: readonly Theme[] = ['dark', 'light']
const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  themes.map((theme) => ({ size, viewport, theme })),
)

/** A picture and what axe finds, once what moves has come to rest. */
async function checked(console: ConsolePage, name: string) {
  await console.page.evaluate(() =>
    Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))),
  )
  await shot(console.page, name)
  expect((await axeViolations(console.page)).join('\n'), name).toBe('')
}

async function closed(console: ConsolePage) {
  await console.page.keyboard.press('Escape')
  await console.dialog.waitFor({ state: 'hidden' })
}

describe.for(looks)('Query, $theme, $size', ({ size, viewport, theme }) => {
  test('has no violation in any of its states and dialogs', async ({ server, open }) => {
    const database = `look_${theme}_${size}`
    const db = await api(server.url)
    await db.createDatabase(database)
    const console = await open(server.url, { viewport })
    const { page } = console
    const show = async (tab: string) => {
      if (size === 'phone') await page.getByRole('tab', { name: tab, exact: true }).click()
    }
    const see = (name: string) => checked(console, `query-${name}-${theme}-${size}`)
    await console.seed({ view: { theme } })
    await console.signIn(`/query?db=${database}`)
    await show('Tables')
    const demo = page.getByRole('button', { name: 'Add demo data' })
    await demo.click()
    await console.dialog.waitFor()
    await see('demo')
    await console.dialog.getByRole('button', { name: 'Add demo data' }).click()
    await console
      .result(1)
      .getByText(/Committed/)
      .waitFor()
    await show('Tables')
    await console.tables.getByRole('treeitem', { name: /^bicycles/ }).click()
    await page.getByRole('button', { name: 'Count the rows of bicycles' }).click()
    await console.tables.getByRole('treeitem', { name: /7 rows/ }).waitFor()
    await see('tree')
    await page.getByRole('button', { name: 'Preview bicycles' }).click()
    await console.grid(2).waitFor()
    await see('preview')
    await console.grid(2).press('End')
    await console.grid(2).press('Enter')
    await console.dialog.getByRole('tree').waitFor()
    await see('json')
    await closed(console)
    await console
      .result(2)
      .getByRole('button', { name: /^Export or copy/ })
      .click()
    await console.dialog.waitFor()
    await see('export')
    await closed(console)
    await show('Editor')
    await console.travelTo(/^Another moment/)
    await console.dialog.waitFor()
    await see('moment')
    await closed(console)
    await console.runSql("UPDATE bicycles SET weight = 17.2 WHERE frame = 'RV-0117';")
    await console
      .result(3)
      .getByText(/Committed/)
      .waitFor()
    await show('Editor')
    await console.travelTo(/^tx 1$/)
    await console.runSql('SELECT frame, weight FROM bicycles;')
    await console.grid(4).waitFor()
    await see('past')
    await show('Editor')
    await see('past-editor')
    await page.getByRole('button', { name: 'Back to the present' }).click()
    await page.getByRole('button', { name: 'Code history' }).click()
    await console.dialog.getByRole('listitem').first().waitFor()
    await see('history')
    await closed(console)
    await console.write('DROP TABLE rides;\nDELETE FROM stations;')
    await console.runAll.click()
    await console.dialog.waitFor()
    await see('danger')
    await closed(console)
    await createWideTable(await db.use(database), 'long_one', 2_501, 3)
    await console.runSql('SELECT * FROM long_one;')
    await console
      .result(5)
      .getByText(/more exist/)
      .waitFor()
    await see('pages')
    await console.open(`/query?db=${database}&sql=SELECT%201;`)
    await console.signedIn()
    await page.getByText(/came with a link/).waitFor()
    await see('link')
  })
})
