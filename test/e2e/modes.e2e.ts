import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { ImmudbServer } from '../support/immudb'
import { getValue, KeysPage } from '../support/keys-page'
import { reasonOf } from '../support/reason'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'

const password = 'C0rrect-horse'
const openPages = 'Overview Keys Documents Transactions Compare Verify Guide Settings'.split(' ')

function modeBar({ page }: ConsolePage) {
  return page.getByRole('complementary', { name: 'Mode of the server' })
}

async function menuOf(console: ConsolePage): Promise<string[]> {
  return (await console.navigation.getByRole('link').allTextContents()).map((name) => name.trim())
}

describe('F28: a server without login', () => {
  test('F28: --auth=false opens without a password, says so in red, and offers what works', async ({
    serve,
    open,
  }) => {
    const server = await serve({ flags: ['--auth=false'] })
    const console = await open(server.url)
    await console.open('/')
    await console.logIn.click()
    await console.signedIn()
    await modeBar(console).getByText('No login (--auth=false).').waitFor()
    await expect.poll(() => menuOf(console)).toEqual(openPages)
    await console.link('Keys').click()
    const keys = new KeysPage(console.page)
    await keys.set(Buffer.from('f28'), Buffer.from('without a password'), true)
    await keys.entry.getByText(/^Stored in tx \d+\.$/).waitFor()
    await keys.button('List').click()
    await keys.option('f28').waitFor()
    expect((await getValue(anonymous(server), 'f28')).toString()).toBe('without a password')
    await console.page.reload()
    await console.signedIn()
    await keys.entry.getByText('without a password').waitFor()
    await console.account.click()
    await console.page.getByRole('menu').waitFor()
    expect(await console.page.getByRole('menuitem', { name: 'Log out' }).count()).toBe(0)
    await console.page.keyboard.press('Escape')
    await console.link('Overview').click()
    await console.page.getByRole('heading', { name: 'Overview' }).waitFor()
    await console.goTo('/verify?tab=check&tx=1')
    await console.page.getByRole('button', { name: 'Verify', exact: true }).first().click()
    await console.page.getByRole('dialog').getByText('Verified in this browser').waitFor()
    await console.page.keyboard.press('Escape')
    await console.goTo('/verify?tab=audit')
    await console.page.getByRole('button', { name: 'Start the audit', exact: true }).click()
    await console.page.getByText(/^Every transaction from 1 to \d+ is proven/).waitFor()
    await console.goTo('/query')
    await console.page.getByText(/SQL, databases and users need one/).waitFor()
    expect(await axeViolations(console.page)).toEqual([])
    await shot(console.page, 'mode-open')
  })

  test('F28: --maintenance is named, reads, and disables every write with the reason', async ({
    ownServer,
    open,
  }) => {
    const db = await api(ownServer.url)
    await db.call('/db/set', { KVs: [{ key: 'ZjI4', value: 'b2xk' }] })
    await ownServer.end()
    await ownServer.start(['--auth=false', '--maintenance'])
    const console = await open(ownServer.url)
    await console.open('/keys?key=f28')
    await console.logIn.click()
    await console.signedIn()
    await modeBar(console).getByText('Maintenance mode (--maintenance).').waitFor()
    const keys = new KeysPage(console.page)
    await keys.entry.getByText('old').waitFor()
    for (const name of ['Set a key', 'Change the value', 'Delete…']) {
      await expect
        .poll(() => reasonOf(keys.button(name)))
        .toBe('In maintenance mode the server accepts no writes.')
    }
    await expect.poll(() => menuOf(console)).toEqual(openPages)
    await console.link('Verify').click()
    await console.page.getByRole('button', { name: 'Check now' }).first().click()
    await console.page
      .getByText(/nothing has been proven since/)
      .first()
      .waitFor()
    await console.goTo('/users')
    await console.page.getByText(/SQL, databases and users need one/).waitFor()
    expect(await axeViolations(console.page)).toEqual([])
    await shot(console.page, 'mode-maintenance')
  })

  test('F28: a server started again without login takes in anyone who tries to log in', async ({
    ownServer,
    open,
  }) => {
    const console = await open(ownServer.url)
    console.visit.watch.expectAway()
    await console.signIn('/query')
    await console.runSql('SELECT 27;')
    await console.cell(1, '27').waitFor()
    await new TrustPage(console).known()
    // A poll that met the other server first would cover the editor.
    const polls = /\/db\/state$/
    await console.page.route(polls, () => {})
    await ownServer.end()
    await ownServer.start(['--auth=false'])
    await console.runSql('SELECT 28;')
    await console.logIn.waitFor()
    await console.page.unroute(polls)
    await console.submitLogin()
    await modeBar(console).waitFor()
    await console.signedIn()
  })
})

