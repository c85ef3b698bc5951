import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { EditsPage } from '../support/edits-page'
import { shot } from '../support/shots'
import { until } from '../support/until'

/** A keyboard that counts its presses apart from the letters of values. */
function keysOf({ page }: ConsolePage) {
  let count = 0
  return {
    press: async (...keys: string[]) => {
      for (const key of keys) {
        count += 1
        await page.keyboard.press(key)
      }
    },
    type: (text: string) => page.keyboard.type(text),
    count: () => count,
  }
}

/** What has the focus, as a person would name it. */
const focused = ({ page }: ConsolePage) =>
  page.evaluate(() => {
    const box = document.activeElement
    if (!box || box === document.body) return 'BODY'
    return box.getAttribute('role') === 'grid' ? 'grid' : box.tagName.toLowerCase()
  })

const focusedName = ({ page }: ConsolePage) =>
  page.evaluate(() => document.activeElement?.textContent)

/** The active cell, as its row and column counted from one. */
const active = ({ page }: ConsolePage) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    const cell = id ? document.getElementById(id) : null
    const row = Number(cell?.parentElement?.getAttribute('aria-rowindex')) - 1
    return `${row}:${Number(cell?.getAttribute('aria-colindex')) - 1}`
  })

/** Puts a text on the clipboard, as another program does, and pastes it. */
async function paste({ page }: ConsolePage, text: string) {
  await page.evaluate((given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', given)
    const options = { clipboardData, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', options))
  }, text)
}

describe('the rows of a table by keyboard alone', () => {
  test('ten cells, three new rows of nine columns, a block, reviewed and committed', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await db.exec(
      `CREATE TABLE wide (id INTEGER, ${names.map((name) => `${name} VARCHAR`).join(', ')}, PRIMARY KEY id);`,
    )
    await db.exec(
      Array.from(
        { length: 12 },
        (_, at) => `INSERT INTO wide (id, a, b) VALUES (${at + 1}, 'old ${at + 1}', 'b');`,
      ).join(''),
    )
    const console = await open(server.url)
    const page = new EditsPage(console, 'wide')
    await page.open()
    await page.cell(1, 2).click()
    const keys = keysOf(console)
    // Ten cells, one below the other.
    for (let at = 1; at <= 10; at += 1) {
      await keys.type(`new ${at}`)
      await keys.press('Enter')
    }
    expect(await active(console)).toBe('11:2')
    expect(keys.count()).toBe(10)
    // A row of nine columns: one key to add it, eight to go on, one to accept.
    const rowKeys = keysOf(console)
    await rowKeys.press('Alt+Insert')
    for (let row = 0; row < 3; row += 1) {
      for (let column = 0; column < 9; column += 1) {
        await rowKeys.type(column === 0 ? String(101 + row) : `${names[column - 1]}${row}`)
        if (row < 2 || column < 8) await rowKeys.press('Tab')
      }
    }
    await rowKeys.press('Enter')
    // Nine Tabs a row, and the ninth begins the next one.
    expect(rowKeys.count()).toBe(1 + 9 + 9 + 8 + 1)
    await console.page.getByText('Staged: 3 new rows and 10 changed rows.').waitFor()
    expect(await focused(console)).toBe('grid')
    // A block of two columns and two rows, of which the second row is new.
    await console.page.keyboard.press('Control+Home')
    for (let at = 0; at < 10; at += 1) await console.page.keyboard.press('ArrowDown')
    for (let at = 0; at < 2; at += 1) await console.page.keyboard.press('ArrowRight')
    expect(await active(console)).toBe('11:3')
    await paste(console, 'x\t"two\nlines"\r\n""\t\r\n')
    await console.page.getByText('Staged: 3 new rows and 12 changed rows.').waitFor()
    await shot(console.page, 'grid-keyboard-staged')
    await keys.press('Control+Enter')
    await page.review.waitFor()
    await expect.poll(() => focusedName(console)).toBe('Commit')
    // The key that opened it and is still held commits nothing unseen.
    await console.page.evaluate(() => {
      const held = { key: 'Enter', repeat: true, bubbles: true, cancelable: true }
      if (document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', held))) {
        throw new Error('a repeated key presses the button')
      }
    })
    await keys.press('Enter')
    await console.page.getByText(/^15 rows committed in tx \d+\.$/).waitFor()
    await page.review.waitFor({ state: 'detached' })
    expect(await focused(console)).not.toBe('BODY')
    const rows = await db.query('SELECT id, a, b, c FROM wide;')
    const stored = rows.map((row) => row.map((value) => Object.values(value)[0]))
    expect(stored).toEqual([
      ...Array.from({ length: 10 }, (_, at) => [String(at + 1), `new ${at + 1}`, 'b', null]),
      ['11', 'old 11', 'x', 'two\nlines'],
      ['12', 'old 12', '', null],
      ...[0, 1, 2].map((row) => [String(101 + row), `a${row}`, `b${row}`, `c${row}`]),
    ])
    const last = await db.query('SELECT h FROM wide WHERE id >= 101;')
    expect(last).toEqual([[{ s: 'h0' }], [{ s: 'h1' }], [{ s: 'h2' }]])
  })

  test('one cell, Escape, NULL, undo and the deletion of a row', walk, async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec(
      'CREATE TABLE pets (id INTEGER, name VARCHAR, age INTEGER NOT NULL, note VARCHAR, PRIMARY KEY id);',
    )
    await db.exec(
      "INSERT INTO pets (id, name, age, note) VALUES (1, 'Rex', 3, 'a'), (2, 'Tom', 4, 'b'), (3, 'Pip', 5, 'c');",
    )
    const console = await open(server.url)
    const page = new EditsPage(console, 'pets')
    await page.open()
    const text = (row: number, column: number) => page.cell(row, column).textContent()
    await page.cell(1, 2).click()
    const one = keysOf(console)
    // Letters that opened a drawer before.
    await one.type('hvr')
    await one.press('Enter')
    expect(one.count()).toBe(1)
    expect(await text(1, 2)).toBe('Rex→hvr')
    expect(await console.dialog.count()).toBe(0)
    // F2 keeps the value, Enter adds no line, Escape gives up this cell alone.
    await one.press('ArrowUp', 'F2')
    await one.type('!')
    await one.press('Enter', 'ArrowUp', 'F2')
    await one.type('???')
    await one.press('Escape')
    expect(await text(1, 2)).toBe('Rex→hvr!')
    expect(await active(console)).toBe('1:2')
    // NULL, where the column may have it; else the reason.
    await one.press('ArrowDown', 'Delete')
    expect(await text(2, 2)).toBe('Tom→NULL')
    await one.press('ArrowRight', 'Backspace')
    await console.page.getByText('NULL is not allowed in age.').waitFor()
    expect(await text(2, 3)).toBe('4')
    await one.press('Control+z')
    expect(await text(2, 2)).toBe('Tom')
    await one.press('Control+y')
    expect(await text(2, 2)).toBe('Tom→NULL')
    await one.press('Control+z', 'Control+Shift+Z', 'Control+z')
    expect(await text(2, 2)).toBe('Tom')
    // A row: chosen, deleted, back again and deleted.
    const del = keysOf(console)
    await del.press('Space', 'Delete')
    expect(del.count()).toBe(2)
    expect(await page.cell(2, 2).locator('del').textContent()).toBe('Tom')
    await del.press('Control+z')
    expect(await page.cell(2, 2).locator('del').count()).toBe(0)
    await del.press('Control+y')
    // What is below a key that cannot be changed.
    await one.press('Home')
    await one.type('9')
    await console.page.getByText(/^immudb does not change a primary key/).waitFor()
    // A line within a value only by Alt+Enter, and it is seen.
    await one.press('ArrowDown', 'End')
    await one.type('first')
    await one.press('Alt+Enter')
    await one.type('second')
    await one.press('Enter')
    expect(await text(3, 4)).toContain('first↵second')
    expect(await focused(console)).toBe('grid')
    await one.press('Control+Enter')
    await page.review.getByRole('button', { name: 'Commit', exact: true }).click()
    await console.page.getByText(/^3 rows committed in tx \d+\.$/).waitFor()
    const rows = await db.query('SELECT id, name, note FROM pets;')
    expect(rows.map((row) => row.map((value) => Object.values(value)[0]))).toEqual([
      ['1', 'hvr!', 'a'],
      ['3', 'Pip', 'first\nsecond'],
    ])
  })

  test('a word that is composed is neither cut by Enter nor thrown away by Escape', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE words (id INTEGER, word VARCHAR, PRIMARY KEY id);')
    await db.exec("INSERT INTO words (id, word) VALUES (1, 'x'), (2, 'y');")
    const console = await open(server.url)
    const page = new EditsPage(console, 'words')
    await page.open()
    await page.cell(1, 2).click()
    await console.page.keyboard.press('F2')
    const session = await console.visit.context.newCDPSession(console.page)
    const field = page.grid.getByRole('textbox', { name: 'word' })
    const compose = async (key: string) => {
      await session.send('Input.imeSetComposition', {
        text: 'にほ',
        selectionStart: 2,
        selectionEnd: 2,
      })
      await field.evaluate((box, pressed) => {
        for (const init of [
          { key: pressed, isComposing: true },
          { key: pressed, keyCode: 229 },
        ])
          box.dispatchEvent(
            new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }),
          )
      }, key)
    }
    await compose('Escape')
    await compose('Enter')
    expect(await field.inputValue()).toBe('xにほ')
    await session.send('Input.insertText', { text: '日本' })
    await console.page.keyboard.press('Enter')
    expect(await page.cell(1, 2).textContent()).toContain('x日本')
    // In a dialog, too.
    await console.page.getByRole('button', { name: 'Columns' }).click()
    await console.dialog.waitFor()
    await console.dialog.evaluate((box) =>
      box.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, key: 'Escape', isComposing: true }),
      ),
    )
    expect(await console.dialog.count()).toBe(1)
    await console.page.keyboard.press('Escape')
    await console.dialog.waitFor({ state: 'detached' })
  })

  test('cells are selected, copied, pasted and filled, and come back exactly', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec(
      'CREATE TABLE cells (id INTEGER, t VARCHAR, u VARCHAR[5], n INTEGER, w TIMESTAMP, PRIMARY KEY id);',
    )
    await db.exec(
      `INSERT INTO cells (id, t, u, n, w) VALUES (1, 'a"b', '', 9223372036854775807, CAST('2026-10-25 01:30:00.123456' AS TIMESTAMP)), (2, 'tab	here', NULL, NULL, NULL), (3, 'c', 'd', 5, NULL), (4, 'e', 'f', 6, NULL);`,
    )
    const console = await open(server.url)
    await console.visit.context.grantPermissions(['clipboard-write'])
    const page = new EditsPage(console, 'cells')
    await page.open()
    // A page may not read the clipboard, so what is written is kept as well.
    await console.page.evaluate(() => {
      const write = navigator.clipboard.writeText.bind(navigator.clipboard)
      navigator.clipboard.writeText = (text) => {
        document.body.dataset.copied = text
        return write(text)
      }
    })
    const { keyboard } = console.page
    await page.cell(1, 2).click()
    await page.cell(2, 5).click({ modifiers: ['Shift'] })
    await keyboard.press('Control+c')
    const copied = () => console.page.evaluate(() => document.body.dataset.copied ?? '')
    await until(copied, (text) => text.startsWith('"a""b"\t""\t9223372036854775807\t2026-10-25 '))
    expect((await copied()).split('\n')[1]).toBe('"tab\there"\t\t\t')
    await page.cell(3, 2).click()
    await keyboard.press('Control+v')
    await console.page.getByText('Staged: 2 changed rows.').waitFor()
    // One step.
    await keyboard.press('Control+z')
    await console.page.getByText(/^Staged/).waitFor({ state: 'detached' })
    expect(await focused(console)).toBe('grid')
    await keyboard.press('Control+y')
    // What does not fit is marked or listed, and rows below the last become new ones.
    await page.cell(4, 4).click()
    await paste(console, '7\tnever\tbeyond\n8\t\tbeyond 2')
    await console.dialog.getByRole('cell', { name: 'beyond 2' }).waitFor()
    await shot(console.page, 'grid-left')
    expect(await axeViolations(console.page)).toEqual([])
    await console.dialog.getByRole('button', { name: /^Copy/ }).click()
    await until(
      copied,
      (text) => text === '\t\tbeyond\n\t\t"beyond 2"' || text === '\t\tbeyond\n\t\tbeyond 2',
    )
    await keyboard.press('Escape')
    expect(await page.cell(4, 5).getAttribute('aria-invalid')).toBe('true')
    // The block is still chosen, and what does not fit is seen in it.
    expect(await page.cell(4, 5).getAttribute('aria-selected')).toBe('true')
    const edge = (of: Element) => getComputedStyle(of).outlineColor
    const [wrong, chosen] = [
      await page.cell(4, 5).evaluate(edge),
      await page.cell(4, 4).evaluate(edge),
    ]
    expect(wrong).not.toBe(chosen)
    await console.page.getByText('Staged: 1 new row and 2 changed rows.').waitFor()
    await keyboard.press('Control+z')
    // Fill down from the first row of what is dragged over.
    const from = await page.cell(1, 4).boundingBox()
    const to = await page.cell(3, 4).boundingBox()
    if (!from || !to) throw new Error('no cells')
    await console.page.mouse.move(from.x + 10, from.y + 10)
    await console.page.mouse.down()
    await console.page.mouse.move(from.x + 12, from.y + 20)
    await console.page.mouse.move(to.x + 10, to.y + 10, { steps: 4 })
    await console.page.mouse.up()
    expect(await page.grid.locator('[role=gridcell][aria-selected=true]').count()).toBe(3)
    await keyboard.press('Control+d')
    await page.commit()
    await console.page.getByText(/^3 rows committed in tx/).waitFor()
    const big = { n: '9223372036854775807' }
    expect(await db.query('SELECT t, u, n, w FROM cells;')).toEqual([
      [{ s: 'a"b' }, { s: '' }, big, { ts: '1792891800123456' }],
      [{ s: 'tab\there' }, { null: null }, big, { null: null }],
      [{ s: 'a"b' }, { s: '' }, big, { ts: '1792891800123456' }],
      [{ s: 'tab\there' }, { null: null }, { null: null }, { null: null }],
    ])
  })

  test('order, filter and page may change: the rows that were seen are written', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE many (id INTEGER, n INTEGER, t VARCHAR, PRIMARY KEY id);')
    await db.exec(
      Array.from(
        { length: 150 },
        (_, at) => `INSERT INTO many (id, n, t) VALUES (${at}, ${1000 - at}, 't${at % 3}');`,
      ).join(''),
    )
    const console = await open(server.url)
    const page = new EditsPage(console, 'many')
    await page.open()
    const { keyboard } = console.page
    // By keyboard, then another order.
    await page.cell(1, 3).click()
    await keyboard.type('first')
    await keyboard.press('Enter')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Alt+ArrowUp')
    await page.cell(1, 1).getByText('149', { exact: true }).waitFor()
    // By the pointer, then another page, with the field still open.
    await page.cell(1, 2).dblclick()
    await page.grid.getByRole('textbox', { name: 'n' }).fill('7')
    await page.button('Next page').click()
    await page.cell(1, 1).getByText('49', { exact: true }).waitFor()
    // By the menu, then a filter by a value, which the menu sets.
    const seen = await page.cell(2, 1).textContent()
    await page.cell(2, 2).click({ button: 'right' })
    await shot(console.page, 'grid-menu')
    expect(await axeViolations(console.page)).toEqual([])
    await console.page.getByRole('menuitem', { name: 'Delete the row' }).click()
    expect(await focused(console)).toBe('grid')
    await page.cell(3, 3).click()
    const value = await page.cell(3, 3).textContent()
    await keyboard.press('Shift+F10')
    await console.page.getByRole('menuitem', { name: 'Filter by this value' }).press('Enter')
    await until(
      () => console.page.url(),
      (url) => url.includes(`t:eq:${value}`) || url.includes(`t%3Aeq%3A${value}`),
    )
    // By its menu again, in rows of another order.
    await page.cell(1, 1).getByText('149', { exact: true }).waitFor()
    const third = await page.cell(2, 1).textContent()
    await page.cell(2, 3).click({ button: 'right' })
    await console.page.getByRole('menuitem', { name: 'Set to NULL' }).click()
    await console.page.getByText('Staged: 3 changed rows and 1 deleted row.').waitFor()
    await page.commit()
    await console.page.getByText(/^4 rows committed in tx/).waitFor()
    const rows = await db.query('SELECT id, n, t FROM many;')
    const stored = new Map(
      rows.map((row) => {
        const [id = '', ...rest] = row.map((one) => Object.values(one)[0])
        return [String(id), rest]
      }),
    )
    expect(stored.size).toBe(149)
    expect(stored.has(String(seen))).toBe(false)
    expect(stored.get('0')).toEqual(['1000', 'first'])
    expect(stored.get('149')).toEqual(['7', 't2'])
    expect(stored.get(String(third))).toEqual([String(1000 - Number(third)), null])
    const changed = [...stored].filter(
      ([id, [n, t]]) => n !== String(1000 - Number(id)) || t !== `t${Number(id) % 3}`,
    )
    expect(changed).toHaveLength(3)
  })

  test('a time is edited in the zone in which it is shown', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE times (id INTEGER, w TIMESTAMP, PRIMARY KEY id);')
    await db.exec(
      "INSERT INTO times (id, w) VALUES (1, CAST('2026-07-01 10:00:00.123456' AS TIMESTAMP)), (2, CAST('2026-10-25 01:30:00.000001' AS TIMESTAMP));",
    )
    const console = await open(server.url)
    const session = await console.visit.context.newCDPSession(console.page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' })
    const page = new EditsPage(console, 'times')
    await page.open()
    const { keyboard } = console.page
    expect(await page.cell(1, 2).textContent()).toBe('2026-07-01 12:00:00.123456 +02:00')
    await page.cell(1, 2).click()
    await keyboard.press('F2')
    const field = page.grid.getByRole('textbox', { name: 'w' })
    expect(await field.inputValue()).toBe('2026-07-01 12:00:00.123456')
    await page.grid.getByText('Europe/Berlin, up to six decimals.').waitFor()
    await field.fill('2026-03-29 02:30:00')
    await page.grid
      .getByText('There is no 2026-03-29 02:30 in Europe/Berlin: clocks go forward over it.')
      .waitFor()
    await field.fill('2026-12-01 12:00:00.123456')
    await keyboard.press('Enter')
    await keyboard.press('F2')
    expect(await field.inputValue()).toBe('2026-10-25 02:30:00.000001 +01:00')
    await keyboard.press('Enter')
    await console.page.getByText('Staged: 1 changed row.').waitFor()
    await page.commit()
    await console.page.getByText(/^1 row committed in tx/).waitFor()
    const times = ['2026-12-01T11:00:00.123Z', '2026-10-25T01:30:00.000Z'].map(Date.parse)
    expect(await db.query('SELECT w FROM times;')).toEqual([
      [{ ts: `${times[0]}456` }],
      [{ ts: `${times[1]}001` }],
    ])
  })

  test('the focus stays on the page where the last staged edit goes', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE bare (id INTEGER, t VARCHAR, PRIMARY KEY id);')
    const console = await open(server.url)
    await console.enter('/query?db=defaultdb&table=bare')
    await console.page.getByRole('button', { name: 'Add the first row' }).press('Enter')
    const page = new EditsPage(console, 'bare')
    const { keyboard } = console.page
    await page.grid.getByRole('textbox', { name: 'id' }).waitFor()
    await until(
      () => focused(console),
      (name) => name === 'input',
    )
    await keyboard.type('1')
    await keyboard.press('Tab')
    await keyboard.type('one')
    // The row that Tab offers is taken back when nothing is typed in it.
    await keyboard.press('Tab')
    await console.page.getByText('Staged: 2 new rows.').waitFor()
    await keyboard.press('Escape')
    await console.page.getByText('Staged: 1 new row.').waitFor()
    expect(await focused(console)).toBe('grid')
    for (let steps = 0; steps < 3; steps += 1) await keyboard.press('Control+z')
    await console.page.getByRole('button', { name: 'Add the first row' }).waitFor()
    await until(
      () => focused(console),
      (name) => name !== 'BODY',
    )
  })
})
