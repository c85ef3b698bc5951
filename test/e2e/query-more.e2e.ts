import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { readStorage } from '../support/page-storage'
import { createSmallTable, createWideTable } from '../support/sql-samples'
import { isRefusedUnrun } from '../support/watch'

function line(console: ConsolePage, name: RegExp) {
  return console.tables.getByRole('treeitem', { name })
}

/** Presses one of a table's buttons in the tree. */
async function press(console: ConsolePage, table: string, action: string) {
  await line(console, new RegExp(`^${table}`)).hover()
  await console.page.getByRole('button', { name: `${action} ${table}`, exact: true }).click()
}

/** The code history as it is stored, the newest first. */
async function remembered({ page }: ConsolePage): Promise<string> {
  return (await readStorage(page)).get('localforage/keyvaluepairs/webconsole.history') ?? ''
}

/** Statements of the operator as they were answered. */
function statements(console: ConsolePage): string[] {
  const sent: string[] = []
  console.page.on('response', (answer) => {
    const request = answer.request()
    if (!/\/db\/sql(exec|query)$/.test(request.url()) || isRefusedUnrun(answer)) return
    const { sql } = request.postDataJSON()
    if (!/information_schema|COLUMNS\(|INDEXES\(/.test(sql)) sent.push(sql)
  })
  return sent
}

describe('demo data', () => {
  test('are shown before they are stored, in one transaction', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('demo')
    const console = await open(server.url)
    await console.enter('/query?db=demo')
    await console.page.getByRole('button', { name: 'Add demo data' }).click()
    await console.dialog.getByText(/CREATE TABLE stations/).waitFor()
    await console.dialog.getByRole('button', { name: 'Add demo data' }).click()
    await console.result(1).getByText('Committed, 22 rows changed.').waitFor()
    for (const table of ['stations', 'bicycles', 'rides']) {
      await line(console, new RegExp(`^${table}`)).waitFor()
    }
    expect(await (await db.use('demo')).txId()).toBe(1)
    await console.runSql(
      'SELECT r.id, s.name FROM rides AS r INNER JOIN stations AS s ON r.from_station = s.id WHERE r.minutes > 30;',
    )
    await console.cell(2, 'Old Brewery').waitFor()
  })

  test('need a permission, and say which', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('bare')
    await db.createUser('reader', 'Reader#2026', 1, 'bare')
    const console = await open(server.url)
    await console.enter('/query?db=bare', 'reader', 'Reader#2026')
    const button = console.page.getByRole('button', { name: 'Add demo data' })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await console.page
      .getByText(/needs the permission “Read & write”/)
      .filter({ visible: true })
      .last()
      .waitFor()
    await button.click({ force: true })
    // By the time that something else was asked and drawn, a dialog would be there as well.
    await console.runSql('SELECT 1 AS later;')
    await console.cell(1, '1').waitFor()
    expect(await console.dialog.count()).toBe(0)
  })
})

describe('the tree', () => {
  test('inserts a name at the caret, in quotes where it needs them', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE "order" (id INTEGER, "select" INTEGER, PRIMARY KEY id);')
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT  FROM ')
    await press(console, 'order', 'Insert')
    await console.holds('SELECT  FROM "order"')
    await console.page.keyboard.press('Home')
    for (let at = 0; at < 7; at++) await console.page.keyboard.press('ArrowRight')
    await line(console, /^order/)
      .locator('[data-arrow]')
      .click()
    await press(console, 'select', 'Insert')
    await console.holds('SELECT "select" FROM "order"')
    await console.run.click()
    await console.result(1).getByText('0 rows').waitFor()
  })

  test('counts the rows of a table and shows the first hundred', async ({ server, open }) => {
    await createWideTable(await api(server.url), 'previewed', 120, 2)
    const console = await open(server.url)
    await console.enter('/query')
    await press(console, 'previewed', 'Count the rows of')
    await line(console, /^previewed 120 rows/).waitFor()
    await press(console, 'previewed', 'Preview')
    await console.result(1).getByText('100 rows', { exact: true }).waitFor()
    await console.cell(1, 'c2 of 1').waitFor()
  })

  test('A13: a table and a column called __proto__ are tables and columns', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE __proto__ (id INTEGER, __proto__ VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO __proto__ (id, __proto__) VALUES (1, 'polluted');")
    const console = await open(server.url)
    await console.enter('/query')
    await press(console, '__proto__', 'Count the rows of')
    await line(console, /^__proto__ 1 row/).waitFor()
    await press(console, '__proto__', 'Preview')
    await console.cell(1, 'polluted').waitFor()
    const text = await saved(console, 1, /^JSON/)
    expect(text).toContain('"__proto__": "polluted"')
  })
})

