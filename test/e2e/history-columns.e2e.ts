import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { startTampering } from '../shown/tampering-proxy'
import { type Api, api } from '../support/api'
import { test, walk } from '../support/e2e'
import { engine } from '../support/engine'
import { base64 } from '../support/keys-page'
import { expectAccessible, fits, resize, sizes, unhurried } from '../support/looks'

/** Rows that were written once, changed, deleted and inserted again; returns their transactions. */
async function written(db: Api, table: string): Promise<Record<string, number>> {
  await db.exec(`CREATE TABLE ${table} (id INTEGER, "order" VARCHAR, PRIMARY KEY id)`)
  const at: Record<string, number> = {}
  const note = async (name: string, sql: string) => {
    await db.exec(sql)
    at[name] = await db.txId()
  }
  await note('all', `INSERT INTO ${table} (id, "order") VALUES (1, 'a'), (2, 'b'), (3, '<b>')`)
  await note('changed', `UPDATE ${table} SET "order" = 'c' WHERE id = 2`)
  await note('deleted', `DELETE FROM ${table} WHERE id = 3`)
  await note('again', `INSERT INTO ${table} (id, "order") VALUES (3, 'd')`)
  return at
}

const rowOf = (grid: Locator, value: string) =>
  grid
    .getByRole('row')
    .filter({ has: grid.page().getByRole('gridcell', { name: value, exact: true }) })

async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Columns of/ })
  for (const name of names) await dialog.getByRole('checkbox', { name, exact: true }).check()
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const transaction = 'Transaction that wrote the row last'
const time = 'Time of that transaction'

describe('the history columns of a table', walk, () => {
  test(
    'are off at first, say what was then, are kept, and lead to the transaction',
    unhurried,
    async ({ server, open }) => {
      const db = await api(server.url)
      const at = await written(db, 'columned')
      const console = await open(server.url)
      const { page } = console
      await console.enter('/query?db=defaultdb&table=columned&tab=rows')
      const grid = page.getByRole('grid', { name: 'Rows of columned' })
      await rowOf(grid, 'a').waitFor()
      expect(await grid.getByRole('columnheader', { name: /^Transaction/ }).count()).toBe(0)
      await choose(page, transaction, time, 'Revision that is shown', 'Number of revisions')
      const cell = (value: string, text: string) =>
        rowOf(grid, value).getByRole('gridcell', { name: text, exact: true }).first().waitFor()
      await cell('a', `${at.all}`)
      await cell('c', `${at.changed}`)
      await cell('d', `${at.again}`)
      await cell('d', '3')
      await rowOf(grid, 'd').getByText(/UTC$/).waitFor()
      // In one engine: asked here, axe ends the page's process in Firefox 153 and WebKitGTK 2.50.
      for (const { size, viewport } of engine === 'chromium' ? sizes : []) {
        await resize(page, viewport)
        await expectAccessible(page, 'history columns')
        await fits(page, size)
      }
      await resize(page, sizes[0].viewport)
      // Nothing of it can be changed, cleared or pasted over.
      await rowOf(grid, 'a').getByText(/UTC$/).click()
      for (const key of ['Delete', 'x', 'Control+d']) {
        await page.keyboard.press(key)
        await page
          .getByText('This is not stored with the row, so it cannot be changed.')
          .first()
          .waitFor()
      }
      expect(await page.getByText(/staged/i).count()).toBe(0)
      await page.reload()
      await console.signedIn()
      await cell('c', `${at.changed}`)

      // As of the past it is what was then.
      await console.goTo(`/query?db=defaultdb&table=columned&tab=rows&at=tx:${at.all}`)
      await cell('b', `${at.all}`)
      await cell('b', 'up to 2')
      await cell('a', '1')
      await console.goTo('/query?db=defaultdb&table=columned&tab=rows')

      // A result of the one table has them too, and one of several tables says why not.
      await console.goTo('/query?db=defaultdb')
      await console.runSql('SELECT id, "order" FROM columned')
      const result = page.getByRole('grid', { name: /^Rows of result/ }).first()
      await rowOf(result, 'c')
        .getByRole('gridcell', { name: `${at.changed}`, exact: true })
        .waitFor()
      await rowOf(result, 'c')
        .getByRole('link', { name: `${at.changed}`, exact: true })
        .click()
      await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(`${at.changed}`)
    },
  )
})

describe('the history columns of a result', () => {
  test('are refused with the reason where rows have no key or are revisions', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await written(db, 'counted')
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    const button = (number: number) =>
      console.page.getByRole('button', { name: `History columns of result ${number}`, exact: true })
    await console.runSql('SELECT "order" FROM counted')
    await button(1).click()
    await console.page.getByText(/^A row is verified by its whole primary key\./).waitFor()
    await console.runSql('SELECT _rev, id FROM (HISTORY OF counted) WHERE id = 2')
    await button(2).waitFor()
    expect(await button(2).getAttribute('title')).toMatch(/^These rows are revisions\./)
    await console.runSql('SELECT a.id FROM counted a INNER JOIN counted b ON a.id = b.id')
    await button(3).waitFor()
    expect(await button(3).getAttribute('title')).toMatch(/^Only rows of one table/)
  })
})

describe('the last writes of keys', () => {
  test('are shown in the list when they are asked for, and kept', async ({ server, open }) => {
    const db = await api(server.url)
    const set = async (value: string) => {
      await db.call('/db/set', { KVs: [{ key: base64('columned'), value: base64(value) }] })
      return db.txId()
    }
    await set('one')
    const second = await set('two')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/keys?db=defaultdb&prefix=columned')
    const line = page.getByRole('option', { name: /columned/ })
    await line.waitFor()
    expect(await line.textContent()).not.toContain('tx ')
    await page.getByRole('button', { name: 'Last writes', exact: true }).click()
    await line.getByText(`tx ${second}`, { exact: true }).waitFor()
    await line.getByText('rev 2', { exact: true }).waitFor()
    await page.reload()
    await console.signedIn()
    await line.getByText(`tx ${second}`, { exact: true }).waitFor()
  })
})

