import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'

const chart = ({ page }: ConsolePage, number = 1) =>
  page.getByRole('region', { name: `Chart of result ${number}`, exact: true })
const open = ({ page }: ConsolePage, number = 1) =>
  page.getByRole('button', { name: `Chart of result ${number}`, exact: true })

const hostile = 'ea<b>st & "co"'

async function createSales(db: Api, table: string): Promise<void> {
  await db.exec(
    `CREATE TABLE ${table} (id INTEGER AUTO_INCREMENT, shop VARCHAR, day TIMESTAMP, total FLOAT, big INTEGER, PRIMARY KEY id);`,
  )
  const rows = Array.from({ length: 30 }, (_, at) => {
    const day = `CAST('2026-11-${String(1 + at).padStart(2, '0')} 10:00' AS TIMESTAMP)`
    const total = at === 7 ? 'NULL' : `${at}.5`
    return `('${['north', hostile][at % 2]}', ${day}, ${total}, ${9007199254740993n + BigInt(at)})`
  })
  await db.exec(`INSERT INTO ${table} (shop, day, total, big) VALUES ${rows.join(',')};`)
}

/** Saves the chart by a button; gives the name and the bytes of the file. */
async function saved(console: ConsolePage, kind: 'PNG' | 'SVG') {
  const download = console.page.waitForEvent('download')
  await chart(console)
    .getByRole('button', { name: `Save the chart as ${kind}` })
    .click()
  const file = await download
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

describe('a chart of a result', () => {
  test(
    'is drawn, read point by point, and saved as SVG and PNG',
    walk,
    async ({ server, open: visit }) => {
      await createSales(await api(server.url), 'sales')
      const console = await visit(server.url)
      await console.enter('/query')
      await console.runSql('SELECT day, total, big FROM sales ORDER BY id')
      await open(console).click()
      const slider = chart(console).getByRole('slider')
      await slider.waitFor()
      await chart(console).getByText('Drawn: all 30 rows. Not drawn: 1 NULL.').waitFor()
      await chart(console)
        .getByText(/^Database defaultdb, at tx \d+ or later, asked /)
        .waitFor()
      await slider.press('End')
      await expect
        .poll(() => slider.getAttribute('aria-valuetext'))
        .toMatch(/^2026-11-30 .*: total 29\.5, big 9007199254741022,$/)
      await slider.press('ArrowLeft')
      await expect
        .poll(() => slider.getAttribute('aria-valuetext'))
        .toMatch(/^2026-11-29 .*: total 28\.5, big 9007199254741021,$/)
      const svg = await saved(console, 'SVG')
      expect(svg.name).toBe('defaultdb-chart-of-result-1.svg')
      const text = svg.bytes.toString('utf8')
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1000"/)
      expect(text).toContain('SELECT day, total, big FROM sales ORDER BY id')
      expect(text).not.toMatch(/style=|href=|url\(/)
      const png = await saved(console, 'PNG')
      expect(png.name).toBe('defaultdb-chart-of-result-1.png')
      expect([...png.bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10])
      // The header of the picture: twice the size that an SVG has.
      expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2_000, 1_200])
      await chart(console).getByRole('button', { name: 'Table' }).click()
      const table = chart(console).getByRole('grid')
      await table.getByRole('gridcell', { name: '9007199254740993', exact: true }).waitFor()
    },
  )

  test('keeps its choice with the editor, with names as they are', async ({
    server,
    open: visit,
  }) => {
    await createSales(await api(server.url), 'kept')
    const console = await visit(server.url)
    await console.enter('/query')
    await console.runSql(`SELECT shop, COUNT(*) AS n FROM kept GROUP BY shop`)
    await open(console).click()
    await chart(console).getByRole('figure', { name: 'n by shop' }).waitFor()
    expect(await axeViolations(console.page)).toEqual([])
    const text = (await saved(console, 'SVG')).bytes.toString('utf8')
    expect(text).toContain('>ea&lt;b&gt;st &amp; &quot;co&quot;</text>')
    await chart(console).getByRole('combobox', { name: 'Kind' }).click()
    await console.page.getByRole('option', { name: 'Points' }).click()
    await console.page.reload()
    await console.run.click()
    await chart(console).getByRole('combobox', { name: 'Kind' }).getByText('Points').waitFor()
    await open(console).click()
    await chart(console).waitFor({ state: 'detached' })
  })

  test('of a saved query says what it lacks when its columns are gone, and stays saved', async ({
    server,
    open: visit,
  }) => {
    await createSales(await api(server.url), 'gone')
    const console = await visit(server.url)
    await console.enter('/query')
    const { page } = console
    await console.runSql('SELECT shop, total FROM gone WHERE total > 1.0')
    await open(console).click()
    await chart(console).getByRole('figure', { name: 'total by shop' }).waitFor()
    await console.editor.focus()
    await page.keyboard.press('ControlOrMeta+s')
    const form = page.getByRole('dialog', { name: 'Save as a query' })
    await form.getByLabel('Name', { exact: true }).fill('Drawn')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await console.runSql('SELECT id, total AS sum FROM gone')
    await console
      .result(2)
      .getByText(
        'The chart of the saved query is not drawn. This result does not have what it needs: gone.total, gone.shop.',
      )
      .waitFor()
    expect(await chart(console, 2).count()).toBe(0)
    await console.runSql('SELECT total, shop FROM gone')
    await chart(console, 3).getByRole('figure', { name: 'total by shop' }).waitFor()
  })

  test('says how many rows of how many it draws, and loads the others in pages', async ({
    server,
    open: visit,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE long (id INTEGER AUTO_INCREMENT, n INTEGER, PRIMARY KEY id);')
    for (let at = 0; at < 6; at++) {
      const rows = Array.from({ length: 500 }, (_, n) => `(${(at * 500 + n) % 97})`)
      await db.exec(`INSERT INTO long (n) VALUES ${rows.join(',')};`)
    }
    const console = await visit(server.url)
    await console.enter('/query')
    await console.runSql('SELECT id, n FROM long')
    await open(console).click()
    await chart(console)
      .getByText('Drawn: 1,000 of the first 1,000 rows; the statement has more.')
      .waitFor()
    await chart(console)
      .getByText(/as of tx \d+, asked /)
      .waitFor()
    await chart(console).getByRole('button', { name: 'Load all rows' }).click()
    await chart(console).getByText('Drawn: all 3,000 rows.').waitFor()
    expect(await chart(console).getByRole('slider').getAttribute('aria-valuemax')).toBe('2999')
  })
})
