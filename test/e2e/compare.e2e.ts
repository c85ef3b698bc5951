import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk, wholeBrowserTest } from '../support/e2e'
import { base64, setKeys } from '../support/keys-page'
import { look, lookInBoth, unhurried } from '../support/looks'

const hostile = '<img src=x onerror=alert(1)>'

/** Rows that are added, changed, deleted, put back and short-lived; returns the two moments. */
async function makeAwkward(db: Api, name: string): Promise<{ from: number; to: number }> {
  await db.createDatabase(name)
  await db.use(name)
  await db.exec(
    'CREATE TABLE pair (a INTEGER, b VARCHAR[64], v VARCHAR, n INTEGER, j JSON, gone VARCHAR, PRIMARY KEY (a, b));',
  )
  await db.exec('CREATE TABLE "order" ("from" INTEGER, "to" VARCHAR, PRIMARY KEY "from");')
  await db.exec(
    `INSERT INTO pair (a, b, v, j, gone) VALUES (1, 'o''neil', 'one', '{"k":1}', 'x'), (2, '${hostile}', 'two', NULL, 'x'), (3, 'back', 'three', NULL, 'x'), (4, 'same', 'four', NULL, 'x');`,
  )
  const from = await db.txId()
  await db.exec(`UPDATE pair SET n = 7, j = '{"k":2}' WHERE a = 1;`)
  await db.exec('DELETE FROM pair WHERE a = 3;')
  await db.exec(`INSERT INTO pair (a, b, v, gone) VALUES (3, 'back', 'three again', 'x');`)
  await db.exec('DELETE FROM pair WHERE a = 2;')
  await db.exec(`INSERT INTO pair (a, b, v) VALUES (5, 'new', 'five');`)
  await db.exec(`INSERT INTO pair (a, b, v) VALUES (6, 'short', 'six');`)
  await db.exec('DELETE FROM pair WHERE a = 6;')
  await db.exec(`UPDATE pair SET gone = 'y' WHERE a = 4;`)
  await db.exec('ALTER TABLE pair DROP COLUMN gone;')
  await db.exec(`INSERT INTO "order" ("from", "to") VALUES (1, 'there');`)
  return { from, to: await db.txId() }
}

const grid = ({ page }: ConsolePage) => page.getByRole('grid', { name: 'Differences', exact: true })

/** A row of the grid as its cells read. */
async function rowAt(console: ConsolePage, index: number): Promise<string[]> {
  const row = grid(console).getByRole('row').nth(index)
  await row.getByRole('gridcell').first().waitFor()
  return row.getByRole('gridcell').allTextContents()
}

async function says(console: ConsolePage, ...texts: string[]) {
  for (const text of texts) {
    await console.page.getByRole('status').getByText(text, { exact: true }).waitFor()
  }
}

