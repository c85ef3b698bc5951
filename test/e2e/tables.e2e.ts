import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { axeViolations } from '../support/axe'
import { test } from '../support/e2e'
import {
  fits,
  look,
  phone,
  resize,
  sizes,
  staysOpenWhenTurned,
  unhurried,
  wide,
} from '../support/looks'

const grid = (page: Page, table: string) =>
  page.getByRole('grid', { name: `Rows of ${table}`, exact: true })
const cell = (page: Page, table: string, text: string) =>
  grid(page, table).getByRole('gridcell', { name: text, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const link = (table: string, more = '') => `/query?db=defaultdb&table=${table}${more}`

/** A key of three columns, with a hundred rows in each of the first values. */
async function createGrouped(db: Api): Promise<void> {
  await db.exec(
    'CREATE TABLE grouped (a INTEGER, b VARCHAR[8], c INTEGER, v INTEGER, PRIMARY KEY (a, b, c));',
  )
  for (let a = 0; a < 5; a += 1) {
    const rows = Array.from({ length: 100 }, (_, at) => `(${a}, 'b${at % 4}', ${at}, ${at})`)
    await db.exec(`INSERT INTO grouped (a, b, c, v) VALUES ${rows.join(', ')};`)
  }
}

/** Made by the test of this file that needs it first. */
async function createPeople(db: Api): Promise<void> {
  const tables = await db.query('SHOW TABLES;')
  if (tables.some(([name]) => name?.s === 'people')) return
  await db.exec(
    'CREATE TABLE people (id INTEGER AUTO_INCREMENT, name VARCHAR[40], age INTEGER, note JSON, CHECK (age >= 0), PRIMARY KEY id); CREATE INDEX ON people(age);',
  )
  const rows = Array.from(
    { length: 250 },
    (_, at) => `('person ${at + 1}', ${(at * 7) % 90}, ${at % 2 ? 'NULL' : `'{"n": ${at}}'`})`,
  )
  await db.exec(`INSERT INTO people (name, age, note) VALUES ${rows.join(', ')};`)
}

describe('a table beside the editor', () => {
  test('opens from the tree in one press, keeps what is in the editor, and closes', async ({
    server,
    open,
  }) => {
    await createPeople(await api(server.url))
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    await console.write('SELECT 42;')
    await page.getByRole('treeitem', { name: /^people/ }).click()
    await cell(page, 'people', 'person 1').waitFor()
    expect(new URL(page.url()).searchParams.get('table')).toBe('people')
    await fits(page, 'a table')
    expect(await axeViolations(page)).toEqual([])
    await tab(page, 'Editor').click()
    await console.editor.getByText('42').waitFor()
    await tab(page, 'people').click()
    await cell(page, 'people', 'person 1').waitFor()
    await page.goBack()
    await console.editor.getByText('42').waitFor()
    await page.goForward()
    await cell(page, 'people', 'person 1').waitFor()
    await tab(page, 'people').press('Delete')
    await console.editor.getByText('42').waitFor()
    expect(await tab(page, 'people').count()).toBe(0)
  })

  test('opens cold by its link with rows, structure, indexes and statements that run', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec(
      `CREATE TABLE "order" (id INTEGER AUTO_INCREMENT, mail VARCHAR[80] NOT NULL DEFAULT 'none', at TIMESTAMP, CHECK (id > 0), PRIMARY KEY id); CREATE UNIQUE INDEX ON "order"(mail);`,
    )
    const console = await open(server.url)
    await console.enter(link('order'))
    const { page } = console
    await page.getByText('No rows', { exact: true }).waitFor()
    await tab(page, 'Structure').click()
    await page.getByRole('rowheader', { name: 'mail', exact: true }).waitFor()
    await page.getByText('CHECK (id > 0)').waitFor()
    await page.getByText("DEFAULT 'none'").waitFor()
    await tab(page, 'Indexes').click()
    await page.getByText('unique index', { exact: true }).waitFor()
    await tab(page, 'DDL').click()
    const statements = page.getByRole('region', { name: 'Statements of order', exact: true })
    await statements.getByText(/CONSTRAINT/).waitFor()
    const ddl = (await statements.textContent()) ?? ''
    await db.exec(ddl.replaceAll('"order"', 'copied'))
    const described = async (name: string) =>
      (await db.query(`SELECT * FROM COLUMNS('${name}')`)).map((values) => values.slice(1))
    expect(await described('copied')).toEqual(await described('order'))
    await expect(db.exec("INSERT INTO copied (id, mail) VALUES (-1, 'x');")).rejects.toThrow()
    await db.exec('INSERT INTO copied (at) VALUES (NULL);')
    expect(await db.query('SELECT mail FROM copied;')).toEqual([[{ s: 'none' }]])
  })

  test('that is not there, or a view, says so', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE base (id INTEGER, n INTEGER, PRIMARY KEY id);')
    await db.exec('INSERT INTO base (id, n) VALUES (1, 10), (2, 20);')
    await db.exec('CREATE VIEW big AS SELECT id, n FROM base WHERE n > 15;')
    const console = await open(server.url)
    await console.enter(link('nosuch'))
    const { page } = console
    await page.getByText('There is no table nosuch in defaultdb.', { exact: true }).waitFor()
    await console.goTo(link('big'))
    await cell(page, 'big', '20').waitFor()
    await console.goTo(link('big', '&at=tx:1'))
    await page.getByText('A view cannot be read as of the past', { exact: true }).waitFor()
  })
})

