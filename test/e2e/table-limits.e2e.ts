import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { test } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { phone } from '../support/looks'
import { shot } from '../support/shots'

const rowsOf = async (db: Api, sql: string) =>
  (await db.query(sql)).map((row) => row.map((value) => Object.values(value)[0] ?? null))

describe('limits of immudb that staged edits meet', () => {
  test('a transaction of a small database holds what it was created with', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const settings = { maxTxEntries: { value: 4 } }
    await db.call('/db/create/v2', { name: 'smalldb', settings })
    const small = await api(server.url)
    await small.use('smalldb')
    await small.exec('CREATE TABLE few (id INTEGER, n INTEGER, PRIMARY KEY id);')
    const console = await open(server.url)
    const page = new EditsPage(console, 'few')
    await console.enter('/query?db=smalldb&table=few')
    await console.page.getByText('No rows', { exact: true }).waitFor()
    for (let row = 1; row <= 5; row += 1) {
      await page.button('Add row').click()
      await page.type(row, 1, 'id', String(row))
    }
    await page.button('Review changes').click()
    await page.review.getByText('5 of 4 entries with those of indexes.').waitFor()
    await page.review
      .getByRole('list', { name: 'Staged rows' })
      .getByRole('button', { name: 'Discard', exact: true })
      .last()
      .click()
    await page.review.getByText('4 of 4 entries with those of indexes.').waitFor()
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await console.page.getByText(/^4 rows committed in tx/).waitFor()
    expect(await rowsOf(small, 'SELECT id FROM few;')).toEqual([['1'], ['2'], ['3'], ['4']])
  })

  test('times that an index has in a wrong place may be missing, which is said; another order has them', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE eras (id INTEGER, at TIMESTAMP, PRIMARY KEY id);')
    await db.exec('CREATE INDEX ON eras(at);')
    await db.exec(
      "INSERT INTO eras (id, at) VALUES (1, CAST('2024-06-01' AS TIMESTAMP)), (2, CAST('2300-01-01' AS TIMESTAMP));",
    )
    const console = await open(server.url)
    const { page } = console
    const rows = page.getByRole('grid', { name: 'Rows of eras', exact: true })
    const since2024 = 'at:gt:1704067200000000'
    await console.enter(`/query?db=defaultdb&table=eras&q=${since2024},%5Eby:at`)
    await rows.getByRole('gridcell', { name: /^2024-06-01/ }).waitFor()
    expect(await rows.getByRole('gridcell', { name: /^2300-01-01/ }).count()).toBe(0)
    await page.getByText('Rows with times before 1677 or after 2262 may be missing').waitFor()
    await page.getByRole('combobox', { name: 'Order of the rows' }).click()
    await page.getByRole('option', { name: 'By id' }).click()
    await rows.getByRole('gridcell', { name: /^2300-01-01/ }).waitFor()
    expect(await page.getByText('may be missing').count()).toBe(0)
  })

  test('pages in the order of times leave such times out, too, and say so', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE ages (id INTEGER, at TIMESTAMP, PRIMARY KEY id);')
    await db.exec('CREATE INDEX ON ages(at);')
    const days = Array.from(
      { length: 150 },
      (_, at) => `(${at}, CAST(${at * 86_400} AS TIMESTAMP))`,
    )
    await db.exec(`INSERT INTO ages (id, at) VALUES ${days.join(', ')};`)
    await db.exec("INSERT INTO ages (id, at) VALUES (999, CAST('1600-01-01' AS TIMESTAMP));")
    const console = await open(server.url)
    const { page } = console
    const rows = page.getByRole('grid', { name: 'Rows of ages', exact: true })
    await console.enter('/query?db=defaultdb&table=ages&q=%5Eby:at')
    await rows.getByRole('gridcell', { name: '0', exact: true }).waitFor()
    await page.getByText(/may be missing, also in a file/).waitFor()
    await page.getByRole('button', { name: 'Next page', exact: true }).click()
    await page.getByText(/^Rows \d+–\d+/).waitFor()
    await page.getByText(/may be missing, also in a file/).waitFor()
  })

  test('a value that one row leaves and another takes is named before it is sent', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE seats (id INTEGER, n INTEGER, PRIMARY KEY id);')
    await db.exec('CREATE INDEX ON seats(n);')
    await db.exec('INSERT INTO seats (id, n) VALUES (1, 10), (2, 20);')
    const swap = 'UPDATE seats SET n = 20 WHERE id = 1; UPDATE seats SET n = 10 WHERE id = 2;'
    await expect(db.exec(swap)).rejects.toThrow('cannot change a non-transient key')
    const console = await open(server.url)
    const page = new EditsPage(console, 'seats')
    await page.open()
    await page.type(1, 2, 'n', '20')
    await page.type(2, 2, 'n', '10')
    await page.button('Review changes').click()
    await page.review.getByText(/^id = 1, n: immudb refuses a transaction/).waitFor()
    await page.review.getByRole('button', { name: 'Discard this value' }).first().click()
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await console.page.getByText(/^1 row committed in tx/).waitFor()
    await page.type(1, 2, 'n', '20')
    await page.commit()
    await console.page.getByText(/^1 row committed in tx/).waitFor()
    await expect.poll(() => rowsOf(db, 'SELECT n FROM seats;')).toEqual([['20'], ['10']])
  })

  test('what was typed for a column that was renamed since is not lost unseen', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE moved (id INTEGER, a VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO moved (id, a) VALUES (1, 'one');")
    const console = await open(server.url)
    const page = new EditsPage(console, 'moved')
    await page.open()
    await page.button('Add row').click()
    await page.type(2, 1, 'id', '2')
    await page.type(2, 2, 'a', 'typed')
    await db.exec('ALTER TABLE moved RENAME COLUMN a TO b;')
    await console.page.reload()
    await console.signedIn()
    await page.button('Review changes').click()
    await page.review.getByText(/You staged: typed/).waitFor()
    await shot(console.page, 'column-gone')
    const commit = page.review.getByRole('button', { name: 'Commit', exact: true })
    expect(await commit.getAttribute('title')).toBe('Correct the values that are named first.')
    expect(await rowsOf(db, 'SELECT id FROM moved;')).toEqual([['1']])
  })
})

