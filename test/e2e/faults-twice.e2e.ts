import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test as engineTest, wholeBrowserTest as test, walk } from '../support/e2e'
import { type FaultProxy, startFaultProxy, type Which } from '../support/fault-proxy'
import { KeysPage, setKeys } from '../support/keys-page'
import { createSmallTable } from '../support/sql-samples'
import { UsersPage } from '../support/users-page'

const exec = { method: 'POST', path: '/db/sqlexec' }
const password = 'Correct-horse-1'
const once = /^The server runs it at most once, even if the browser repeats it\./
const maybeMore = /^The browser may have sent it more than once by itself\./

/**
 * Opens as many connections as a browser keeps to one server, and leaves them all idle; for what
 * goes without cookies it keeps as many again.
 */
async function warmUp(
  page: Page,
  kinds: readonly RequestCredentials[] = ['same-origin', 'omit'],
): Promise<void> {
  await page.evaluate(async (kinds) => {
    // Each by an address of its own: many of one at a time are what only a page at fault sends.
    const ask = async (credentials: RequestCredentials, number: number) => {
      const address = new URL(`/api/health?${credentials}-${number}`, location.href)
      await (await fetch(address, { credentials })).text()
    }
    await Promise.all(
      kinds.flatMap((kind) => Array.from({ length: 6 }, (_, number) => ask(kind, number))),
    )
  }, kinds)
}