/** Asks a server that wants no token. */
function anonymous({ url }: ImmudbServer): Pick<Api, 'call'> {
  return {
    call: async (path) => (await fetch(`${url}/api${path}`)).json(),
  }
}

describe('F27: a replica', () => {
  test('F27: every write is disabled with the reason; a typed one is told in clear words', async ({
    serve,
    open,
  }) => {
    const primary = await serve({ kind: 'drop-in' })
    const flags = [
      '--replication-is-replica',
      '--replication-primary-host=127.0.0.1',
      `--replication-primary-port=${primary.grpcPort}`,
      '--replication-primary-username=immudb',
      '--replication-primary-password=immudb',
    ]
    const replica = await serve({ kind: 'drop-in', flags })
    const front = await serve({ inFrontOf: replica })
    const db = await api(primary.url)
    await db.exec('CREATE TABLE f27 (id INTEGER, PRIMARY KEY id);')
    // An only table would open in front of the editor.
    await db.exec('CREATE TABLE f27b (id INTEGER, PRIMARY KEY id);')
    await db.call('/db/set', { KVs: [{ key: 'ZjI3', value: 'Y29waWVk' }] })
    const txId = await db.txId()
    await expect.poll(async () => (await api(replica.url)).txId()).toBe(txId)
    const console = await open(front.url)
    await readsAndNothingElse(console)
  })
})

async function readsAndNothingElse(console: ConsolePage): Promise<void> {
  await console.signIn('/keys?key=f27')
  const keys = new KeysPage(console.page)
  await keys.entry.getByText('copied').waitFor()
  for (const name of ['Set a key', 'Change the value', 'Delete…']) {
    await expect
      .poll(() => reasonOf(keys.button(name)))
      .toMatch(/is a replica\. It changes only through/)
  }
  await console.link('Users').click()
  await expect
    .poll(() => reasonOf(keys.button('Add user')))
    .toMatch(/replica: users change only on its/)
  await keys.button('immudb').click()
  for (const name of ['Change password', 'Deactivate']) {
    await expect
      .poll(() => reasonOf(keys.button(name)))
      .toMatch(/replica: users change only on its/)
  }
  await console.link('Databases').click()
  await expect
    .poll(() => reasonOf(keys.button('Create database')))
    .toMatch(/created on its primary/)
  await console.page.getByText('Replica', { exact: true }).first().waitFor()
  await console.link('Query').click()
  await console.runSql('SELECT COUNT(*) FROM f27;')
  await console.cell(1, '0').waitFor()
  await console.runSql('INSERT INTO f27 (id) VALUES (1);')
  const alert = console.result(2).getByRole('alert')
  await alert.getByText(/This database is a replica: it can only be read/).waitFor()
  await alert.getByText(/Write to its primary/).waitFor()
  await shot(console.page, 'mode-replica')
}

describe('a user without permission', () => {
  test('on defaultdb: lands on the first database of the list', async ({ server, open }) => {
    const admin = await api(server.url)
    for (const name of ['attic', 'barn']) await admin.createDatabase(name)
    await admin.createUser('tenant', password, 2, 'barn')
    const console = await open(server.url)
    await console.signIn('/query', 'tenant', password)
    await expect.poll(() => console.database.textContent()).toContain('barn')
    await console.runSql('SELECT 7 AS here;')
    await console.cell(1, '7').waitFor()
    for (const name of ['Overview', 'Keys', 'Databases', 'Users']) {
      await console.link(name).click()
      await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
      await console.page.locator('main').getByRole('heading', { name }).first().waitFor()
      await console.page.locator('.shimmer').first().waitFor({ state: 'detached' })
      expect(await console.alerts.count(), name).toBe(0)
    }
  })

  test('on any database: a page says so, and looks again at a press', async ({ server, open }) => {
    const admin = await api(server.url)
    await admin.createUser('guest', password, 1, 'defaultdb')
    const change = { username: 'guest', database: 'defaultdb', permission: 1 }
    await admin.call('/user/changepermission', { ...change, action: 'REVOKE' })
    const console = await open(server.url)
    await console.signIn('/', 'guest', password)
    const title = console.page.getByText('You have no permission on any database')
    await title.waitFor()
    expect(await axeViolations(console.page)).toEqual([])
    await shot(console.page, 'no-permission')
    for (const name of ['Query', 'Keys', 'Users', 'Databases']) {
      await console.link(name).click()
      await expect.poll(() => console.page.title()).toBe(`${name} · webconsole`)
      await title.waitFor()
    }
    await console.link('Settings').click()
    await console.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await admin.call('/user/changepermission', { ...change, action: 'GRANT' })
    await console.link('Overview').click()
    await console.page.getByRole('button', { name: 'Look again' }).click()
    // The grant has ended the session.
    await console.submitLogin('guest', password)
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')
  })
})
