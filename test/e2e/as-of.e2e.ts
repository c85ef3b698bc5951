import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { test, walk } from '../support/e2e'
import { exportedLines } from '../support/exported'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { fits } from '../support/looks'
import { createSmallTable } from '../support/sql-samples'

const atOf = (page: { url(): string }) => new URL(page.url()).searchParams.get('at')
const toNow = { name: 'Back to now', exact: true } as const

/** A key with four revisions, one a deletion, and a reference to it; the transaction of each. */
async function writeKeys(db: Api) {
  const done = async (work: Promise<unknown>) => {
    await work
    return db.txId()
  }
  const first = await done(setKeys(db, [['moment:k', 'one']]))
  const second = await done(setKeys(db, [['moment:k', 'two']]))
  const deleted = await done(db.call('/db/deletekey', { keys: [base64('moment:k')] }))
  const again = await done(setKeys(db, [['moment:k', 'three']]))
  const reference = { key: base64('moment:r'), referencedKey: base64('moment:k') }
  const referred = await done(db.call('/db/setreference', reference))
  const last = await done(setKeys(db, [['moment:k', 'four']]))
  const soon = String(Math.floor(Date.now() / 1_000) + 2)
  const brief = { key: base64('moment:brief'), value: base64('gone soon') }
  const metadata = { expiration: { expiresAt: soon } }
  const expiring = await done(db.call('/db/set', { KVs: [{ ...brief, metadata }] }))
  return { first, second, deleted, again, referred, last, expiring }
}

describe('as of', () => {
  test('a key opens cold from its link as it was, and says why it was not there', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const tx = await writeKeys(db)
    const console = await open(server.url)
    const keys = new KeysPage(console.page)
    const at = (key: string, id: number | string) =>
      `/keys?db=defaultdb&key=${key}&at=${typeof id === 'number' ? `tx:${id}` : id}`
    await console.enter(at('moment:k', tx.first))
    await keys.entry.getByText('one', { exact: true }).waitFor()
    await console.page.getByRole('button', { name: `As of tx ${tx.first}`, exact: true }).waitFor()
    await keys.button('List').click()
    await console.page.getByText(`1 key as of tx ${tx.first}`, { exact: true }).waitFor()
    await keys.option('moment:k').waitFor()
    const shown = async (key: string, id: number | string, text: string | RegExp) => {
      await console.goTo(at(key, id))
      await keys.entry.getByText(text).first().waitFor()
    }
    await shown('moment:k', tx.second, 'two')
    await shown('moment:k', tx.deleted, `tx ${tx.deleted} had deleted it`)
    await console.page.getByText(`No key was live at tx ${tx.deleted}.`).waitFor()
    await shown('moment:k', tx.again, 'three')
    await shown('moment:r', tx.referred, 'three')
    await shown('moment:r', tx.last, 'four')
    // The list with the values of then.
    const then = await exportedLines(console.page)
    expect(then.name).toBe(`defaultdb-tx${tx.last}-2-keys.ndjson`)
    expect(then.lines).toMatchObject([
      { key: 'moment:k', value: 'four', tx: String(tx.last) },
      { key: 'moment:r', value: 'four', refersTo: 'moment:k' },
    ])
    await shown('moment:r', tx.first, `did not exist yet at tx ${tx.first}`)
    await shown('moment:none', tx.first, 'no such key and no revision')
    await shown('moment:brief', tx.expiring, /had a value\. It expired later/)
    const lacking = await exportedLines(console.page)
    expect(lacking.name).toBe(`defaultdb-tx${tx.expiring}-2-keys-incomplete.ndjson`)
    await console.page.getByText(/The values of 1 key then cannot be read any more\.$/).waitFor()
    await console.goTo(at('moment:k', 99_999))
    await console.page.getByText('There is no transaction 99,999.', { exact: false }).waitFor()
    await console.goTo(at('moment:k', 'tx:-1'))
    await console.page.getByText(/a moment that this console cannot read/).waitFor()
    await console.goTo(at('moment:k', '2001-01-01T00:00:00Z'))
    await console.page.getByText(/^Nothing was written by then/).waitFor()
    // A time stands for the last transaction by then.
    const now = new Date().toISOString().replace(/\.\d+/, '')
    await shown('moment:k', now, 'four')
    const newest = new RegExp(`\\(tx ${await db.txId()}\\)`)
    await console.page.getByRole('status').filter({ hasText: newest }).waitFor()
  })

  test(
    'stays from screen to screen, over a reload and back, and holds all writes',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      await createSmallTable(db, 'moments')
      await db.exec(
        'CREATE TABLE shelf (id INTEGER, label VARCHAR, width INTEGER, PRIMARY KEY id);',
      )
      await db.exec('CREATE TABLE burnt (id INTEGER, PRIMARY KEY id);')
      const made = await db.txId()
      await db.exec('ALTER TABLE shelf RENAME COLUMN label TO title;')
      await db.exec('ALTER TABLE shelf DROP COLUMN width;')
      await db.exec('DROP TABLE burnt;')
      await db.exec("UPDATE moments SET name = 'later' WHERE id = 1;")
      await setKeys(db, [['moment:kept', 'one']])
      const console = await open(server.url)
      const { page } = console
      await console.enter('/query')
      await console.travelTo(String(made))
      expect(atOf(page)).toBe(`tx:${made}`)
      const tables = page.getByRole('region', { name: 'Tables of the database' })
      await tables.getByText(`3 tables as of tx ${made}`, { exact: true }).waitFor()
      const line = (name: string) =>
        tables.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
      await line('burnt').getByText('dropped since').waitFor()
      await line('shelf').click()
      await page.keyboard.press('ArrowRight')
      await line('label').getByText('now title').waitFor()
      await line('width').getByText('dropped since').waitFor()
      await console.runSql('SELECT name FROM moments WHERE id = 1;')
      await console.result(1).getByText('Past', { exact: true }).waitFor()
      expect(await console.cell(1, 'later').count()).toBe(0)
      await console.runSql("UPDATE moments SET name = 'x' WHERE id = 1;")
      await console
        .result(2)
        .getByText(/past, which cannot be changed/)
        .first()
        .waitFor()
      await console.link('Keys').click()
      await console.page.getByRole('button', { name: `As of tx ${made}`, exact: true }).waitFor()
      const set = page.getByRole('button', { name: 'Set a key', exact: true })
      await expect.poll(() => set.getAttribute('title')).toMatch(/Go back to now to write/)
      await console.link('Users').click()
      await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
      expect([atOf(page), await console.asOf.count()]).toEqual([`tx:${made}`, 0])
      await page.reload()
      await console.signedIn()
      await console.link('Query').click()
      await page.getByRole('button', toNow).waitFor()
      expect(atOf(page)).toBe(`tx:${made}`)
      await page.getByRole('button', toNow).click()
      await page.getByRole('button', { name: 'As of now', exact: true }).waitFor()
      expect(atOf(page)).toBeNull()
      await page.goBack()
      await page.getByRole('button', { name: `As of tx ${made}`, exact: true }).waitFor()
      await page.goForward()
      await page.getByRole('button', { name: 'As of now', exact: true }).waitFor()
      // Another database has its own moment, and this one's comes back with it.
      await page.goBack()
      await console.asOf.waitFor()
      await db.createDatabase('momentless')
      await page.reload()
      await console.signedIn()
      await console.pickDatabase('momentless')
      await expect.poll(() => atOf(page)).toBeNull()
      await console.pickDatabase('defaultdb')
      await expect.poll(() => atOf(page)).toBe(`tx:${made}`)
      // An open list of transactions ends with each moment that is chosen.
      await console.link('Transactions').click()
      const grid = page.getByRole('grid', { name: 'Transactions', exact: true })
      const row = (tx: number) => grid.getByText(`tx ${tx}`, { exact: true })
      await row(made).waitFor()
      expect(await row(made + 1).count()).toBe(0)
      await page.getByRole('button', toNow).click()
      await row(made + 1).waitFor()
      await console.travelTo(String(made))
      await row(made + 1).waitFor({ state: 'detached' })
      await row(made).waitFor()
    },
  )
})