type Write = {
  readonly what: string
  readonly at: string
  readonly which: Which
  /** Prepares the server. */
  before?(db: Api): Promise<unknown>
  /** All but the last press. */
  fill(console: ConsolePage): Promise<void>
  send(console: ConsolePage): Promise<void>
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = ({ page }: ConsolePage, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** A statement of its own for each kind, so that each can be counted. */
function statement(what: string, sql: string): Write {
  return {
    what,
    at: '/query',
    which: exec,
    fill: (console) => console.write(sql),
    send: ({ run }) => run.click(),
  }
}

/** The transaction that wrote the document to be restored. */
const replaced = { tx: 0 }

const writes: readonly Write[] = [
  statement('INSERT', "INSERT INTO copies (id, name) VALUES (22, 'b');"),
  statement('UPDATE', 'UPDATE copies SET amount = amount - 10 WHERE id = 1;'),
  statement('DELETE', 'DELETE FROM copies WHERE id = 1;'),
  statement('CREATE TABLE', 'CREATE TABLE copies_two (id INTEGER, PRIMARY KEY id);'),
  statement('CREATE USER', `CREATE USER sql_made WITH PASSWORD '${password}' READ;`),
  {
    what: 'setting a key',
    at: '/keys',
    which: { path: '/db/set' },
    fill: async ({ page }) => {
      await button(page, 'Set a key').click()
      await page.getByLabel('Key', { exact: true }).fill('copy:new')
      await new KeysPage(page).value.fill('one')
    },
    send: ({ page }) => button(page, 'Save').click(),
  },
  {
    what: 'deleting a key',
    at: '/keys',
    which: { path: '/db/deletekey' },
    before: (db) => setKeys(db, [['copy:old', 'one']]),
    fill: async ({ page }) => {
      await new KeysPage(page).get('copy:old')
      await button(page, 'Delete…').click()
    },
    send: ({ page }) => button(page, 'Delete the key').click(),
  },
  {
    what: 'creating a database',
    at: '/databases',
    which: { path: '/db/create/v2' },
    fill: async ({ page }) => {
      await button(page, 'Create database').click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('copied')
    },
    send: (console) => inDialog(console, 'Create'),
  },
  {
    what: 'adding a user',
    at: '/users',
    which: { method: 'POST', path: '/api/user' },
    fill: ({ page }) => new UsersPage(page).fillNew({ name: 'copied', password }),
    send: (console) => inDialog(console, 'Add user'),
  },
  {
    what: 'changing a permission',
    at: '/users?user=changed',
    which: { path: '/user/changepermission' },
    before: (db) => db.createUser('changed', password, 2, 'defaultdb'),
    fill: async ({ page }) => {
      const panel = await new UsersPage(page).select('changed')
      await panel.getByRole('combobox', { name: 'Permission on defaultdb' }).click()
      await page.getByRole('option', { name: /^Read May/ }).click()
    },
    send: (console) => inDialog(console, 'Change permission'),
  },
  {
    what: 'changing a password',
    at: '/users',
    which: { path: '/user/password/change' },
    before: (db) => db.createUser('renewed', password, 2, 'defaultdb'),
    fill: async ({ page }) => {
      const users = new UsersPage(page)
      await users.button('Change password', await users.select('renewed')).click()
      await users.fillPassword(`${password}!`)
    },
    send: (console) => inDialog(console, 'Change password'),
  },
  {
    what: 'restoring a document',
    at: '/tx',
    which: { method: 'PUT', path: '/documents/replace' },
    before: async (db) => {
      await db.call('/v2/collection/copies', {})
      const id = await db.insertDocument('copies', '{"a":1}')
      await db.replaceDocument('copies', id, '{"a":2}')
      replaced.tx = await db.txId()
    },
    fill: async (console) => {
      const { page } = console
      await console.open(`/tx?db=defaultdb&id=${replaced.tx}`)
      await button(page, 'History').click()
      await page.getByRole('button', { name: /^rev 1\b/ }).click()
      await button(page, 'Restore…').click()
    },
    send: (console) => inDialog(console, 'Restore revision'),
  },
]

/** Sends a write whose every answer is lost; resolves with how often the server did it. */
async function sendLost(console: ConsolePage, proxy: FaultProxy, write: Write): Promise<number> {
  await write.fill(console)
  await warmUp(console.page)
  const before = proxy.count(write.which)
  const mend = proxy.fault({ ...write.which, fault: { kind: 'dropAnswer' } })
  await write.send(console)
  await console.page.getByText(/not known whether this was/).waitFor()
  mend()
  return proxy.count(write.which) - before
}

describe('F16: one press is one execution, whatever the browser repeats', () => {
  // The engine alone repeats requests as the whole browser does, for two thirds of the work.
  engineTest(
    'F16: for each kind of write, though its answer is lost on a browser with warm connections',
    { ...walk, timeout: 300_000 },
    async ({ server, proxy, open }) => {
      const db = await api(server.url)
      await createSmallTable(db, 'copies')
      for (const write of writes) await write.before?.(db)
      const executions: [string, number][] = []
      const console = await open(proxy.url)
      await console.signIn('/settings')
      await console.keepsSession()
      for (const write of writes) {
        await console.open(write.at)
        await console.signedIn()
        executions.push([write.what, await sendLost(console, proxy, write)])
        await console.page.getByText(once).waitFor()
      }
      expect(executions).toEqual(writes.map(({ what }) => [what, 1]))
      expect(proxy.refusals).toBeGreaterThan(0)
    },
  )

  test('F16: without a refusal while only reads and scripts have warmed connections', async ({
    server,
    proxy,
    open,
  }) => {
    await createSmallTable(await api(server.url), 'quick')
    const console = await open(proxy.url)
    await console.open('/query')
    await console.logIn.waitFor()
    await warmUp(console.page, ['same-origin'])
    await console.submitLogin()
    await console.signedIn()
    for (const [index, id] of [31, 32].entries()) {
      await warmUp(console.page, ['same-origin'])
      await console.runSql(`INSERT INTO quick (id, name) VALUES (${id}, 'q');`)
      await console
        .result(index + 1)
        .getByText(/^Committed/)
        .waitFor()
    }
    expect(proxy.count(exec)).toBe(2)
    expect(proxy.refusals).toBe(0)
  })

  test('F16: for a log-in', async ({ proxy, open }) => {
    const console = await open(proxy.url)
    await console.open()
    await console.logIn.waitFor()
    await warmUp(console.page)
    proxy.fault({ path: '/api/login', fault: { kind: 'dropAnswer' } })
    await console.submitLogin()
    await console.alerts.getByText(/cannot be reached/).waitFor()
    expect(proxy.count({ path: '/api/login' })).toBe(1)
  })
})

describe('F16: what Chromium sends again by itself', () => {
  test('F16: under immudb alone an update is told with its possible copies', async ({
    serve,
    open,
  }) => {
    const server = await serve({ kind: 'drop-in' })
    const proxy = await startFaultProxy(server.url)
    const db = await api(server.url)
    await createSmallTable(db, 'copies')
    const before = await db.txId()
    const console = await open(proxy.url)
    await console.signIn('/query')
    const update = statement('UPDATE', 'UPDATE copies SET amount = amount - 10 WHERE id = 1;')
    const executions = await sendLost(console, proxy, update)
    expect(executions).toBeGreaterThan(1)
    expect(await db.txId()).toBe(before + executions)
    await console.page.getByText(maybeMore).waitFor()
    await console.result(1).getByRole('button', { name: /check/i }).click()
    const found = console
      .result(1)
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${executions} transactions were`) })
    await found.waitFor()
    const text = (await found.textContent()) ?? ''
    expect(text.match(/Possible copies of this statement.*?\./)?.[0].match(/tx \d+/g)).toHaveLength(
      executions,
    )
    expect(text).toContain('Transactions do not say who sent them.')

    // Of two deliveries of a deletion the second finds nothing left, and it is the one that answers.
    await console.write('DELETE FROM copies WHERE id = 1;')
    await warmUp(console.page)
    const sentBefore = proxy.count(exec)
    proxy.fault({ ...exec, times: 1, fault: { kind: 'dropAnswer' } })
    await console.run.click()
    await console.result(2).getByText('Unknown', { exact: true }).waitFor()
    expect(proxy.count(exec) - sentBefore).toBe(2)
    await console
      .result(2)
      .getByText(/nothing was left to do\. It may be this statement/)
      .waitFor()
    await console.visit.end()
    await proxy.close()
  })

  test('F16: an insert whose first delivery was stored is not said to have failed', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'f16i')
    const console = await open(proxy.url)
    await console.signIn('/query')
    await console.runSql('SELECT 16;')
    await console.cell(1, '16').waitFor()
    proxy.fault({ ...exec, times: 1, fault: { kind: 'dropAnswer' } })
    await console.runSql("INSERT INTO f16i (id, name) VALUES (16, 'mine');")
    await console.result(2).getByText('Unknown', { exact: true }).waitFor()
    expect(await db.query('SELECT name FROM f16i WHERE id = 16;')).toEqual([[{ s: 'mine' }]])
    // Only where the browser did send it again there is a row to be shown at once.
    if (proxy.count(exec) === 1)
      await console.result(2).getByRole('button', { name: /check/i }).click()
    const changed = console.page.getByRole('grid', { name: 'Rows changed since result 2' })
    await changed.getByRole('gridcell', { name: 'mine', exact: true }).waitFor()
  })

  test('F16: a row that was there before is a plain refusal', async ({ server, open }) => {
    await createSmallTable(await api(server.url), 'f16j')
    const console = await open(server.url)
    await console.signIn('/query')
    await console.runSql("INSERT INTO f16j (id, name) VALUES (1, 'other');")
    await console.result(1).getByText('Failed', { exact: true }).waitFor()
    await console
      .result(1)
      .getByText(/already exists/)
      .first()
      .waitFor()
  })
})
