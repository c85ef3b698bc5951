import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { setKeys } from '../support/keys-page'

/**
 * Clicks and key presses that a task takes, from the screen that is open before it. A chord of keys is
 * one; what is typed as a name, a value or a statement does not count.
 */
const steps = {
  'see the rows of a table': 1,
  'see the rows of the only table, from another screen': 1,
  'order rows by a column': 1,
  'change a cell and commit it': 4,
  'add a row of nine columns and commit it': 12,
  'delete a row and commit it': 5,
  'see the history of a row': 2,
  'verify a row': 2,
  'run a statement': 2,
  'save all rows of a table as a file': 2,
  'see who changed what in the newest transaction': 2,
  'compare two moments': 3,
  'read as of a transaction': 2,
  'see a key below two prefixes': 3,
  'set a key': 3,
  'see the documents of the only collection': 1,
  'add a user who may read a database': 3,
  'open another database': 2,
  'come back to the table of a database': 2,
  'see where the limits stand': 1,
} as const
type Task = keyof typeof steps

const done = new Map<Task, number>()

/** Hands that count; what they type is not counted. */
class Hands {
  readonly #console: ConsolePage
  #count = 0

  constructor(console: ConsolePage) {
    this.#console = console
  }

  async click(what: Locator) {
    this.#count += 1
    await what.click()
  }

  async press(...keys: readonly string[]) {
    for (const key of keys) {
      this.#count += 1
      await this.#console.page.keyboard.press(key)
    }
  }

  type(text: string) {
    return this.#console.page.keyboard.type(text)
  }

  /** Types into a field that has the focus already, which is waited for. */
  async into(field: Locator, text: string) {
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await this.type(text)
  }

  get count() {
    return this.#count
  }
}

/** Performs a task with hands that count, and compares the count. */
async function perform(console: ConsolePage, task: Task, run: (hands: Hands) => Promise<void>) {
  const hands = new Hands(console)
  await run(hands)
  done.set(task, hands.count)
  // Also no less, or the table would hide a step that comes back.
  expect(hands.count, task).toBe(steps[task])
}

