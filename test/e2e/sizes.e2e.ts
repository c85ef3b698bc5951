import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { encodeUtf8 } from '~/lib/bytes'
import { writeEvidence } from '~/proof/evidence'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { verify } from '~/proof/kernel/verify'
import { pages } from '../../src/lib/paths'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { about } from '../support/evidence'
import { History } from '../support/history'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { fits, sizes } from '../support/looks'
import { longestTask } from '../support/tasks'
import { until } from '../support/until'
import { UsersPage } from '../support/users-page'

const counts = { databases: 50, users: 100, tables: 300 }
const pad = (index: number) => String(index).padStart(4, '0')
const names = (what: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${what}_${pad(index)}`)
const portion = 25

/** Does something for each, a few at a time. */
async function forEach(all: readonly string[], work: (one: string) => Promise<unknown>) {
  for (let at = 0; at < all.length; at += portion) {
    await Promise.all(all.slice(at, at + portion).map(work))
  }
}

/** Makes databases, users and tables as fast as the server takes them. */
async function fill(admin: Api) {
  await forEach(names('db', counts.databases), (name) => admin.createDatabase(name))
  await forEach(names('user', counts.users), (name) =>
    admin.createUser(name, 'C0rrect-horse', 2, `db_${pad(Number(name.slice(-4)) % 50)}`),
  )
  const tables = names('table', counts.tables)
  for (let at = 0; at < tables.length; at += portion) {
    const each = tables.slice(at, at + portion)
    await admin.exec(
      each.map((name) => `CREATE TABLE ${name} (id INTEGER, PRIMARY KEY id);`).join(' '),
    )
  }
}

/** Opens every page in turn; none of them may complain. */
async function openEveryPage(console: ConsolePage) {
  const { page, visit } = console
  for (const { path, title } of pages) {
    await console.goTo(path)
    await expect.poll(() => page.title()).toBe(`${title} · webconsole`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.locator('.shimmer').first().waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').allTextContents(), title).toEqual([])
    await visit.watch.assertClean()
  }
}

const linesOf = (tree: Locator) => tree.getByRole('treeitem').count()

describe.for(sizes)('the longest name that a database may have, $size', ({ viewport }) => {
  test('fits on every page', async ({ ownServer, open }) => {
    const longest = 'a_database_of_everything_'.repeat(6).slice(0, 127)
    await (await api(ownServer.url)).createDatabase(longest)
    const console = await open(ownServer.url, { viewport })
    await console.signIn(`/?db=${longest}`)
    await console.database.getByText(longest).waitFor()
    for (const { path, title } of pages) {
      await console.goTo(`${path}?db=${longest}`)
      await expect.poll(() => console.page.title()).toBe(`${title} · webconsole`)
      await console.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await console.page.locator('.shimmer').first().waitFor({ state: 'detached' })
      await fits(console.page, title)
      const crumb = console.page.locator('nav[aria-label=Breadcrumbs] li[aria-current]')
      expect(await crumb.evaluate((item) => item.scrollWidth <= item.clientWidth), title).toBe(true)
    }
  })
})

describe('a server', () => {
  test('without anything: every page opens, and says that there is nothing yet', async ({
    ownServer,
    open,
  }) => {
    const console = await open(ownServer.url)
    const { page } = console
    await console.enter('/')
    await openEveryPage(console)
    await console.goTo('/query')
    await page.getByRole('button', { name: 'Add demo data' }).waitFor()
    await console.goTo('/keys')
    await page.getByText('No keys', { exact: true }).waitFor()
    await console.goTo('/databases')
    await page.getByText('1 database', { exact: true }).waitFor()
    await console.goTo('/users')
    await page.getByText('1 user', { exact: true }).waitFor()
  })

  test(`with ${counts.databases} databases, ${counts.users} users and ${counts.tables} tables`, async ({
    server,
    open,
  }) => {
    await fill(await api(server.url))
    const console = await open(server.url)
    const { page } = console
    await console.enter('/')
    await openEveryPage(console)
    await console.database.click()
    await page.getByRole('option', { name: 'db_0049', exact: true }).click()
    await expect.poll(() => console.database.textContent()).toContain('db_0049')
    await console.pickDatabase('defaultdb')
    await expect.poll(() => console.database.textContent()).toContain('defaultdb')

    await console.goTo('/databases')
    await page.getByText('51 databases', { exact: true }).waitFor()
    await page.getByLabel('Filter by name').fill('_004')
    await page.getByText('10 of 51 databases').waitFor()
    // Counted before they are drawn.
    await expect.poll(() => page.getByRole('button', { name: /^db_00\d\d$/ }).count()).toBe(10)
    expect(await page.getByRole('button', { name: /^db_004\d$/ }).count()).toBe(10)

    await console.goTo('/users')
    const users = new UsersPage(page)
    await page.getByText('101 users', { exact: true }).waitFor()
    await users.filter.fill('USER_009')
    await page.getByText('10 of 101 users').waitFor()
    await users.select('user_0099')
    await users.panel('user_0099').getByText('db_0049').waitFor()

    await console.goTo('/query')
    await console.tables.getByRole('treeitem', { name: /^table_0000/ }).waitFor()
    await console.tables.focus()
    await page.keyboard.press('End')
    await console.tables.getByRole('treeitem', { name: /^table_0299/ }).waitFor()
    await console.tables.press('ArrowRight')
    await console.tables.getByRole('treeitem', { name: /^id/ }).waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
  })
})

/** Milliseconds that the page may be at work without a pause; see `longestTask`. */
const longest = 100

/** Puts a text in the place of what the editor holds, as a paste does. */
async function paste({ page, editor }: ConsolePage, line: string, count: number) {
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.evaluate(
    (text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
      document.activeElement?.dispatchEvent(event)
    },
    Array.from({ length: count }, (_, index) => line.replace('#', String(index))).join('\n'),
  )
}

/** Leaves time for what comes a moment later. */
const moment = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))

/** A file on disk: what the driver carries over by itself would be work of the page, too. */
async function fileOf(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webconsole-sizes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

describe('the page is held up by nothing that is large:', () => {
  test('a script of 10,000 statements, run or asked about', async ({ proxy, open }) => {
    const console = await open(proxy.url, { isNew: true })
    const { page } = console
    await console.enter('/query')
    const sent = answer({ error: 'no', code: 2, message: 'no' })
    proxy.fault({ path: '/db/sqlquery', fault: { ...sent, status: 400 } })
    console.visit.watch.expect(/status of 400/)
    const runAll = page.getByRole('button', { name: 'Run all' })
    await paste(console, 'SELECT id, name FROM customers WHERE id = #;', 10_000)
    const run = await longestTask(page, longest, async () => {
      await runAll.click()
      await page.getByText('9,999 statements not run', { exact: false }).last().waitFor()
      await moment(page)
      await page.getByRole('button', { name: 'Clear the output' }).click()
    })
    expect(run).toBeLessThanOrEqual(longest)
    await paste(console, 'UPDATE t# SET n = 1;', 10_000)
    const asked = await longestTask(page, longest, async () => {
      await runAll.click()
      await console.dialog.getByText('And 9,950 more like these.').waitFor()
      await page.keyboard.press('Escape')
      await console.dialog.waitFor({ state: 'detached' })
    })
    expect(asked).toBeLessThanOrEqual(longest)
  }, 120_000)

  test('values of many lines, of marks alone, and of one line', async ({ server, open }) => {
    const db = await api(server.url)
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join('\n')
    const values = {
      lines,
      blank: '\n'.repeat(100_000),
      hidden: '\u200b'.repeat(100_000),
      long: 'x'.repeat(1_048_576),
    }
    await setKeys(db, Object.entries(values))
    await db.exec('CREATE TABLE docs (id INTEGER, body VARCHAR, PRIMARY KEY id);')
    await db.exec(`INSERT INTO docs (id, body) VALUES (1, '${lines}');`)
    const console = await open(server.url, { isNew: true })
    const { page } = console
    await console.enter('/keys')
    const keys = new KeysPage(page)
    await keys.button('List').click()
    for (const name of Object.keys(values)) {
      const opened = await longestTask(page, longest, async () => {
        await console.goTo(`/keys?db=defaultdb`)
        await keys.option(name).click()
        await page.getByRole('region', { name: `the value of ${name}` }).waitFor()
        await keys.button('Show more').click()
        await moment(page)
      })
      expect(opened, name).toBeLessThanOrEqual(longest)
    }
    await console.goTo('/query')
    await console.runSql('SELECT body FROM docs;')
    const cell = console.grid(1).getByRole('gridcell')
    await cell.waitFor()
    const whole = await longestTask(page, longest, async () => {
      await cell.dblclick()
      await console.dialog.getByRole('button', { name: /^Show all/ }).click()
      // By the number of its parts: looking for a text in all of them is work for the page, too.
      await page.locator('.long-part').nth(100).waitFor({ state: 'attached' })
      await page.keyboard.press('Escape')
      await console.dialog.waitFor({ state: 'detached' })
    })
    expect(whole).toBeLessThanOrEqual(longest)
  }, 180_000)

  test('files with points, evidence and settings', async ({ server, open }) => {
    const block = (index: number) =>
      `database: db${index}\ntransaction: 1\nhash: ${'ab'.repeat(32)}\n`
    const points = await fileOf(
      'points.txt',
      Array.from({ length: 9_000 }, (_, i) => block(i)).join(''),
    )
    const evidence = await fileOf('evidence.json', JSON.stringify({ a: names('value', 1_000_000) }))
    const settings = await fileOf('settings.json', JSON.stringify({ a: names('value', 60_000) }))
    const console = await open(server.url, { isNew: true })
    const { page } = console
    await console.enter('/verify')
    const choose = async (label: string, file: string, come: Locator) => {
      const took = await longestTask(page, longest, async () => {
        await page.getByLabel(label).setInputFiles(file)
        await come.waitFor()
        await moment(page)
      })
      expect(took, label).toBeLessThanOrEqual(longest)
    }
    await choose('File with states', points, page.getByText('9,000 states in'))
    await page.getByRole('tab', { name: 'Evidence' }).click()
    await choose(
      'Evidence file',
      evidence,
      page.getByText('Nothing of the file “evidence.json” was verified.'),
    )
    await console.goTo('/settings')
    await choose('File with settings', settings, page.getByText('This file is too large'))
  }, 120_000)
})

/** A right proof of one key in a history that nobody has seen. */
function madeUpFile(value: Uint8Array) {
  const history = new History()
  for (const of of [value, encodeUtf8('v')]) {
    history.add([{ key: plainKey(encodeUtf8('key')), value: plainValue(of) }])
  }
  const key = btoa('key')
  const verifiableTx = history.verifiableTx(1, 2)
  const response = {
    entry: { tx: '1', key, value: Buffer.from(value).toString('base64') },
    verifiableTx,
    inclusionProof: history.inclusionProof(1, 0),
  }
  const context = { db: 'defaultdb', trusted: history.point(2), publicKey: null }
  const file = { kind: 'get' as const, what: 'key', context, request: { keyRequest: { key } } }
  return { ...file, response, at: 0 }
}

async function evidenceOf(value: Uint8Array): Promise<string> {
  const { kind, context, request, response, ...rest } = madeUpFile(value)
  const verified = await verify(kind, context, request, response)
  const outcome = { kind: 'ok' as const, verified }
  return writeEvidence({ kind, context, request, response, ...rest, outcome }, about)
}

describe('a file of evidence that was made to hold the page up:', () => {
  test('by what is beside its proof, and by what is in it', async ({ server, open }) => {
    const much = 2_900_000
    const small = await evidenceOf(encodeUtf8('v'))
    const files: [name: string, text: string, words: string | RegExp][] = [
      [
        'much beside what was saved',
        small.replace('"facts":', () => `"facts": [${'"x",'.repeat(much)}"x"], "more":`),
        'This file says something different from its proof',
      ],
      ['too much', `[${'[],'.repeat(20_000_000)}[]]`, 'It has too many values.'],
      ['a long value', await evidenceOf(new Uint8Array(8_000_000)), /It is too long to be shown/],
      ['a value', await evidenceOf(new Uint8Array(450_000)), 'Content of the answer'],
    ]
    const console = await open(server.url, { isNew: true })
    const { page } = console
    await console.enter('/verify')
    await page.getByRole('tab', { name: 'Evidence' }).click()
    const found: Record<string, number> = {}
    for (const [name, text, words] of files) {
      const path = await fileOf(`${name.replaceAll(' ', '-')}.json`, text)
      found[name] = await longestTask(page, longest, async () => {
        await page.getByLabel('Evidence file').setInputFiles(path)
        await page.getByText(words).first().waitFor({ timeout: 60_000 })
        await moment(page)
        const close = page.getByRole('button', { name: 'Close', exact: true })
        if (await close.isVisible()) await close.click()
      })
    }
    expect(found).toEqual(
      Object.fromEntries(
        files.map(([name]) => [name, expect.toSatisfy((took) => took <= longest)]),
      ),
    )
  }, 180_000)

  test('can be given up while it is checked', async ({ server, open }) => {
    const good = await evidenceOf(encodeUtf8('v'))
    const much = `"facts": [${'"x",'.repeat(2_900_000)}"x"], "more":`
    const path = await fileOf(
      'huge.json',
      good.replace('"facts":', () => much),
    )
    const console = await open(server.url)
    const { page } = console
    await console.enter('/verify')
    await page.getByRole('tab', { name: 'Evidence' }).click()
    await page.getByLabel('Evidence file').setInputFiles(path)
    await page.getByText(/^Reading “huge\.json”/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(/huge\.json/).waitFor({ state: 'detached' })
    // The next one is checked by a worker of its own.
    const small = await fileOf('small.json', good)
    await page.getByLabel('Evidence file').setInputFiles(small)
    await page.getByText('Consistent in itself').waitFor()
  }, 60_000)
})

const type = { 'content-type': 'application/json' }
const answer = (body: unknown) =>
  ({ kind: 'answer', status: 200, headers: type, body: JSON.stringify(body) }) as const

/** Goes down a list by the keyboard alone until this is reached. */
async function toTheEnd(page: Page, list: Locator, last: Locator) {
  for (let press = 0; press < 200 && !(await last.isVisible()); press++) {
    await page.keyboard.press('PageDown')
  }
  await last.waitFor()
  await expect.poll(() => list.evaluate((box) => box.contains(document.activeElement))).toBe(true)
}

describe('a list of', () => {
  test('2,000 tables is windowed, found by typing and walked by the keyboard', async ({
    server,
    proxy,
    open,
  }) => {
    // Of a database without transactions nobody asks for tables.
    await setKeys(await api(server.url), [['first', 'entry']])
    const rows = names('many', 2_000).map((name) => ({ values: [{ s: name }] }))
    proxy.fault({ path: '/db/table/list', fault: answer({ columns: [{ name: 'TABLE' }], rows }) })
    const console = await open(proxy.url)
    const { page } = console
    await console.enter('/query')
    const line = (name: string) =>
      console.tables.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await line('many_0000').waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
    expect(await page.locator('*').count()).toBeLessThanOrEqual(3_000)
    await console.tables.focus()
    await toTheEnd(page, console.tables, line('many_1999'))
    await page.keyboard.press('Home')
    await line('many_0000').waitFor()
    await page.keyboard.type('many_1234')
    await line('many_1234').waitFor()
    expect(await linesOf(console.tables)).toBeLessThan(80)
  })

  test('1,000 databases and 500 users: each row is reached by Tab and Enter', async ({
    proxy,
    open,
  }) => {
    const databases = ['defaultdb', ...names('db', 1_000)].map((name) => ({ name, loaded: true }))
    const users = names('user', 500).map((name) => ({
      user: base64(name),
      active: true,
      permissions: [{ database: 'defaultdb', permission: 1 }],
    }))
    const self = { user: base64('immudb'), active: true, permissions: [everything] }
    proxy.fault({ path: '/db/list/v2', fault: answer({ databases }) })
    proxy.fault({ path: '/user/list', fault: answer({ users: [...users, self] }) })
    const console = await open(proxy.url)
    const { page } = console
    await console.enter('/databases')
    for (const [path, all, filter, found] of [
      ['/databases', '1,001 databases', 'db_0777', '1 of 1,001 databases'],
      ['/users', '501 users', 'user_0477', '1 of 501 users'],
    ] as const) {
      await console.goTo(path)
      // The field of the page before has the same name.
      await page.getByText(all, { exact: true }).waitFor()
      const field = page.getByLabel('Filter by name')
      await field.fill(filter)
      await page.getByText(found).waitFor()
      const row = page.getByRole('button', { name: filter, exact: true })
      await field.focus()
      for (let press = 0; press < 20; press++) {
        if (await row.evaluate((one) => one === document.activeElement)) break
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: new RegExp(`^${filter}`) }).waitFor()
      await until(
        () => page.evaluate(() => document.activeElement?.textContent ?? ''),
        (text) => text.includes(filter),
      )
      expect(await page.getByRole('row').count()).toBeLessThan(60)
    }
  })
})

const everything = { database: '*', permission: 255 }
