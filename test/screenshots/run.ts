// npm run screenshots: takes the README's pictures again, from demo data on a real server, in about
// six minutes; `-- compare users` takes these alone. Most of the time passes while the charts of
// Overview gather points: the page measures as it does for an operator, and what it shows is what
// the server did in this time.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Api, api } from '../support/api'
import { openBrowser, type Theme, visit } from '../support/browser'
import { ensureChromium } from '../support/chromium'
import { ConsolePage } from '../support/console-page'
import { EditsPage } from '../support/edits-page'
import { startFaultProxy } from '../support/fault-proxy'
import { changed } from '../support/faults'
import { startServer } from '../support/immudb'
import { paint } from '../support/paint'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'
import { UsersPage } from '../support/users-page'
import { VerifyPage } from '../support/verify-page'
import { inFewColours } from './png'

const folder = fileURLToPath(new URL('../../.github/screenshots/', import.meta.url))
/** Not the default, which the console would warn of in every picture. */
const password = 'Sourdough-18h'
/** The charts show five minutes at least. */
const gatheringTime = 280_000

ensureChromium()
process.env.IMMUDB_ADMIN_PASSWORD = password
const server = await startServer({ flags: ['--demo'] })
const browser = await openBrowser()
try {
  await until(
    () => server.log,
    (log) => log.includes('Console '),
  )
  const pictures = {
    query,
    table,
    documents,
    proof,
    transaction,
    compare,
    users,
    guide,
    brokenHistory,
    overview,
  }
  const wanted = process.argv.slice(2)
  for (const [name, take] of Object.entries(pictures)) {
    if (wanted.length === 0 || wanted.includes(name)) await take()
  }
} finally {
  await browser.close()
  await server.dispose()
}

/** A fresh browser profile that is signed in, on a page. */
async function signedIn(path: string, base = server.url): Promise<ConsolePage> {
  const console = new ConsolePage(await visit(browser, base), base)
  await console.signIn(path, 'immudb', password)
  await new TrustPage(console).known()
  return console
}

/** Keeps the picture and closes the profile. */
async function keep({ page, visit }: ConsolePage, name: string, theme: Theme): Promise<void> {
  await paint(page, theme)
  const picture = inFewColours(await page.screenshot())
  await writeFile(`${folder}${name}-${theme}.png`, picture)
  console.log(`${name}-${theme}.png: ${Math.round(picture.length / 1_024)} KiB`)
  await visit.context.close()
}

/** Read at present, changed, and read again as it was before. */
async function query(): Promise<void> {
  const before = await (await bakery()).txId()
  const console = await signedIn('/query?db=bakery')
  const table = console.tables.getByRole('treeitem', { name: /^products/ })
  await table.locator('[data-arrow]').click()
  await console.page.keyboard.press('ArrowRight')
  await console.runSql("UPDATE products SET price = 5.2 WHERE name = 'Rye loaf';")
  await console
    .result(1)
    .getByText(/is in the history\./)
    .waitFor()
  await console.travelTo(String(before))
  await console.runSql('SELECT name, price, vegan FROM products;')
  await console.cell(2, '4.8').waitFor()
  await keep(console, 'query', 'light')
}

/** A price and a name that are staged, and a row that is to go. */
async function table(): Promise<void> {
  const console = await signedIn('/query?db=bakery&table=products')
  const edits = new EditsPage(console, 'products')
  await edits.type(2, 3, 'name', 'Seed roll')
  await edits.type(3, 4, 'price', '2.6')
  await edits.choose(5)
  await edits.button('Delete').click()
  await edits.button('Review changes').waitFor()
  await keep(console, 'table', 'dark')
}

/** A document of a collection, beside those that a search found. */
async function documents(): Promise<void> {
  const console = await signedIn('/documents?db=bakery&collection=complaints')
  const { page } = console
  const rows = page.getByRole('grid', { name: 'Documents of complaints' }).getByRole('row')
  await rows.nth(2).click()
  await page.getByRole('region', { name: 'Document' }).getByRole('treeitem').first().waitFor()
  await keep(console, 'documents', 'light')
}

