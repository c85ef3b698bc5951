import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Serve, test } from '../support/e2e'
import { startFaultProxy } from '../support/fault-proxy'
import type { ImmudbServer } from '../support/immudb'
import {
  laggingStore,
  olderVersion,
  unnamedVersions,
  walkedVersions,
} from '../support/immudb-versions'
import { KeysPage } from '../support/keys-page'
import { oldData, writeOldData } from '../support/old-data'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'

/** Those of `npm test`; VERSIONS=1.11.1 or several with commas between them tries others. */
const versions = process.env.VERSIONS?.split(',') ?? walkedVersions

/** A page of a table, which names it as a heading of its rows. */
async function rowsOf(console: ConsolePage, table: string, cells: readonly string[]) {
  await console.goTo(`/query?table=${table}`)
  for (const name of cells) {
    await console.page.getByRole('gridcell', { name, exact: true }).first().waitFor()
  }
}

/** Versions without an id begin a database with a transaction of their own. */
const updateTxOf = (version: string): number =>
  oldData.updateTx + (unnamedVersions.some((one) => one === version) ? 1 : 0)

/** Looks at every screen of a server with old data; each shows what is there, and nothing is red. */
async function walk(console: ConsolePage, version: string, updateTx: number = oldData.updateTx) {
  const { page } = console
  const trust = new TrustPage(console)
  await page.getByText(`defaultdb on immudb ${version}`).waitFor()
  await trust.known()
  await rowsOf(console, 'customers', oldData.names)
  await rowsOf(console, 'lines', ['A-1', '20'])

  await console.goTo('/keys')
  const keys = new KeysPage(page)
  for (const key of oldData.keys) await page.getByRole('treeitem', { name: key }).waitFor()
  await keys.get(oldData.revised)
  await keys.heading(oldData.revised).waitFor()
  await keys.entry.getByText('revision 3', { exact: true }).first().waitFor()

  await console.goTo(`/tx?id=${updateTx}`)
  await page.getByText('Changed', { exact: true }).first().waitFor()
  await page.getByText('Bertram', { exact: true }).first().waitFor()

  await console.goTo('/databases')
  await page.getByRole('row', { name: new RegExp(`^${oldData.database}`) }).waitFor()
  await console.goTo('/users')
  for (const user of oldData.users) await page.getByRole('row', { name: user }).first().waitFor()
  await console.goTo('/compare')
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor()
  await console.goTo('/audit')
  await page
    .getByText(/keeps no audit log|No audit log/)
    .first()
    .waitFor()
  await console.goTo('/guide')
  await page.getByRole('heading', { name: 'Guide', exact: true }).first().waitFor()
  await console.goTo('/settings')
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  await console.goTo(`/verify?tab=incidents`)
  await page
    .getByText(/No incidents|nothing/i)
    .first()
    .waitFor()
}

/** Verifies one object of each kind, after an audit that has read all of them. */
async function proveAll(console: ConsolePage, documentId: string) {
  const { page } = console
  const verify = new VerifyPage(console)
  await verify.audit('defaultdb')
  const report = page.getByRole('article', { name: 'Report: defaultdb', exact: true })
  await report
    .getByText(/^The server describes 2 of 2 tables by the names, types, lengths/)
    .waitFor()
  await console.goTo('/query')
  await console.runSql('SELECT * FROM customers;')
  await verify.verify(1).click()
  await expect
    .poll(() => verify.marks(1, /^Verified in this browser: written in tx/).count())
    .toBe(oldData.names.length)
  await console.goTo(`/verify?tab=check&tx=${oldData.updateTx}`)
  await page
    .getByRole('form', { name: 'A transaction' })
    .getByRole('button', { name: 'Verify' })
    .click()
  await verify.verified()
  await verify.close()
  const form = page.getByRole('form', { name: 'A document' })
  await form.getByLabel('Collection').fill(oldData.collection)
  await form.getByLabel('Document id').fill(documentId)
  await form.getByRole('button', { name: 'Verify' }).click()
  await verify.verified()
  await verify.close()
  await proveKey(console)
}

async function proveKey(console: ConsolePage) {
  const verify = new VerifyPage(console)
  await console.goTo('/keys')
  await new KeysPage(console.page).get(oldData.revised)
  await console.page
    .getByRole('region', { name: 'The open key' })
    .getByRole('button', { name: /^Verify/ })
    .first()
    .click()
  await verify.verified()
  await verify.close()
}

/** Writes, so that the trusted state moves on by a proof, and nothing is found against it. */
async function write(console: ConsolePage, result = 2) {
  await console.goTo('/query')
  await console.runSql("INSERT INTO customers (id, name) VALUES (5, 'Eve');")
  await console.result(result).getByText('Committed, 1 row changed.').waitFor()
  const trust = new TrustPage(console)
  await trust.chipSaying(/^Trust: Consistent/).waitFor()
  expect(await trust.bar.count()).toBe(0)
}

async function servedWith(serve: Serve, version: string, options?: { deletes?: boolean }) {
  const server = await serve({ version })
  return { server, documentId: await writeOldData(server, version, options) }
}

/** A copy of the data of a server that has ended, for another version. */
async function dataOf(server: ImmudbServer): Promise<string> {
  await server.end()
  const folder = await mkdtemp(join(tmpdir(), 'old-data-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await server.copyTo(folder)
  return folder
}

/** Copies what Go keeps, where nobody may write. */
async function copyWritable(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true })
  for (const entry of await readdir(to, { recursive: true })) await chmod(join(to, entry), 0o755)
  await chmod(to, 0o755)
}

