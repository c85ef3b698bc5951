import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { corpusBytes } from '../support/corpus-bytes'
import { test } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { type OddHistory, writeOddHistory } from '../support/odd-history'
import { writeTruncatedHistory } from '../support/truncated-history'
import { until } from '../support/until'

const gridOf = ({ page }: ConsolePage) =>
  page.getByRole('grid', { name: 'Transactions', exact: true })

const rowOf = (console: ConsolePage, id: number) =>
  gridOf(console)
    .getByRole('row')
    .filter({ has: console.page.getByText(`tx ${id}`, { exact: true }) })

const headingOf = ({ page }: ConsolePage, id: number) =>
  page.getByRole('heading', { name: `Transaction ${id}`, exact: true })

const button = ({ page }: ConsolePage, name: string) =>
  page.getByRole('button', { name, exact: true })

async function openTx(console: ConsolePage, database: string, id: number): Promise<void> {
  await console.goTo(`/tx?db=${database}&id=${id}`)
  await headingOf(console, id).waitFor()
}

/** Goes on to a later transaction by the key for the next one. */
async function walkTo(console: ConsolePage, id: number): Promise<void> {
  const at = Number(new URL(console.page.url()).searchParams.get('id'))
  for (let next = at + 1; next <= id; next += 1) {
    await console.page.keyboard.press(']')
    await headingOf(console, next).waitFor()
  }
}

