import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { axeViolations } from '../support/axe'
import { corpusBytes } from '../support/corpus-bytes'
import { test, walk } from '../support/e2e'
import { drawnText, replaceText } from '../support/editor-text'
import { stageAll } from '../support/edits-in-page'
import { EditsPage } from '../support/edits-page'
import { getValue } from '../support/keys-page'
import { readStorage } from '../support/page-storage'
import { shot } from '../support/shots'
import { until } from '../support/until'

const rowsOf = async (db: Api, sql: string) => {
  const { rows = [] } = await db.call<{ rows?: { values: object[] }[] }>('/db/sqlquery', { sql })
  return rows.map(({ values }) => values.map((value) => Object.values(value)[0]))
}

describe('staged edits', () => {
  test(
    'cells, new rows, copies and deletions are one transaction, sent only by Commit',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      await db.exec(
        'CREATE TABLE staff (id INTEGER AUTO_INCREMENT, name VARCHAR[20], age INTEGER, PRIMARY KEY id);',
      )
      await db.exec("INSERT INTO staff (name, age) VALUES ('Ada', 36), ('Bob', NULL), ('Cid', 1);")
      const console = await open(server.url)
      const sent: string[] = []
      console.page.on('request', (request) => {
        if (request.url().endsWith('/db/sqlexec')) sent.push(request.postData() ?? '')
      })
      const page = new EditsPage(console, 'staff')
      await page.open()
      await page.type(1, 2, 'name', "O'Neil; --")
      await page.type(2, 3, 'age', '9223372036854775807')
      await page.choose(3)
      await page.button('Duplicate').click()
      await page.button('Delete').click()
      await page.button('Add row').click()
      await page.type(5, 2, 'name', 'Eve')
      await shot(console.page, 'staged')
      await page.button('Review changes').click()
      await page.review.getByText('2 new rows, 2 changed rows and 1 deleted row.').waitFor()
      await page.review
        .getByRole('region', { name: 'Change id = 2' })
        .getByText('NULL → 9223372036854775807')
        .waitFor()
      expect(await page.review.getByText(/INSERT INTO/).count()).toBe(0)
      await page.review.getByRole('switch', { name: 'Show the SQL' }).check()
      await page.review
        .getByText(/INSERT INTO/)
        .first()
        .waitFor()
      await shot(console.page, 'review')
      expect(sent).toEqual([])
      await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
      await console.page.getByText(/^5 rows committed in tx \d+\.$/).waitFor()
      await console.page
        .getByText(/^Verified in part: not covered by the proof: the content of 2 rows$/)
        .waitFor()
      await shot(console.page, 'committed')
      expect(sent).toHaveLength(1)
      expect(sent[0]).not.toContain('Neil; --"; ')
      expect(await rowsOf(db, 'SELECT id, name, age FROM staff;')).toEqual([
        ['1', "O'Neil; --", '36'],
        ['2', 'Bob', '9223372036854775807'],
        ['4', 'Cid', '1'],
        ['5', 'Eve', null],
      ])
      await page.cell(4, 2).getByText('Eve', { exact: true }).waitFor()
    },
  )

  test('nothing is committed when someone else changed a row, and both values are shown', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE stock (id INTEGER, what VARCHAR, n INTEGER, PRIMARY KEY id);')
    await db.exec("INSERT INTO stock (id, what, n) VALUES (1, 'nuts', 1), (2, 'bolts', 2);")
    const console = await open(server.url)
    const page = new EditsPage(console, 'stock')
    await page.open()
    await page.type(1, 3, 'n', '10')
    await page.type(2, 3, 'n', '20')
    await db.exec("UPDATE stock SET what = 'screws' WHERE id = 2;")
    await page.commit()
    await page.review.getByText('Someone else changed id = 2.').waitFor()
    const unchanged = [
      ['nuts', '1'],
      ['screws', '2'],
    ]
    expect(await rowsOf(db, 'SELECT what, n FROM stock;')).toEqual(unchanged)
    const row = page.review.getByRole('region', { name: 'Row id = 2' })
    await row.getByRole('cell', { name: 'screws' }).waitFor()
    await shot(console.page, 'conflict')
    await row.getByRole('button', { name: 'Keep mine over it' }).click()
    await page.review.getByText('Someone else changed id = 2.').waitFor({ state: 'detached' })
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.review.waitFor({ state: 'detached' })
    await console.page.getByText('2 rows committed in tx').first().waitFor()
    expect(await rowsOf(db, 'SELECT what, n FROM stock;')).toEqual([
      ['nuts', '10'],
      ['screws', '20'],
    ])
  })

  test('a change between the last look and the commit has the server refuse all of it', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE accounts (id INTEGER, bal INTEGER, PRIMARY KEY id);')
    await db.exec('INSERT INTO accounts (id, bal) VALUES (1, 1000), (2, 0), (3, 5);')
    const console = await open(server.url)
    const page = new EditsPage(console, 'accounts')
    await page.open()
    await page.type(1, 2, 'bal', '900')
    await page.type(2, 2, 'bal', '100')
    await page.choose(3)
    await page.button('Delete').click()
    let isFirst = true
    await console.page.route('**/db/sqlexec', async (route) => {
      if (isFirst) await db.exec('UPDATE accounts SET bal = 1500 WHERE id = 1;')
      isFirst = false
      await route.continue()
    })
    await page.commit()
    await page.review.getByText('Someone else changed id = 1.').waitFor()
    await page.review.getByText('Nothing was committed. Your edits stay staged.').waitFor()
    expect(await rowsOf(db, 'SELECT id, bal FROM accounts;')).toEqual([
      ['1', '1500'],
      ['2', '0'],
      ['3', '5'],
    ])
    const row = page.review.getByRole('region', { name: 'Row id = 1' })
    for (const value of ['1000', '1500', '900']) {
      await row.getByRole('cell', { name: value, exact: true }).waitFor()
    }
    await console.page.getByText('Staged: 2 changed rows and 1 deleted row.').waitFor()
  })

  test('JSON is changed in the drawer of its row, in lines', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE papers (id INTEGER, body JSON, PRIMARY KEY id);')
    await db.exec(`INSERT INTO papers (id, body) VALUES (1, '{"a":{"b":[1,2]},"c":"x"}');`)
    const console = await open(server.url)
    const page = new EditsPage(console, 'papers')
    await page.open()
    await page.cell(1, 1).click()
    await console.page.keyboard.press('Alt+r')
    await page.button('Edit body').click()
    const field = console.page.getByRole('textbox', { name: 'body', exact: true })
    const lines = ['{', '  "a": {', '    "b": [', '      1,', '      2', '    ]', '  },']
    expect(await drawnText(field)).toBe([...lines, '  "c": "x"', '}'].join('\n'))
    expect(await axeViolations(console.page)).toEqual([])
    await replaceText(field, [...lines, '  "c": "y"', '}'].join('\n'))
    await page.button('Done').click()
    await console.page.keyboard.press('Escape')
    await page.commit()
    await console.page.getByText(/^1 row committed in tx/).waitFor()
    expect(await rowsOf(db, 'SELECT body FROM papers;')).toEqual([['{"a":{"b":[1,2]},"c":"y"}']])
  })

  test('what is staged survives a reload and a log-out, without what was read', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE notes (id INTEGER, text VARCHAR, n INTEGER, PRIMARY KEY id);')
    await db.exec(
      "INSERT INTO notes (id, text, n) VALUES (1, 'canary one', 1), (2, 'canary two', 2);",
    )
    const console = await open(server.url)
    const page = new EditsPage(console, 'notes')
    await page.open()
    await page.type(1, 3, 'n', '10')
    await page.type(2, 3, 'n', 'twenty')
    await page.button('Add row').click()
    await page.type(3, 2, 'text', 'typed')
    const stored = async () => JSON.stringify([...(await readStorage(console.page))])
    await until(stored, (text) => text.includes('typed'))
    expect(await stored()).not.toContain('canary')
    await console.page.reload()
    await console.signedIn()
    await console.page.getByText('Staged: 1 new row and 2 changed rows.').waitFor()
    await page.cell(2, 3).getByText('twenty').waitFor()
    await console.logOut()
    await db.exec('UPDATE notes SET n = 5 WHERE id = 1;')
    await console.signIn('/query?db=defaultdb&table=notes')
    await console.page.getByText('Staged: 1 new row and 2 changed rows.').waitFor()
    await page.button('Review changes').click()
    await page.review.getByRole('region', { name: 'Row id = 1' }).waitFor()
    await page.review.getByText('Write a whole number').waitFor()
    await page.review.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.button('Discard all…').click()
    await console.dialog.getByRole('button', { name: 'Discard all', exact: true }).click()
    await page.button('Review changes').waitFor({ state: 'detached' })
    await until(stored, (text) => !text.includes('typed'))
    expect(await rowsOf(db, 'SELECT id, n FROM notes;')).toEqual([
      ['1', '5'],
      ['2', '2'],
    ])
  })

  test('a commit without an answer is unknown, is found by a check and is sent once', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE late (id INTEGER, n INTEGER, PRIMARY KEY id);')
    await db.exec('INSERT INTO late (id, n) VALUES (1, 1);')
    const console = await open(proxy.url)
    const page = new EditsPage(console, 'late')
    await page.open()
    await page.type(1, 2, 'n', '2')
    proxy.fault({ method: 'POST', path: '/db/sqlexec', fault: { kind: 'truncate' } })
    await page.commit()
    await page.review.getByText(/^It is not known whether your edits were committed/).waitFor()
    proxy.clearFaults()
    await page.review.getByRole('button', { name: 'Check now' }).click()
    await console.page.getByText(/^All rows are as you staged them\./).waitFor()
    await page.review.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.button('Review changes').waitFor({ state: 'detached' })
    const history = await rowsOf(db, 'SELECT _rev, n FROM (HISTORY OF late);')
    expect(history).toEqual([
      ['1', '1'],
      ['2', '2'],
    ])
  })

  test('values of each type are exact, and what is no value holds the commit', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec(
      'CREATE TABLE kinds (id INTEGER, b BOOLEAN, f FLOAT, ts TIMESTAMP, bl BLOB[4], j JSON, u UUID, s VARCHAR[4], PRIMARY KEY id);',
    )
    await db.exec(
      'INSERT INTO kinds (id, f, j) VALUES (1, CAST(\'NaN\' AS FLOAT), \'{"z":1,"a":[null]}\');',
    )
    const console = await open(server.url)
    const page = new EditsPage(console, 'kinds')
    await page.open()
    await page.cell(1, 2).dblclick()
    await page.grid.getByRole('button', { name: 'true', exact: true }).click()
    await page.type(1, 3, 'f', '-0')
    await page.type(1, 4, 'ts', '1969-12-31 23:59:59.999999')
    await page.type(1, 5, 'bl', '00ff')
    await page.type(1, 6, 'j', '{"b": 1.50, "a": "é"}')
    await page.type(1, 7, 'u', 'A0000000-0000-4000-8000-00000000000B')
    await page.type(1, 8, 's', 'ééé')
    await page.button('Review changes').click()
    await page.review.getByText('6 bytes: the column holds at most 4 bytes.').waitFor()
    expect(
      await page.review.getByRole('button', { name: 'Commit', exact: true }).getAttribute('title'),
    ).toBe('Correct the values that are named first.')
    await page.review.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.type(1, 8, 's', 'éé')
    await page.commit()
    await console.page.getByText(/^1 row committed in tx/).waitFor()
    expect(await db.query('SELECT b, f, ts, bl, j, u, s FROM kinds;')).toEqual([
      [
        { b: true },
        { f: -0 },
        { ts: '-1' },
        { bs: 'AP8=' },
        { s: '{"a":"é","b":1.5}' },
        { s: 'a0000000-0000-4000-8000-00000000000b' },
        { s: 'éé' },
      ],
    ])
    await page.cell(1, 6).dblclick()
    await page.grid.getByRole('button', { name: 'NULL', exact: true }).click()
    await page.type(1, 3, 'f', 'Infinity')
    await page.commit()
    await until(
      () => rowsOf(db, 'SELECT f, j FROM kinds;'),
      (rows) => JSON.stringify(rows) === '[["Infinity",null]]',
    )
  })

  // In halves, for a table each whose name is a word of SQL.
  test.for([0, 1])(
    'every value of the corpus is a cell, exactly, and names are what immudb allows (%i)',
    async (half, { server, open }) => {
      const db = await api(server.url)
      const cases = corpusBytes()
        .map(({ bytes, category }) => ({ category, bytes, text: bytes.toString() }))
        .filter(({ bytes, text }) => bytes.length < 4_000 && Buffer.from(text).equals(bytes))
        .filter((_, at) => at % 2 === half)
      expect(cases.length).toBeGreaterThan(100)
      const texts = cases.map(({ text }) => text.replaceAll('\r', '\n'))
      const table = half === 0 ? 'select' : 'group'
      await db.exec(`CREATE TABLE "${table}" (id INTEGER, "order" VARCHAR, PRIMARY KEY id);`)
      await db.exec(texts.map((_, at) => `INSERT INTO "${table}" (id) VALUES (${at});`).join(''))
      const console = await open(server.url)
      const page = new EditsPage(console, table)
      await page.open()
      // One of each kind by the hand that the other tests use, which proves the way of the rest.
      const kinds = new Set(cases.map(({ category }) => category))
      // What is staged stays when the next page of rows is read.
      for (let from = 0; from < texts.length; from += 100) {
        if (from > 0) await page.button('Next page').click()
        await page.grid.evaluate((grid) => {
          grid.scrollTop = 0
        })
        await page.cell(1, 1).getByText(String(from), { exact: true }).waitFor()
        const rows = texts.slice(from, from + 100).map((text, row) => ({ row, text }))
        const byHand = rows.filter(({ row }) => kinds.delete(cases[from + row]?.category ?? ''))
        for (const { row, text } of byHand) {
          await page.grid.evaluate((grid, top) => {
            grid.scrollTop = top
          }, row * 28)
          await page.cell(row + 1, 2).dblclick()
          await page.grid.getByRole('textbox', { name: 'order', exact: true }).fill(text)
          const end = text === '' ? 'Empty' : 'Done'
          await page.grid.getByRole('button', { name: end, exact: true }).click()
        }
        const rest = rows.filter((one) => !byHand.includes(one))
        await page.grid.evaluate(stageAll, { texts: rest, column: 2, name: 'order' })
      }
      await page.commit()
      await console.page.getByText(/rows? committed in tx/).waitFor()
      const stored = await rowsOf(db, `SELECT "order" FROM "${table}" ORDER BY id;`)
      expect(stored.map(([text]) => text)).toEqual(texts)
      await console.visit.watch.assertClean()
    },
  )

  test('the past, a read-only setting and a reader may look, and are told why not more', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE closed (id INTEGER, n INTEGER, PRIMARY KEY id);')
    await db.exec('INSERT INTO closed (id, n) VALUES (1, 1);')
    const console = await open(server.url)
    const page = new EditsPage(console, 'closed')
    await console.enter(`/query?db=defaultdb&table=closed&at=tx:${await db.txId()}`)
    await page.grid.waitFor()
    const title = () => page.button('Add row').getAttribute('title')
    expect(await title()).toMatch(/^You are looking at the past/)
    await page.cell(1, 2).dblclick()
    await console.dialog.getByRole('region', { name: 'Value' }).waitFor()
    await console.page.keyboard.press('Escape')
    await console.page.getByRole('button', { name: 'Back to now' }).click()
    await console.link('Keys').click()
    await console.page.getByRole('button', { name: 'Set the first key' }).click()
    await console.page.getByRole('textbox', { name: 'Key', exact: true }).fill('typed')
    await console.link('Settings').click()
    await console.page.getByLabel('Only read the open database').check()
    await console.page.goBack()
    const save = console.page.getByRole('button', { name: 'Save', exact: true })
    const readOnly = 'defaultdb is set to read-only in this browser (Settings, Safety).'
    await until(
      () => save.getAttribute('title'),
      (why) => why === readOnly,
    )
    await save.press('Enter')
    await console.link('Query').click()
    await console.page.getByRole('tab', { name: 'closed', exact: true }).click()
    await page.grid.waitFor()
    expect(await title()).toBe(readOnly)
    await expect(getValue(db, 'typed')).rejects.toThrow('key not found')
    await db.createUser('reader', 'R3ader-pass', 1, 'defaultdb')
    const other = await open(server.url)
    await other.enter('/query?db=defaultdb&table=closed', 'reader', 'R3ader-pass')
    const reading = new EditsPage(other, 'closed')
    await reading.grid.waitFor()
    await until(
      () => reading.button('Add row').getAttribute('title'),
      (why) => /^This needs the permission/.test(why ?? ''),
    )
  })
})

