import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { DocumentsPage } from '../support/documents-page'
import { test, walk } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { setKeys } from '../support/keys-page'

/**
 * Clicks and key presses that a task takes, from the screen that is open before it, and those that
 * the best other tool takes that is known to do it. A chord of keys is one, and so is a double click;
 * what is typed as a name, a value or a statement does not count, nor the choice of a file in the
 * window of the system. Null: no other tool is known that does it. Sources of the peers:
 *
 * - DataGrip 2026.1, jetbrains.com/help/datagrip: “Rows” (Alt+Insert; a row is selected, Ctrl+Y or
 *   Delete), “Keyboard shortcuts” (Ctrl+Enter submits in the data editor and runs in a console),
 *   “Sort data” (one click), “Tables” (a double click opens; right-click, New, Table, fields, OK),
 *   “Export data” (button, Export to File), “Import data” (right-click, Import/Export, Import Data,
 *   OK).
 * - Redis Insight: its own browser tests, `addStringKey`, `editStringKeyValue`, `deleteKey` of
 *   tests/e2e/pageObjects/browser-page.ts in github.com/RedisInsight/RedisInsight; one click for
 *   each level of its tree.
 * - MongoDB Compass, mongodb.com/docs/compass: “Modify Single Document” (pencil, field, Update),
 *   “Delete Single Document” (icon, confirmation).
 * - Supabase and Dolt Workbench: as they were tried for the list of an operator’s tasks.
 */
const tasks = {
  'see the rows of a table': [1, 1, 'Supabase'],
  'see the rows of the only table, from another screen': [1, 2, 'Supabase'],
  'order rows by a column': [1, 1, 'DataGrip'],
  // Click, Enter, Ctrl+Enter.
  'change a cell and commit it': [2, 3, 'DataGrip'],
  // Alt+Insert, eight times Tab, Ctrl+Enter.
  'add a row of nine columns and commit it': [10, 10, 'DataGrip'],
  // Click, Delete, Ctrl+Enter.
  'delete a row and commit it': [3, 3, 'DataGrip'],
  // Right-click, New, Table; for each column one to add it; OK.
  'create a table of nine columns': [11, 13, 'DataGrip'],
  'import a CSV file into a new table': [4, 4, 'DataGrip'],
  'see the history of a row': [2, null, ''],
  'verify a row': [2, null, ''],
  'run a statement': [2, 2, 'DataGrip'],
  'save all rows of a table as a file': [2, 2, 'DataGrip'],
  'see who changed what in the newest transaction': [2, 2, 'Dolt Workbench'],
  'name the moment of a transaction': [2, 2, 'Dolt Workbench'],
  // Two menus, each opened and chosen from.
  'compare two moments': [3, 4, 'Dolt Workbench'],
  'read as of a transaction': [2, 2, 'Dolt Workbench'],
  'see a key below two prefixes': [3, 3, 'Redis Insight'],
  // The button, the kind opened and chosen, the name, the value, the button.
  'set a key': [3, 6, 'Redis Insight'],
  // Its text, all of it, the button.
  'change the value of the open key': [3, 3, 'Redis Insight'],
  'delete the open key': [2, 2, 'Redis Insight'],
  'see the documents of the only collection': [1, 2, 'MongoDB Compass'],
  // There every document of the list is open.
  'change the open document': [3, 3, 'MongoDB Compass'],
  'delete the open document': [2, 2, 'MongoDB Compass'],
  'add a user who may read a database': [3, null, ''],
  'open another database': [2, 2, 'Supabase'],
  'come back to the table of a database': [2, 3, 'Supabase'],
  'see where the limits stand': [1, null, ''],
} as const satisfies Record<string, readonly [steps: number, peer: number | null, by: string]>
type Task = keyof typeof tasks

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
    await expect.poll(() => focused(field)).toBe(true)
    await this.type(text)
  }

  get count() {
    return this.#count
  }
}

const focused = (field: Locator) => field.evaluate((one) => one === document.activeElement)