describe('time travel', () => {
  test('shows the past, flags it, sends each table with its period, and writes nothing', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'aged')
    const before = await db.txId()
    await db.exec("UPDATE aged SET name = 'newer' WHERE id = 1;")
    await db.exec('CREATE VIEW aged_view AS SELECT id, name FROM aged;')
    const console = await open(server.url)
    await console.enter('/query')
    const sent = statements(console)
    await console.runSql('SELECT name FROM aged WHERE id = 1;')
    await console.cell(1, 'newer').waitFor()
    await console.travelTo(String(before))
    await console.run.click()
    await console.cell(2, 'a1').waitFor()
    await console.result(2).getByText('Past', { exact: true }).waitFor()
    expect(sent.at(-1)).toBe(`SELECT name FROM aged UNTIL TX ${before} WHERE id = 1;`)
    await console
      .result(2)
      .getByText(sent.at(-1) ?? '')
      .waitFor()
    expect(await console.result(1).getByText('Past', { exact: true }).count()).toBe(0)
    await console.runSql('SELECT name FROM aged_view;')
    await console
      .result(3)
      .getByText(/aged_view cannot be read as of the past/)
      .first()
      .waitFor()
    await console.runSql('INSERT INTO aged (id) VALUES (99);')
    await console
      .result(4)
      .getByText(/past, which cannot be changed/)
      .first()
      .waitFor()
    expect(sent).toHaveLength(2)
    await console.page.getByRole('button', { name: 'Back to now' }).click()
    await console.runSql('SELECT name FROM aged WHERE id = 1;')
    await console.cell(5, 'newer').waitFor()
  })

  test('offers before, since, after and times, and no transaction below 1', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'sided')
    const made = await db.txId()
    await db.exec("UPDATE sided SET name = 'later' WHERE id = 2;")
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT id FROM sided ORDER BY id;')
    const field = console.dialog.getByRole('textbox', { name: 'Transaction' })
    const pick = async (name: string, option: RegExp) => {
      const select = console.dialog.getByRole('combobox', { name })
      await select.click()
      await console.page.getByRole('option', { name: option }).click()
      // The focus comes back a moment after the list is gone, and would take the keys away.
      const hasFocus = () => select.evaluate((one) => one === document.activeElement)
      await expect.poll(hasFocus).toBe(true)
    }
    const choose = async (side: string) => {
      await console.openAsOf()
      await pick('Show data', new RegExp(`^${side} `))
    }
    await choose('Before')
    await field.fill('0')
    await console.dialog.getByText('The first transaction is 1.').first().waitFor()
    await field.fill('999999')
    await console.dialog
      .getByText(/The newest transaction is/)
      .first()
      .waitFor()
    await field.fill(String(made))
    await console.page.keyboard.press('Enter')
    await console.run.click()
    await console.result(1).getByText('0 rows').waitFor()
    await choose('After')
    await field.fill(String(made))
    await console.page.keyboard.press('Enter')
    await console.run.click()
    await console.cell(2, '2').waitFor()
    await choose('Until')
    await field.fill('2001-01-01 00:00')
    await console.page.keyboard.press('Enter')
    await console.dialog.getByText(/^Nothing was written by then/).waitFor()
    await pick('Show data', /^Before /)
    await console.dialog.getByRole('button', { name: 'Apply' }).click()
    await console.dialog.waitFor({ state: 'hidden' })
    await console.run.click()
    await console.result(3).getByText('0 rows').waitFor()
    expect(await console.result(3).textContent()).toContain("'2001-01-01 00:00:00'")
  })
})

describe('code history', () => {
  test('is searched, inserted, switched off and wiped at the log-out', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql("SELECT 'first canary' AS x;")
    await console.cell(1, 'first canary').waitFor()
    await console.runSql("SELECT 'second canary' AS x;")
    await console.cell(2, 'second canary').waitFor()
    await expect.poll(() => remembered(console)).toMatch(/second canary.*first canary/)
    await console.write('')
    const history = console.page.getByRole('button', { name: 'Code history' })
    await history.click()
    await console.dialog.getByRole('textbox', { name: 'Search the history' }).fill('FIRST')
    const items = console.dialog.getByRole('listitem')
    await expect.poll(() => items.count()).toBe(1)
    await items.getByRole('button', { name: 'Insert at the caret' }).click()
    await expect.poll(() => console.editorText()).toContain("SELECT 'first canary' AS x;")
    await console.page.reload()
    await console.signedIn()
    await history.click()
    await expect.poll(() => items.count()).toBe(2)
    await console.dialog.getByRole('switch', { name: 'Remember what is run' }).click()
    await expect.poll(() => items.count()).toBe(0)
    await console.dialog.getByRole('switch', { name: 'Remember what is run' }).click()
    await console.page.keyboard.press('Escape')
    await console.runSql("SELECT 'third canary' AS x;")
    await expect.poll(() => remembered(console)).toContain('third canary')
    await console.logOut()
    await console.signedOut()
    // The text in the editor is a draft, which stays for this user.
    const kept = async () =>
      [...(await readStorage(console.page))].filter(
        ([place]) => !place.includes('webconsole.draft'),
      )
    await expect.poll(async () => (await kept()).join()).not.toContain('canary')
  })
})