test('a column with a default may be left out of a new row', async ({ server, open }) => {
  const db = await api(server.url)
  await db.exec(
    "CREATE TABLE filled (id INTEGER, n INTEGER NOT NULL DEFAULT 7, t VARCHAR NOT NULL DEFAULT 'none', PRIMARY KEY id);",
  )
  await db.exec("INSERT INTO filled (id, t) VALUES (9, 'given');")
  const console = await open(server.url)
  const page = new EditsPage(console, 'filled')
  await page.open()
  await page.button('Add row').click()
  await page.type(2, 1, 'id', '1')
  await page.button('Review changes').click()
  await page.review
    .getByText(/A column that has a default needs none: the tab Structure reads the defaults/)
    .first()
    .waitFor()
  await page.review.getByRole('button', { name: 'Close', exact: true }).last().click()
  await console.page.getByRole('tab', { name: 'Structure' }).click()
  await console.page.getByText("DEFAULT 'none'").waitFor()
  await console.page.getByRole('tab', { name: 'Rows' }).click()
  await page.commit()
  await console.page.getByText('1 row committed in tx').first().waitFor()
  expect(await rowsOf(db, 'SELECT id, n, t FROM filled;')).toEqual([
    ['1', '7', 'none'],
    ['9', '7', 'given'],
  ])
  await page.button('Add row').click()
  await page.type(3, 1, 'id', '9')
  await page.commit()
  await page.review.getByText(/Give new rows other keys than id = 9\./).waitFor()
})

