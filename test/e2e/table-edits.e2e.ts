import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { test } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { shot } from '../support/shots'

const rowsOf = async (db: Api, sql: string) => {
  const { rows = [] } = await db.call<{ rows?: { values: object[] }[] }>('/db/sqlquery', { sql })
  return rows.map(({ values }) => values.map((value) => Object.values(value)[0]))
}

describe('staged edits', () => {
  test('cells, new rows, copies and deletions are one transaction, sent only by Commit', async ({
    server,
    open,
  }) => {
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
    await page.review
      .getByText('2 new rows, 2 changed rows and 1 deleted row: 5 statements')
      .waitFor()
    await shot(console.page, 'review')
    expect(sent).toEqual([])
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await console.page.getByText(/^5 rows committed in tx \d+\.$/).waitFor()
    await console.page.getByText(/^Verified at tx \d+$/).waitFor()
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
  })

  test('a row that someone else changed first stays as they left it, and mine stays staged', async ({
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
    await console.page.getByText('1 row committed in tx').first().waitFor()
    expect(await rowsOf(db, 'SELECT what, n FROM stock;')).toEqual([
      ['nuts', '10'],
      ['screws', '2'],
    ])
    await page.button('Show it').click()
    const row = page.review.getByRole('region', { name: 'Row id = 2' })
    await row.getByRole('cell', { name: 'screws' }).waitFor()
    await shot(console.page, 'conflict')
    await row.getByRole('button', { name: 'Keep mine over it' }).click()
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.review.waitFor({ state: 'detached' })
    expect(await rowsOf(db, 'SELECT what, n FROM stock WHERE id = 2;')).toEqual([['screws', '20']])
  })
})