describe('comparing two moments', () => {
  test('shows what differs in rows, and each step', unhurried, async ({ server, open }) => {
    const db = await api(server.url)
    const { from, to } = await makeAwkward(db, 'awkward')
    const console = await open(server.url)
    const { page } = console
    await console.enter(`/compare?db=awkward&table=pair&from=tx:${from}&to=tx:${to}`)
    await says(console, '1 added', '2 changed', '1 deleted')
    expect(await rowAt(console, 1)).toEqual([
      '~ changed',
      '1',
      "o'neil",
      'one',
      'NULL→7',
      '{"k":1}→{"k":2}',
    ])
    expect(await rowAt(console, 2)).toEqual(['− deleted', '2', hostile, 'two', 'NULL', 'NULL'])
    expect((await rowAt(console, 3))[3]).toBe('three→three again')
    expect((await rowAt(console, 4))[0]).toBe('+ added')
    expect(await grid(console).getByRole('row').count()).toBe(5)
    await lookInBoth(console, 'compare-rows')

    const kind = page.getByRole('combobox', { name: 'Kind of change', exact: true })
    await kind.click()
    await page.getByRole('option', { name: 'Deleted', exact: true }).click()
    await page.getByText('1 row read, all there are.').waitFor()
    expect((await rowAt(console, 1))[0]).toBe('− deleted')
    await kind.click()
    await page.getByRole('option', { name: 'All kinds', exact: true }).click()
    await page.getByRole('combobox', { name: 'Changed column', exact: true }).click()
    await page.getByRole('option', { name: 'n', exact: true }).click()
    await page.getByText('1 of 4 rows read differ in n, all there are.').waitFor()

    await page.getByRole('combobox', { name: 'Changed column', exact: true }).click()
    await page.getByRole('option', { name: 'Any column', exact: true }).click()
    await page.getByRole('button', { name: 'Every step', exact: true }).click()
    await page.getByText(`7 steps in the transactions up to tx ${to}, all there are.`).waitFor()
    const steps = page.getByRole('list', { name: 'Steps', exact: true })
    const links = await steps.getByRole('link').allTextContents()
    expect(links).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `tx ${from + n}`))
    // The row that came and went shows only here.
    await steps.getByRole('button', { name: `Show rows of tx ${from + 6}` }).click()
    const short = page.getByRole('grid', { name: `Differences of tx ${from + 6}`, exact: true })
    await short.getByRole('gridcell', { name: 'short', exact: true }).waitFor()

    await lookInBoth(console, 'compare-steps')

    await page.getByRole('option', { name: /^order/ }).click()
    await says(console, '1 added', '0 changed', '0 deleted')
    expect(await rowAt(console, 1)).toEqual(['+ added', '1', 'there'])
  })

  test('answers moments that cannot be compared', async ({ server, open }) => {
    const db = await api(server.url)
    const { to } = await makeAwkward(db, 'moments')
    const console = await open(server.url)
    const { page } = console
    await console.enter('/compare?db=moments&table=pair&from=tx:9&to=tx:4')
    await page.getByText('The first moment, tx 9, is after the second, tx 4.').waitFor()
    await page.getByRole('button', { name: 'Swap', exact: true }).click()
    await says(console, '2 added', '1 changed', '1 deleted')
    expect(new URL(page.url()).searchParams.get('from')).toBe('tx:4')

    const field = page.getByRole('textbox', { name: 'From', exact: true })
    const compare = page.getByRole('button', { name: 'Compare', exact: true })
    await field.fill('9')
    await compare.click()
    await page.getByText('Both moments are tx 9, so nothing differs').waitFor()
    await field.fill('99999')
    await compare.click()
    await page.getByText('There is no transaction 99,999.', { exact: true }).waitFor()
    const newest = page.getByText('The newest is').getByRole('link')
    expect(await newest.getAttribute('href')).toContain(`id=${to}`)
    await field.fill('some day')
    await compare.click()
    await page.getByText(/^Write a transaction, such as 42/).waitFor()
    // Before the first transaction nothing was there, so all rows were added.
    await field.fill('2020-01-01 00:00')
    await compare.click()
    await page.getByText('the empty database, before the first transaction').waitFor()
    await says(console, '5 added', '0 changed', '0 deleted')
    expect((await rowAt(console, 1))[0]).toBe('+ added')
  })

  test('reads and exports 3,000 changed rows in pages', walk, async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('many')
    await db.use('many')
    await db.exec('CREATE TABLE t (at TIMESTAMP, id INTEGER, v VARCHAR, PRIMARY KEY (at, id));')
    // 700 rows of each time, so that pages end within one and run over into the next.
    const time = (id: number) => `2026-01-02 03:04:05.00000${Math.floor(id / 700)}`
    for (let part = 0; part < 6; part += 1) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const id = part * 500 + at
        return `(CAST('${time(id)}' AS TIMESTAMP), ${id}, 'old')`
      })
      await db.exec(`INSERT INTO t (at, id, v) VALUES ${rows.join(', ')};`)
    }
    const from = await db.txId()
    for (let part = 0; part < 6; part += 1) {
      await db.exec(
        `UPDATE t SET v = 'new' WHERE id >= ${part * 500} AND id < ${part * 500 + 500};`,
      )
    }
    const console = await open(server.url)
    const { page } = console
    await console.enter(`/compare?db=many&table=t&from=tx:${from}`)
    await says(console, '0 added', '3,000 changed', '0 deleted')
    await page.getByText('500 rows read. More follow.').waitFor()
    await page.getByRole('button', { name: 'All rows', exact: true }).click()
    await page.getByText('3,000 rows read, all there are.').waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^CSV for/ }).click(),
    ])
    await page.getByText(/^Complete: 3,000 rows in many-t-tx7-tx13-3000-rows\.csv\.$/).waitFor()
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines[0]).toBe('_change,at (old),at (new),id (old),id (new),v (old),v (new)')
    expect(lines.slice(1)).toEqual(
      Array.from({ length: 3_000 }, (_, id) => {
        const at = `${time(id).replace(' ', 'T')}Z`
        return ['changed', at, at, id, id, 'old', 'new'].join(',')
      }),
    )
  })

  // With a link into another tab, which the packed shell loses at times: see support/chromium.ts.
  wholeBrowserTest(
    'compares keys, documents and the schema by reading the transactions',
    async ({ server, open }) => {
      const db = await api(server.url)
      await db.createDatabase('loose')
      await db.use('loose')
      await setKeys(db, [
        ['user:1', 'ann'],
        ['user:2', 'ben'],
        ['other', 'x'],
      ])
      const refer = (key: string, target: string, more = {}) =>
        db.call('/db/setreference', { key: base64(key), referencedKey: base64(target), ...more })
      await refer('user:ref', 'user:1')
      const from = await db.txId()
      await setKeys(db, [
        ['user:1', 'Ann'],
        ['user:3', 'cy'],
      ])
      const written = await db.txId()
      await db.call('/db/deletekey', { keys: [base64('user:2')] })
      await refer('user:ref', 'user:3', { atTx: String(written), boundRef: true })
      const odd = (key: string, metadata: object) => ({
        key: base64(key),
        value: base64('v'),
        metadata,
      })
      const KVs = [
        odd('user:4', { expiration: { expiresAt: '1600000000' } }),
        odd('user:5', { nonIndexable: true }),
      ]
      await db.call('/db/set', { KVs })
      await setKeys(db, [['huge', 'x'.repeat(4_200_000)]])
      await db.call('/v2/collection/notes', { fields: [{ name: 'text', type: 'STRING' }] })
      await db.call('/v2/collection/notes/documents', { documents: [{ text: 'hello' }] })
      await db.exec('CREATE TABLE made (id INTEGER, PRIMARY KEY id);')
      const console = await open(server.url)
      const { page } = console
      await console.enter(`/compare?db=loose&tab=keys&prefix=user:&from=tx:${from}`)
      await says(console, '2 added', '2 changed', '1 deleted')
      const rows = async (count: number) => {
        const found = []
        for (let at = 1; at <= count; at += 1) found.push((await rowAt(console, at)).slice(0, 3))
        return found
      }
      const last = `refers to user:3 as of tx ${written}`
      expect(await rows(5)).toEqual([
        ['~ changed', 'user:1', 'ann→Ann'],
        ['− deleted', 'user:2', 'ben'],
        ['+ added', 'user:3', 'cy'],
        ['+ added', 'user:4', 'not read: it has expired since'],
        ['~ changed', 'user:ref', `refers to user:1→${last}`],
      ])
      await lookInBoth(console, 'compare-keys')
      await page.getByRole('combobox', { name: 'Kind of change', exact: true }).click()
      await page.getByRole('option', { name: '− deleted', exact: true }).click()
      await expect.poll(() => grid(console).getByRole('row').count()).toBe(2)
      expect(await rows(1)).toEqual([['− deleted', 'user:2', 'ben']])
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: /^JSON/ }).click(),
      ])
      await page
        .getByText(/^Complete: 5 keys in loose-keys-user--tx\d+-tx\d+-5-rows\.json\.$/)
        .waitFor()
      const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
      expect(saved).toHaveLength(5)
      expect(saved[4]).toEqual({
        _change: 'changed',
        key: 'user:ref',
        'value (old)': null,
        'value (new)': null,
        'note (old)': 'refers to user:1',
        'note (new)': last,
        writes: 1,
        'last tx': written + 2,
      })
      await page.getByRole('combobox', { name: 'Kind of change', exact: true }).click()
      await page.getByRole('option', { name: 'All kinds', exact: true }).click()
      await page.getByRole('button', { name: 'Every step', exact: true }).press('Enter')
      await grid(console).getByRole('columnheader', { name: 'Tx', exact: true }).waitFor()
      const steps = [
        ['~ changed', 'user:1', 'ann→Ann'],
        ['+ added', 'user:3', 'cy'],
        ['− deleted', 'user:2', 'ben'],
        ['~ changed', 'user:ref', `refers to user:1→${last}`],
        ['+ added', 'user:4', 'not read: it has expired since'],
      ]
      await expect.poll(() => rows(5)).toEqual(steps)
      const pressed = page.getByRole('button', { name: 'Every step', exact: true })
      expect(await pressed.evaluate((button) => button === document.activeElement)).toBe(true)
      // Opened in another tab, the number of a transaction leaves the keys to the grid.
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        grid(console)
          .getByRole('link', { name: String(written), exact: true })
          .first()
          .click({ modifiers: ['ControlOrMeta'] }),
      ])
      await tab.waitForURL((url) => url.searchParams.get('id') === String(written))
      await tab.close()
      expect(await grid(console).evaluate((of) => of === document.activeElement)).toBe(true)
      await page.keyboard.press('Control+Home')
      // Enter follows it.
      await grid(console).focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) {
        await page.keyboard.press(key)
      }
      await page.getByRole('heading', { name: `Transaction ${written}`, exact: true }).waitFor()
      await page.goBack()
      await says(console, '2 added', '2 changed', '1 deleted')
      await page.getByRole('textbox', { name: 'Beginning of the keys' }).fill('huge')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      // That it is new is certain, although no answer can hold it.
      await says(console, '1 added', '0 changed', '0 deleted')
      expect(await rows(1)).toEqual([
        ['+ added', 'huge', 'not read: its revisions are too many or too large'],
      ])
      await page.getByRole('tab', { name: 'Documents', exact: true }).click()
      await grid(console).getByText('huge').waitFor({ state: 'detached' })
      await says(console, '1 added', '0 changed', '0 deleted')
      await grid(console)
        .getByRole('gridcell', { name: /"text":"hello"/ })
        .waitFor()
      await page.getByRole('button', { name: /History of this document/ }).click()
      const drawer = page.getByRole('dialog', { name: /^History of document / })
      await drawer.getByText('1 revision, newest first').waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Schema', exact: true }).click()
      const list = page.getByRole('list', { name: 'Schema changes', exact: true })
      await list.getByText(/^CREATE TABLE made/).waitFor()
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const [schema] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: /^JSON/ }).click(),
      ])
      expect(schema.suggestedFilename()).toMatch(/^loose-schema-tx\d+-tx\d+-1-rows\.json$/)
      expect(JSON.parse(await readFile(await schema.path(), 'utf8'))).toEqual([
        {
          _tx: await db.txId(),
          'committed (UTC)': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          statement: expect.stringMatching(/^CREATE TABLE made/),
          note: null,
        },
      ])
      await look(console, 'compare-schema')
    },
  )
})