describe('changes of a schema', () => {
  test('a table is created, changed and dropped by forms that show their statement', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    const { page, dialog } = console
    await page.getByRole('button', { name: 'Create table', exact: true }).click()
    await dialog.getByLabel('Table name').fill('Made')
    const names = dialog.getByLabel('Column name')
    await names.nth(1).fill('x"; DROP TABLE made; --')
    await dialog.getByText('A name has letters a–z, digits and underscores only.').waitFor()
    await names.nth(1).fill('Order')
    await dialog.getByLabel('Length').nth(1).fill('64')
    await dialog.getByText('"order" VARCHAR[64]').waitFor()
    await shot(page, 'create-table')
    await dialog.getByRole('button', { name: 'Create table', exact: true }).click()
    // The form is closed; what was done stands where it can be seen, with its transaction.
    const says = async (text: string) => {
      await dialog.waitFor({ state: 'detached' })
      const note = page.getByRole('status').filter({ hasText: text })
      await note.getByRole('link', { name: /^tx \d/ }).waitFor()
    }
    const hasFocus = (locator: Locator) =>
      expect.poll(() => locator.evaluate((one) => one === document.activeElement)).toBe(true)
    const columns = page.getByRole('table', { name: 'Columns' })
    await says('Table made created with 2 columns.')
    await page.getByRole('tab', { name: 'Structure' }).click()
    await page.getByRole('button', { name: 'Add column', exact: true }).click()
    await dialog.getByLabel('Column name').fill('n')
    await dialog.getByRole('button', { name: 'Add column', exact: true }).click()
    await says('Column n added to made.')
    await hasFocus(columns.getByRole('rowheader', { name: 'n', exact: true }))
    await shot(page, 'added-column')
    await page.getByRole('button', { name: 'Rename column n', exact: true }).click()
    await dialog.getByLabel('New name').fill('m')
    await dialog.getByRole('button', { name: 'Rename column', exact: true }).click()
    await says('Column n is now m.')
    await hasFocus(columns.getByRole('rowheader', { name: 'm', exact: true }))
    await page.getByRole('tab', { name: 'Indexes' }).click()
    await page.getByRole('button', { name: 'Create index', exact: true }).click()
    await dialog.getByLabel('order').check()
    await dialog.getByLabel('Unique').check()
    await dialog.getByRole('button', { name: 'Create index', exact: true }).click()
    await says('Index (order) created on made.')
    await hasFocus(page.getByRole('rowheader', { name: 'order', exact: true }))
    expect(await rowsOf(db, "SELECT * FROM INDEXES('made')")).toEqual([
      ['made', 'made(id)', true, true],
      ['made', 'made(order)', true, false],
    ])
    // What stands there again takes no focus.
    await page.getByRole('tab', { name: 'Structure' }).click()
    const indexes = page.getByRole('tab', { name: 'Indexes' })
    await indexes.click()
    await says('Index (order) created on made.')
    await hasFocus(indexes)
    await page.getByRole('button', { name: 'Drop index (order)', exact: true }).click()
    await dialog.getByLabel('Name').fill('order')
    await dialog.getByRole('button', { name: 'Drop index', exact: true }).click()
    await says('Index (order) of made dropped.')
    await page.getByRole('tab', { name: 'Structure' }).click()
    await page.getByRole('button', { name: 'Drop column m', exact: true }).click()
    await shot(page, 'drop-column')
    await dialog.getByLabel('Name').fill('m')
    await dialog.getByRole('button', { name: 'Drop column', exact: true }).click()
    await says('Column m dropped from made.')
    await columns.getByRole('rowheader', { name: 'm', exact: true }).waitFor({ state: 'detached' })
    await hasFocus(
      page.getByText('Column m dropped from made.').locator('xpath=ancestor::*[@tabindex="-1"][1]'),
    )
    await page.getByRole('button', { name: 'Drop table', exact: true }).click()
    await dialog.getByLabel('Name').fill('made')
    await dialog.getByRole('button', { name: 'Drop table', exact: true }).click()
    await says('Table made dropped.')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Table made dropped.').waitFor({ state: 'detached' })
    await console.tables.getByText('made', { exact: true }).waitFor({ state: 'detached' })
  })
})