describe('the rows of a table', () => {
  test('of a key of three columns come exactly once, forwards and backwards', async ({
    server,
    open,
  }) => {
    await createGrouped(await api(server.url))
    const console = await open(server.url)
    await console.enter(link('grouped'))
    const { page } = console
    const walk = async (name: string) => {
      const seen: string[] = []
      for (;;) {
        // “Rows 101–200”, and at the end “of 500”.
        await page.getByText(/^Rows \d+–\d+( of 500)?$/).waitFor()
        seen.push((await cellTexts(page, 'grouped')).slice(0, 3).join(' '))
        const next = button(page, `${name} page`)
        if ((await next.getAttribute('aria-disabled')) === 'true') return seen
        const before = await cellTexts(page, 'grouped')
        await next.click()
        await expect.poll(() => cellTexts(page, 'grouped')).not.toEqual(before)
      }
    }
    const onwards = await walk('Next')
    expect(onwards).toEqual(['0 b0 0', '1 b0 0', '2 b0 0', '3 b0 0', '4 b0 0'])
    expect(await walk('Previous')).toEqual([...onwards].reverse())
  })

  test('in the order of times come exactly once, behind NULL and times far away', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE timed (id INTEGER, at TIMESTAMP, PRIMARY KEY id);')
    await db.exec('CREATE INDEX ON timed(at);')
    const times = [
      'NULL',
      "CAST('9999-12-31 23:59:59' AS TIMESTAMP)",
      "CAST('1969-12-31' AS TIMESTAMP)",
    ]
    const others = ['CAST(0 AS TIMESTAMP)', 'CAST(1714979228 AS TIMESTAMP)']
    for (const [at, time] of [...times, ...others].entries()) {
      const rows = Array.from({ length: 100 }, (_, row) => `(${at * 100 + row}, ${time})`)
      await db.exec(`INSERT INTO timed (id, at) VALUES ${rows.join(', ')};`)
    }
    const console = await open(server.url)
    await console.enter(link('timed', '&q=%5Eby:at'))
    const { page } = console
    for (const id of [0, 100, 200, 300, 400]) {
      await cell(page, 'timed', String(id)).waitFor()
      const place = id < 400 ? `Rows ${id + 1}–${id + 100}` : 'Rows 401–500 of 500'
      await page.getByText(place, { exact: true }).waitFor()
      if (id < 400) await button(page, 'Next page').click()
    }
    const next = button(page, 'Next page')
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
  })

  test('are filtered and ordered by their address, and by the form', async ({ server, open }) => {
    const console = await open(server.url)
    await createPeople(await api(server.url))
    await console.enter(link('people', '&q=age:ge:80,%5Eby:age:desc'))
    const { page } = console
    await cell(page, 'people', '89').first().waitFor()
    expect((await cellTexts(page, 'people'))[2]).toBe('89')
    await button(page, 'Filter (1)').click()
    const form = page.getByRole('form', { name: 'Filter', exact: true })
    await form.getByText('SQL', { exact: true }).click()
    await form.getByText('WHERE age >= 80').waitFor()
    await form.getByLabel('Value', { exact: true }).fill("88'; DROP TABLE people")
    await button(page, 'Apply').click()
    await form.getByText(/Write a whole number/).waitFor()
    await form.getByLabel('Value', { exact: true }).fill('89')
    await button(page, 'Apply').click()
    await page.getByText('2 rows in all', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('age:ge:89,^by:age:desc')
    await page.reload()
    await page.getByText('2 rows in all', { exact: true }).waitFor()
    await button(page, 'Filter (1)').click()
    await form.getByText('SQL', { exact: true }).click()
    await button(page, 'Open in the editor').click()
    await console.editor.getByText('age >= 89').waitFor()
    await console.run.click()
    await console.grid(1).getByRole('gridcell').first().waitFor()
  })

  test('are counted, copied and exported whole', async ({ server, open }) => {
    const console = await open(server.url)
    await createPeople(await api(server.url))
    await console.enter(link('people'))
    const { page } = console
    await button(page, 'Count rows').click()
    await page.getByText('of 250 rows', { exact: true }).waitFor()
    await button(page, 'Export').click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /^JSON/ }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    expect(JSON.parse(text)).toHaveLength(250)
    await page.getByText(/^Complete: 250 rows/).waitFor()
  })

  test('are read as of a moment, with the strip above them', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE past (id INTEGER, v VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO past (id, v) VALUES (1, 'old');")
    const tx = await db.txId()
    await db.exec("UPSERT INTO past (id, v) VALUES (1, 'new'), (2, 'more');")
    const console = await open(server.url)
    await console.enter(link('past', `&at=tx:${tx}`))
    const { page } = console
    await cell(page, 'past', 'old').waitFor()
    await page.getByText('1 row in all', { exact: true }).waitFor()
    await button(page, 'Back to now').click()
    await cell(page, 'past', 'new').waitFor()
    await page.getByText('2 rows in all', { exact: true }).waitFor()
  })

  test('open whole, are verified, and lead to their history and back', async ({ server, open }) => {
    const console = await open(server.url)
    await createPeople(await api(server.url))
    await console.enter(link('people'))
    const { page } = console
    await cell(page, 'people', 'person 3').click()
    await page.keyboard.press('Alt+r')
    const sheet = page.getByRole('dialog', { name: 'Row id = 3 of people', exact: true })
    await sheet.getByText('person 3').waitFor()
    await sheet.getByText('"n"').waitFor()
    await sheet.getByRole('button', { name: 'History', exact: true }).click()
    const history = page.getByRole('dialog', { name: /^History of row id = 3/ })
    await history.getByText('rev 1', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('row')).toBe('n:3')
    await page.keyboard.press('Escape')
    await cell(page, 'people', 'person 3').click()
    expect(new URL(page.url()).searchParams.get('table')).toBe('people')
    await page.keyboard.press('Alt+v')
    await page.getByRole('dialog').getByText('row id = 3 of people').first().waitFor()
  })

  test('keep values exact: int64, NaN, −0, microseconds, NULL and 200 columns', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec(
      "CREATE TABLE exact (id INTEGER, f FLOAT, at TIMESTAMP, s VARCHAR, PRIMARY KEY id); INSERT INTO exact (id, f, at, s) VALUES (9223372036854775807, CAST('NaN' AS FLOAT), CAST('2026-01-02 03:04:05.000006' AS TIMESTAMP), ''), (-9223372036854775808, CAST('-0' AS FLOAT), NULL, NULL);",
    )
    const columns = Array.from({ length: 199 }, (_, at) => `c${at} INTEGER`).join(', ')
    await db.exec(`CREATE TABLE wide (id INTEGER, ${columns}, PRIMARY KEY id);`)
    await db.exec('INSERT INTO wide (id, c198) VALUES (1, 77);')
    const console = await open(server.url)
    await console.enter(link('exact'))
    const { page } = console
    for (const text of ['9223372036854775807', '-9223372036854775808', 'NaN', '-0', "''", 'NULL']) {
      await cell(page, 'exact', text).first().waitFor()
    }
    await grid(page, 'exact')
      .getByText(/03:04:05\.000006|:05\.000006/)
      .waitFor()
    await console.goTo(link('wide'))
    await cell(page, 'wide', '1').waitFor()
    await grid(page, 'wide').press('End')
    await cell(page, 'wide', '77').waitFor()
  })

  test('keep their columns hidden after a reload, on a phone too', async ({ server, open }) => {
    const console = await open(server.url, { viewport: phone.viewport })
    await createPeople(await api(server.url))
    await console.enter(link('people'))
    const { page } = console
    await cell(page, 'people', 'person 1').waitFor()
    await fits(page, 'a table on a phone')
    await button(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'name', exact: true }).uncheck()
    await button(page, 'Done').click()
    await cell(page, 'people', 'person 1').waitFor({ state: 'detached' })
    await page.reload()
    await button(page, 'Columns: 3 of 4').waitFor()
    expect(await cell(page, 'people', 'person 1').count()).toBe(0)
    await tab(page, 'Tables').click()
    await page.getByRole('treeitem', { name: /^people/ }).waitFor()
  })
})