describe('named moments', () => {
  test('are proven, chosen, checked, saved, taken over, renamed and brought back', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'named')
    const made = await db.txId()
    await db.exec("UPDATE named SET name = 'later' WHERE id = 1;")
    const console = await open(server.url)
    const { page } = console
    await console.enter('/verify?tab=points')
    const section = page.getByRole('region', { name: 'Named moments', exact: true })
    await section.getByRole('textbox', { name: 'Name of the moment' }).fill('before migration')
    await section.getByRole('textbox', { name: 'Transaction' }).fill(String(made))
    await section.getByRole('button', { name: 'Prove and name it' }).click()
    const line = section.getByRole('listitem')
    await line.getByRole('heading', { name: 'before migration' }).waitFor()
    await line.getByRole('button', { name: 'Check', exact: true }).click()
    await line.getByText('Agrees', { exact: true }).waitFor()
    await fits(page, 'named moments')
    const saved = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Save all as a file' }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    await line.getByRole('button', { name: 'Delete', exact: true }).click()
    await line.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await line.waitFor()
    // What is altered in a file is contradicted by the proof.
    const { moments, ...rest } = JSON.parse(text)
    const altered = [{ ...moments[0], name: 'forged', txHash: base64('x'.repeat(32)) }]
    const buffer = Buffer.from(JSON.stringify({ ...rest, moments: altered }))
    const file = { name: 'named-moments.json', mimeType: 'application/json', buffer }
    await section.getByLabel('File with named moments').setInputFiles(file)
    await section.getByText(/^1 moment taken over/).waitFor()
    const forged = line.filter({ hasText: 'forged' })
    await forged.getByRole('button', { name: 'Check', exact: true }).click()
    await forged.getByText('Different', { exact: true }).waitFor()
    await forged.getByRole('button', { name: 'Delete', exact: true }).click()
    await forged.waitFor({ state: 'detached' })
    await line.getByRole('button', { name: 'Rename…' }).click()
    await console.dialog
      .getByRole('textbox', { name: 'Name', exact: true })
      .fill('before <b>it</b>')
    await console.dialog.getByRole('button', { name: 'Rename' }).click()
    await line.getByRole('heading', { name: 'before <b>it</b>' }).waitFor()
    await console.link('Keys').click()
    await console.openAsOf()
    await console.dialog.getByRole('button', { name: `before <b>it</b> tx ${made}` }).click()
    const name = `As of before <b>it</b> (tx ${made})`
    await page.getByRole('button', { name, exact: true }).waitFor()
    const strip = page.getByRole('status').filter({ hasText: `As of before <b>it</b>, tx ${made}` })
    await strip.waitFor()
    // They are the browser's, as trusted states are, and outlive the session.
    await console.logOut()
    await console.signedOut()
    await console.signIn('/verify?tab=points')
    await line.getByRole('heading', { name: 'before <b>it</b>' }).waitFor()
  })
})
