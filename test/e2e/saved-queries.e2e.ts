import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { expectAccessible, phone, wide } from '../support/looks'
import { VerifyPage } from '../support/verify-page'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const prefix = 'webconsole/queries/'

const record = (id: string, more: object = {}) => ({
  format: 'webconsole query',
  version: 1,
  ...{ id, name: `Query ${id}`, folder: '', description: '', text: 'SELECT 1', ...more },
})

/** Stores a shared query as another console would. */
const share = (db: Api, id: string, value: string) =>
  db.call('/db/set', { KVs: [{ key: base64(prefix + id), value: base64(value) }] })

/** Saved queries as their user meets them. */
class Saved {
  readonly console: ConsolePage
  readonly page: Page

  constructor(console: ConsolePage) {
    this.console = console
    this.page = console.page
  }

  get form() {
    return this.page.getByRole('dialog', { name: /^Save (as a|the) query$/ })
  }

  get list() {
    return this.page.getByRole('dialog', { name: 'Saved queries', exact: true })
  }

  get note() {
    return this.page.getByRole('status').filter({ hasText: 'Query of this editor' })
  }

  line(name: string | RegExp) {
    return this.list.getByRole('treeitem', { name })
  }

  /** Presses the keys that save, in the editor. */
  async press() {
    await this.console.editor.focus()
    await this.page.keyboard.press('ControlOrMeta+s')
  }

  async fill(name: string, folder = '', place: 'browser' | 'shared' = 'browser') {
    await this.form.getByLabel('Name', { exact: true }).fill(name)
    await this.form.getByLabel('Folder').fill(folder)
    if (place === 'shared') {
      await this.form.getByRole('combobox', { name: 'Keep it in' }).click()
      await this.page.getByRole('option', { name: /^The database/ }).click()
    }
  }

  async send() {
    await this.form.getByRole('button', { name: 'Save', exact: true }).click()
  }

  async saved() {
    await this.form.waitFor({ state: 'detached' })
    await this.note.waitFor()
  }

  async open() {
    await this.page.getByRole('button', { name: 'Saved queries', exact: true }).click()
    await this.list.waitFor()
  }

  async choose(name: string | RegExp) {
    await this.line(name).click()
    await this.list.getByRole('region', { name: 'The chosen query' }).waitFor()
  }

  button(name: string | RegExp) {
    return this.list.getByRole('button', { name, exact: typeof name === 'string' })
  }

  async close() {
    await this.list.getByRole('button', { name: 'Close', exact: true }).last().click()
    await this.list.waitFor({ state: 'detached' })
  }
}

/** Saves a query in one tab, and opens it in another. */
async function inTwoTabs(left: ConsolePage, name: string, sql: string) {
  await left.signIn('/query')
  await left.keepsSession()
  const mine = new Saved(left)
  await left.write(sql)
  await mine.press()
  await mine.fill(name)
  await mine.send()
  await mine.saved()
  const right = new ConsolePage(left.visit, left.base, await left.visit.tab())
  await right.open('/query')
  await right.signedIn()
  const theirs = new Saved(right)
  await theirs.open()
  await theirs.choose(name)
  await theirs.button('Open in an editor').click()
  await theirs.note.waitFor()
  return { mine, right, theirs }
}

