import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { ImportPage } from '../support/import-page'
import { base64, setKeys } from '../support/keys-page'
import { unhurried } from '../support/looks'
import { expectInReach } from '../support/reach'

const long = 'w'.repeat(120)
const database = 'w'.repeat(128)
const user = 'W'.repeat(63)
const marks = 'Z\u0335\u0321\u0327a\u0337\u0321l\u0335\u031bg\u0336o\u0336\u031b'.repeat(12)
const rightToLeft = `${'שלום'.repeat(40)}${'عليكم'.repeat(40)}`
const longer = 'w'.repeat(500)

const sizes = [
  { size: 'phone', viewport: { width: 390, height: 844 } },
  { size: 'small', viewport: { width: 1024, height: 700 } },
]

/** A database in which everything that can be named has a name that is hard to place. */
async function fill(url: string) {
  const admin = await api(url)
  await admin.createDatabase(database)
  await admin.createDatabase(`${database.slice(1)}x`)
  await admin.call('/db/unload', { database: `${database.slice(1)}x` })
  await admin.createUser(user, 'C0rrect-horse', 254, database)
  const db = await (await api(url)).use(database)
  for (const name of [long, longer]) {
    await db.exec(
      `CREATE TABLE ${name} (id INTEGER AUTO_INCREMENT, ${name}c VARCHAR[40], v VARCHAR, PRIMARY KEY id);`,
    )
    await db.exec(`CREATE INDEX ON ${name} (${name}c);`)
    await db.exec(`INSERT INTO ${name} (${name}c, v) VALUES ('${name.slice(0, 40)}', '${name}');`)
    const field = `${name}f`
    await makeCollection(db, `${name}d`, [[field, 'STRING']], [{ fields: [field] }])
  }
  await setKeys(
    db,
    [long, longer, rightToLeft, marks].map((name) => [name, name]),
  )
  await db.call('/db/zadd', { set: base64(long), score: 1, key: base64(long) })
  const content = { [`${long}f`]: long, [longer]: rightToLeft, [marks]: marks }
  return db.insertDocument(`${long}d`, JSON.stringify(content))
}

/** An address, and the buttons on it that open something; a row of several is pressed in turn. */
type Place = readonly [search: string, ...buttons: (string | RegExp)[]]

const places = (document: string): readonly Place[] => {
  const query = (search: Record<string, string>) =>
    String(new URLSearchParams({ db: database, ...search }))
  const ofTable = (table: string): readonly Place[] => [
    [
      `/query?${query({ table })}`,
      'Columns',
      'Export',
      'Rows per page',
      'Order of the rows',
      'Show the whole row',
    ],
    [
      `/query?${query({ table, tab: 'structure' })}`,
      'Add column',
      `Rename column ${table}c`,
      `Drop column ${table}c`,
      'Drop table',
    ],
    [`/query?${query({ table, tab: 'indexes' })}`, 'Create index', `Drop index (${table}c)`],
  ]
  const ofCollection = (name: string): readonly Place[] => [
    [
      `/documents?${query({ collection: `${name}d`, tab: 'structure' })}`,
      'Rename the field _id',
      `Remove the index on ${name}f`,
      'Delete collection…',
    ],
  ]
  const ofKey = (key: string): readonly Place[] => [
    [`/keys?${query({ key })}`, 'Change the value', 'Verify', 'History', 'Delete…'],
  ]
  return [
    [`/?${query({})}`, 'Show the trusted state', /^Verify tx/],
    [
      `/databases?${query({ name: database })}`,
      'Create database',
      `Unload: ${database}`,
      `Truncate: ${database}`,
    ],
    [
      `/users?${query({ user })}`,
      'Add user',
      'Change password',
      'Deactivate',
      'Add permission',
      `Remove the permission on ${database}`,
      `Edit the SQL privileges on ${database}`,
    ],
    ...ofTable(long),
    ...ofTable(longer),
    ...ofCollection(long),
    ...ofCollection(longer),
    [
      `/documents?${query({ collection: `${long}d`, doc: document })}`,
      'Delete…',
      'History',
      'Edit',
    ],
    ...ofKey(long),
    ...ofKey(longer),
    ...ofKey(rightToLeft),
    ...ofKey(marks),
    [`/tx?${query({})}`],
    [`/tx?${query({ tx: '3' })}`],
    [`/compare?${query({ from: 'tx:1', to: 'tx:12' })}`, 'From: choose a moment'],
    [`/verify?${query({})}`, 'Forget…'],
    [`/servers?${query({})}`],
    [`/settings?${query({})}`, 'Remove everything…'],
  ]
}

