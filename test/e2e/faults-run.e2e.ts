import { describe } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { readState } from '../support/page-storage'
import { exec, query, queryScreen } from '../support/query-calls'
import { createSmallTable } from '../support/sql-samples'
import { TrustPage } from '../support/trust-page'

/** The three outcomes of a write, as the output names them. */
function outcome(console: ConsolePage, number: number, word: RegExp) {
  return console.result(number).getByText(word).first()
}

describe('a query under faults', () => {
  test('F07: half an answer is one error, and the old result stays', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await queryScreen(open, proxy)
    await console.runSql('SELECT 41 AS kept;')
    await console.cell(1, '41').waitFor()
    proxy.fault({ ...query, fault: { kind: 'truncate' } })
    await console.runSql('SELECT 42 AS lost;')
    await console.result(2).getByRole('alert').waitFor()
    expect(await console.alerts.count()).toBe(1)
    expect(await console.cell(1, '41').count()).toBe(1)
    proxy.clearFaults()
    await console.run.click()
    await console.cell(3, '42').waitFor()
  })

  test('F08: an answer with broken bytes is not understood, and nothing of it is kept', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await queryScreen(open, proxy)
    proxy.fault({ ...query, fault: { kind: 'corrupt' } })
    await console.runSql("SELECT 'never seen' AS x;")
    await console
      .result(1)
      .getByRole('alert')
      .getByText(/could not be understood/)
      .waitFor()
    expect(await console.grid(1).count()).toBe(0)
    await console.signedIn()
  })
})

describe('a write under faults', () => {
  test('F10: 502, 503 and 504 of something in between leave the outcome unknown', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await queryScreen(open, proxy)
    let number = 0
    for (const status of [502, 503, 504]) {
      number += 1
      proxy.fault({ ...exec, times: 1, fault: { kind: 'answer', status, body: '<h1>no</h1>' } })
      await console.runSql(`CREATE TABLE never_${status} (id INTEGER, PRIMARY KEY id);`)
      await outcome(console, number, /unknown/i).waitFor()
    }
    expect(proxy.count(exec)).toBe(3)
  })

  test('F15: a lost answer is “unknown”, sent once, and the check finds the row', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'f15')
    const console = await queryScreen(open, proxy)
    const sent: string[] = []
    console.page.on('request', (request) => {
      if (request.url().endsWith('/db/sqlexec')) sent.push(request.url())
    })
    await console.write("INSERT INTO f15 (id, name) VALUES (15, 'mine');")
    await new TrustPage(console).known()
    proxy.fault({ ...exec, fault: { kind: 'dropAnswer' } })
    proxy.dropIdle()
    await console.run.click()
    await outcome(console, 1, /unknown/i).waitFor()
    expect(await db.query('SELECT name FROM f15 WHERE id = 15;')).toEqual([[{ s: 'mine' }]])
    await console.result(1).getByRole('button', { name: /check/i }).click()
    const changed = console.page.getByRole('grid', { name: 'Rows changed since result 1' })
    await changed.getByRole('gridcell', { name: 'mine', exact: true }).waitFor()
    expect(sent).toHaveLength(1)
    expect(await db.query('SELECT COUNT(*) FROM f15;')).toEqual([[{ n: '4' }]])
  })

  test('F35: a double click, and a click with the shortcut, run once', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await queryScreen(open, proxy)
    const first = proxy.hold({ ...exec, times: 1 })
    const second = proxy.hold(exec)
    await console.write('CREATE TABLE f35 (id INTEGER, PRIMARY KEY id);')
    await console.run.dblclick()
    first()
    await console
      .result(1)
      .getByText(/^Committed/)
      .waitFor()
    expect(proxy.count(exec)).toBe(1)
    await console.write('CREATE TABLE f35b (id INTEGER, PRIMARY KEY id);')
    await console.page.keyboard.press('ControlOrMeta+Enter')
    await console.run.click({ force: true, noWaitAfter: true })
    second()
    await console
      .result(2)
      .getByText(/^Committed/)
      .waitFor()
    expect(proxy.count(exec)).toBe(2)
  })

  test('F36: the second of three fails: one done, one failed, one not run', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'f36')
    const console = await queryScreen(open, proxy)
    await console.write(
      [
        'INSERT INTO f36 (id) VALUES (36);',
        'INSERT INTO f36 (id) VALUES (36);',
        'INSERT INTO f36 (id) VALUES (37);',
      ].join('\n'),
    )
    await console.runAll.click()
    await console.alerts
      .getByText(/already (exists|there)|exists already/i)
      .first()
      .waitFor()
    await console.page
      .getByText(/not run/i)
      .first()
      .waitFor()
    expect(proxy.count(exec)).toBe(2)
    expect(await db.query('SELECT id FROM f36 WHERE id > 30;')).toEqual([[{ n: '36' }]])
  })

  test('F37: the second of three is unknown: nothing after it is sent', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    const db = await api(server.url)
    const console = await queryScreen(open, proxy)
    const names = ['f37a', 'f37b', 'f37c']
    await console.write(
      names.map((name) => `CREATE TABLE ${name} (id INTEGER, PRIMARY KEY id);`).join('\n'),
    )
    proxy.fault({ ...exec, times: 1, fault: { kind: 'delay', ms: 1 } })
    proxy.fault({ ...exec, fault: { kind: 'dropAnswer' } })
    await console.runAll.click()
    await outcome(console, 1, /committed/i).waitFor()
    await outcome(console, 2, /unknown/i).waitFor()
    await outcome(console, 3, /not run/i).waitFor()
    expect(proxy.count(exec)).toBe(2)
    const tables = (await db.query('SELECT name FROM TABLES();')).flat().map(({ s }) => s)
    expect(names.filter((name) => tables.includes(name))).toEqual(['f37a', 'f37b'])
  })
})

describe('a session under faults', () => {
  test('F32: a refused database is told, and one stays signed in where one was', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    await (await api(server.url)).createDatabase('f32')
    const console = await queryScreen(open, proxy)
    proxy.fault({
      path: '/db/use/f32',
      fault: {
        kind: 'answer',
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          error: 'Logged in user does not have permission on this database',
          code: 7,
          message: 'Logged in user does not have permission on this database',
        }),
      },
    })
    await console.pickDatabase('f32')
    await console.page
      .getByText(/does not have permission on this database/i)
      .first()
      .waitFor()
    expect(await console.logIn.count()).toBe(0)
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')
    await console.runSql('SELECT 32 AS still_here;')
    await console.cell(1, '32').waitFor()
  })

  test('F33: logging out works although the server is away', async ({ proxy, open, expect }) => {
    const console = await queryScreen(open, proxy)
    console.visit.watch.expectAway()
    await console.runSql("SELECT 'f33 was here' AS x;")
    await console.cell(1, 'f33 was here').waitFor()
    await proxy.down()
    await console.logOut()
    await console.signedOut()
    expect(await console.page.content()).not.toContain('f33 was here')
    await proxy.up()
    await expect
      .poll(() => readState(console.page))
      .toMatchObject({ auth: { token: null, user: null } })
    await console.page.reload()
    await console.signedOut()
  })
})