describe('a saved query of this browser', () => {
  test('is saved, changed, found, moved and deleted by keys', walk, async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const saved = new Saved(console)
    const { page, editor } = console
    await console.write('SELECT 1 AS one')
    await saved.press()
    await saved.fill('One', 'reports/daily')
    await page.keyboard.press('Enter')
    await saved.saved()
    expect(await saved.note.textContent()).toContain('reports/daily/One, in this browser')
    await console.write('SELECT 2 AS two')
    await saved.note.filter({ hasText: 'changed since it was saved' }).waitFor()
    await saved.press()
    await saved.note.filter({ hasText: 'as it was saved' }).waitFor()

    await console.keeps('SELECT 2 AS two')
    await page.reload()
    await saved.note.filter({ hasText: 'as it was saved' }).waitFor()

    await saved.open()
    await page.keyboard.type('two')
    await saved.list.getByText('1 query of 1.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('o')
    await saved.button('Rename or move…').click()
    await saved.fill('Two', 'weekly')
    await saved.send()
    await saved.form.waitFor({ state: 'detached' })
    await saved.open()
    await saved.line('weekly').waitFor()
    await saved.choose('Two')
    await saved.button('Delete').click()
    await saved.line('Two').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await saved.line('Two').waitFor()
    await saved.close()
    await saved.note.filter({ hasText: 'weekly/Two, in this browser, as it was saved' }).waitFor()
    expect(await editor.textContent()).toContain('SELECT 2 AS two')
  })

  test('has no password, and says so', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const saved = new Saved(console)
    await console.write("CREATE USER ann WITH PASSWORD 'Hunter-222' READ")
    await saved.press()
    await saved.form.getByText('The password in the text is not saved.').waitFor()
    await saved.fill('Ann')
    await saved.send()
    await saved.saved()
    await saved.note.filter({ hasText: 'as it was saved' }).waitFor()
    await saved.open()
    await saved.choose('Ann')
    await saved.list.getByText("CREATE USER ann WITH PASSWORD '' READ").waitFor()
  })

  test('changed in two tabs shows both, and loses neither', async ({ server, open }) => {
    const left = await open(server.url, wide)
    const { mine, right, theirs } = await inTwoTabs(left, 'Both', 'SELECT 1')
    await right.write('SELECT 2')
    await theirs.press()
    await theirs.note.filter({ hasText: 'as it was saved' }).waitFor()

    await left.page.bringToFront()
    await mine.note.filter({ hasText: 'It was saved elsewhere since.' }).waitFor()
    await left.write('SELECT 3')
    await mine.press()
    const conflict = mine.form.getByRole('alert')
    await conflict.getByText('Nothing was saved: it was changed meanwhile').waitFor()
    await conflict.getByText('SELECT 2').waitFor()
    await conflict.getByText('SELECT 3').waitFor()
    await expectAccessible(left.page, 'a conflict of saved queries')
    await conflict.getByRole('button', { name: 'Save mine over it' }).click()
    await mine.form.waitFor({ state: 'detached' })
    await mine.note.filter({ hasText: 'as it was saved' }).waitFor()
    await right.page.bringToFront()
    await theirs.note.filter({ hasText: 'It was saved elsewhere since.' }).waitFor()
  })

  test('saved in two tabs at the same moment is a conflict in one of them, and loses nothing', async ({
    server,
    open,
  }) => {
    const left = await open(server.url, wide)
    const { mine, right, theirs } = await inTwoTabs(left, 'Raced', 'SELECT 0')
    // Many queries of which each is read and written take long enough for the other tab to come.
    const fill = record('filler', { text: 'x'.repeat(20_000) })
    const file = {
      product: 'webconsole saved queries',
      schema: 1,
      queries: Array.from({ length: 200 }, (_, at) => ({
        ...fill,
        id: `filler-${at}`,
        database: 'defaultdb',
      })),
    }
    await theirs.open()
    await theirs.button('Import…').click()
    const look = right.page.getByRole('dialog', { name: 'Import queries' })
    await look.getByLabel('File with saved queries').setInputFiles({
      name: 'queries.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(file)),
    })
    await look.getByRole('button', { name: 'Take over 200 queries' }).click()
    await look.waitFor({ state: 'detached' })
    await theirs.close()
    const isRefused = (of: Saved) =>
      of.form
        .getByText('Nothing was saved: it was changed meanwhile')
        .waitFor()
        .then(() => true)
    const isSaved = (of: Saved) =>
      of.note
        .filter({ hasText: 'as it was saved' })
        .waitFor()
        .then(() => false)
    for (let round = 1; round <= 3; round++) {
      await left.write(`SELECT ${round}`)
      await right.write(`SELECT -${round}`)
      await mine.note.filter({ hasText: 'changed since it was saved' }).waitFor()
      await theirs.note.filter({ hasText: 'changed since it was saved' }).waitFor()
      const both = [mine, theirs]
      await Promise.all(both.map(({ page }) => page.keyboard.press('ControlOrMeta+s')))
      const refused = await Promise.all(
        both.map((of) => Promise.race([isRefused(of), isSaved(of)])),
      )
      expect(refused.toSorted()).toEqual([false, true])
      const [loser, winner] = refused[0] ? [mine, theirs] : [theirs, mine]
      await loser.form.getByRole('button', { name: 'Save mine over it' }).click()
      await loser.form.waitFor({ state: 'detached' })
      await loser.note.filter({ hasText: 'as it was saved' }).waitFor()
      await winner.note.filter({ hasText: 'It was saved elsewhere since.' }).waitFor()
      // The one that lost shows what is stored now, so that the next round begins with one version.
      await winner.open()
      await winner.list.getByLabel('Search the saved queries').fill('Raced')
      await winner.list.getByText('1 query of 201.').waitFor()
      await winner.choose('Raced')
      await winner.button('Open in an editor').click()
      await winner.note.filter({ hasText: 'Raced, in this browser, as it was saved' }).waitFor()
    }
  })

  test('goes into a file and comes from one, after a look', async ({ server, open }) => {
    const console = await open(server.url, wide)
    await console.enter('/query')
    const saved = new Saved(console)
    const { page } = console
    await console.write('SELECT 5')
    await saved.press()
    await saved.fill('Five', 'a/b')
    await saved.send()
    await saved.saved()
    await saved.open()
    const download = page.waitForEvent('download')
    await saved.button('Export all').click()
    const file = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    expect(file).toMatchObject({
      product: 'webconsole saved queries',
      schema: 1,
      queries: [{ name: 'Five', folder: 'a/b', text: 'SELECT 5', database: 'defaultdb' }],
    })
    const [five] = file.queries
    file.queries = [
      { ...five, text: 'SELECT 55' },
      { ...record('imported', { name: '<b>x</b>\u202e' }), database: 'defaultdb' },
      { ...record('newer'), version: 2, database: 'defaultdb' },
    ]
    await saved.button('Import…').click()
    const look = page.getByRole('dialog', { name: 'Import queries' })
    await look.getByLabel('File with saved queries').setInputFiles({
      name: 'queries.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(file)),
    })
    const lines = look.getByRole('list', { name: 'Queries of the file' }).getByRole('listitem')
    await lines.nth(2).waitFor()
    expect(await lines.allTextContents()).toEqual([
      expect.stringContaining('Differs'),
      expect.stringContaining('New'),
      expect.stringContaining('A newer version of this console wrote it.'),
    ])
    await expectAccessible(page, 'an import of queries')
    await look.getByRole('button', { name: 'Take over 1 query' }).click()
    await look.waitFor({ state: 'detached' })
    await saved.line(/<b>x<\/b>/).waitFor()
    await saved.choose('Five')
    await saved.list.getByText('SELECT 5', { exact: true }).waitFor()
  })

  test('is linked to; a link that leads nowhere says so', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const saved = new Saved(console)
    const { page } = console
    await console.write('SELECT 7')
    await saved.press()
    await saved.fill('Seven')
    await saved.send()
    await saved.saved()
    await saved.open()
    await saved.choose('Seven')
    await saved.button('Copy the link').click()
    await saved.list.getByText('Copied', { exact: true }).waitFor()
    const search = saved.list.getByLabel('Search the saved queries')
    await search.focus()
    await page.keyboard.press('ControlOrMeta+v')
    await expect.poll(() => search.inputValue()).not.toBe('')
    const link = await search.inputValue()
    expect(link).toMatch(/\/query\?db=defaultdb&query=[0-9a-f]{32}$/)
    await saved.close()
    const calls = page.waitForRequest(/sqlquery|sqlexec/, { timeout: 1_000 }).then(
      () => 'ran',
      () => 'not run',
    )
    await console.goTo(link.slice(server.url.length))
    await saved.note.filter({ hasText: 'Seven' }).waitFor()
    expect(await calls).toBe('not run')
    await console.goTo('/query?db=defaultdb&query=nobodyhasthis')
    await console.alerts
      .filter({ hasText: 'Neither this browser nor the database “defaultdb” has a saved query' })
      .waitFor()
    expect(new URL(page.url()).search).not.toContain('query=')
  })
})

