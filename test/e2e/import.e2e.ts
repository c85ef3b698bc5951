import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { corpusBytes } from '../support/corpus-bytes'
import { test, walk } from '../support/e2e'
import { ImportPage } from '../support/import-page'
import { look, lookInBoth, sizes, unhurried, wide } from '../support/looks'

const exec = { method: 'POST', path: '/db/sqlexec' }
const insert = { ...exec, body: /INSERT INTO/ }
/** Columns of the wide file beside the first five. */
const furtherColumns = Array.from({ length: 195 }, (_, at) => at)

/** A file of so many rows, each with a key and a text. */
function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => `${at + 1},name ${at + 1}`)
  return `id,label\n${lines.join('\n')}\n`
}

describe('an import of CSV', () => {
  test(
    'makes a table of a file, every value exact, and a row that does not fit is named first',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      const console = await open(server.url)
      await console.enter('/query')
      const page = new ImportPage(console)
      await page.open()
      await page.choose(
        [
          'ID;When;Amount;Kept;Unique;Doc;Raw;Note',
          '9223372036854775807;1969-12-31T23:59:59.999999Z;-0.0;true;8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d;"{""a"":1}";0x00ff;"a;b',
          'c"',
          '-9223372036854775808;2024-05-06T07:08:09Z;NaN;false;;[];0x;""',
          '7;2024-05-06;1.5;true;;;;',
          'eight;2024-05-06;1.5;true;;;;x',
          '',
        ].join('\r\n'),
        'Every Type.csv',
      )
      const table = page.dialog.getByRole('textbox', { name: 'Name of the table' })
      expect(await table.inputValue()).toBe('every_type')
      // Some values of these would be written otherwise, so they are texts until that is chosen.
      await page.pick('Type of field ID', 'INTEGER')
      await page.pick('Type of field When', 'TIMESTAMP')
      await page.pick('Type of field Amount', 'FLOAT')
      await page.dialog
        .getByRole('listitem', { name: 'Field ID' })
        .getByRole('checkbox', { name: 'Primary key' })
        .check()
      await page.check()
      await page.dialog.getByText('Checked: 1 of 4 rows do not fit, 3 do.').waitFor()
      const problems = page.dialog.getByRole('list', { name: 'Rows that do not fit' })
      expect(await problems.textContent()).toBe('Line 6: id: “eight” is not a whole number.')
      expect(await page.button(/^Import/).getAttribute('aria-disabled')).toBe('true')
      await page.dialog.getByRole('checkbox', { name: 'Leave out 1 row' }).check()
      const changes = page.dialog.getByRole('list', { name: 'Values that are written otherwise' })
      expect(await changes.getByRole('listitem').allTextContents()).toEqual([
        'Line 2: amount: -0.0 → -0',
        'Line 5: when: 2024-05-06 → 2024-05-06T00:00:00.000000Z',
      ])
      expect(await page.button(/^Import/).getAttribute('aria-disabled')).toBe('true')
      await page.agree(2)
      await page.button('Import 3 rows of 4').click()
      await page.complete()
      await page.dialog
        .getByText(/^Transaction \d+ is in the history\. Its content was not compared\.$/)
        .waitFor()
      await page.dialog
        .getByText(/^Rows 1–4 are committed, without 1 row left out: 1 transaction in tx/)
        .waitFor()
      const rows = await db.query(
        'SELECT id, "when", amount, kept, "unique", doc, raw, note FROM every_type;',
      )
      expect(rows).toEqual([
        [
          { n: '-9223372036854775808' },
          { ts: '1714979289000000' },
          { f: 'NaN' },
          { b: false },
          { null: null },
          { s: '[]' },
          { bs: '' },
          { s: '' },
        ],
        [
          { n: '7' },
          { ts: '1714953600000000' },
          { f: 1.5 },
          { b: true },
          { null: null },
          { null: null },
          { null: null },
          { null: null },
        ],
        [
          { n: '9223372036854775807' },
          { ts: '-1' },
          { f: -0 },
          { b: true },
          { s: '8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d' },
          { s: '{"a":1}' },
          { bs: 'AP8=' },
          { s: 'a;b\r\nc' },
        ],
      ])
      await page.button('Close').last().click()
      await console.tables.getByRole('treeitem', { name: /^every_type/ }).waitFor()
    },
  )

  test('into a small database takes as many rows at once as its transactions hold', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.call('/db/create/v2', { name: 'tinydb', settings: { maxTxEntries: { value: 8 } } })
    const tiny = await api(server.url)
    await tiny.use('tinydb')
    const console = await open(server.url)
    await console.enter('/query?db=tinydb')
    const page = new ImportPage(console)
    await page.open()
    const rows = Array.from({ length: 20 }, (_, at) => `${at},n${at}`)
    await page.choose(`id,label\n${rows.join('\n')}\n`, 'few.csv')
    await page.run()
    await page.dialog.getByText(/^Rows 1–20 are committed: 3 transactions in tx/).waitFor()
    expect(await tiny.query('SELECT COUNT(*) FROM few;')).toEqual([[{ n: '20' }]])
  })

  test('an awkward file of 200 columns comes in as it is, whatever its texts look like', async ({
    server,
    open,
  }) => {
    const texts = [
      "it''s",
      "'); DROP TABLE awkward; --",
      'a\\',
      '/* a */ -- b; @p0 ? %s $1 #',
      '  blank  ',
      '…é名',
      'x'.repeat(5_000),
      'two\r\nlines',
      'a "quoted" word',
    ]
    const times = ['1969-12-31T23:59:59.999999Z', '0001-01-01', '9999-12-31 23:59:59.999999', '']
    const heads = ['id', 'Größe', 'größe', '名前', 'at', ...furtherColumns.map((at) => `c${at}`)]
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = texts.map((text, at) =>
      [
        at + 1,
        quoted(text),
        '',
        '""',
        times[at % times.length],
        ...furtherColumns.map((column) => (column === 194 ? quoted(text) : column)),
      ].join(','),
    )
    const file = `\ufeff${heads.join(',')}\r\n\r\n${lines.join('\r\n\r\n')}\r\n\r\n`
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.choose(file, 'awkward.csv')
    await page.pick('Type of field at', 'TIMESTAMP')
    await page.run(4)
    const db = await api(server.url)
    expect(
      await db.query('SELECT id, groesse, groesse_2, column_4, at, c1, c194 FROM awkward;'),
    ).toEqual(
      texts.map((s, at) => [
        { n: String(at + 1) },
        { s },
        { null: null },
        { s: '' },
        [{ ts: '-1' }, { ts: '-62135596800000000' }, { ts: '253402300799999999' }, { null: null }][
          at % times.length
        ],
        { n: '1' },
        { s },
      ]),
    )
  })

  test('the browser asks before a page whose import has rows left is closed', async ({
    proxy,
    open,
  }) => {
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.choose(fileOf(1_500), 'left.csv')
    await page.check()
    proxy.fault({ ...insert, times: 1, fault: { kind: 'reset' } })
    await page.button('Import 1,500 rows').click()
    await console.page.getByRole('dialog', { name: 'Import stopped' }).waitFor()
    // Beside it, the buttons of the narrowest pane of tables stay in it.
    await console.page.setViewportSize({ width: 1_024, height: 700 })
    const rightOf = (label: string) =>
      console.page.getByLabel(label, { exact: true }).evaluate((box) => {
        return box.getBoundingClientRect().right
      })
    expect(await rightOf('Refresh the tables')).toBeLessThanOrEqual(
      await rightOf('Tables of the database'),
    )
    const asked = console.page.waitForEvent('dialog')
    const closed = console.page.waitForEvent('close')
    await console.page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await closed
  })

  test('a lost answer is looked up by the keys, and no row comes twice or is missing', async ({
    proxy,
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.choose(fileOf(2_500), 'lost.csv')
    await page.check()
    proxy.fault({ ...insert, times: 1, fault: { kind: 'dropAnswer' } })
    await page.button('Import 2,500 rows').click()
    await page.complete()
    await page.dialog.getByText(/^Rows 1–2,500 are committed: 3 transactions in tx /).waitFor()
    expect(await db.query('SELECT COUNT(*) FROM lost;')).toEqual([[{ n: '2500' }]])
    expect(proxy.count({ ...insert })).toBe(3)
  })

  test('where the server makes the keys, a lost answer stops and the operator decides', async ({
    proxy,
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url, { viewport: wide.viewport })
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.choose(fileOf(2_500), 'counted.csv')
    await page.dialog
      .getByRole('listitem', { name: 'Field id' })
      .getByRole('checkbox', { name: 'Primary key' })
      .uncheck()
    await page.check()
    const second = /INSERT INTO counted .*name 1500/
    proxy.fault({ ...exec, body: second, times: 1, fault: { kind: 'dropAnswer' } })
    await page.button('Import 2,500 rows').click()
    await page.dialog
      .getByText(
        /It is not known whether rows 1,025–2,048 \(lines 1,026–2,049\) are committed, in one transaction/,
      )
      .waitFor()
    await page.dialog.getByText(/^Rows 1–1,024 are committed: 1 transaction in tx/).waitFor()
    expect(await page.button('Continue').count()).toBe(0)
    await page.button('Check now').click()
    await page.dialog
      .getByText(/1,024 rows were added to counted .* with id_2 1,025–2,048\. They have the values/)
      .waitFor()
    await lookInBoth(console, 'query-import-unknown')
    const sent = proxy.count(insert)
    await page.button('They are committed: continue after them').click()
    await page.complete()
    expect(proxy.count(insert)).toBe(sent + 1)
    expect(await db.query('SELECT COUNT(*) FROM counted;')).toEqual([[{ n: '2500' }]])
  })

  test('after a reload it goes on with the same file behind the committed rows', async ({
    proxy,
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    const file = fileOf(4_000)
    await page.choose(file, 'again.csv')
    await page.check()
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    proxy.fault({ ...exec, body: /INSERT INTO again .*name 1500/, fault: { kind: 'hold', until } })
    await page.button('Import 4,000 rows').click()
    await page.dialog.getByText(/^Rows 1–1,024 are committed/).waitFor()
    await console.page.reload()
    release()
    proxy.clearFaults()
    await console.signedIn()
    await page.open()
    await page.dialog
      .getByText(/Rows 1–1,024 are committed.* It is not known whether rows 1,025–2,048/)
      .waitFor()
    await page.choose(fileOf(3_999), 'again.csv')
    await page.dialog.getByRole('table').waitFor()
    await page.button('Choose another file').click()
    await page.choose(file, 'again.csv')
    await page.button('Continue after row 1,024').click()
    await page.complete()
    expect(await db.query('SELECT COUNT(*) FROM again;')).toEqual([[{ n: '4000' }]])
    await page.button('Close').last().click()
    await page.open()
    await page.button('Choose file').waitFor()
    expect(await page.dialog.getByText('Unfinished imports').count()).toBe(0)
  })

  test('A01: every hostile text comes into a table that is there exactly, and nothing runs', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE hostile (id INTEGER, body VARCHAR, PRIMARY KEY id);')
    const texts = corpusBytes()
      .map(({ bytes }) => ({ bytes, text: bytes.toString() }))
      .filter(({ bytes, text }) => bytes.length < 20_000 && Buffer.from(text).equals(bytes))
      .map(({ text }) => text)
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = texts.map((text, at) => `${quoted(text)},${at}`)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.choose(`body,id\n${lines.join('\n')}`, '<img src=x onerror=alert(1)>\u202e.csv')
    await page.pick('Separator', 'Comma')
    await page.pick('Quote', 'Double quote')
    await page.dialog.getByRole('checkbox', { name: 'The first row names the columns' }).check()
    await page.pick('Import into', 'hostile')
    await page.run()
    const rows = await db.query('SELECT id, body FROM hostile;')
    expect(rows.map(([, body]) => body?.s)).toEqual(texts)
    await console.visit.watch.assertClean()
  })

  test('bytes that are no UTF-8 are read as windows-1252, and as UTF-8 their row does not fit', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    const bytes = Buffer.concat([
      Buffer.from('id,place\n1,Paris\n2,Orl'),
      Buffer.from([0xe9]),
      Buffer.from('ans\n'),
    ])
    await page.choose(bytes, 'latin.csv')
    await page.dialog
      .getByText(/^Line 3 has bytes that are no UTF-8, so the file is read as Windows-1252/)
      .waitFor()
    await page.pick('Encoding', 'UTF-8')
    await page.check()
    await page.dialog
      .getByText(/place: .* has bytes that are not text in the chosen encoding/)
      .waitFor()
    await page.pick('Encoding', 'Windows-1252 (Western)')
    await page.run()
    expect(await db.query('SELECT place FROM latin;')).toEqual([
      [{ s: 'Paris' }],
      [{ s: 'Orléans' }],
    ])
  })

  test('what a server exports comes in again as it was, from every kind of CSV', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    // The first import makes the table with values of every type.
    const rows = [
      'k,i,f,b,t,u,j,raw,s',
      '1,9223372036854775807,1e+21,true,1969-12-31T23:59:59.999999Z,8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d,"{""a"":[1.5,null]}",0x00ff,=1+1',
      '2,-9223372036854775808,1e-7,false,2024-05-06T07:08:09.123456Z,,[],0x,;=1+1',
      "3,0,-0.1,,0001-01-01T00:00:00.000000Z,,,,'tis",
      '4,,0.30000000000000004,,,,,,""',
      '5,,5e-324,,,,,,"two\r\n-5"',
      '6,,1.7976931348623157e+308,,,,,,"NULL"',
    ]
    await page.choose(`${rows.join('\r\n')}\r\n`, 'there.csv')
    await page.run()
    await page.button('Close').last().click()
    const names = 'k, i, f, b, t, u, j, raw, s'
    const stored = await db.query(`SELECT ${names} FROM there;`)
    expect(stored).toHaveLength(6)
    await console.runSql(`SELECT ${names} FROM there;`)
    // Within the quotes of a file with semicolons a semicolon begins no cell.
    const kinds = [
      ['CSV for spreadsheets', 3],
      ['Excel CSV with', 3],
      ['Excel CSV, semicolons', 2],
      ['CSV, exact values', 0],
    ] as const
    for (const [at, [kind, guarded]] of kinds.entries()) {
      const result = console.result(1)
      await result.getByRole('button', { name: 'Export result 1' }).click()
      const download = console.page.waitForEvent('download')
      await console.page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
      const file = await readFile(await (await download).path())
      await result
        .getByText(
          guarded > 0 ? ` ${guarded} cells have an apostrophe` : /^Complete: [^.]*\.csv\.$/,
        )
        .waitFor()
      await page.open()
      await page.choose(file, `back_${at}.csv`)
      // The very bytes that were imported at first, under another name.
      if (kind === 'CSV, exact values') await page.button('Start over').click()
      await page.dialog.getByRole('region', { name: 'Columns' }).waitFor()
      const offered = page.button('Use FLOAT, decimal comma for field f')
      const hasCommas = kind === 'Excel CSV, semicolons'
      expect(await offered.count()).toBe(hasCommas ? 1 : 0)
      if (hasCommas) await offered.click()
      if (guarded > 0) {
        const name = `Take the apostrophe off ${guarded} texts`
        await page.dialog.getByRole('checkbox', { name }).check()
      }
      await page.run(hasCommas ? 3 : 0)
      await page.button('Close').last().click()
      expect(await db.query(`SELECT ${names} FROM back_${at};`), kind).toEqual(stored)
    }
  })

  test('is off in the past, with the reason', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE past_import (id INTEGER, PRIMARY KEY id);')
    const console = await open(server.url)
    await console.enter('/query')
    await console.travelTo('1')
    const button = console.page.getByRole('button', { name: 'Import CSV', exact: true })
    await button.waitFor()
    expect(await button.getAttribute('title')).toBe(
      'You are looking at the past, which cannot be changed. Go back to now to write.',
    )
    await button.press('Enter')
    expect(await console.dialog.count()).toBe(0)
  })
})

describe.for(sizes)('the import, $size', unhurried, ({ size, viewport }) => {
  test('has no violation in any of its states', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    await console.enter('/query')
    const page = new ImportPage(console)
    await page.open()
    await page.button('Choose file').waitFor()
    await look(console, 'query-import')
    const rows = Array.from(
      { length: 40 },
      (_, at) => `${at % 9 === 8 ? 'x' : at},2024-05-06,"name ${at}",${at}.5,true`,
    )
    await page.choose(`id,made,label,price,sold\n${rows.join('\n')}\n`, `look_${size}.csv`)
    await page.dialog.getByRole('table').waitFor()
    await page.pick('Type of field id', 'INTEGER')
    await look(console, 'query-import-preview')
    await page.check()
    await page.dialog.getByRole('checkbox', { name: /^Leave out/ }).check()
    await look(console, 'query-import-check')
    await page.button(/^Import [\d,]+ rows/).click()
    await page.complete()
    await look(console, 'query-import-done')
  })
})
