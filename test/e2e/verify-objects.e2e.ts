import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { shot } from '../support/shots'

describe('x', () => {
  test('rows', async ({ server, open }) => {
    const db = await api(server.url)
    await db.call('/db/sqlexec', {
      sql: 'CREATE TABLE orders (id INTEGER AUTO_INCREMENT, name VARCHAR[40], total FLOAT, at TIMESTAMP, note JSON, PRIMARY KEY id);',
    })
    for (let at = 0; at < 3; at += 1)
      await db.call('/db/sqlexec', {
        sql: `INSERT INTO orders (name, total, at, note) VALUES ('order ${at}', ${at}.5, NOW(), '{"b": ${at}, "a": [1, 2]}');`,
      })
    const values = Array.from(
      { length: 300 },
      (_, at) => `('bulk ${at}', ${at}.25, NOW(), '{"n": ${at}}')`,
    ).join(',')
    await db.call('/db/sqlexec', {
      sql: `INSERT INTO orders (name, total, at, note) VALUES ${values};`,
    })
    const console = await open(server.url)
    await console.signIn('/query')
    await console.runSql('SELECT * FROM orders')
    const bar = console.result(1)
    await bar.getByRole('button', { name: /^Verify all/ }).click()
    const started = Date.now()
    await bar.getByText(/of 303 rows verified/).waitFor()
    process.stdout.write(`verified in ${Date.now() - started}\n`)
    await console.page.waitForTimeout(300)
    await shot(console.page, 'po-rows')
    await console.grid(1).click({ position: { x: 200, y: 60 } })
    await console.page.keyboard.press('v')
    await console.dialog.getByText('Verified in this browser').waitFor()
    await console.page.waitForTimeout(300)
    await shot(console.page, 'po-drawer')
    await console.dialog.getByText('How it is proven').scrollIntoViewIfNeeded()
    await console.dialog.getByText('Inputs').first().click()
    await shot(console.page, 'po-drawer2')
    await console.dialog.getByText('What it does not prove').scrollIntoViewIfNeeded()
    await shot(console.page, 'po-drawer3')
    await console.page.keyboard.press('Escape')
    await console.runSql("UPDATE orders SET name = 'x' WHERE id = 2")
    await console
      .result(2)
      .getByText(/Verified at tx/)
      .waitFor()
    await shot(console.page, 'po-receipt')
    expect(1).toBe(1)
  })
})