describe('a shared query', () => {
  test(
    'is written by one and read by another, proven, restored and deleted',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      await db.createDatabase('team')
      await db.createUser('sq_reader', 'C0rrect-horse', 1, 'team')
      const console = await open(server.url)
      await console.enter('/query?db=team')
      const saved = new Saved(console)
      const { page } = console
      await console.write('SELECT 1 AS first')
      await saved.press()
      await saved.fill('Shared one', 'team/daily', 'shared')
      await saved.form.getByText(/keeps every version for ever/).waitFor()
      await saved.send()
      await saved.saved()
      const region = page.getByRole('region', { name: 'Editor' })
      await region.getByText(/^Verified at tx \d+$/).waitFor()
      await console.write('SELECT 2 AS second')
      await saved.press()
      await saved.note.filter({ hasText: 'shared, as it was saved' }).waitFor()

      const other = await open(server.url)
      await other.enter('/query?db=team', 'sq_reader', 'C0rrect-horse')
      const read = new Saved(other)
      await read.open()
      await read.choose('Shared one')
      await read.list.getByText('SELECT 2 AS second').waitFor()
      await read.list.getByText(/Shared queries cannot be changed here\./).waitFor()
      expect(await read.button('Rename or move…').getAttribute('aria-disabled')).toBe('true')
      expect(await read.button('Delete…').getAttribute('aria-disabled')).toBe('true')
      await read.button('Verify').click()
      const drawer = await new VerifyPage(other).verified('query “Shared one”')
      await other.page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })

      await saved.open()
      await saved.choose('Shared one')
      await saved.button('History').click()
      const history = page.getByRole('dialog', { name: /^History of / })
      await history.getByRole('button', { name: /^rev 1\b/ }).click()
      await history.getByRole('button', { name: 'Restore…', exact: true }).click()
      const question = page.getByRole('dialog', { name: 'Restore revision 1?' })
      await question.getByRole('button', { name: 'Restore revision', exact: true }).click()
      await history
        .getByText(/^Restored in/)
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await history.waitFor({ state: 'detached' })
      await saved.open()
      await saved.choose('Shared one')
      await saved.list.getByText('SELECT 1 AS first', { exact: true }).waitFor()
      await saved.button('Delete…').click()
      await page.getByRole('button', { name: 'Delete the query', exact: true }).click()
      await saved.line('Shared one').waitFor({ state: 'detached' })
    },
  )

  test('that two change is a conflict, and nothing is overwritten', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('rivals')
    await db.use('rivals')
    await share(db, 'rival', JSON.stringify(record('rival', { name: 'Rival' })))
    const console = await open(server.url)
    await console.enter('/query?db=rivals&query=rival')
    const saved = new Saved(console)
    await saved.note.waitFor()
    await console.page.getByText('This text came with a link. It was not run').waitFor()
    const changed = record('rival', { name: 'Rival', text: 'SELECT 100' })
    await share(db, 'rival', JSON.stringify(changed))
    await console.write('SELECT 200')
    await saved.press()
    const conflict = saved.form.getByRole('alert')
    await conflict.getByText(/meanwhile$/).waitFor()
    await conflict.getByText('SELECT 100').waitFor()
    await conflict.getByText('SELECT 200').waitFor()
    await conflict.getByRole('button', { name: 'Save mine over it' }).click()
    await saved.form.waitFor({ state: 'detached' })
    await saved.note.filter({ hasText: 'as it was saved' }).waitFor()
    const { entries } = await db.call<{ entries: { value: string }[] }>('/db/history', {
      key: base64(`${prefix}rival`),
    })
    const texts = entries.map(
      ({ value }) => JSON.parse(Buffer.from(value, 'base64').toString()).text,
    )
    expect(texts).toEqual(['SELECT 1', 'SELECT 100', 'SELECT 200'])
  })

  test('F17: without an answer is not sent again, and is found by a check', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await db.createDatabase('lost')
    proxy.fault({ path: '/db/set', times: 1, fault: { kind: 'truncate' } })
    const console = await open(proxy.url)
    await console.enter('/query?db=lost')
    const saved = new Saved(console)
    await console.write('SELECT 1')
    await saved.press()
    await saved.fill('Lost', '', 'shared')
    await saved.send()
    await saved.form.getByText(/It is not known whether this query was stored\./).waitFor()
    await saved.form.getByRole('button', { name: 'Check now' }).click()
    await saved.saved()
    await db.use('lost')
    expect(await db.txId()).toBe(1)
  })

  test('stands beside damaged ones, which stay as they are', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createDatabase('damaged')
    await db.use('damaged')
    await share(db, 'goodone', JSON.stringify(record('goodone', { folder: '<i>/\u202e' })))
    await share(db, 'nojson', 'hello')
    await share(db, 'newer', JSON.stringify({ ...record('newer'), version: 2 }))
    await share(db, 'other', JSON.stringify(record('goodone')))
    await share(db, 'huge', JSON.stringify(record('huge', { text: 'x'.repeat(300_000) })))
    const before = await db.txId()
    const console = await open(server.url, wide)
    await console.enter('/query?db=damaged')
    const saved = new Saved(console)
    await saved.open()
    await saved.line(/Query goodone/).waitFor()
    for (const id of ['nojson', 'newer', 'other', 'huge']) {
      await saved.line(new RegExp(`${prefix}${id}`)).waitFor()
    }
    await saved.line(/newer/).click()
    await saved.list.getByText(/A newer version of this console wrote it\./).waitFor()
    await expectAccessible(console.page, 'a damaged library')
    await console.goTo('/query?db=damaged&query=newer')
    await console.alerts.filter({ hasText: 'A newer version of this console wrote it.' }).waitFor()
    expect(await db.txId()).toBe(before)
  })
})