describe('a mark beside history columns', () => {
  test('accounts for what they say', unhurried, async ({ server, open }) => {
    const db = await api(server.url)
    await written(db, 'marked')
    const liar = await startTampering(server.url)
    onTestFinished(() => liar.close())
    const console = await open(liar.url)
    const { page } = console
    await console.enter('/query?db=defaultdb&table=marked&tab=rows')
    const grid = page.getByRole('grid', { name: 'Rows of marked' })
    await rowOf(grid, 'a').waitFor()
    await choose(page, transaction, time)
    const mark = async (name: RegExp) => {
      await rowOf(grid, 'a').getByText(/UTC$/).waitFor()
      await rowOf(grid, 'a').getByRole('gridcell', { name: 'a', exact: true }).click()
      await page.keyboard.press('Alt+v')
      const proof = page.getByRole('dialog', { name: /^Proof of/ })
      await proof.getByText('What is proven').waitFor()
      await page.keyboard.press('Escape')
      await proof.waitFor({ state: 'detached' })
      await rowOf(grid, 'a').getByRole('button', { name }).waitFor()
    }
    await mark(/^In part, tx .*the name and columns/)
    await choose(page, 'Number of revisions')
    await mark(/^In part, tx .*the revision number/)
    liar.begin({
      on: 'answer',
      strikes: ({ path }) => path === '/db/tx',
      alter: (text) => text.replaceAll('"ts":"1', '"ts":"2'),
    })
    await page.reload()
    await console.signedIn()
    await mark(/^Not as shown: the time of the transaction/)
  })

  test('accounts for rows that were scrolled away', unhurried, async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE long (id INTEGER, PRIMARY KEY id)')
    const insert = async (from: number) => {
      const rows = Array.from({ length: 60 }, (_, at) => `(${from + at})`).join()
      await db.exec(`INSERT INTO long (id) VALUES ${rows}`)
      return db.txId()
    }
    const first = await insert(1)
    await insert(61)
    const liar = await startTampering(server.url)
    onTestFinished(() => liar.close())
    const console = await open(liar.url)
    const { page } = console
    await console.enter('/query?db=defaultdb')
    liar.begin({
      on: 'answer',
      strikes: ({ path }) => path === '/db/tx',
      alter: (text) => text.replace(new RegExp(`("id":"${first}"[^}]*?"ts":")1`, 'g'), '$12'),
    })
    await console.runSql('SELECT id FROM long')
    await page.getByRole('button', { name: /^History columns of result/ }).click()
    const dialog = page.getByRole('dialog', { name: /^History columns/ })
    for (const name of [transaction, time]) await dialog.getByRole('checkbox', { name }).check()
    await dialog.getByRole('button', { name: 'Done', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const grid = page.getByRole('grid', { name: /^Rows of result/ })
    await rowOf(grid, '1').getByText(/UTC$/).waitFor()
    await rowOf(grid, '1').getByRole('gridcell').first().click()
    await page.keyboard.press('Control+End')
    await rowOf(grid, '120').getByText(/UTC$/).waitFor()
    await rowOf(grid, '1').waitFor({ state: 'detached' })
    const result = page.getByRole('region', { name: 'Result 1', exact: true })
    await result.getByRole('button', { name: /^Verify all rows/ }).click()
    await result.getByText('What stands beside them is not all proven.').waitFor()
  })
})

describe('history columns that a server refuses to tell', () => {
  test('are not called gone, and can be read again', async ({ server, open }) => {
    const db = await api(server.url)
    const at = await written(db, 'refusing')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/query?db=defaultdb')
    // As versions do that know no such period.
    let message = 'syntax error: unexpected CAST'
    await page.route('**/db/sqlquery', (route) =>
      /SINCE TX \d+ UNTIL/.test(route.request().postData() ?? '')
        ? route.fulfill({ status: 500, json: { error: message, code: 2, message } })
        : route.fallback(),
    )
    await console.runSql(
      `SELECT id, "order" FROM refusing UNTIL CAST('2199-01-01 00:00:00' AS TIMESTAMP)`,
    )
    await page.getByRole('button', { name: /^History columns of result/ }).click()
    const dialog = page.getByRole('dialog', { name: /^History columns/ })
    await dialog.getByRole('checkbox', { name: transaction }).check()
    await dialog.getByRole('button', { name: 'Done', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const grid = page.getByRole('grid', { name: /^Rows of result/ })
    await rowOf(grid, 'c').getByText('not read', { exact: true }).waitFor()
    expect(await grid.getByText('gone since').count()).toBe(0)

    // A failure says why, once, and leads to a limit that it names.
    message = 'max active snapshots limit reached'
    await console.runSql('SELECT id, "order" FROM refusing')
    const alert = page.getByRole('alert').filter({ hasText: 'The history of some rows' })
    await alert.getByRole('button', { name: 'See “Snapshots” in Limits.' }).waitFor()
    await page.unroute('**/db/sqlquery')
    await alert.getByRole('button', { name: 'Read it again', exact: true }).click()
    await rowOf(page.getByRole('grid', { name: 'Rows of result 2' }), 'c')
      .getByRole('gridcell', { name: `${at.changed}`, exact: true })
      .waitFor()
    await alert.waitFor({ state: 'detached' })
  })
})
