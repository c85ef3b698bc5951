import { describe, expect } from 'vitest'
import { pages } from '../../src/lib/paths'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { recordedEvidence } from '../support/evidence'
import type { FaultProxy } from '../support/fault-proxy'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { fits, sizes } from '../support/looks'
import { corpus } from '../support/recorded'
import { expectInReach, expectMarked } from '../support/unmarked'

/** Turns direction, hides, fills, breaks lines, and is long without a place to break. */
const trick = `\u202Exe\u2066\u200B\u034F\u115F\uFFA0\u2800\uFE0F\u{E0100}\r\n${'W'.repeat(90)}`
const hostile = (name: string) => `${name}${trick}`
const words = hostile('refused <img src=x onerror=window.__pwn=1>')
const headers = { 'content-type': 'application/json' }

const failing = (status: number, code = 2) => ({
  kind: 'answer' as const,
  status,
  headers,
  body: JSON.stringify({ error: words, message: words, code }),
})

/** The names in an answer of the server, as a hostile one would give them. */
function renamed(body: string, change: (answer: Record<string, unknown>) => void): string {
  const answer: Record<string, unknown> = JSON.parse(body)
  change(answer)
  return JSON.stringify(answer)
}

type Named = { name: string; [field: string]: unknown }

/** Puts a hostile name beside each list of names that the server gives. */
function deceive(proxy: FaultProxy) {
  const lie = (path: string | RegExp, change: (answer: Record<string, never>) => void) =>
    proxy.fault({
      path,
      fault: {
        kind: 'change',
        change: (body) => renamed(body, change as (answer: Record<string, unknown>) => void),
      },
    })
  lie('/db/list/v2', (answer: { databases?: Named[] }) => {
    const [one] = answer.databases ?? []
    if (one) answer.databases?.push({ ...one, name: hostile('db'), createdBy: words })
  })
  lie('/user/list', (answer: { users?: Record<string, unknown>[] }) => {
    const [one] = answer.users ?? []
    const permissions = [{ database: hostile('db'), permission: 2 }]
    answer.users?.push({
      ...one,
      user: base64(hostile('eve')),
      permissions,
      createdby: words,
      createdat: words,
    })
  })
  lie('/db/table/list', (answer: { rows?: unknown[] }) => {
    answer.rows = [...(answer.rows ?? []), { values: [{ s: hostile('orders') }] }]
  })
  lie('/db/tables', (answer: { rows?: { values: unknown[] }[] }) => {
    const [one] = answer.rows ?? []
    if (one) answer.rows?.push({ values: [{ s: hostile('column') }, ...one.values.slice(1)] })
  })
  lie('/health', (answer: Record<string, unknown>) => {
    answer.version = words
  })
}

async function check(console: ConsolePage, where: string) {
  await expectMarked(console.page, where)
  await expectInReach(console.page, where)
  await fits(console.page, where)
  await console.visit.watch.assertClean()
  expect(await console.page.locator('[src=x], [onerror]').count(), where).toBe(0)
}

async function show(console: ConsolePage, path: string, title: string) {
  const { page } = console
  await console.goTo(path)
  await expect.poll(() => page.title()).toBe(`${title} · webconsole`)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.locator('.shimmer').first().waitFor({ state: 'detached' })
}