describe.for(sizes)('A table, $size', unhurried, ({ viewport }) => {
  test('has no violation in any of its parts', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    await createPeople(await api(server.url))
    await console.enter(link('people'))
    const { page } = console
    await cell(page, 'people', 'person 1').waitFor()
    await look(console, 'table-rows')
    await button(page, 'Filter').click()
    await button(page, 'Add a condition').click()
    await look(console, 'table-filter')
    await button(page, 'Filter').click()
    await cell(page, 'people', 'person 1').click()
    await page.keyboard.press('Alt+r')
    await console.dialog.getByText('"n"').waitFor()
    await look(console, 'table-row')
    await page.keyboard.press('Escape')
    await console.dialog.waitFor({ state: 'hidden' })
    await tab(page, 'Structure').click()
    await page.getByText('(age >= 0)').waitFor()
    await look(console, 'table-structure')
    await tab(page, 'DDL').click()
    await page.getByText(/CONSTRAINT/).waitFor()
    await look(console, 'table-ddl')
  })
})

test('what is open and how far a table is scrolled stay so when a phone is turned', async ({
  server,
  open,
}) => {
  const console = await open(server.url, phone)
  await createPeople(await api(server.url))
  await console.enter(link('people'))
  const { page, dialog } = console
  await grid(page, 'people').press('Control+End')
  await cell(page, 'people', 'person 100').waitFor()
  await resize(page, wide.viewport)
  await cell(page, 'people', 'person 100').waitFor()
  await button(page, 'Filter').click()
  await button(page, 'Add a condition').click()
  await staysOpenWhenTurned(page, button(page, 'Remove condition 2'))
  await grid(page, 'people').press('Control+End')
  await page.keyboard.press('Alt+r')
  await dialog.getByText('person 100').first().waitFor()
  await staysOpenWhenTurned(page, dialog)
})

/** The texts of the cells in sight, from the first row on. */
async function cellTexts(page: Page, table: string): Promise<string[]> {
  return grid(page, table).getByRole('gridcell').allTextContents()
}