test('5,000 shared queries are listed and searched', async ({ server, open }) => {
  const db = await api(server.url)
  await db.createDatabase('many')
  await db.use('many')
  for (let at = 0; at < 5_000; at += 1_000) {
    const KVs = Array.from({ length: 1_000 }, (_, index) => {
      const id = `many-${String(at + index).padStart(4, '0')}`
      const folder = `folder ${(at + index) % 50}`
      return { key: base64(prefix + id), value: base64(JSON.stringify(record(id, { folder }))) }
    })
    await db.call('/db/set', { KVs })
  }
  const console = await open(server.url)
  await console.enter('/query?db=many')
  let scans = 0
  console.page.on('request', (request) => {
    if (request.url().endsWith('/db/scan')) scans += 1
  })
  const saved = new Saved(console)
  await saved.open()
  await saved.list.getByText('5,000 queries.').waitFor()
  expect(scans).toBeLessThanOrEqual(12)
  await saved.list.getByLabel('Search the saved queries').fill('many-4321')
  await saved.list.getByText('1 query of 5,000.').waitFor()
  await saved.choose('Query many-4321')
  await saved.list.getByText('folder 21', { exact: true }).last().waitFor()
})

describe('the history of what was run', () => {
  test('is filtered, and a statement of it becomes a query', async ({ server, open }) => {
    const console = await open(server.url)
    await console.enter('/query')
    const { page } = console
    await console.runSql('SELECT 1 AS good')
    await console.result(1).waitFor()
    await console.runSql('SELECT nothing FROM nowhere')
    await console.result(2).waitFor()
    await page.getByRole('button', { name: 'Code history' }).click()
    const history = page.getByRole('dialog', { name: 'Code history' })
    await history.getByText('2 statements').waitFor()
    await history.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Done' }).click()
    await history.getByText('1 statement', { exact: true }).waitFor()
    await history.getByRole('button', { name: 'Save as a query' }).click()
    const saved = new Saved(console)
    await saved.fill('From history')
    await saved.send()
    await saved.form.waitFor({ state: 'detached' })
    await saved.open()
    await saved.choose('From history')
    await saved.list.getByText('SELECT 1 AS good;').waitFor()
  })
})

test('saved queries on a phone', async ({ server, open }) => {
  const console = await open(server.url, { viewport: phone.viewport })
  await console.enter('/query')
  const saved = new Saved(console)
  await console.write('SELECT 9')
  await saved.press()
  await saved.fill('Nine', 'phone')
  await expectAccessible(console.page, 'saving a query on a phone')
  await saved.send()
  await saved.saved()
  await saved.open()
  await saved.choose('Nine')
  await expectAccessible(console.page, 'saved queries on a phone')
  await saved.button('Open in an editor').click()
  await saved.list.waitFor({ state: 'detached' })
  await saved.note.waitFor()
})
