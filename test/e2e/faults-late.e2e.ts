import { describe } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { startFaultProxy } from '../support/fault-proxy'
import { createSmallTable } from '../support/sql-samples'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'

const query = { method: 'POST', path: '/db/sqlquery', body: /SELECT \d/ }
const exec = { method: 'POST', path: '/db/sqlexec' }
const state = { method: 'GET', path: '/db/state' }

// Side by side, because most of the time they wait for the console's own timers.
describe.concurrent('a server that takes its time', () => {
  test('F05: after 29 s the answer is still taken, and meanwhile one may cancel', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/query')
    const late = proxy.hold({ ...query, times: 1 })
    await console.write('SELECT 5 AS late;')
    // From here on the console's own 30 s are counted, wherever the request is on its way.
    const over = new Promise((resolve) => setTimeout(resolve, 29_000))
    await console.run.click()
    await over
    late()
    await console.cell(1, '5').waitFor()
    expect(proxy.count(query)).toBe(1)
    proxy.fault({ ...query, fault: { kind: 'hang' } })
    await console.run.click()
    await console.page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await console.result(2).getByText('Cancelled. Nothing was changed.').first().waitFor()
    // The server must learn that no one waits for the rest.
    await until(
      () => proxy.seen(query)[1]?.cutOff,
      (isCutOff) => isCutOff === true,
    )
  })

  test('F45: behind answers that take 15 s there is never more than one poll', async ({
    proxy,
    open,
    expect,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/query')
    // After that nothing but the poll asks for the state.
    await new TrustPage(console).known()
    const before = proxy.count(state)
    proxy.fault({ ...state, fault: { kind: 'delay', ms: 15_000 } })
    const polls = () => proxy.seen(state).slice(before)
    await until(polls, ([first, second]) => first?.endedAt !== undefined && !!second, 60_000)
    await console.page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    )
    // One more would be on its way long before the second is answered.
    await until(polls, ([, second]) => second?.endedAt !== undefined, 60_000)
    expect(polls()).toHaveLength(2)
    const [first, second] = polls()
    expect(first?.endedAt).toBeLessThanOrEqual(second?.at ?? 0)
  })

  test('F23: frozen for 20 s: typing goes on, and all recovers without a reload', async ({
    ownServer,
    open,
    expect,
  }) => {
    const console = await open(ownServer.url)
    await console.enter('/query')
    await console.editor.click()
    let loads = 0
    console.page.on('load', () => {
      loads += 1
    })
    ownServer.freeze()
    await console.run.hover()
    await console.page.keyboard.type('SELECT 23 AS thawed;', { delay: 5 })
    await console.holds('SELECT 23 AS thawed;')
    await console.keeps('SELECT 23 AS thawed;')
    await console.run.click()
    await console.result(1).getByText('Running…').waitFor()
    await console.page.waitForTimeout(20_000)
    await console.page.keyboard.press('End')
    await console.editor.press('ControlOrMeta+a')
    await console.page.keyboard.type('SELECT 24;')
    await console.holds('SELECT 24;')
    ownServer.thaw()
    await console.cell(1, '23').waitFor()
    await console.run.click()
    await console.cell(2, '24').waitFor()
    expect(loads).toBe(0)
    expect(await console.logIn.count()).toBe(0)
  })
})