describe.for(versions)('immudb %s with data of its own client', (version) => {
  test('all screens show it, an audit reads it, and each kind of object is verified', async ({
    serve,
    open,
  }) => {
    const { server, documentId } = await servedWith(serve, version)
    const console = await open(server.url)
    await console.enter('/')
    await walk(console, version)
    await proveAll(console, documentId)
    await write(console)
  })
})

test('data of immudb 1.9.5 is served by 1.11.1: the same history goes on, header versions and all', async ({
  serve,
  open,
}) => {
  const { server: old, documentId } = await servedWith(serve, '1.9.5')
  const data = await dataOf(old)
  const server = await serve({ data })
  const console = await open(server.url)
  await console.enter('/')
  await walk(console, '1.11.1')
  await proveAll(console, documentId)
  await write(console)
})

describe.for(unnamedVersions)('immudb %s, whose servers have no id', (version) => {
  test('goes on under 1.11.1 from the state that the browser trusts', async ({ serve, open }) => {
    const old = await serve({ version })
    await writeOldData(old, version, { deletes: false, documents: false })
    const proxy = await startFaultProxy(old.url)
    onTestFinished(() => proxy.close())
    const console = await open(proxy.url)
    const { page } = console
    const trust = new TrustPage(console)
    await console.signIn('/keys?db=defaultdb')
    const contact = await (await api(old.url)).txId()
    await trust.chipSaying(/^Trust: First contact/).waitFor()
    await console.logOut()
    await console.signedOut()
    // So that there is something to prove. Who logs out ends every login of that user there, and may
    // not have been answered yet.
    await old.restart('SIGTERM')
    await (await api(old.url)).exec("INSERT INTO customers (id, name) VALUES (6, 'Finn');")

    const server = await serve({ data: await dataOf(old) })
    proxy.turnTo(server.url)
    await console.submitLogin()
    await console.signedIn()
    await trust.chipSaying(`Consistent since tx ${contact}`).waitFor()
    await write(console, 1)
    await page.reload()
    await trust.chipSaying(`Consistent since tx ${contact}`).waitFor()
    // That of the server without an id, and what went on from it.
    expect(await trust.kept()).toEqual(['first', 'state'])
    await console.goTo('/verify?tab=incidents')
    await page.getByText('No incidents recorded.').waitFor()
  })
})

describe.for([olderVersion, ...unnamedVersions])('immudb %s', (version) => {
  test('is never called broken for an older form of its answers', async ({ serve, open }) => {
    const server = await serve({ version })
    await writeOldData(server, version, { documents: false })
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await page.getByText(/ is older than this console is tested with\./).waitFor()
    const updateTx = updateTxOf(version)
    await walk(console, version.replace(/\.0$/, ''), updateTx)
    const verify = new VerifyPage(console)
    await console.goTo('/query')
    await console.runSql('SELECT * FROM customers;')
    await verify.verify(1).click()
    await console
      .result(1)
      .getByText(/0 of 3 rows verified/)
      .waitFor()
    await verify.pressV(1, 'Ada')
    const drawer = verify.drawer()
    await drawer.getByText('This cannot be proven', { exact: true }).waitFor()
    await drawer
      .getByText(/^This row cannot be checked: the answer does not describe its table in full\./)
      .waitFor()
    await verify.close()
    // What else it proves holds, an audit among it, and the history goes on.
    await verify.audit('defaultdb')
    const report = page.getByRole('article', { name: 'Report: defaultdb', exact: true })
    await report.getByText(/^The server describes 2 of 2 tables/).waitFor()
    await console.goTo(`/verify?tab=check&tx=${updateTx}`)
    await page
      .getByRole('form', { name: 'A transaction' })
      .getByRole('button', { name: 'Verify' })
      .click()
    await verify.verified()
    await verify.close()
    await proveKey(console)
    await write(console)
  })
})

test('what immudb 1.3.2 cannot prove of a tree that lagged is not called broken, and 1.11.1 proves it', async ({
  serve,
  open,
}) => {
  const data = await mkdtemp(join(tmpdir(), 'old-data-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  await copyWritable(await laggingStore(), join(data, 'defaultdb'))
  const old = await serve({ version: '1.3.2', data })
  const proxy = await startFaultProxy(old.url)
  onTestFinished(() => proxy.close())
  const console = await open(proxy.url)
  const trust = new TrustPage(console)
  const verify = new VerifyPage(console)
  const check = async (tx: number) => {
    await console.goTo('/verify?tab=check')
    const form = console.page.getByRole('form', { name: 'A transaction' })
    await form.getByLabel('Number').fill(String(tx))
    await form.getByRole('button', { name: 'Verify' }).click()
  }
  await console.signIn('/')
  await trust.known()
  await check(29)
  await verify.verified()
  await verify.close()
  await check(15)
  const drawer = verify.drawer()
  await drawer.getByText('This cannot be proven', { exact: true }).waitFor()
  await drawer.getByText(/^This cannot be checked: the tree .* lagged behind there/).waitFor()
  await verify.close()
  await verify.audit('defaultdb')
  await trust.known()
  expect(await trust.bar.count()).toBe(0)
  await console.logOut()
  await console.signedOut()

  const server = await serve({ data: await dataOf(old) })
  proxy.turnTo(server.url)
  await console.submitLogin()
  await console.signedIn()
  await trust.known()
  await check(15)
  await verify.verified()
})

test('data with rows that immudb 1.5.0 deleted is refused before it ends the program', async ({
  serve,
}) => {
  const old = await serve({ version: '1.5.0' })
  await writeOldData(old, '1.5.0', { documents: false })
  const data = await dataOf(old)
  await expect(serve({ data })).rejects.toThrow(
    /“?"?defaultdb"?”? was written by immudb 1.5 or older, and its transaction 8 deletes a row/,
  )
})