/** Waits for a column of a row, or a field, to have these values before and after. */
async function changed({ page }: ConsolePage, column: string, values: readonly string[]) {
  const cells = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${column}\\b`) }) })
    .getByRole('cell')
  const shown = () => cells.allTextContents()
  await until(shown, (found) => found.join() === values.join())
}

/** Its first letter is Cyrillic. */
const hostileDatabase = 'аbc'

/** The names of the corpus that make bad keys of objects, addresses and pages. */
const hostileKeys = ['property-name', 'markup', 'bidi-invisible', 'key-url', 'bytes'].flatMap(
  (category) => corpusBytes('key').filter((one) => one.category === category),
)

/** As hostile as the server permits; it takes only letters, digits and `_` in names of SQL. */
async function writeHostileNames(url: string) {
  const db = await api(url)
  await db.createDatabase(hostileDatabase)
  await db.use(hostileDatabase)
  const at = async (sql: string) => {
    await db.exec(sql)
    return db.txId()
  }
  const table = await at(
    'CREATE TABLE "constructor" ("__proto__" INTEGER, "tostring" VARCHAR, "0" VARCHAR, "null" VARCHAR, PRIMARY KEY "__proto__");',
  )
  const inserted = await at(
    'INSERT INTO "constructor" ("__proto__", "tostring", "0") VALUES (1, \'<b>\', \'zero\');',
  )
  const changed = await at('UPDATE "constructor" SET "tostring" = \'x\' WHERE "__proto__" = 1;')
  const renamed = await at('ALTER TABLE "constructor" RENAME COLUMN "tostring" TO "undefined";')
  const dropped = await at('ALTER TABLE "constructor" DROP COLUMN "0";')
  await at('ALTER TABLE "constructor" RENAME TO "length";')
  const KVs = hostileKeys.map(({ bytes }) => ({ key: bytes.toString('base64'), value: 'eA==' }))
  await db.call('/db/set', { KVs })
  return { table, inserted, changed, renamed, dropped, keys: await db.txId() }
}

describe('transactions', () => {
  test('the list opens, jumps, filters, grows and is walked by keys', async ({ server, open }) => {
    const history = await writeOddHistory(server.url, 'walked')
    const db = await (await api(server.url)).use('walked')
    const console = await open(server.url)
    await console.enter(`/tx?db=walked`)
    await console.keepsSession()
    const { page } = console
    await rowOf(console, history.newest).getByText('Keys').waitFor()
    await rowOf(console, history.changed).getByText('flour').waitFor()
    await rowOf(console, history.document).getByText('Documents').waitFor()

    await gridOf(console).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await headingOf(console, 2).waitFor()
    await page.keyboard.press('[')
    await headingOf(console, 1).waitFor()
    expect(await button(console, 'Previous transaction').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press(']')
    await headingOf(console, 2).waitFor()
    await button(console, 'Next transaction').click()
    await headingOf(console, 3).waitFor()

    await page.getByRole('link', { name: 'All transactions' }).click()
    await rowOf(console, 3).waitFor()
    const jump = page.getByLabel('Go to a transaction or time')
    await jump.fill('999')
    await page.keyboard.press('Enter')
    await page.getByText(`No transaction 999; the newest is ${history.newest}.`).waitFor()
    await jump.fill('2001-02-03 04:05')
    await page.keyboard.press('Enter')
    await page.getByText(/^This is before the first transaction, which is of /).waitFor()
    await jump.fill('2100-01-01 00:00')
    await page.keyboard.press('Enter')
    await page.getByText(new RegExp(`^The last by then is tx ${history.newest} of `)).waitFor()

    await page.getByRole('combobox', { name: 'Kind of transaction' }).click()
    await page.getByRole('option', { name: 'Documents' }).click()
    await page
      .getByText(/^2 matches\. Looked at tx \d+ down to tx 1\. That is the whole history\.$/)
      .waitFor()
    expect(new URL(page.url()).searchParams.get('kind')).toBe('documents')
    await page.getByLabel('Minimum entries').fill('1000')
    await page.keyboard.press('Enter')
    await page.getByText(/^0 matches\./).waitFor()
    await console.open('/tx?db=walked&q=1000')
    await console.signedIn()
    await rowOf(console, history.wide).getByText('1,024').waitFor()
    await page.getByText(/^1 match\./).waitFor()

    await console.open('/tx?db=walked')
    await console.signedIn()
    await rowOf(console, history.newest).waitFor()
    await db.call('/db/set', { KVs: [{ key: 'bmV3', value: 'bmV3' }] })
    await button(console, '1 newer').click()
    await rowOf(console, history.newest + 1)
      .getByText('new', { exact: true })
      .waitFor()
    expect(await gridOf(console).getByText(`tx ${history.newest}`, { exact: true }).count()).toBe(1)
  })

  test.for([1_440, 1_264, 1_024, 960, 700])(
    'what a transaction touched has room in a window of %i pixels',
    async (width, { server, open }) => {
      const db = await api(server.url)
      const name = `wide${width}`
      await db.createDatabase(name)
      await db.use(name)
      const table = 'customers_of_shop'
      await db.exec(`CREATE TABLE ${table} (id INTEGER, n INTEGER, PRIMARY KEY id);`)
      await db.exec(
        `BEGIN TRANSACTION; CREATE INDEX ON ${table}(n); INSERT INTO ${table} (id) VALUES (1); COMMIT;`,
      )
      const console = await open(server.url, { viewport: { width, height: 700 } })
      await console.enter(`/tx?db=${name}`)
      const row = rowOf(console, 2)
      await row.getByText(table).waitFor()
      const cells = row.getByRole('gridcell')
      for (const cell of await cells.all()) {
        const [inner, outer] = await cell.evaluate((of) => [of.scrollWidth, of.clientWidth])
        expect(inner).toBeLessThanOrEqual(outer ?? 0)
      }
      const box = await cells.filter({ hasText: table }).boundingBox()
      expect(box?.width ?? 0).toBeGreaterThan(140)
    },
  )

  test('of two million the last is reached by End, number and bar', async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    const most = 2_000_000
    const txHash = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
    await page.route('**/api/db/state', (route) =>
      route.fulfill({ json: { db: 'defaultdb', txId: String(most), txHash } }),
    )
    await page.route('**/api/db/tx', (route) => {
      const { initialTx, limit } = route.request().postDataJSON()
      const txs = Array.from({ length: limit }, (_, at) => Number(initialTx) + at)
        .filter((id) => id <= most)
        .map((id) => ({
          header: { id: String(id), prevAlh: '', ts: '1', nentries: 1 },
          entries: [],
        }))
      return route.fulfill({ json: { txs } })
    })
    await console.enter('/tx?db=defaultdb')
    const grid = gridOf(console)
    const shows = async (id: number) => {
      const row = grid.getByText(`tx ${id.toLocaleString('en-GB')}`, { exact: true })
      await row.waitFor()
      await until(
        async () => {
          const [of, all] = [await row.boundingBox(), await grid.boundingBox()]
          return of && all ? of.y >= all.y && of.y + of.height <= all.y + all.height + 1 : false
        },
        (isInSight) => isInSight,
      )
    }
    await shows(most)
    await grid.focus()
    await page.keyboard.press('End')
    await shows(1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Home')
    await shows(most)
    await grid.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await shows(1)
    await grid.hover()
    await page.mouse.wheel(0, -100 * 36)
    await shows(101)
    await page.mouse.wheel(0, 100 * 36)
    await shows(1)
    const field = page.getByLabel('Go to a transaction or time')
    await field.fill('1000000')
    await page.keyboard.press('Enter')
    await shows(1_000_000)
    await grid.hover()
    await page.mouse.wheel(0, 36 * 5)
    await shows(999_990)
    await field.fill('1')
    await page.keyboard.press('Enter')
    await shows(1)
    await grid.evaluate((box) => box.scrollTo(0, 0))
    await shows(most)
  })

  test('one transaction shows what it changed, whatever it is', async ({ server, open }) => {
    const history = await writeOddHistory(server.url, 'shown')
    const console = await open(server.url)
    await console.enter(`/tx?db=shown&id=${history.keys}`)
    await console.keepsSession()
    const { page } = console
    await headingOf(console, history.keys).waitFor()
    await page.getByText('<img src=x onerror=window.__pwn=1>').waitFor()
    await page.getByText(/^The server does not send the values of 1 entry\./).waitFor()
    await page.getByText('The server does not send values that have expired.').waitFor()
    await walkTo(console, history.reference)
    await page.getByText('Shows the value of').waitFor()
    await walkTo(console, history.set)
    await page.getByText('-1.5').waitFor()

    await walkTo(console, history.table)
    await page.getByText(/CREATE TABLE flour \(\s+region VARCHAR\[8\],/).waitFor()
    await walkTo(console, history.inserted)
    await page.getByText('Inserted', { exact: true }).nth(1).waitFor()
    await walkTo(console, history.changed)
    await changed(console, 'grade', ['T45', 'T55'])
    await page.getByText('Changed', { exact: true }).waitFor()
    await walkTo(console, history.renamed)
    await page.getByText('ALTER TABLE flour RENAME COLUMN grade TO kind;').waitFor()
    await walkTo(console, history.dropped)
    await page.getByText('ALTER TABLE flour DROP COLUMN price;').waitFor()
    await walkTo(console, history.twice)
    await changed(console, 'kind', ['T55', 'again'])
    await walkTo(console, history.deleted)
    await page.getByText('Deleted', { exact: true }).waitFor()
    await page.getByText('flour region = süd, sack = -2').waitFor()

    await walkTo(console, history.collection)
    await page.getByText('Primary index: documents by their ids.').waitFor()
    await walkTo(console, history.document)
    await changed(console, 'total', ['3.5', '4.5'])
    await walkTo(console, history.wide)
    await page.getByText('wide:0000', { exact: true }).waitFor()
    expect(await page.getByRole('article').count()).toBeLessThan(40)
    await walkTo(console, history.large)
    await button(console, 'Read this value (2.9 MiB)').first().click()
    await button(console, 'Show whole value (2.9 MiB)').click()
    await page.getByText('2.9 MiB (3,000,000 bytes)').waitFor()
    await console.open(`/tx?db=shown&id=${history.wide}&entry=1000`)
    await console.signedIn()
    await page.getByText('wide:0999', { exact: true }).waitFor()
  })

  test('a truncated past keeps its headers, and every screen says what is gone', async ({
    server,
    open,
  }) => {
    const tx = await writeTruncatedHistory(server.url, 'cut')
    const console = await open(server.url)
    await console.enter('/tx?db=cut&kind=truncation')
    const { page } = console
    const removed = `Values from before tx ${tx.kept}`
    await rowOf(console, tx.truncation).getByText(removed, { exact: true }).waitFor()
    await openTx(console, 'cut', tx.truncation)
    await page.getByText(/^The truncation wrote the catalogue again as it was/).waitFor()

    await openTx(console, 'cut', tx.changed)
    await page.getByText(/^The server no longer has the values of 1 entry\./).waitFor()
    await button(console, 'Verify').click()
    await console.dialog.getByText('Verified in part', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await openTx(console, 'cut', tx.kept)
    await page.getByText('hello again', { exact: true }).waitFor()

    const drawer = page.getByRole('dialog', { name: /^History of / })
    const gone = /^The server no longer has the cells of this revision\./
    await console.goTo('/query?db=cut&table=flour&row=n:1')
    await drawer.getByText(gone).waitFor()
    await drawer.getByText(`tx ${tx.changed}`, { exact: true }).first().waitFor()
    await drawer.getByText(`tx ${tx.inserted}`, { exact: true }).waitFor()
    await console.goTo('/query?db=cut&table=flour&row=n:2')
    await drawer.getByText('T80', { exact: true }).waitFor()
    await console.goTo('/keys?db=cut&key=greeting&dialog=history')
    await drawer.getByRole('button', { name: /^rev 1 .*Value gone/ }).click()
    await drawer.getByText(/^The server no longer has this value\./).waitFor()

    await openTx(console, 'cut', tx.document)
    await page.getByText(/^The server no longer has this document\./).waitFor()
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await drawer.getByRole('button', { name: new RegExp(`^rev 1 .*tx ${tx.document}`) }).waitFor()
    await drawer.getByText(/^The server no longer has this document\./).waitFor()
    await page.keyboard.press('Escape')

    await console.goTo(`/compare?db=cut&table=flour&from=tx:${tx.truncation}&to=tx:${tx.after}`)
    await page.getByText(/^This server refuses to compare a table as long as/).waitFor()
    await console.goTo(`/compare?db=cut&tab=keys&from=tx:${tx.greeting}&to=tx:${tx.newest}`)
    await page.getByText(/^Values from before tx \d+ were truncated\./).waitFor()
    const differences = page.getByRole('grid', { name: 'Differences', exact: true })
    await differences.getByText('hello once more').waitFor()
    await differences.getByText('not read: the server no longer has its value').first().waitFor()

    await console.goTo(`/query?db=cut&at=tx:${tx.truncation}`)
    await page.getByText(`1 table as of tx ${tx.truncation}`, { exact: true }).waitFor()
    await console.runSql('SELECT * FROM flour;')
    await console
      .result(1)
      .getByText(/^The server no longer has a value that this statement reads\./)
      .waitFor()
  })

  test('hostile names of a database, its tables, columns and keys are only names', async ({
    server,
    open,
  }) => {
    const tx = await writeHostileNames(server.url)
    const console = await open(server.url)
    const { page } = console
    const at = (path: string) => `${path}?db=${encodeURIComponent(hostileDatabase)}`
    await console.enter(`${at('/tx')}&id=${tx.table}`)
    await page.getByText(/^CREATE TABLE constructor \(\s+__proto__ INTEGER/).waitFor()
    await walkTo(console, tx.changed)
    await changed(console, 'tostring', ['<b>', 'x'])
    await walkTo(console, tx.renamed)
    await page.getByText('ALTER TABLE constructor RENAME COLUMN tostring TO undefined;').waitFor()
    await walkTo(console, tx.keys)
    await page.getByText(`Keys (${hostileKeys.length})`, { exact: true }).waitFor()
    await page.getByText('__proto__', { exact: true }).waitFor()

    await console.goTo(`${at('/query')}&at=tx:${tx.changed}`)
    const table = page.getByRole('treeitem', { name: /^constructor\b/ })
    await table.getByText('now length').waitFor()
    await table.click()
    await page.keyboard.press('ArrowRight')
    await page
      .getByRole('treeitem', { name: /^tostring\b/ })
      .getByText('now undefined')
      .waitFor()
    await page.getByRole('treeitem', { name: /^0\b/ }).getByText('dropped since').waitFor()
    await console.goTo(`${at('/query')}&table=length&row=n:1&rev=2`)
    const drawer = page.getByRole('dialog', { name: /^History of / })
    await drawer.getByText('renamed since from tostring, in').waitFor()
    await console.goTo(`${at('/compare')}&table=length&from=tx:${tx.inserted}&to=tx:${tx.keys}`)
    await page.getByRole('status').getByText('1 changed', { exact: true }).waitFor()
    await console.goTo(`${at('/compare')}&tab=keys&from=tx:${tx.dropped}&to=tx:${tx.keys}`)
    await page.getByText(`of ${hostileKeys.length} written keys read`).waitFor()
    await console.goTo(`${at('/keys')}&at=tx:${tx.keys}`)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByText(`${hostileKeys.length} keys as of tx ${tx.keys}`).waitFor()
  })

  test('it is verified, as a whole and by its entries, and saved', async ({ server, open }) => {
    const history = await writeOddHistory(server.url, 'proven')
    const console = await open(server.url)
    await console.enter(`/tx?db=proven&id=${history.changed}`)
    await console.keepsSession()
    const { page } = console
    const names =
      /^Not covered by the proof: the names of the table and its columns and what it was/
    await button(console, 'Verify').click()
    await console.dialog.getByText(names).waitFor()
    await page.keyboard.press('Escape')
    await button(console, 'Verify entry 1').click()
    await console.dialog.getByText(names).waitFor()
    await console.dialog.getByText(/It is entry 1 of this transaction\./).waitFor()
    await page.keyboard.press('Escape')
    const saved = page.waitForEvent('download')
    await button(console, 'Save evidence').click()
    expect((await saved).suggestedFilename()).toMatch(/^evidence-.*proven-tx-\d+\.json$/)
  })

  test.for([
    ['999', 'No transaction 999; the newest is 1.'],
    ['0', '“0” is not the number of a transaction. They are numbered from 1.'],
    ['-1', '“-1” is not the number of a transaction. They are numbered from 1.'],
    [
      '99999999999999999999',
      '“99999999999999999999” is not the number of a transaction. They are numbered from 1.',
    ],
  ])(
    'signed out, the link of %s is answered after the login',
    async ([id, answer], { server, open }) => {
      const db = await api(server.url)
      if ((await db.txId()) === 0)
        await db.call('/db/set', { KVs: [{ key: 'YQ==', value: 'YQ==' }] })
      const console = await open(server.url)
      await console.enter(`/tx?db=defaultdb&id=${id}`)
      await console.page.getByText(answer ?? '', { exact: true }).waitFor()
    },
  )

  test('an empty database has none', async ({ server, open }) => {
    await (await api(server.url)).createDatabase('bare')
    const console = await open(server.url)
    await console.enter('/tx?db=bare')
    await console.page.getByText('Nothing was ever written to this database.').waitFor()
  })
})

describe.for(sizes)('axe on transactions, $size', unhurried, ({ size, viewport }) => {
  test('list and transactions have no violation', async ({ server, open }) => {
    const name = `look${size}`
    const history = await writeOddHistory(server.url, name)
    const console = await open(server.url, { viewport })
    await console.enter(`/tx?db=${name}`)
    const { page } = console
    await rowOf(console, history.newest).getByText('Keys').waitFor()
    await look(console, 'transactions-list')
    await console.goTo(`/tx?db=${name}&kind=catalogue`)
    await page.getByText(/matches\. Looked at/).waitFor()
    await look(console, 'transactions-filter')
    await shows(history.changed, 'T45')
    await look(console, 'transaction-rows')
    await shows(history.table, /CREATE TABLE/)
    await look(console, 'transaction-catalogue')
    await shows(history.keys, 'hello')
    await look(console, 'transaction-keys')
    await page.getByRole('switch', { name: 'Show keys and digests' }).click()
    await page.getByText('entry 1', { exact: true }).waitFor()
    await look(console, 'transaction-digests')
    await shows(history.document, '4.5')
    await look(console, 'transaction-document')
    await console.goTo(`/tx?db=${name}&id=999`)
    await page.getByText(/^No transaction 999/).waitFor()
    await look(console, 'transaction-unknown')

    async function shows(id: OddHistory['changed'], text: string | RegExp) {
      await openTx(console, name, id)
      await page.getByText(text).first().waitFor()
    }
  })
})