describe('a text in the address', () => {
  test('A04: fills the editor and is not run; one’s own text can be brought back', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'linked')
    const console = await open(server.url)
    await console.enter('/query')
    const sent = statements(console)
    await console.write('SELECT 1; -- my own')
    await console.keeps('SELECT 1; -- my own')
    await console.open(`/query?sql=${encodeURIComponent('DROP TABLE linked;')}&run=1`)
    await console.signedIn()
    await console.holds('DROP TABLE linked;')
    await console.page.getByText(/came with a link. It was not run/).waitFor()
    await expect.poll(() => console.page.url()).not.toContain('sql=')
    await console.page.getByRole('button', { name: 'Back to my text' }).click()
    await console.holds('SELECT 1; -- my own')
    expect(sent).toEqual([])
    expect(await db.query('SELECT COUNT(*) FROM linked;')).toEqual([[{ n: '3' }]])
  })
})

/** Saves a result and returns the text of the file. */
async function saved(console: ConsolePage, number: number, format: RegExp): Promise<string> {
  const result = console.result(number)
  await result.getByRole('button', { name: `Export result ${number}` }).click()
  const download = console.page.waitForEvent('download')
  await console.page.getByRole('menuitem', { name: format }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  await result.getByText(/^Complete:/).waitFor()
  return text
}

describe('long results', () => {
  test('F66: 2,501 rows come in pages, and the export has them all', async ({ server, open }) => {
    const db = await api(server.url)
    await createWideTable(db, 'paged', 2_501, 2)
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT * FROM paged;')
    await console
      .result(1)
      .getByText(/The first 1,000 rows, all as of tx \d/)
      .waitFor()
    await console
      .result(1)
      .getByText(/at most 2,500 rows/)
      .waitFor()
    await console.result(1).getByRole('button', { name: 'Next rows' }).click()
    await console
      .result(1)
      .getByText(/The first 2,000 rows/)
      .waitFor()
    await db.exec('DELETE FROM paged WHERE id > 2400;')
    await console.result(1).getByRole('button', { name: 'All rows', exact: true }).click()
    await console
      .result(1)
      .getByText(/^2,501 rows, fetched in pages/)
      .waitFor()
    await console.runSql('SELECT id FROM paged WHERE id < 2600 ORDER BY c2;')
    await console.result(2).getByText('2,400 rows').waitFor()
    await console.runSql(`SELECT * FROM paged UNTIL TX ${(await db.txId()) - 1};`)
    await console
      .result(3)
      .getByText(/The first 1,000 rows/)
      .waitFor()
    const text = await saved(console, 3, /^CSV for/)
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2_502)
    expect(lines.at(-1)).toBe('2501,c2 of 2501')
  })

  test('A11: a cell that begins like a formula is guarded, unless exact values are asked for', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE formulas (id INTEGER, v VARCHAR, PRIMARY KEY id);')
    await db.exec(
      `INSERT INTO formulas (id, v) VALUES (-1, '=1+1'), (2, ' @x'), (3, 'a,"b'), (4, ''), (5, NULL);`,
    )
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT id, v FROM formulas;')
    await console.cell(1, '=1+1').waitFor()
    expect(await saved(console, 1, /^CSV for/)).toBe(
      `id,v\r\n-1,'=1+1\r\n2,' @x\r\n3,"a,""b"\r\n4,""\r\n5,\r\n`,
    )
    const marked = await saved(console, 1, /^Excel CSV with/)
    expect(marked.startsWith('\ufeffid,v\r\n')).toBe(true)
    expect(await saved(console, 1, /^CSV, exact values/)).toBe(
      `id,v\r\n-1,=1+1\r\n2," @x"\r\n3,"a,""b"\r\n4,""\r\n5,\r\n`,
    )
  })
})

