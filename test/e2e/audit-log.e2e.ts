import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { readEvidence } from '../../src/proof/evidence'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Serve, test, walk } from '../support/e2e'
import { look, sizes, unhurried } from '../support/looks'
import { until } from '../support/until'

const gridOf = ({ page }: ConsolePage) => page.getByRole('grid', { name: 'Audit log', exact: true })

const button = ({ page }: ConsolePage, name: string) =>
  page.getByRole('button', { name, exact: true })

const base64 = (text: string) => Buffer.from(text).toString('base64')

type Logged = { readonly url: string; readonly session: string; readonly admin: Api }

/** A server that logs: a session that wrote, six failed logins, and a reader. */
async function startLogged(serve: Serve): Promise<Logged> {
  const { url } = await serve({ flags: ['--audit-log'] })
  const admin = await api(url)
  await admin.createUser('reader', 'Reader-12!', 1, 'defaultdb')
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/api${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const wrong = { user: base64('immudb'), password: base64('wrong') }
    await post('/login', wrong, { 'X-Forwarded-For': '203.0.113.9' })
  }
  await post('/login', { user: base64('reader'), password: base64('Reader-12!') })
  const opened = await post('/v2/authorization/session/open', {
    username: 'immudb',
    password: 'immudb',
    database: 'defaultdb',
  })
  const { sessionID: session } = (await opened.json()) as { sessionID: string }
  const pair = { key: base64('greeting'), value: base64('hello') }
  await post('/db/set', { KVs: [pair] }, { sessionid: session })
  const systemdb = await (await api(url)).use('systemdb')
  // Events are written behind the calls.
  await until(
    () =>
      systemdb.call<{ entries?: { value: string }[] }>('/db/scan', { prefix: base64('audit:') }),
    ({ entries = [] }) =>
      entries.some(({ value }) => Buffer.from(value, 'base64').includes(session)),
  )
  return { url, session, admin }
}

async function saved({ page }: ConsolePage, click: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download')
  await click()
  return readFile(await (await download).path(), 'utf8')
}

describe('the audit log', () => {
  test(
    'shows, filters, verifies and exports events without any session ID',
    walk,
    async ({ serve, open }) => {
      const { url, session } = await startLogged(serve)
      const console = await open(url)
      await console.enter('/')
      await console.keepsSession()
      const { page } = console
      await console.link('Audit log').click()
      const rows = gridOf(console).getByRole('row')
      const rowWith = (text: string) => rows.filter({ hasText: text }).first()
      await rowWith('Set').getByText('Succeeded').waitFor()
      await rowWith('203.0.113.9').getByText('Burst of 6').waitFor()
      await rowWith('203.0.113.9').getByText('127.0.0.1').waitFor()
      await page.getByText(/^Users among /).waitFor()
      // The open database stays open.
      expect(await console.database.textContent()).toContain('defaultdb')

      await console.open('/audit?method=set')
      await console.signedIn()
      await page.getByText(/^1 match\. Looked at \d+ events, back to /).waitFor()
      await gridOf(console).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: 'Event: Set' })
      await sheet.getByText('ID hidden, because it may still give access').waitFor()
      await sheet.getByRole('button', { name: 'Verify' }).click()
      const drawer = page.getByRole('dialog', { name: /^Proof of audit event of / })
      await drawer.getByText(/^Not shown: it may hold a session ID/).waitFor()
      await drawer.getByText(/The proof covers the hash of the whole stored event/).waitFor()
      const evidence = await saved(console, () =>
        drawer.getByRole('button', { name: 'Save evidence' }).click(),
      )
      expect(readEvidence(evidence)).toMatchObject({ evidence: { kind: 'get' } })
      expect(evidence).not.toContain(session)
      expect(evidence).not.toContain(base64(session).slice(0, 40))
      expect(Buffer.from(evidence).toString()).not.toMatch(/"value":/)
      await page.keyboard.press('Escape')
      expect(await page.content()).not.toContain(session)

      await page.getByLabel('Method', { exact: true }).fill('')
      await page.getByLabel('Address', { exact: true }).fill('203.0.113.9')
      await page.keyboard.press('Enter')
      await page.getByText(/^6 matches\./).waitFor()
      expect(new URL(page.url()).searchParams.get('address')).toBe('203.0.113.9')
      await page.getByLabel('From, in UTC').fill('some day')
      await page.keyboard.press('Enter')
      await page.getByText('Write a time, such as 2026-11-21 09:00 or 5 minutes ago.').waitFor()
      await button(console, 'Clear').click()

      for (const format of ['CSV', 'NDJSON']) {
        await button(console, 'Export').click()
        const text = await saved(console, () =>
          page.getByRole('menuitem', { name: new RegExp(`^${format} `) }).click(),
        )
        expect(text).toContain('203.0.113.9')
        expect(text).toContain('(hidden)')
        expect(text).not.toContain(session)
      }
      await page.getByText(/^Complete: \d+ events in audit-log-\d+-events\.ndjson\.$/).waitFor()
      const last = await saved(console, async () => {
        await button(console, 'Export').click()
        await page.getByRole('menuitem', { name: /^NDJSON / }).click()
      })
      const events = last
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(events.at(-1)).toMatchObject({ user: '', outcome: 'succeeded', database: '' })
    },
  )

  test('is not for a reader, and names the flag where there is none', async ({ server, open }) => {
    const admin = await api(server.url)
    await admin.createUser('plain', 'Reader-12!', 1, 'defaultdb')
    const one = await open(server.url)
    await one.enter('/audit', 'plain', 'Reader-12!')
    await one.page.getByText('You may not read the audit log').waitFor()
    await one.navigation.waitFor()
    expect(await one.link('Audit log').count()).toBe(0)
    const other = await open(server.url)
    await other.enter('/audit')
    await other.page.getByText('immudb --audit-log', { exact: true }).waitFor()
  })
})

describe.for(sizes)('axe on the audit log, $size', unhurried, ({ viewport }) => {
  test('list, event, filter and proof have no violation', async ({ serve, open }) => {
    const { url } = await startLogged(serve)
    const console = await open(url, { viewport })
    await console.enter('/audit')
    const { page } = console
    await page.getByText(/That is the whole log\.$/).waitFor()
    await look(console, 'audit-list')
    await console.goTo('/audit?outcome=failed&method=Login')
    await page.getByText(/^6 matches\./).waitFor()
    // In the whole list it may be out of sight, behind what the visit itself has added.
    await gridOf(console).getByText('Burst of 6').first().waitFor()
    await look(console, 'audit-filter')
    await console.goTo('/audit?method=Set')
    await gridOf(console).getByText('Burst of 6').first().waitFor({ state: 'detached' })
    await gridOf(console).getByRole('row').nth(1).click()
    const sheet = page.getByRole('dialog', { name: 'Event: Set' })
    await sheet.waitFor()
    await look(console, 'audit-event')
    await sheet.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(/The proof covers the hash/).waitFor()
    await look(console, 'audit-proof')
  })
})