/** Performs a task with hands that count, and compares the count. */
async function perform(console: ConsolePage, task: Task, run: (hands: Hands) => Promise<void>) {
  const hands = new Hands(console)
  await run(hands)
  done.set(task, hands.count)
  // Also no less, or the table would hide a step that comes back.
  expect(hands.count, task).toBe(tasks[task][0])
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
    const table = [...done].map(([task, count]) => {
      const [, peer, by] = tasks[task]
      return `${count}\t${peer === null ? '–' : `${peer} ${by}`}\t${task}`
    })
    process.stdout.write(
      `clicks and key presses, and those of the best peer\n${table.join('\n')}\n`,
    )
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
      await hands.press('Control+Shift+Enter')
      await console.page.getByText(/^1 row committed in tx \d+\.$/).waitFor()
    })
    await rows.review.waitFor({ state: 'detached' })
    await perform(console, 'add a row of nine columns and commit it', async (hands) => {
      await hands.press('Alt+Insert')
      for (const [at] of [null, ...columns].entries()) {
        if (at > 0) await hands.press('Tab')
        await hands.type(at === 0 ? '9' : 'v')
      }
      await hands.press('Control+Shift+Enter')
      await console.page.getByText(/^Staged/).waitFor({ state: 'detached' })
      await rows.review.waitFor({ state: 'detached' })
      await rows.cell(4, 2).getByText('v').waitFor()
    })
    await perform(console, 'delete a row and commit it', async (hands) => {
      await hands.click(rows.cell(4, 2))
      await hands.press('Alt+Delete')
      await rows.cell(4, 2).locator('del').waitFor()
      await hands.press('Control+Shift+Enter')
      await rows.cell(4, 2).waitFor({ state: 'detached' })
      await rows.review.waitFor({ state: 'detached' })
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

  // No walk: WebKit's driver has no window of the system for a file.
  test('a new table, by hand and from a file', async ({ server, open }) => {
    const db = await ready(server.url)
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb')
    const field = (name: string) => console.dialog.getByRole('textbox', { name, exact: true })
    await perform(console, 'create a table of nine columns', async (hands) => {
      await hands.click(button(console, 'Create table'))
      await hands.into(field('Table name'), 'made')
      // The first column is there: a key that counts up by itself.
      await hands.press('Tab')
      for (const [at, name] of columns.entries()) {
        await hands.press('Enter')
        await hands.into(field('Column name').nth(at + 1), name)
      }
      await hands.click(console.dialog.getByRole('button', { name: 'Create table', exact: true }))
      await treeItem(console, /^made/).waitFor()
    })
    await db.exec(`INSERT INTO made (${columns.join(', ')}) VALUES (${columns.map(() => "'x'")});`)
    await console.dialog.waitFor({ state: 'detached' })
    await perform(console, 'import a CSV file into a new table', async (hands) => {
      await hands.click(button(console, 'Import CSV'))
      const chosen = console.page.waitForEvent('filechooser')
      await hands.click(button(console, 'Choose file'))
      const buffer = Buffer.from('id,name\n1,Ada\n2,Bob\n')
      await (await chosen).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
      await hands.click(button(console, 'Check the file'))
      await hands.click(button(console, 'Import 2 rows'))
      await console.page.getByRole('dialog', { name: 'Import complete' }).waitFor()
    })
    expect(await db.query('SELECT name FROM people;')).toEqual([[{ s: 'Ada' }], [{ s: 'Bob' }]])
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
    // Whoever closes the only table finds it closed.
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

  test('documents', walk, async ({ server, open }) => {
    await ready(server.url)
    const console = await open(server.url)
    // A login opens the session that documents need.
    await console.signIn('/?db=single')
    const docs = new DocumentsPage(console.page)
    const hello = docs.cell('notes', 'hello')
    await perform(console, 'see the documents of the only collection', async (hands) => {
      await hands.click(page(console, 'Documents'))
      await hello.waitFor()
    })
    await hello.click()
    await perform(console, 'change the open document', async (hands) => {
      await hands.click(button(console, 'Edit'))
      await expect.poll(() => focused(docs.text)).toBe(true)
      await hands.press('ControlOrMeta+a')
      await hands.type('{"n": "hi"}')
      await hands.click(button(console, 'Save'))
      await docs.document.getByText('"hi"').waitFor()
    })
    await perform(console, 'delete the open document', async (hands) => {
      await hands.click(button(console, 'Delete…'))
      await hands.click(console.dialog.getByRole('button', { name: 'Delete the document' }))
      await docs.document.getByText('Deleted', { exact: true }).first().waitFor()
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
    await perform(console, 'name the moment of a transaction', async (hands) => {
      await hands.click(button(console, 'Name this moment…'))
      await hands.into(console.dialog.getByLabel('Name of the moment'), 'before')
      await hands.press('Enter')
      await console.page.getByText(`tx ${tx} is named “before”.`).waitFor()
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
      // The first table that differs is open.
      const table = console.page.getByRole('region', { name: 'Table', exact: true })
      await table.getByRole('grid').waitFor()
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
    const entry = console.page.getByRole('region', { name: 'The open key' })
    await perform(console, 'change the value of the open key', async (hands) => {
      await hands.click(button(console, 'Change the value'))
      const value = console.page.getByRole('textbox', { name: 'Value', exact: true })
      await expect.poll(() => focused(value)).toBe(true)
      await hands.press('ControlOrMeta+a')
      await hands.type('damson')
      await hands.click(button(console, 'Save'))
      await entry.getByText('damson', { exact: true }).waitFor()
    })
    await perform(console, 'delete the open key', async (hands) => {
      await hands.click(button(console, 'Delete…'))
      await hands.click(console.dialog.getByRole('button', { name: 'Delete the key' }))
      await entry.getByText('Deleted', { exact: true }).first().waitFor()
    })
    await console.dialog.waitFor({ state: 'detached' })
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

  test('every task of the table was performed, and none takes more than the best peer', () => {
    for (const [task, [steps, peer]] of Object.entries(tasks))
      expect(steps, task).toBeLessThanOrEqual(peer ?? steps)
    expect([...done.keys()].sort()).toEqual(Object.keys(tasks).sort())
  })
})