describe('other actions', () => {
  test('a query is explained without being run', async ({ server, open }) => {
    await createSmallTable(await api(server.url), 'explained')
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT id FROM explained WHERE amount > 1;')
    await console.page.getByRole('button', { name: 'Explain', exact: true }).click()
    await console
      .grid(1)
      .getByText(/Seq Scan on explained/)
      .waitFor()
  })

  test('a JSON value is shown as a tree', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE papers (id INTEGER, doc JSON, PRIMARY KEY id);')
    await db.exec(`INSERT INTO papers (id, doc) VALUES (1, '{"a": {"b": [1, 2]}}');`)
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT doc FROM papers;')
    await console.grid(1).waitFor()
    await console.grid(1).press('Enter')
    await console.dialog.getByRole('tree').getByText(/"?a"?/).first().waitFor()
    await console.dialog.getByRole('tab', { name: 'Text' }).click()
    await console.dialog.getByText('{"a":{"b":[1,2]}}').waitFor()
  })

  test('what destroys much is asked about first, and cancelling sends nothing', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'doomed')
    const console = await open(server.url)
    await console.enter('/query')
    const sent = statements(console)
    await console.write('SELECT 1;\nDELETE FROM doomed;\nDROP TABLE doomed;')
    await console.runAll.click()
    await console.dialog.getByText('Delete all rows of doomed').waitFor()
    await console.dialog.getByText('Drop table doomed').waitFor()
    await console.dialog.getByRole('button', { name: 'Cancel' }).click()
    await console.dialog.waitFor({ state: 'hidden' })
    expect(sent).toEqual([])
    await console.runAll.click()
    await console.confirmRun()
    await console
      .result(3)
      .getByText(/^Committed/)
      .waitFor()
    expect(sent).toHaveLength(3)
  })

  test('names, types, times and UUIDs are not cut, also under the pointer', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec(
      'CREATE TABLE whole (id INTEGER AUTO_INCREMENT, name VARCHAR[64] NOT NULL, at TIMESTAMP, ref UUID, a FLOAT, b BOOLEAN, PRIMARY KEY id);',
    )
    await db.exec('CREATE UNIQUE INDEX ON whole(name);')
    await db.exec('CREATE INDEX ON whole(at, ref, a, b);')
    await db.exec("INSERT INTO whole (name, at, ref) VALUES ('x', NOW(), RANDOM_UUID());")
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT * FROM whole;')
    await console.cell(1, 'x').waitFor()
    const isCut = (element: HTMLElement | SVGElement) => element.scrollWidth > element.clientWidth
    for (const cell of await console.grid(1).getByRole('gridcell').all()) {
      expect(await cell.evaluate(isCut), (await cell.textContent()) ?? '').toBe(false)
    }
    await console.tables.getByRole('treeitem', { name: 'whole' }).locator('[data-arrow]').click()
    const line = console.tables.getByRole('treeitem', { name: /^name / })
    await line.hover()
    await line.getByRole('button', { name: 'Insert name' }).waitFor()
    for (const text of ['name', 'VARCHAR']) {
      const shown = line.getByText(text).first()
      await shown.waitFor()
      const cut = await shown.evaluate((element) => {
        const box = element.closest<HTMLElement>('.truncate') ?? (element as HTMLElement)
        return box.scrollWidth > box.clientWidth
      })
      expect(cut, text).toBe(false)
    }
  })

  test('the output is searched, a result pinned, and both survive what comes next', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'sought')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/query')
    await console.runSql('SELECT id, name FROM sought ORDER BY id;')
    await console.grid(1).waitFor()
    await page.getByRole('button', { name: 'Pin result 1 to the top' }).click()
    await console.runSql('SELECT id AS other FROM sought ORDER BY id;')
    await console.grid(2).waitFor()
    await console.grid(2).press('ControlOrMeta+f')
    const field = page.getByRole('textbox', { name: 'Search the output' })
    await field.fill('other')
    await page.getByRole('search').getByText('2 hits').waitFor()
    await field.press('Enter')
    await field.press('Enter')
    await page.getByRole('search').getByText('2 of 2 hits').waitFor()
    await console.grid(2).locator('[role=columnheader][data-found]').waitFor()
    await field.press('Escape')
    await page.getByRole('button', { name: 'Clear the output except pinned results' }).click()
    await console.result(2).waitFor({ state: 'detached' })
    await console.grid(1).waitFor()
  })

  test('tables are offered behind FROM, columns of the statement behind WHERE', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'offered')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/query')
    await console.tables.getByRole('treeitem', { name: 'offered' }).waitFor()
    await console.write('')
    await page.keyboard.type('SELECT * FROM ')
    const options = page.locator('.cm-tooltip-autocomplete [role=option]')
    await options.filter({ hasText: /^offered/ }).waitFor()
    await page.keyboard.type('offered WHERE ')
    await options.filter({ hasText: /^name/ }).waitFor()
    expect(await options.filter({ hasText: /^offered/ }).count()).toBe(0)
    await page.keyboard.press('Tab')
    await expect.poll(() => console.editorText()).toMatch(/^SELECT \* FROM offered WHERE \w+$/)
  })

  test('A14: numbers that the server would read otherwise are marked before the run', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const sent = statements(console)
    await console.write('SELECT 9223372036854775808, 1e5, 0x10;')
    const marks = console.editor.locator('.cm-marker-warning')
    await expect.poll(() => marks.allTextContents()).toEqual(['9223372036854775808', '1e5', '0x10'])
    expect(sent).toEqual([])
  })
})
