import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { parameterNames } from '~/sql/parameter-values'
import { type Api, api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'

type Sent = { readonly sql: string; readonly params?: readonly { readonly name: string }[] }

/** Every statement with a name that the server takes; what it refused for its connection came again. */
function named(page: Page): readonly Sent[] {
  const sent: Sent[] = []
  page.on('response', (response) => {
    if (response.headers()['webconsole-fresh'] === 'required') return
    const request = response.request()
    if (!/\/db\/sql(exec|query)$/.test(request.url())) return
    const body: Sent = request.postDataJSON()
    if (parameterNames(body.sql).length > 0) sent.push(body)
  })
  return sent
}

const form = ({ page }: ConsolePage) => page.getByRole('form', { name: 'Parameters' })
const field = (console: ConsolePage, name: string) =>
  form(console).getByRole('textbox', { name: `@${name}`, exact: true })
const typeOf = (console: ConsolePage, name: string) =>
  form(console).getByRole('combobox', { name: `Type of @${name}` })

/** A table with a column of each type. */
async function createTable(db: Api, name: string): Promise<void> {
  await db.exec(
    `CREATE TABLE ${name} (id INTEGER AUTO_INCREMENT, n INTEGER, s VARCHAR, b BOOLEAN, f FLOAT, t TIMESTAMP, u UUID, j JSON, bl BLOB, PRIMARY KEY id);`,
  )
}

describe('parameters', () => {
  test(
    'of each type are typed by their columns, and arrive exactly',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      await createTable(db, 'typed')
      const console = await open(server.url)
      await console.enter('/query')
      await console.write(
        'INSERT INTO typed (n, s, b, f, t, u, j, bl) VALUES (@N, @s, @b, @f, @t, @u, @j, @bl);',
      )
      await form(console).waitFor()
      for (const [name, type, text] of [
        ['n', 'INTEGER', '9007199254740993'],
        ['s', 'VARCHAR', `it's'); DROP TABLE typed; --`],
        ['b', 'BOOLEAN', 'true'],
        ['f', 'FLOAT', '-0'],
        ['t', 'TIMESTAMP', '2024-11-21 09:00:00.123456+00:00'],
        ['u', 'UUID', '11111111-2222-3333-4444-555555555555'],
        ['j', 'JSON', '{"a": 1}'],
      ] as const) {
        await typeOf(console, name).filter({ hasText: type }).waitFor()
        await field(console, name).fill(text)
      }
      // What is missing keeps all of it from being sent.
      await console.run.click()
      await form(console).getByRole('alert').getByText('Nothing was run.').waitFor()
      await expect
        .poll(() => field(console, 'bl').evaluate((box) => box === document.activeElement))
        .toBe(true)
      expect(await console.result(1).count()).toBe(0)
      await field(console, 'bl').fill('0001')
      await field(console, 'bl').press('Enter')
      await console.result(1).getByText('Committed, 1 row changed.').waitFor()
      expect(await db.query('SELECT n, s, b, f, t, u, j, bl FROM typed;')).toEqual([
        [
          ...[{ n: '9007199254740993' }, { s: `it's'); DROP TABLE typed; --` }, { b: true }],
          ...[{ f: -0 }, { ts: '1732179600123456' }, { s: '11111111-2222-3333-4444-555555555555' }],
          ...[{ s: '{"a":1}' }, { bs: 'AAE=' }],
        ],
      ])
      await console.write(
        'SELECT n, f, t FROM typed WHERE u = @u AND s = @s AND n >= @n AND t = @t;',
      )
      await console.run.click()
      await console.cell(2, '9007199254740993').waitFor()
      await console.cell(2, '-0').waitFor()
      await console
        .result(2)
        .getByText(/u = @u::UUID AND/)
        .waitFor()
    },
  )

  test('go with every page, file and plan, and bad text is said at its field', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE many (id INTEGER AUTO_INCREMENT, n INTEGER, PRIMARY KEY id);')
    for (let at = 0; at < 6; at++)
      await db.exec(
        `INSERT INTO many (n) VALUES ${Array.from({ length: 500 }, (_, n) => `(${at * 500 + n})`).join(',')};`,
      )
    const console = await open(server.url)
    await console.enter('/query')
    const sent = named(console.page)
    await console.write('SELECT id, n FROM many WHERE n >= @least;')
    await typeOf(console, 'least').filter({ hasText: 'INTEGER' }).waitFor()
    await field(console, 'least').fill('1.5')
    await form(console)
      .getByText(/^Write a whole number/)
      .waitFor()
    await console.run.click()
    await form(console).getByRole('alert').getByText('Nothing was run.').waitFor()
    expect(sent).toEqual([])
    await field(console, 'least').fill('10')
    await console.run.click()
    await console
      .result(1)
      .getByText(/^The first 1,000 rows/)
      .waitFor()
    await console.result(1).getByRole('button', { name: 'Next rows' }).click()
    await console
      .result(1)
      .getByText(/^The first 2,000 rows/)
      .waitFor()
    await console.result(1).getByRole('button', { name: 'Export result 1' }).click()
    const download = console.page.waitForEvent('download')
    await console.page.getByRole('menuitem', { name: /CSV/ }).first().click()
    expect((await download).suggestedFilename()).toMatch(/2990-rows/)
    await console
      .result(1)
      .getByText(/^Complete: 2,990 rows/)
      .waitFor()
    await console.result(1).getByRole('button', { name: 'All rows', exact: true }).click()
    await console
      .result(1)
      .getByText(/^2,990 rows, fetched in pages/)
      .waitFor()
    await console.page.getByRole('button', { name: 'Explain' }).click()
    await console
      .result(2)
      .getByText(/Filter/)
      .first()
      .waitFor()
    expect(sent.length).toBeGreaterThan(5)
    for (const { params } of sent) expect(params).toEqual([{ name: 'least', value: { n: '10' } }])
  })

  test('of a link fill the form, are not run, and are gone from the address', async ({
    server,
    open,
  }) => {
    await createTable(await api(server.url), 'linked')
    const console = await open(server.url)
    await console.enter('/query')
    const sent = named(console.page)
    await console.write('SELECT 1')
    const hostile = `x'); DROP TABLE linked; --\u202e<img src=x onerror=alert(1)>`
    const search = new URLSearchParams({
      sql: 'DELETE FROM linked WHERE s = @S AND n = @n',
      'p.s': hostile,
      'p.N': '9223372036854775808',
      'p.<b>': 'nothing',
    })
    await console.goTo(`/query?${search}`)
    await console.page.getByText('This text and its values came with a link.').waitFor()
    expect(await field(console, 's').inputValue()).toBe(hostile)
    await form(console)
      .getByText(/^Holds unseen characters/)
      .waitFor()
    await form(console)
      .getByText(/^Write a whole number/)
      .waitFor()
    expect(new URL(console.page.url()).search).not.toContain('p.')
    expect(sent).toEqual([])
    // A link that only has values changes nothing of what is there.
    await console.goTo(`/query${new URL(console.page.url()).search}&p.s=other`)
    await expect.poll(() => new URL(console.page.url()).search).not.toContain('p.')
    expect(await field(console, 's').inputValue()).toBe(hostile)
    await console.page.getByRole('button', { name: 'Back to my text' }).click()
    await form(console).waitFor({ state: 'detached' })
  })

  test('go into a link with their types and NULL, to the text or to its saved query', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    const sent = named(page)
    const copied = async (entry: string | RegExp) => {
      await form(console).getByRole('button', { name: 'Link to this text' }).click()
      await page.getByRole('menuitem', { name: entry }).click()
      await page.getByText(/^The link is copied\./).waitFor()
      await field(console, 'link').fill('')
      await field(console, 'link').press('ControlOrMeta+v')
      await expect.poll(() => field(console, 'link').inputValue()).toMatch(/^http/)
      const link = new URL(await field(console, 'link').inputValue())
      await form(console).getByRole('button', { name: '@f is NULL' }).focus()
      await page.getByText(/^The link is copied\./).waitFor({ state: 'detached' })
      return link
    }
    await console.write('SELECT @f, @n, @link')
    await typeOf(console, 'f').click()
    await page.getByRole('option', { name: 'FLOAT' }).click()
    await field(console, 'f').fill('1.5')
    await form(console).getByRole('button', { name: '@n is NULL' }).click()
    const link = await copied('Copy link with 2 values')
    expect([...link.searchParams]).toEqual([
      ['db', 'defaultdb'],
      ['sql', 'SELECT @f, @n, @link'],
      ['p.f', '1.5'],
      ['p.f.as', 'FLOAT'],
      ['p.n.as', 'NULL'],
    ])
    await field(console, 'f').fill('2')
    await console.goTo(`/query${link.search}`)
    await page.getByText('This text and its values came with a link.').waitFor()
    expect(await field(console, 'f').inputValue()).toBe('1.5')
    await typeOf(console, 'f').filter({ hasText: 'FLOAT' }).waitFor()
    expect(
      await form(console).getByRole('button', { name: '@n is NULL' }).getAttribute('aria-pressed'),
    ).toBe('true')
    expect(new URL(page.url()).search).not.toContain('p.')

    // The same of a saved query.
    await page.getByRole('button', { name: 'Keep it' }).click()
    await console.editor.focus()
    await page.keyboard.press('ControlOrMeta+s')
    const save = page.getByRole('dialog', { name: 'Save as a query' })
    await save.getByLabel('Name', { exact: true }).fill('Linked')
    await save.getByRole('button', { name: 'Save', exact: true }).click()
    await save.waitFor({ state: 'detached' })
    const toQuery = await copied(/^Copy link to the query with \d values$/)
    expect([...toQuery.searchParams.keys()]).toEqual(['db', 'query', 'p.f', 'p.f.as', 'p.n.as'])
    await field(console, 'f').fill('3')
    await console.goTo(`/query${toQuery.search}`)
    await expect.poll(() => field(console, 'f').inputValue()).toBe('1.5')
    expect(sent).toEqual([])
  })

  test('stay in the tab over a reload and nowhere else', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    await console.write('SELECT @secret')
    await field(console, 'secret').fill('hunter2-value')
    await form(console)
      .getByRole('button', { name: '@other is NULL' })
      .waitFor({ state: 'detached' })
    expect(await axeViolations(console.page)).toEqual([])
    await console.run.click()
    await console.cell(1, 'hunter2-value').waitFor()
    await console.page.reload()
    await expect.poll(() => field(console, 'secret').inputValue()).toBe('hunter2-value')
    const kept = await console.page.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(kept).not.toContain('hunter2')
    await console.page.getByRole('button', { name: 'Code history' }).click()
    await console.dialog.getByText('SELECT @secret').first().waitFor()
    expect(await console.dialog.textContent()).not.toContain('hunter2')
  })
})
