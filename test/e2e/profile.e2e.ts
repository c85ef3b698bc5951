import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { plainPage, type Visit, visitInFolder } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { ImmudbServer } from '../support/immudb'
import { KeysPage, setKeys } from '../support/keys-page'
import { oldProfileAt, oldServerFolder } from '../support/old-profile'
import { readStorage, seedProfile } from '../support/page-storage'
import { searchProfile } from '../support/profile'
import { TrustPage } from '../support/trust-page'

/** Values of the server that nobody types, so that only an answer can have brought them. */
const inTable = 'canary-of-a-row-7f3a9c'
const inKey = 'canary-of-a-key-51be08'

async function fill(server: ImmudbServer): Promise<void> {
  const db = await api(server.url)
  await db.exec('CREATE TABLE notes (id INTEGER, note VARCHAR, PRIMARY KEY id);')
  await db.exec(`INSERT INTO notes (id, note) VALUES (1, '${inTable}');`)
  await setKeys(db, [['plain', inKey]])
}

/** Reads values on two screens and logs out. */
async function readAndLogOut(visit: Visit, url: string, isStored: boolean): Promise<ConsolePage> {
  const console = new ConsolePage(visit, url)
  await console.open('/query')
  if (!isStored) await console.page.getByRole('checkbox', { name: /stay signed in/i }).uncheck()
  await console.submitLogin()
  await console.signedIn()
  if (isStored) await console.keepsSession()
  await console.runSql('SELECT note FROM notes;')
  await console.cell(1, inTable).waitFor()
  await console.link('Keys').click()
  await new KeysPage(console.page).get('plain')
  await console.page.getByText(inKey).first().waitFor()
  await console.link('Overview').click()
  await console.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await console.logOut()
  await console.signedOut()
  return console
}

describe.each(['webconsole', 'drop-in'] as const)(
  'the profile folder after a log-out, %s',
  (kind) => {
    test.for([false, true])('stay signed in: %s', async (isStored, { serve }) => {
      const server = await serve({ kind })
      await fill(server)
      const folder = await mkdtemp(join(tmpdir(), 'webconsole-profile-'))
      try {
        const visit = await visitInFolder(folder, server.url)
        const console = await readAndLogOut(visit, server.url, isStored)
        const { secrets } = visit.watch
        const kept = [...(await readStorage(console.page)).values()].join('\n')
        await visit.end()
        expect(secrets).not.toEqual([])
        // The middle of a token is in it once; what is alike in all of them tells nothing.
        const tokens = secrets.map((token) => token.slice(40, 80))
        const wanted = [...tokens, inTable, inKey]
        expect(wanted.filter((text) => kept.includes(text))).toEqual([])
        const leaks = searchProfile(folder, wanted)
        // The browser's databases keep deleted records until they compact; the README says so.
        expect(leaks.filter(({ isDatabase }) => !(isStored && isDatabase))).toEqual([])
        // The search reads what the cache holds: this text is in a script that came compressed.
        expect(searchProfile(folder, ['Log in to continue'])).not.toEqual([])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  },
)

describe('the profile of a console from before', () => {
  test('is taken up whole: session, settings, drafts, trusted states, keys and audits', async ({
    serve,
    open,
    onTestFinished,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'webconsole-before-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    execFileSync('tar', ['-xzf', oldServerFolder, '-C', folder])
    const flags = ['--dir', join(folder, 'data'), '--signing-key', join(folder, 'signing.pem')]
    const server = await serve({ flags })
    const console = await open(server.url)
    const { page } = console
    const trust = new TrustPage(console)
    const keys = new KeysPage(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const section = (name: string) => page.getByRole('region', { name, exact: true })
    await page.goto(server.url + plainPage())
    await seedProfile(page, oldProfileAt(server.url))

    // The token in it is made up.
    await console.open('/query')
    await console.signedOut()
    await expect.poll(() => console.user.inputValue()).toBe('immudb')
    await console.submitLogin()
    await console.signedIn()
    await console.holds('SELECT what, total\nFROM lines\nWHERE total > 2 -- not yet run')
    await trust.chipSaying('Consistent since tx 4').waitFor()
    await button('Code history').click()
    for (const statement of ['SELECT * FROM lines', 'SELECT * FROM nowhere']) {
      await console.dialog.getByText(statement).first().waitFor()
    }
    await page.keyboard.press('Escape')

    await console.link('Keys').click()
    await expect.poll(() => keys.value.inputValue()).toBe('a new value, not saved')
    await console.pickDatabase('defaultdb')
    await page.getByText('A value for greeting is not saved yet.').waitFor()
    await button('Continue').click()
    await expect.poll(() => keys.value.inputValue()).toBe('hello, from the draft')

    await console.link('Settings').click()
    await expect.poll(() => section('SQL editor').getByLabel('Font size').inputValue()).toBe('18')
    expect(await section('Session').getByLabel('Lock after').inputValue()).toBe('45')
    expect(await section('Times').getByLabel('Zone', { exact: true }).inputValue()).toBe(
      'Europe/Vienna',
    )
    expect(await section('Appearance').getByRole('radio', { name: 'Light' }).isChecked()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')

    await console.link('Verify').click()
    const card = (name: string) =>
      page
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
        .first()
    for (const [name, words] of [
      ['orders', /2 times/],
      ['ledger', /The transaction that came with the proof is not the proven one\./],
      ['lent', /Imported/],
      ['stock', /First contact/],
      ['attic', /No trusted state yet\./],
    ] as const) {
      await card(name).getByText(words).first().waitFor()
    }
    expect(await section('Records that cannot be read').count()).toBe(0)
    await section('Log').getByText('not used any more').waitFor()
    await page.getByRole('tab', { name: 'Signing keys' }).click()
    await page.getByText('4ec06cd5', { exact: true }).waitFor()
    await page.getByText('The newest state of defaultdb names the pinned key.').waitFor()

    await console.pickDatabase('orders')
    await page.getByRole('tab', { name: 'Deep audit' }).click()
    await page.getByRole('heading', { name: 'Deep audit of orders' }).waitFor()
    const report = page.getByRole('article', { name: /^Report: / })
    await report.getByText('Every transaction from 1 to 6 is proven').waitFor()
    await console.pickDatabase('stock')
    await page.getByText('Paused at transaction 24 of 40').waitFor()
    await button('Continue').click()
    await report.getByText('Every transaction from 1 to 40 is proven').waitFor()
    expect(await trust.bar.count()).toBe(0)

    await console.pickDatabase('ledger')
    await trust.bar.getByText(/^You chose at .* to keep the trusted state/).waitFor()
  })
})
