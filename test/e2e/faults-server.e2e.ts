import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { createSmallTable } from '../support/sql-samples'
import { TrustPage } from '../support/trust-page'

const state = /\/db\/state$/

describe.concurrent('a server that dies', () => {
  test('F20: killed in the middle of a query: said at once; login over the intact screen', async ({
    ownServer,
    open,
    expect,
  }) => {
    const console = await open(ownServer.url)
    console.visit.watch.expectAway()
    await console.enter('/query')
    await console.runSql('SELECT 19 AS earlier;')
    await console.cell(1, '19').waitFor()
    ownServer.freeze()
    const sent = console.page.waitForRequest((one) => /victim/.test(one.postData() ?? ''))
    await console.runSql('SELECT 20 AS victim;')
    await sent
    await ownServer.end('SIGKILL')
    const killed = performance.now()
    await console.result(2).getByRole('alert').waitFor()
    // Three short pauses between the repeats are 0.84 s; the rest is room for a busy machine.
    expect(performance.now() - killed).toBeLessThanOrEqual(3_000)
    await ownServer.start()
    await console.logIn.waitFor({ timeout: 20_000 })
    await console.submitLogin()
    await console.signedIn()
    await console.holds('SELECT 20 AS victim;')
    await console.cell(1, '19').waitFor()
    await console.run.click()
    await console.cell(3, '20').waitFor()
  })

  test('F22: restarted between two polls: drafts and page stay, reads run again after login', async ({
    ownServer,
    open,
    expect,
  }) => {
    await createSmallTable(await api(ownServer.url), 'f22')
    const console = await open(ownServer.url)
    console.visit.watch.expectAway()
    await console.enter('/query')
    await console.tables.getByRole('treeitem', { name: /f22/ }).waitFor()
    await console.write('SELECT 22; -- draft')
    await ownServer.restart()
    await console.logIn.waitFor({ timeout: 25_000 })
    expect(new URL(console.page.url()).pathname).toBe('/query')
    await (await api(ownServer.url)).exec('CREATE TABLE f22_later (id INTEGER, PRIMARY KEY id);')
    await console.submitLogin()
    await console.signedIn()
    await console.holds('SELECT 22; -- draft')
    await console.tables.getByRole('treeitem', { name: /f22_later/ }).waitFor()
    await expect.poll(() => console.page.title()).toBe('Query · webconsole')
  })

  test('F22: a write that met the lost session is not sent again', async ({
    ownServer,
    open,
    expect,
  }) => {
    await createSmallTable(await api(ownServer.url), 'f22w')
    const console = await open(ownServer.url)
    console.visit.watch.expectAway()
    await console.enter('/query')
    await new TrustPage(console).known()
    // A poll that met the lost session first would cover the button.
    await console.page.route(state, () => {})
    await console.write('INSERT INTO f22w (id) VALUES (22);')
    await ownServer.restart()
    await console.run.click()
    await console.logIn.waitFor()
    await console.page.unroute(state)
    await console.submitLogin()
    await console.signedIn()
    await console.holds('INSERT INTO f22w (id) VALUES (22);')
    // Over for the console, so that it cannot be sent any more.
    await console.result(1).getByRole('alert').waitFor()
    const db = await api(ownServer.url)
    expect(await db.query('SELECT id FROM f22w WHERE id = 22;')).toEqual([])
  })
})
