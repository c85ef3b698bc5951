import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test, walk } from '../support/e2e'
import { readState } from '../support/page-storage'
import { createSmallTable, createWideTable } from '../support/sql-samples'

type Sent = { readonly call: string; readonly sql: string }

/** What the console asks for itself, to know tables and columns. */
const ownQuestion = /information_schema|COLUMNS\(|INDEXES\(/

/** The operator's SQL as the server takes it, oldest first; what it refused for its connection came again. */
function recordSql(page: Page): readonly Sent[] {
  const sent: Sent[] = []
  page.on('response', (response) => {
    if (response.headers()['webconsole-fresh'] === 'required') return
    const request = response.request()
    const call = /\/db\/(sqlexec|sqlquery)$/.exec(request.url())?.[1]
    if (!call) return
    const { sql } = request.postDataJSON()
    if (!ownQuestion.test(sql)) sent.push({ call, sql })
  })
  return sent
}

describe('tables', () => {
  test('the tree shows columns, types, keys and indexes', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec(
      'CREATE TABLE tree_t (id INTEGER AUTO_INCREMENT, mail VARCHAR[80] NOT NULL, PRIMARY KEY id);',
    )
    await db.exec('CREATE UNIQUE INDEX ON tree_t (mail);')
    const console = await open(server.url)
    await console.enter('/query')
    const line = (name: RegExp) => console.tables.getByRole('treeitem', { name })
    await line(/^tree_t/).waitFor()
    // One letter, since those of a word would have to follow each other quickly.
    await console.tables.press('t')
    await console.tables.getByRole('treeitem', { name: /^tree_t/, selected: true }).waitFor()
    await console.page.keyboard.press('ArrowRight')
    await line(/^mail/).waitFor()
    expect(await line(/^id/).textContent()).toMatch(/^id.*INTEGER.*PK.*AUTO/)
    expect(await line(/^mail/).textContent()).toMatch(/VARCHAR\(80\)/)
    expect(await line(/^\(mail\)/).textContent()).toMatch(/unique index/)
    await console.page.keyboard.press('ArrowLeft')
    await line(/^mail/).waitFor({ state: 'detached' })
  })

  test('a table made in the editor appears without a reload', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('CREATE TABLE fresh (id INTEGER, PRIMARY KEY id);')
    await console.result(1).waitFor()
    await console.tables.getByRole('treeitem', { name: /fresh/ }).waitFor()
  })
})

describe('what runs', () => {
  test('the statement at the cursor, the selection, or all', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const sent = recordSql(console.page)
    await console.write('SELECT 1 AS one;\nSELECT 2 AS two;\nSELECT 3 AS three;')
    await console.page.keyboard.press('ArrowUp')
    await console.run.click()
    await console.cell(1, '2').waitFor()
    await console.page.keyboard.press('ControlOrMeta+Enter')
    await console.editor.focus()
    await console.page.keyboard.press('ControlOrMeta+Home')
    await console.page.keyboard.press('Shift+End')
    await console.run.click()
    await expect.poll(() => sent.at(-1)?.sql).toBe('SELECT 1 AS one;')
    const before = sent.length
    await console.runAll.click()
    await expect.poll(() => sent.length).toBe(before + 3)
    expect(sent.slice(before).map((one) => one.sql)).toEqual([
      'SELECT 1 AS one;',
      'SELECT 2 AS two;',
      'SELECT 3 AS three;',
    ])
  })

  test('the grammar splits: ; in strings and comments, doubled quotes, one ; each', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const sent = recordSql(console.page)
    await console.write("SELECT 'a;b''c' AS x -- no; end\n;\n/* ; */ SELECT 'é' AS y")
    await console.runAll.click()
    await console.cell(1, "a;b'c").waitFor()
    await console.cell(2, 'é').waitFor()
    expect(sent).toHaveLength(2)
    expect(sent.every((one) => /;\s*(--.*)?$/.test(one.sql))).toBe(true)
  })

  test('reads go to sqlquery, the rest to sqlexec, by their first word', async ({
    server,
    open,
  }) => {
    await createSmallTable(await api(server.url), 'routed')
    const console = await open(server.url)
    await console.enter('/query')
    const sent = recordSql(console.page)
    await console.write(
      "SELECT 'DELETE FROM x' AS words;\n-- SELECT\nDELETE FROM routed WHERE id = 3;\nDROP TABLE routed;",
    )
    await console.runAll.click()
    await console.confirmRun()
    await console
      .result(3)
      .getByText(/^Committed/)
      .waitFor()
    expect(sent.map((one) => one.call)).toEqual(['sqlquery', 'sqlexec', 'sqlexec'])
  })

  test('double quotes around an unknown name become text, and the output says so', async ({
    server,
    open,
  }) => {
    await createSmallTable(await api(server.url), 'quoted')
    const console = await open(server.url)
    await console.enter('/query')
    await console.tables.getByRole('treeitem', { name: /quoted/ }).waitFor()
    await console.runSql('SELECT id FROM "quoted" WHERE name = "a1";')
    await console.cell(1, '1').waitFor()
    await console.result(1).getByText(`"a1" was sent as text 'a1'`).waitFor()
  })
})

