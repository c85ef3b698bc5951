import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { seen } from '../shown/judge'
import { type Lie, startTampering } from '../shown/tampering-proxy'
import { type Api, api } from '../support/api'
import { test, walk } from '../support/e2e'
import { engine } from '../support/engine'
import { base64 } from '../support/keys-page'
import { expectAccessible, fits, resize, sizes, unhurried } from '../support/looks'

/** The drawer with the last change of each part. */
class Blame {
  readonly box: Locator

  constructor(readonly page: Page) {
    this.box = page.getByRole('dialog', { name: /^History of / })
  }

  part(name: string): Locator {
    return this.box.getByRole('row').filter({
      has: this.page.getByRole('rowheader', { name: new RegExp(`^${name}\\b`) }),
    })
  }

  async says(text: string | RegExp): Promise<void> {
    await this.box.getByText(text).first().waitFor()
  }

  /** What the proof of a change says, by what is seen of all of its steps. */
  async proves(name: string) {
    await this.box.getByRole('button', { name: `Verify the last change of ${name}` }).click()
    const proof = this.page.getByRole('dialog', { name: /^Proof of the last change of/ })
    await proof
      .getByText(/^(Verified|Not proven|Not as|Could not|Contradicted|Written)/)
      .first()
      .waitFor()
    const found = await seen(proof)
    await this.page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })
    return found
  }
}

/** A row whose columns were changed at different times, one of them back and forth. */
async function changed(db: Api, table = 'blamed'): Promise<Record<string, number>> {
  await db.exec(
    `CREATE TABLE ${table} (id INTEGER, kept VARCHAR, note VARCHAR, price FLOAT, none VARCHAR, PRIMARY KEY id)`,
  )
  const at: Record<string, number> = {}
  const note = async (name: string, sql: string) => {
    await db.exec(sql)
    at[name] = await db.txId()
  }
  await note('inserted', `INSERT INTO ${table} (id, kept, note, price) VALUES (1, '<b>', 'a', 1.5)`)
  await note('there', `UPDATE ${table} SET note = 'b' WHERE id = 1`)
  await note('back', `UPDATE ${table} SET note = 'a' WHERE id = 1`)
  await note('price', `UPDATE ${table} SET price = 2.5 WHERE id = 1`)
  await db.exec(`ALTER TABLE ${table} RENAME COLUMN price TO cost`)
  await db.exec(`ALTER TABLE ${table} ADD COLUMN late VARCHAR`)
  await note('same', `UPDATE ${table} SET note = 'a' WHERE id = 1`)
  return at
}

const path = '/query?db=defaultdb&table=blamed&tab=rows'

describe('the last change of each column of a row', walk, () => {
  test(
    'is shown from the table by keys, proven as far as it can be, and leads on',
    unhurried,
    async ({ server, open }) => {
      const db = await api(server.url)
      const at = await changed(db)
      const console = await open(server.url)
      const { page } = console
      await console.enter(path)
      const grid = page.getByRole('grid', { name: 'Rows of blamed' })
      await grid.getByText('<b>', { exact: true }).waitFor()
      await grid.focus()
      await page.keyboard.press('Alt+b')
      const blame = new Blame(page)
      await blame.says(/^Found the last change of all 5 columns\. All 5 revisions/)
      await blame.part('kept').getByText(`tx ${at.inserted}`, { exact: true }).waitFor()
      await blame.part('kept').getByText('Inserted in').waitFor()
      await blame.part('note').getByText(`tx ${at.back}`, { exact: true }).waitFor()
      await blame.part('note').getByText('before: b').waitFor()
      await blame.part('cost').getByText(`tx ${at.price}`, { exact: true }).waitFor()
      await blame.part('late').getByText('NULL', { exact: true }).waitFor()
      // Firefox 153 writes to a null pointer of its own when it is asked for the styles of this pane,
      // by axe or for the colour of a mark. It draws it all the same.
      for (const { size, viewport } of engine === 'chromium' ? sizes : []) {
        await resize(page, viewport)
        await expectAccessible(page, 'blame')
        await fits(page, size)
      }
      await resize(page, sizes[0].viewport)
      if (engine !== 'firefox') {
        const proven = await blame.proves('cost')
        expect(proven.says).toBe('in part')
        expect(proven.words).toContain('that it is the last one')
      }

      // The address has it, and a letter goes to the revision and back.
      await page.reload()
      await console.signedIn()
      await blame.part('note').getByText(`tx ${at.back}`, { exact: true }).waitFor()
      await blame.box.getByRole('button', { name: /^rev 3: show the revision/ }).click()
      await blame.says('Written in')
      await expect.poll(() => new URL(page.url()).searchParams.get('rev')).toBe('3')
      await page.keyboard.press('b')
      await blame.box.getByRole('region', { name: 'Last changes up to revision 3' }).waitFor()
      await blame.part('cost').getByText('Inserted in').waitFor()
      await blame.box
        .getByRole('link', {
          name: 'Compare the database before and after the last change of note',
        })
        .click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/compare')
      const search = new URL(page.url()).searchParams
      expect([search.get('from'), search.get('to')]).toEqual([`${at.there}`, `${at.back}`])
    },
  )
})