describe('rows', () => {
  test('around one that is over 4 MiB are shown, and it is named', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE fat (id INTEGER, v VARCHAR, PRIMARY KEY id);')
    for (const id of [1, 2, 3]) {
      const s = id === 2 ? 'x'.repeat(5 * 1024 * 1024) : `v${id}`
      const params = [{ name: 'v', value: { s } }]
      await db.call('/db/sqlexec', { sql: `INSERT INTO fat (id, v) VALUES (${id}, @v);`, params })
    }
    const console = await open(server.url)
    const page = new EditsPage(console, 'fat')
    await page.open()
    await page.cell(1, 2).getByText('v1', { exact: true }).waitFor()
    await page.button('Next page').click()
    await console.page.getByText('Row id = 2 of fat is too large').waitFor()
    await shot(console.page, 'row-too-large')
    await page.button('Next page').click()
    await page.cell(1, 2).getByText('v3', { exact: true }).waitFor()
    await page.button('Previous page').click()
    await console.page.getByText('Row id = 2 of fat is too large').waitFor()
    await page.button('Previous page').click()
    await page.cell(1, 2).getByText('v1', { exact: true }).waitFor()
  })

  test('of a further page begin at the top, those read again stay, and a phone has room for them', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE tall (id INTEGER, a VARCHAR, PRIMARY KEY id);')
    const rows = Array.from({ length: 300 }, (_, at) => `(${at}, 'a${at}')`)
    await db.exec(`INSERT INTO tall (id, a) VALUES ${rows.join(', ')};`)
    const console = await open(server.url)
    const page = new EditsPage(console, 'tall')
    await page.open()
    const top = () => page.grid.evaluate((grid) => grid.scrollTop)
    const scroll = () =>
      page.grid.evaluate((grid) => {
        grid.scrollTop = 1_500
      })
    await scroll()
    await page.button('Next page').click()
    await page.cell(1, 1).getByText('100', { exact: true }).waitFor()
    expect(await top()).toBe(0)
    await scroll()
    const answered = console.page.waitForResponse(/sqlquery/)
    await page.button('Read the rows of tall again').click()
    await answered
    await page.grid.getByText('a150', { exact: true }).waitFor()
    expect(await top()).toBe(1_500)
    await page.button('Previous page').click()
    await page.cell(1, 1).getByText('0', { exact: true }).waitFor()
    expect(await top()).toBe(0)
    await console.page.setViewportSize(phone.viewport)
    await expect.poll(async () => (await page.grid.boundingBox())?.height).toBeGreaterThan(500)
    await page.button('Export').click()
    await console.page.getByRole('menuitem', { name: /^JSON/ }).waitFor()
    await shot(console.page, 'rows-on-phone')
  })
})

test('a reload of the tab finds all open tables again', async ({ server, open }) => {
  const db = await api(server.url)
  for (const name of ['left', 'middle', 'right']) {
    await db.exec(`CREATE TABLE tab_${name} (id INTEGER, PRIMARY KEY id);`)
  }
  const console = await open(server.url)
  await console.enter('/query?db=defaultdb&table=tab_left')
  for (const name of ['middle', 'right']) {
    await console.page.getByRole('treeitem', { name: new RegExp(`^tab_${name}`) }).click()
    await console.page.getByRole('tab', { name: `tab_${name}`, selected: true }).waitFor()
  }
  await console.page.reload()
  await console.signedIn()
  const tabs = console.page.getByRole('tablist', { name: 'Editor and tables' }).getByRole('tab')
  const names = ['Editor', 'tab_left', 'tab_middle', 'tab_right']
  await expect.poll(() => tabs.allTextContents()).toEqual(names)
  await tabs.nth(1).click()
  await console.page.getByRole('region', { name: 'Table tab_left' }).waitFor()
})