const button = ({ page }: ConsolePage, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
const page = ({ navigation }: ConsolePage, name: string) =>
  navigation.getByRole('link', { name, exact: true })
const treeItem = (console: ConsolePage, name: RegExp) =>
  console.page.getByRole('treeitem', { name }).first()

const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Two tables, keys with `/`, one collection, and a database with a single table. */
async function prepare(url: string): Promise<Api> {
  const db = await api(url)
  await db.exec(
    `CREATE TABLE wide (id INTEGER, ${columns.map((name) => `${name} VARCHAR`).join(', ')}, PRIMARY KEY id);`,
  )
  await db.exec("INSERT INTO wide (id, a) VALUES (1, 'x'), (2, 'y'), (3, 'z');")
  await db.exec('CREATE TABLE other (id INTEGER, PRIMARY KEY id);')
  await setKeys(db, [
    ['shop/eu/bread', 'rye'],
    ['shop/us/bread', 'corn'],
    ['shop/us/cake', 'apple'],
  ])
  await db.createDatabase('single')
  const single = await (await api(url)).use('single')
  await single.exec('CREATE TABLE lonely (id INTEGER, PRIMARY KEY id);')
  await single.exec('INSERT INTO lonely (id) VALUES (7);')
  await single.call('/v2/collection/notes', {
    name: 'notes',
    fields: [{ name: 'n', type: 'STRING' }],
  })
  await single.insertDocument('notes', '{"n":"hello"}')
  return db
}

describe('an operator’s tasks take the clicks and key presses that the table says', () => {
  let prepared: Promise<Api> | undefined
  beforeAll(() => {
    prepared = undefined
  })
  const ready = (url: string) => {
    prepared ??= prepare(url)
    return prepared
  }
  afterAll(() => {
    const table = [...done].map(([task, count]) => `${count}\t${task}`).join('\n')
    process.stdout.write(`clicks and key presses\n${table}\n`)
  })

  test('rows of tables', walk, async ({ server, open }) => {
    await ready(server.url)
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    const rows = new EditsPage(console, 'wide')
    await perform(console, 'see the rows of a table', async (hands) => {
      await hands.click(treeItem(console, /^wide/))
      await rows.cell(1, 2).waitFor()
    })
    await perform(console, 'order rows by a column', async (hands) => {
      await hands.click(rows.grid.getByRole('columnheader', { name: /^a\b/ }))
      await rows.grid.locator('[role=columnheader][aria-sort]:not([aria-sort=none])').waitFor()
    })
    await console.goTo('/query?db=defaultdb&table=wide')
    await rows.cell(1, 2).waitFor()
    await perform(console, 'change a cell and commit it', async (hands) => {
      await hands.click(rows.cell(1, 2))
      await hands.type('new')
      await hands.press('Enter', 'Control+Enter')
      await rows.review.waitFor()
      await expect
        .poll(() => console.page.evaluate(() => document.activeElement?.textContent))
        .toBe('Commit')
      await hands.press('Enter')
      await console.page.getByText(/^1 row committed in tx \d+\.$/).waitFor()
    })
    await rows.review.waitFor({ state: 'detached' })
    await perform(console, 'add a row of nine columns and commit it', async (hands) => {
      await hands.press('Alt+Insert')
      for (const [at] of [null, ...columns].entries()) {
        if (at > 0) await hands.press('Tab')
        await hands.type(at === 0 ? '9' : 'v')
      }
      await hands.press('Enter', 'Control+Enter')
      await rows.review.waitFor()
      await expect
        .poll(() => console.page.evaluate(() => document.activeElement?.textContent))
        .toBe('Commit')
      await hands.press('Enter')
      await rows.review.waitFor({ state: 'detached' })
      await rows.cell(4, 2).getByText('v').waitFor()
    })
    await perform(console, 'delete a row and commit it', async (hands) => {
      await hands.click(rows.cell(4, 2))
      await hands.press('Space', 'Delete', 'Control+Enter')
      await rows.review.waitFor()
      await expect
        .poll(() => console.page.evaluate(() => document.activeElement?.textContent))
        .toBe('Commit')
      await hands.press('Enter')
      await rows.review.waitFor({ state: 'detached' })
      await rows.cell(4, 2).waitFor({ state: 'detached' })
    })
    await perform(console, 'see the history of a row', async (hands) => {
      await hands.click(rows.cell(1, 2))
      await hands.press('Alt+h')
      await console.dialog
        .getByText(/2 revisions/)
        .first()
        .waitFor()
    })
    await console.page.keyboard.press('Escape')
    await console.dialog.waitFor({ state: 'detached' })
    await perform(console, 'verify a row', async (hands) => {
      await hands.click(rows.cell(1, 2))
      await hands.press('Alt+v')
      await console.dialog.getByText('What is proven', { exact: true }).waitFor()
    })
    await console.page.keyboard.press('Escape')
    await console.dialog.waitFor({ state: 'detached' })
    await perform(console, 'save all rows of a table as a file', async (hands) => {
      const saved = console.page.waitForEvent('download')
      await hands.click(button(console, 'Export'))
      await hands.click(console.page.getByRole('menuitem', { name: /^CSV/ }).first())
      await saved
    })
  })

  test('one of a kind opens, and the place is kept', walk, async ({ server, open }) => {
    await ready(server.url)
    const console = await open(server.url)
    await console.enter('/?db=defaultdb')
    await perform(console, 'open another database', async (hands) => {
      await hands.click(console.database)
      await hands.click(console.page.getByRole('option', { name: 'single', exact: true }))
      await expect.poll(() => console.database.textContent()).toContain('single')
    })
    const rows = new EditsPage(console, 'lonely')
    await perform(console, 'see the rows of the only table, from another screen', async (hands) => {
      await hands.click(page(console, 'Query'))
      await rows.cell(1, 1).getByText('7', { exact: true }).waitFor()
    })
    await perform(console, 'see the documents of the only collection', async (hands) => {
      await hands.click(page(console, 'Documents'))
      await console.page.getByText('1 document', { exact: true }).waitFor()
    })
    // Whoever closes the only table finds it closed.
    await page(console, 'Query').click()
    await rows.grid.waitFor()
    await console.page.getByRole('tab', { name: 'Editor', exact: true }).click()
    await console.editor.waitFor()
    await page(console, 'Keys').click()
    await console.page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page(console, 'Query').click()
    await console.editor.waitFor()
    // The place in a database is where one comes back to.
    await console.page.getByRole('tab', { name: 'lonely', exact: true }).click()
    await rows.grid.waitFor()
    await page(console, 'Overview').click()
    await console.pickDatabase('defaultdb')
    await page(console, 'Query').click()
    await console.editor.waitFor()
    await perform(console, 'come back to the table of a database', async (hands) => {
      await hands.click(console.database)
      await hands.click(console.page.getByRole('option', { name: 'single', exact: true }))
      await rows.grid.waitFor()
    })
  })

  test('statements, history and keys', async ({ server, open }) => {
    const db = await ready(server.url)
    const tx = await db.txId()
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    await perform(console, 'run a statement', async (hands) => {
      await hands.click(console.editor)
      await hands.type('SELECT 1')
      await hands.press('Control+Enter')
      await console.grid(1).waitFor()
    })
    await perform(console, 'see who changed what in the newest transaction', async (hands) => {
      await hands.click(page(console, 'Transactions'))
      await hands.click(console.page.getByRole('gridcell').first())
      await console.page
        .getByRole('heading', { name: `Transaction ${tx}`, exact: true })
        .first()
        .waitFor()
      await console.page.getByRole('heading', { name: 'What it changed', exact: true }).waitFor()
    })
    await console.goTo('/compare?db=defaultdb')
    const from = console.page.getByRole('textbox', { name: 'From', exact: true })
    await expect.poll(() => from.inputValue()).not.toBe('')
    await perform(console, 'compare two moments', async (hands) => {
      await hands.click(from)
      await hands.press('ControlOrMeta+a')
      await hands.into(from, '2')
      await hands.press('Enter')
      await expect.poll(() => new URL(console.page.url()).searchParams.get('from')).toBe('tx:2')
    })
    await console.goTo('/keys?db=defaultdb')
    await perform(console, 'see a key below two prefixes', async (hands) => {
      await hands.click(treeItem(console, /^shop\//))
      await hands.click(treeItem(console, /us\//))
      await hands.click(treeItem(console, /cake/))
      await console.page.getByText('apple').first().waitFor()
    })
    await perform(console, 'set a key', async (hands) => {
      await hands.click(button(console, 'Set a key'))
      await hands.into(console.page.getByLabel('Key', { exact: true }), 'shop/eu/pie')
      const value = console.page.getByRole('textbox', { name: 'Value', exact: true })
      await hands.click(value)
      await hands.into(value, 'plum')
      await hands.click(button(console, 'Save'))
      await console.page.getByRole('region', { name: 'The open key' }).getByText('plum').waitFor()
    })
    await perform(console, 'read as of a transaction', async (hands) => {
      await hands.click(button(console, 'As of now'))
      await hands.into(console.dialog.getByRole('textbox').first(), '3')
      await hands.press('Enter')
      await button(console, 'As of tx 3').waitFor()
    })
  })

  test('users and limits', async ({ server, open }) => {
    await ready(server.url)
    const console = await open(server.url)
    await console.enter('/?db=defaultdb')
    await perform(console, 'see where the limits stand', async (hands) => {
      await hands.click(button(console, 'Limits of this server'))
      await console.page.getByRole('dialog', { name: 'Limits', exact: true }).waitFor()
    })
    await console.goTo('/users')
    await perform(console, 'add a user who may read a database', async (hands) => {
      await hands.click(button(console, 'Add user'))
      await hands.into(console.dialog.getByLabel('Username', { exact: true }), 'reader')
      await hands.press('Tab')
      await hands.into(console.dialog.getByLabel('Password', { exact: true }), 'Reader-pass-1')
      await hands.press('Enter')
      await console.page.getByText(/^reader was added/).waitFor()
    })
  })

  test('every task of the table was performed', () => {
    expect([...done.keys()].sort()).toEqual(Object.keys(steps).sort())
  })
})