describe.for(sizes)('names and words of a hostile server, $size', ({ viewport, size }) => {
  test('A12: before the login, and while no session can be opened', async ({ proxy, open }) => {
    const console = await open(proxy.url, { viewport })
    await console.open('/')
    const restore = proxy.fault({ path: '/login', fault: failing(500) })
    await console.submitLogin()
    await console.splash
      .getByRole('alert')
      .getByText(/^Refused/)
      .waitFor()
    await check(console, 'a refused login')
    await console.logIn.click({ trial: true })
    restore()
    await console.submitLogin()
    await console.signedIn()
    await console.keepsSession()
    proxy.fault({ path: /\/db\/(use|list)/, fault: failing(503, 14) })
    await console.page.reload()
    await console.splash
      .getByRole('alert')
      .getByText(/^Refused/)
      .waitFor()
    await check(console, 'a start without a session')
    await console.page.getByRole('button', { name: 'Log in again' }).click({ trial: true })
  })

  test('A12: every page, with what opens on it', async ({ server, proxy, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE IF NOT EXISTS honest (id INTEGER, body VARCHAR, PRIMARY KEY id);')
    await db.call('/db/sqlexec', {
      sql: 'UPSERT INTO honest (id, body) VALUES (1, @body);',
      params: [{ name: 'body', value: { s: hostile('value') } }],
    })
    await setKeys(db, [
      [hostile('key'), hostile('value')],
      ['аdmin', 'of two scripts'],
    ])
    deceive(proxy)
    const console = await open(proxy.url, { viewport })
    const { page, dialog } = console
    await console.enter('/settings')
    for (const { path, title } of pages) {
      await show(console, path, title)
      await check(console, title)
    }

    await show(console, '/databases', 'Databases')
    await page
      .getByRole('button', { name: /^db ?⟨U\+202E⟩/ })
      .first()
      .click()
    await page.getByRole('tab', { name: 'Operations' }).waitFor()
    await check(console, 'the panel of a database')
    await show(console, '/databases', 'Databases')
    await page.getByRole('button', { name: 'Create database', exact: true }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(hostile('аdmin'))
    await dialog
      .getByText(/not allowed/)
      .first()
      .waitFor()
    await check(console, 'the form for a database')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await show(console, '/users', 'Users')
    await page.getByRole('button', { name: /^eve ?⟨U\+202E⟩/ }).click()
    await page.getByRole('region', { name: /^eve/ }).waitFor()
    await check(console, 'the panel of a user')
    for (const name of ['Change password', 'Deactivate', 'Add permission']) {
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) }).first()
      if (!(await button.isVisible())) continue
      await button.click()
      await dialog.waitFor()
      await check(console, name)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }

    await show(console, '/query', 'Query')
    await console.runSql('SELECT id, body AS "body" FROM honest;')
    await console.cell(1, '1').waitFor()
    await check(console, 'a result')
    await console.grid(1).getByRole('gridcell').last().click()
    await page.keyboard.press('Enter')
    await dialog.getByRole('region', { name: 'Value' }).waitFor()
    await check(console, 'the value inspector')
    await page.keyboard.press('Escape')
    // Other queries ask for what the editor may offer.
    proxy.fault({ path: '/db/sqlquery', body: /SELECT 1/, fault: failing(418) })
    await console.paste(`/* ${trick} */ SELECT 1;`)
    await console.run.click()
    await console.result(2).getByRole('alert').waitFor()
    await console
      .result(2)
      .getByText(/The server said: “refused/)
      .waitFor()
    await check(console, 'a refused query')
    if (size === 'wide') {
      await console.tables.getByRole('treeitem', { name: /^orders⟨U\+202E⟩/ }).waitFor()
      await console.tables
        .getByRole('treeitem', { name: /^honest/ })
        .locator('[data-arrow]')
        .click()
      // No statement can hold the name of its column.
      await console.tables.getByRole('treeitem', { name: /^“column⟨U\+202E⟩/ }).waitFor()
      await check(console, 'the tree')
    }

    await show(console, '/keys', 'Keys')
    const keys = new KeysPage(page)
    await keys.button('List').click()
    await keys.option('mixed scripts').waitFor()
    await keys.option('key⟨U+202E⟩').click()
    await keys.entry.waitFor()
    await check(console, 'a key')
    await keys.format('Format of the value of key', 'Text').or(keys.button('Text')).first().click()
    await keys.entry.getByText(/⟨CR⟩/).first().waitFor()
    await check(console, 'a key as text')
    await keys.button('Verify').first().click()
    await page
      .getByRole('dialog', { name: /^Proof of/ })
      .getByText('Value', { exact: true })
      .or(dialog.getByText('Inputs'))
      .first()
      .waitFor()
    await check(console, 'the proof of a key')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await keys.button('Delete…').click()
    await dialog.waitFor()
    await check(console, 'the question before a deletion')
    await page.keyboard.press('Escape')
  })

  test('A12: files with names and contents that deceive', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    const { page } = console
    await console.open('/verify?tab=evidence')
    const evidence = await recordedEvidence('03-kv', ({ verify }) => verify === 'get')
    const give = (name: string, text: string) =>
      page
        .getByLabel('Evidence file', { exact: true })
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    const name = hostile('evidence').replace(/[\r\n]/g, '')
    await give(`${name}.json`, 'no evidence')
    await page.getByRole('alert').waitFor()
    await check(console, 'a file that is none')
    await page.getByRole('button', { name: /^Choose/ }).click({ trial: true })
    const file: { what: string; server: { origin: string; uuid: string } } = JSON.parse(evidence)
    file.what = words
    file.server = { origin: words, uuid: words }
    await give(`${name}.json`, JSON.stringify(file))
    await page.getByRole('heading', { name: /^Evidence: (Key|Refused proof) / }).waitFor()
    await check(console, 'a file that deceives')
    for (const action of ['Print', 'Close']) {
      await page.getByRole('button', { name: action, exact: true }).click({ trial: true })
    }
  })
})

test('A12: every text of the corpus in the forms for users and databases', async ({
  server,
  open,
}) => {
  const console = await open(server.url)
  const { page, dialog } = console
  const kinds = ['markup', 'bidi-invisible', 'homoglyph', 'line-end', 'space', 'emoji']
  const texts = kinds.flatMap((kind) => corpus(kind)).map(({ text = '' }) => text)
  await console.enter('/databases')
  await page.getByRole('button', { name: 'Create database', exact: true }).click()
  for (const text of texts) {
    await dialog.getByLabel('Name', { exact: true }).fill(text)
    await expectMarked(page, `a database called ${JSON.stringify(text)}`)
  }
  await check(console, 'the form for a database')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await console.link('Users').click()
  await page.getByRole('button', { name: 'Add user', exact: true }).click()
  for (const text of texts) {
    await dialog.getByLabel('Username', { exact: true }).fill(text)
    await expectMarked(page, `a user called ${JSON.stringify(text)}`)
  }
  await check(console, 'the form for a user')
})
