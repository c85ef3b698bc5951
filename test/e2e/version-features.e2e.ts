import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { walkedVersions } from '../support/immudb-versions'

const needs = /Needs immudb 1\.11\. This server runs 1\.(9\.5|10)\./

describe.for(walkedVersions)('immudb %s', (version) => {
  test('is offered what it has, and what it lacks says what it needs', async ({ serve, open }) => {
    const server = await serve({ version })
    const db = await api(server.url)
    await db.exec('CREATE TABLE bikes (id INTEGER, kind VARCHAR[20], PRIMARY KEY id);')
    await db.exec("INSERT INTO bikes (id, kind) VALUES (1, 'road'), (2, 'cargo');")
    await db.call('/v2/collection/trips', { fields: [{ name: 'km', type: 'INTEGER' }] })
    await db.call('/v2/collection/trips/documents', { documents: [{ km: 3, by: 'Ada' }] })
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/documents?db=defaultdb&collection=trips')
    await page.getByRole('gridcell', { name: 'Ada' }).click()
    await page.getByRole('region', { name: 'Document' }).getByText('revision 1').waitFor()

    await console.goTo('/compare?db=defaultdb&table=bikes')
    await page.getByText('This server cannot compare tables').waitFor()
    await console.goTo('/audit')
    await page.getByText('This server keeps no audit log').waitFor()
    expect(await page.getByText('--audit-log').count()).toBe(0)

    await console.goTo('/query?db=defaultdb&table=bikes')
    await page.getByRole('gridcell', { name: 'cargo' }).click({ button: 'right' })
    await page
      .getByRole('menuitem', { name: /^Delete the row/ })
      .getByText(needs)
      .waitFor()
    await page.keyboard.press('Escape')
    await console.goTo('/query?db=defaultdb')
    await console.runSql('SELECT id -- the key\nFROM bikes WHERE kind = "cargo";')
    await console.cell(1, '2').waitFor()
    await console.runSql('EXPLAIN SELECT * FROM bikes;')
    await console.result(2).getByText(needs).waitFor()
  })
})

test('immudb 1.9.5 reads AND and OR from left to right, which rows say and no write does', async ({
  serve,
  open,
}) => {
  const server = await serve({ version: '1.9.5' })
  const db = await api(server.url)
  await db.exec('CREATE TABLE bikes (id INTEGER, a BOOLEAN, b BOOLEAN, PRIMARY KEY id);')
  await db.exec('INSERT INTO bikes (id, a, b) VALUES (1, TRUE, FALSE), (2, FALSE, TRUE);')
  const console = await open(server.url)
  await console.signIn('/query')
  const mixed = 'FROM bikes WHERE a = TRUE OR b = TRUE AND a = FALSE;'
  const before = await db.txId()
  await console.runSql(`SELECT id ${mixed}`)
  await console
    .result(1)
    .getByText(/reads AND and OR from left to right/)
    .waitFor()
  await console.runSql(`DELETE ${mixed}`)
  await console
    .result(2)
    .getByText(/^The statement was not sent\. This version of immudb/)
    .waitFor()
  expect(await db.txId()).toBe(before)
})