describe.concurrent('a server that ends in the middle of a write', () => {
  test('F21: 503 with code 14 leaves the outcome unknown', async ({
    server,
    proxy,
    open,
    expect,
  }) => {
    await createSmallTable(await api(server.url), 'f21c')
    const console = await open(proxy.url)
    await console.enter('/query')
    const error = 'error reading from server: EOF'
    const body = JSON.stringify({ error, code: 14, message: error })
    const headers = { 'content-type': 'application/json' }
    proxy.fault({ ...exec, fault: { kind: 'answer', status: 503, headers, body } })
    await new TrustPage(console).known()
    await console.runSql("UPDATE f21c SET name = 'x' WHERE id = 1;")
    await console.result(1).getByText('Unknown', { exact: true }).waitFor()
    await console.result(1).getByRole('button', { name: 'Check now' }).click()
    await console
      .result(1)
      .getByText(/^Not stored so far/)
      .waitFor()
    expect(proxy.count(exec)).toBe(1)
  })

  test('F21: what is said after a SIGTERM is what the server holds after its restart', async ({
    ownServer,
    open,
    expect,
    onTestFinished,
  }) => {
    const db = await api(ownServer.url)
    await createSmallTable(db, 'f21t')
    const proxy = await startFaultProxy(ownServer.url)
    onTestFinished(() => proxy.close())
    const console = await open(proxy.url)
    console.visit.watch.expectAway()
    await console.enter('/query')
    await console.write("INSERT INTO f21t (id, name) VALUES (21, 'mine');")
    await new TrustPage(console).known()
    proxy.weather(({ path }) => {
      if (path.endsWith('/db/sqlexec')) void ownServer.end('SIGTERM')
      return undefined
    })
    await console.run.click()
    const result = console.result(1)
    const said = result.getByText(/^(Unknown|Failed)$/).or(result.getByText(/^Committed/))
    await said.first().waitFor()
    const words = await said.first().textContent()
    await ownServer.start()
    const after = await api(ownServer.url)
    const rows = await after.query('SELECT name FROM f21t WHERE id = 21;')
    if (/Committed/.test(words ?? '')) expect(rows).toHaveLength(1)
    if (/Failed/.test(words ?? '')) expect(rows).toHaveLength(0)
    if (/Unknown/.test(words ?? '')) {
      await console.logIn.waitFor()
      await console.submitLogin()
      await console.signedIn()
      await result.getByRole('button', { name: 'Check now' }).click()
      const finding = rows.length > 0 ? /These rows of f21t changed/ : /^Not stored so far/
      await result.getByText(finding).waitFor()
    }
  })
})

/** Counts up until told to stop; returns how often that was committed. */
async function writer(db: Api, isOver: () => boolean): Promise<number> {
  let committed = 0
  while (!isOver()) {
    const isDone = await db.exec('UPDATE f34s SET n = n + 1 WHERE id = 1;').then(
      () => true,
      () => false,
    )
    if (isDone) committed += 1
  }
  return committed
}

async function saidOf(console: ConsolePage, number: number): Promise<string> {
  const result = console.result(number)
  const said = result.getByText(/^Committed, 1 row changed\.|Nothing was stored/i).first()
  await said.waitFor()
  return (await said.textContent()) ?? ''
}

describe('a conflict storm', () => {
  test('F34: beside 16 writers nothing is lost, stored twice, or said wrongly', async ({
    ownServer,
    open,
  }) => {
    const { expect } = await import('vitest')
    const db = await api(ownServer.url)
    await db.exec('CREATE TABLE f34s (id INTEGER, n INTEGER, PRIMARY KEY id);')
    await db.exec('INSERT INTO f34s (id, n) VALUES (1, 0);')
    const console = await open(ownServer.url)
    await console.enter('/query')
    await console.write('UPDATE f34s SET n = n + 1 WHERE id = 1;')
    let isOver = false
    const writers = Array.from({ length: 16 }, () => writer(db, () => isOver))
    let own = 0
    let conflicts = 0
    for (let number = 1; number <= 40 && conflicts < 2; number++) {
      await console.run.click()
      if (/^Committed/.test(await saidOf(console, number))) own += 1
      else {
        conflicts += 1
        await console.result(number).getByRole('button', { name: 'Run again' }).waitFor()
      }
    }
    isOver = true
    const others = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0)
    expect(conflicts).toBeGreaterThan(0)
    const [[found] = []] = await db.query('SELECT n FROM f34s WHERE id = 1;')
    expect(found).toEqual({ n: String(others + own) })
  })
})