/** A row whose table the history describes: it is read by an audit first. */
async function proof(): Promise<void> {
  const console = await signedIn('/verify?db=bakery')
  const verify = new VerifyPage(console)
  await verify.audit('bakery')
  await console.link('Query').click()
  await console.runSql('SELECT id, name, street, seats FROM shops;')
  await console.cell(1, 'Harbour').waitFor()
  await verify.verify(1).click()
  await verify
    .summary(1)
    .getByText(/verified/)
    .first()
    .waitFor()
  await verify.pressV(1, 'Harbour')
  const drawer = await verify.verified()
  await drawer.getByText('Inputs', { exact: true }).first().click()
  await keep(console, 'proof', 'light')
}

/** A price that was changed, before and after. */
async function transaction(): Promise<void> {
  const db = await bakery()
  await db.exec("UPDATE products SET price = 5.4, vegan = false WHERE name = 'Rye loaf';")
  const console = await signedIn(`/tx?db=bakery&id=${await db.txId()}`)
  await console.page.getByText('5.4').first().waitFor()
  await keep(console, 'transaction', 'dark')
}

/** Two changes and a new row between two moments. */
async function compare(): Promise<void> {
  const db = await bakery()
  const before = await db.txId()
  await db.exec("UPDATE products SET price = 1.1 WHERE name = 'Poppy seed roll';")
  await db.exec("UPDATE products SET price = 2.9, vegan = true WHERE name = 'Plum cake';")
  await db.exec(
    "INSERT INTO products (code, name, price, vegan) VALUES (RANDOM_UUID(), 'Rye crisp', 3.2, true);",
  )
  const between = `from=tx:${before}&to=tx:${await db.txId()}`
  const console = await signedIn(`/compare?db=bakery&table=products&${between}`)
  await console.page.getByText('Rye crisp').first().waitFor()
  await keep(console, 'compare', 'light')
}

/** What a change of a permission does beside it. */
async function users(): Promise<void> {
  const console = await signedIn('/users?db=bakery')
  const users = new UsersPage(console.page)
  const panel = await users.select('auditor')
  await users.pick('Permission on bakery', 'Read & write', panel)
  await users.dialog.getByRole('button', { name: /^Change/ }).click()
  await users.report('auditor').waitFor()
  await keep(console, 'users', 'dark')
}

async function guide(): Promise<void> {
  await keep(await signedIn('/guide?db=bakery'), 'guide', 'light')
}

/** A server that reports another hash for a transaction that the browser has recorded. */
async function brokenHistory(): Promise<void> {
  const proxy = await startFaultProxy(server.url)
  try {
    const console = await signedIn('/keys?db=bakery&key=oven%2Fharbour%2F2', proxy.url)
    const trust = new TrustPage(console)
    proxy.fault({ path: '/db/state', fault: changed('txHash') })
    await trust.checkNow()
    await trust.bar.waitFor()
    await keep(console, 'broken', 'dark')
  } finally {
    await proxy.close()
  }
}

/** The charts, once they have gathered points under a load that rises and falls. */
async function overview(): Promise<void> {
  const console = await signedIn('/?db=bakery')
  const work = new AbortController()
  const load = sell(work.signal)
  await pause(gatheringTime)
  await keep(console, 'overview', 'dark')
  work.abort()
  await load
}

/** Sales that come in waves, each a transaction of its own. */
async function sell(signal: AbortSignal): Promise<void> {
  const db = await bakery()
  const began = performance.now()
  for (let sale = 0; !signal.aborted; sale += 1) {
    const [shop, product] = [1 + (sale % 4), 1 + (sale % 8)]
    await db.exec(
      `INSERT INTO sales (shop_id, product_id, sold_at, pieces, amount) VALUES (${shop}, ${product}, NOW(), 2, 9.6);`,
    )
    const minutes = (performance.now() - began) / 60_000
    await pause(100 + 500 * Math.abs(Math.sin(2 * minutes)) * Math.abs(Math.cos(0.7 * minutes)))
  }
}

function bakery(): Promise<Api> {
  return api(server.url, { password, database: 'bakery' })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