const opened = '[role=dialog], [role=menu], [role=listbox][data-state=open]'

async function atRest(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.locator('.shimmer').first().waitFor({ state: 'detached' })
}

/** Opens what a button opens, looks at it, and closes it again. */
async function look({ page }: ConsolePage, name: string | RegExp, where: string) {
  const button = page.getByRole('main').locator('button:visible')
  const named =
    typeof name === 'string'
      ? page.getByRole('main').getByRole('button', { name, exact: true })
      : page.getByRole('main').getByRole('button', { name })
  const select = page.getByRole('main').getByRole('combobox', { name: String(name), exact: true })
  const one = named.or(select).and(button).first()
  await one.click()
  const what = `${where.slice(0, 20)} ${String(name).slice(0, 40)}`
  const box = page.locator(opened).last()
  // An editor opens in its place.
  if (/^(Edit|Change the value)$/.test(String(name))) {
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
    await expectInReach(page, page.locator('body'), what)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    return
  }
  await box.waitFor()
  await page.locator('.shimmer').first().waitFor({ state: 'detached' })
  await expectInReach(page, box, what)
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
}

describe.for(sizes)('names of 120 and 500 letters, $size', unhurried, ({ viewport }) => {
  test('leave every button of every page, dialog and drawer in reach', async ({
    ownServer,
    open,
  }) => {
    const document = await fill(ownServer.url)
    const console = await open(ownServer.url, { viewport })
    const { page } = console
    await console.enter(`/settings?db=${database}`)
    await console.keepsSession()
    for (const [path, ...buttons] of places(document)) {
      await console.goTo(path)
      await atRest(page)
      await expectInReach(page, page.locator('body'), path.slice(0, 20))
      for (const name of buttons) await look(console, name, path)
    }
    // A toast about a database that is unloaded.
    await console.database.click()
    await page.getByRole('option', { name: `${database.slice(1)}x` }).click()
    await page.getByRole('button', { name: 'Load it…' }).waitFor()
    await expectInReach(page, page.locator('body'), 'toast')
    expect(await new DocumentsPage(page).dialog.count()).toBe(0)
  })

  test('leave staged edits, files and what was done in reach', async ({ ownServer, open }) => {
    await fill(ownServer.url)
    const console = await open(ownServer.url, { viewport })
    const { page, dialog } = console
    const edits = new EditsPage(console, long)
    await edits.open(database)
    await edits.type(1, 3, 'v', rightToLeft)
    await edits.button('Review changes').click()
    await edits.review.waitFor()
    await expectInReach(page, dialog, 'review')
    await edits.review.getByRole('switch', { name: 'Show the SQL' }).click()
    await expectInReach(page, dialog, 'review with its SQL')
    await edits.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByText(/row committed in/).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expectInReach(page, page.locator('body'), 'receipt')
    await console.goTo(`/query?db=${database}&table=${longer}&tab=structure`)
    await edits.button('Add column').click()
    await dialog.getByLabel('Column name').fill(`${long}n`)
    await dialog.getByRole('button', { name: 'Add column', exact: true }).click()
    await page.getByText(/^Column w+n added to w+\./).waitFor()
    await expectInReach(page, page.locator('body'), 'a column that was added')
    const files = new ImportPage(console)
    await files.open()
    await files.choose(`${long},${longer}\n1,2\n`, `${'w'.repeat(240)}.csv`)
    await files.button('Check the file').waitFor()
    await expectInReach(page, dialog, 'file')
  })
})
