import type { Locator } from 'playwright-core'
import { KeysPage } from './keys-page'
import { button, type Stage, type Steps } from './role-stage'

const region = ({ page }: Stage, name: string) => page.getByRole('region', { name, exact: true })

/** Runs a statement; its result is the newest one. */
async function run({ console, page }: Stage, sql: string): Promise<Locator> {
  const results = page.getByRole('region', { name: /^Result \d+$/ })
  const before = await results.count()
  await console.runSql(sql)
  await results.nth(before).waitFor()
  return results.nth(before)
}

const refused = (sql: string) => async (at: Stage) => (await run(at, sql)).getByRole('alert')
const insert = "INSERT INTO things (id, name) VALUES (4, 'four');"
const create = 'CREATE TABLE more_things (id INTEGER, PRIMARY KEY id);'

export const querySteps: Steps = {
  'run a query': {
    works: async (at) => {
      const result = await run(at, 'SELECT id, name FROM things;')
      await result.getByRole('gridcell', { name: 'two', exact: true }).waitFor()
    },
  },
  'export a result': {
    works: async ({ page }) => {
      await page
        .getByRole('button', { name: /^Export result/ })
        .first()
        .click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: /^CSV for spreadsheets/ }).click()
      await download
      await page.getByText(/^Complete:/).waitFor()
    },
  },
  'insert rows': {
    works: async (at) => (await run(at, insert)).getByText('Committed, 1 row changed.').waitFor(),
    refused: refused(insert),
  },
  'create a table': {
    works: async (at) => {
      await run(at, create)
      await at.console.tables.getByRole('treeitem', { name: /^more_things/ }).waitFor()
    },
    refused: refused(create),
  },
  'travel in time': {
    works: async (at) => {
      await at.console.travelTo('2')
      const result = await run(at, 'SELECT id FROM things;')
      await result.getByText('Past', { exact: true }).waitFor()
      await result.getByText('2 rows').waitFor()
      await button(at, 'Back to now').click()
    },
  },
  'look at the code history': {
    works: async (at) => {
      await button(at, 'Code history').click()
      await at.console.dialog.getByText('SELECT id, name FROM things').first().waitFor()
      await at.page.keyboard.press('Escape')
      await at.console.dialog.waitFor({ state: 'hidden' })
    },
  },
  'add demo data': {
    works: async (at) => {
      await at.console.pickDatabase(at.spare)
      await button(at, 'Add demo data').click()
      await at.console.dialog.getByRole('button', { name: 'Add demo data' }).click()
      await at.console.tables.getByRole('treeitem', { name: /^stations/ }).waitFor()
      await at.console.pickDatabase(at.own)
    },
  },
}

export const otherSteps: Steps = {
  'see health, state and figures': {
    works: async (at) => {
      await region(at, 'Counters').getByText('Healthy').waitFor()
      await region(at, 'State').getByText('reported by server').waitFor()
      await region(at, 'Recent transactions').getByText('tx 1', { exact: true }).waitFor()
    },
  },
  'see the security check-up': {
    works: (at) =>
      region(at, 'Security check-up')
        .getByText(/other checks/)
        .waitFor(),
  },
  'see the metrics': {
    works: ({ page }) =>
      // It is drawn as a line from the second reading on, a minute later.
      page.getByRole('region', { name: 'Counters' }).getByText('Memory', { exact: true }).waitFor(),
  },
  'list the keys': {
    works: async ({ page }) => {
      const keys = new KeysPage(page)
      await keys.button('List').click()
      await keys.option('key').waitFor()
    },
  },
  'get a key': {
    works: async ({ page }) => {
      const keys = new KeysPage(page)
      await keys.get('key')
      await keys.entry.getByText('of old').waitFor()
    },
  },
  'see the revisions of a key': {
    works: ({ page }) => new KeysPage(page).entry.getByRole('link', { name: /^rev 1/ }).waitFor(),
  },
  'get a key with its proof': {
    works: async ({ page }) => {
      await new KeysPage(page).button('Verify').click()
      const drawer = page.getByRole('dialog', { name: 'Proof of key key', exact: true })
      await drawer.getByText('Verified in this browser').waitFor()
      await drawer.getByRole('button', { name: 'Close', exact: true }).click()
    },
  },
  'change a setting of this browser': {
    works: async (at) => {
      await region(at, 'Appearance').getByRole('radio', { name: 'Light' }).check()
      await at.page.locator('[data-theme=light]').waitFor()
    },
  },
}