describe('the last change from a table of the past', () => {
  test('says where it is of a later revision', async ({ server, open }) => {
    const db = await api(server.url)
    const at = await changed(db, 'past')
    const console = await open(server.url)
    const { page } = console
    await console.enter(`/query?db=defaultdb&table=past&tab=rows&at=tx:${at.back}`)
    const grid = page.getByRole('grid', { name: 'Rows of past' })
    await grid.getByText('<b>', { exact: true }).waitFor()
    await grid.focus()
    await page.keyboard.press('Alt+b')
    const blame = new Blame(page)
    const note = blame.box.getByText(`You look at the database as of tx ${at.back}.`)
    await note.waitFor()
    // The third revision is the one that the table shows.
    await blame.box
      .getByRole('button', { name: /^rev 3\b/ })
      .first()
      .click()
    await blame.part('cost').getByText('Inserted in').waitFor()
    expect(await note.count()).toBe(0)
  })
})

describe('the last change of each part of a key', () => {
  test('is told for its value and its expiry', async ({ server, open }) => {
    const db = await api(server.url)
    const set = async (value: string, expiresAt?: string) => {
      const more = expiresAt ? { metadata: { expiration: { expiresAt } } } : {}
      await db.call('/db/set', { KVs: [{ key: base64('blamed'), value: base64(value), ...more }] })
      return db.txId()
    }
    const first = await set('one')
    const second = await set('one', '4102444800')
    const console = await open(server.url)
    await console.enter(`/keys?db=defaultdb&key=blamed&dialog=blame`)
    const blame = new Blame(console.page)
    await blame.part('Value').getByText(`tx ${first}`, { exact: true }).waitFor()
    await blame.part('Expires').getByText(`tx ${second}`, { exact: true }).waitFor()
    expect((await blame.proves('Expires')).says).toBe('in part')
  })
})

describe('a server that lies about the last change', () => {
  const inAnswers = (path: RegExp, from: string, to: string): Lie => ({
    on: 'answer',
    strikes: (one) => path.test(one.path),
    alter: (text) => text.replaceAll(from, to),
  })

  test('gets no green mark for what it altered', unhurried, async ({ server, open }) => {
    const db = await api(server.url)
    const at = await changed(db, 'lied')
    const liar = await startTampering(server.url)
    onTestFinished(() => liar.close())
    const console = await open(liar.url)
    await console.enter('/query?db=defaultdb&table=lied&row=n:1&dialog=blame')
    const blame = new Blame(console.page)
    const lies: readonly [string, Lie][] = [
      ['the value', inAnswers(/sqlquery/, '"f":2.5', '"f":99.5')],
      ['the value before', inAnswers(/sqlquery/, '"f":1.5', '"f":0.5')],
      ['the time', inAnswers(/^\/db\/tx$/, '"ts":"1', '"ts":"2')],
    ]
    for (const [what, lie] of lies) {
      liar.begin(lie)
      await console.page.reload()
      await console.signedIn()
      await blame.part('cost').getByText(`tx ${at.price}`, { exact: true }).waitFor()
      const { says, words } = await blame.proves('cost')
      expect(liar.exchanges.some(({ isAltered }) => isAltered)).toBe(true)
      expect(`${what}: ${says}: ${words}`).toContain(`${what}: contradicted`)
    }
  })
})