describe('results', () => {
  test('int64 is exact; NULL, empty text and 0 look different', async ({ server, open }) => {
    await createSmallTable(await api(server.url), 'exact')
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT id, name, amount FROM exact;')
    await console.cell(1, '9007199254740993').waitFor()
    const texts = async () => {
      const found = await console.grid(1).getByRole('gridcell').allInnerTexts()
      return found.map((text) => text.trim())
    }
    await expect
      .poll(texts)
      .toEqual([...['1', 'a1', '0'], ...['2', "''", '9007199254740993'], ...['3', 'NULL', 'NULL']])
  })

  test('a write says its transaction and how many rows', async ({ server, open }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'written')
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql("INSERT INTO written (id, name) VALUES (10, 'x'), (11, 'y');")
    await console.result(1).getByText('Committed, 2 rows changed.').waitFor()
    const tx = (await db.txId()).toLocaleString('en-GB')
    expect(await console.result(1).getByText(`tx ${tx}`, { exact: true }).count()).toBe(1)
  })

  test('a syntax error is said once and marked at the right characters', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write("SELECT 1 AS ok;\nSELECT 'é', id FROM FROM t;")
    await console.run.click()
    await console.result(1).getByRole('alert').getByText(/FROM/).first().waitFor()
    expect(await console.alerts.count()).toBe(1)
    const mark = console.editor.locator('.cm-marker-error')
    await expect.poll(() => mark.allTextContents()).toEqual(['FROM'])
    // The editor may draw the line again meanwhile.
    const before = () =>
      mark.first().evaluate((element) => {
        const range = document.createRange()
        const line = element.closest('.cm-line')
        if (!line) return null
        range.setStart(line, 0)
        range.setEndBefore(element)
        return range.toString()
      })
    await expect.poll(before).toBe("SELECT 'é', id FROM ")
  })

  test('the output can be filtered by severity', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT 1 AS good;')
    await console.result(1).waitFor()
    await console.runSql('SELECT nothing FROM nowhere;')
    await console.result(2).waitFor()
    const filter = console.page.getByRole('combobox', { name: /filter|show|output/i })
    await filter.click()
    await console.page.getByRole('option', { name: /error/i }).click()
    await expect.poll(() => console.result(1).count()).toBe(0)
    await console.result(2).waitFor()
  })

  test(
    '2,500 rows of 20 columns: few nodes however far one scrolls',
    walk,
    async ({ server, open }) => {
      await createWideTable(await api(server.url), 'wide', 2_500, 20)
      const console = await open(server.url)
      await console.enter('/query')
      await console.runSql('SELECT * FROM wide;')
      await console.cell(1, 'c2 of 1').waitFor()
      const most = await console.grid(1).evaluate(async (grid) => {
        const all = [grid, ...grid.querySelectorAll('*'), grid.parentElement]
        const scroller = all.find((one) => one && one.scrollHeight > one.clientHeight + 100)
        if (!scroller) throw new Error('nothing scrolls')
        let nodes = 0
        for (let step = 0; step <= 40; step++) {
          scroller.scrollTop = ((scroller.scrollHeight - scroller.clientHeight) * step) / 40
          scroller.scrollLeft = ((scroller.scrollWidth - scroller.clientWidth) * step) / 40
          await new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(resolve)),
          )
          nodes = Math.max(nodes, document.querySelectorAll('*').length)
        }
        return nodes
      })
      expect(most).toBeLessThanOrEqual(3_000)
      await console.cell(1, 'c20 of 2500').waitFor()
    },
  )

  test('2,501 rows: nothing is cut without a word', async ({ server, open }) => {
    await createWideTable(await api(server.url), 'long', 2_501, 2)
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT * FROM long;')
    await expect.poll(() => console.result(1).textContent()).toMatch(/2,500|limit/i)
  })
})

describe('panes', () => {
  test('sizes are kept over a reload', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const edge = console.page.getByRole('separator').first()
    const place = async () => Math.round((await edge.boundingBox())?.x ?? 0)
    await edge.focus()
    const first = await place()
    await console.page.keyboard.press('End')
    await expect.poll(place).toBeGreaterThan(first + 10)
    const widest = await place()
    const kept = async () => Object(await readState(console.page)).view?.paneSizes?.tables
    await expect.poll(kept).toBeGreaterThan(25)
    await console.keepsSession()
    await console.page.reload()
    await console.signedIn()
    await expect.poll(place).toBe(widest)
  })
})

describe('typing', () => {
  test('over a coloured selection replaces it and breaks no rule of the page', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT id FROM sales')
    await console.page.keyboard.press('Escape')
    await console.page.keyboard.press('ControlOrMeta+a')
    await console.page.keyboard.type('VALUES')
    await console.holds('VALUES')
  })
})

describe('drafts', () => {
  test('the text is kept within a second of the last key', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT 1; -- not finished')
    await console.keeps('SELECT 1; -- not finished')
    await console.page.reload()
    await console.signedIn()
    await console.holds('SELECT 1; -- not finished')
  })

  test('F63: a reload right after the last key loses nothing', walk, async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.keepsSession()
    await console.write('SELECT 63; -- in a hurry')
    await console.page.reload()
    await console.signedIn()
    await console.holds('SELECT 63; -- in a hurry')
  })
})
