import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { test } from '../support/e2e'
import type { FaultProxy, Rule } from '../support/fault-proxy'
import { base64 } from '../support/keys-page'
import { expectAccessible, fits, resize, sizes, unhurried } from '../support/looks'

const rowPath = (db: string, table: string, row: string, rev = '') =>
  `/query?db=${db}&table=${table}&row=${encodeURIComponent(row)}${rev === '' ? '' : `&rev=${rev}`}`

/** The drawer by the names that acceptance uses. */
class Drawer {
  readonly box: Locator
  readonly list: Locator

  constructor(readonly page: Page) {
    this.box = page.getByRole('dialog', { name: /^History of / })
    this.list = this.box.getByRole('list', { name: 'Revisions', exact: true })
  }

  /** The line of a revision, with what it says. */
  line(number: string): Locator {
    return this.list.getByRole('button', { name: new RegExp(`^rev ${number}\\b`) })
  }

  button(name: string): Locator {
    return this.box.getByRole('button', { name, exact: true })
  }

  cells(name: string): Locator {
    return this.box.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name }) })
  }

  async says(text: string | RegExp): Promise<void> {
    await this.box.getByText(text).first().waitFor()
  }
}

/** Nothing for axe to find and nothing too wide, in both themes and sizes. */
async function looksRight(page: Page, name = 'revisions'): Promise<void> {
  const before = page.viewportSize()
  for (const { size, viewport } of sizes) {
    await resize(page, viewport)
    await expectAccessible(page, name)
    await fits(page, size)
  }
  if (before) await resize(page, before)
}

/** A row with a hostile name that was deleted, inserted again, and changed twice at once. */
async function walked(db: Api): Promise<number[]> {
  const key = `1, 'x,''<b>%"'`
  const at: number[] = []
  const note = async (sql: string) => {
    await db.exec(sql)
    at.push(await db.txId())
  }
  await db.exec(
    'CREATE TABLE walked (a INTEGER, b VARCHAR[40], price INTEGER, note VARCHAR, old VARCHAR, PRIMARY KEY (a, b))',
  )
  const put = (price: number, text: string) =>
    `UPSERT INTO walked (a, b, price, note, old) VALUES (${key}, ${price}, '${text}', 'dropped')`
  await note(put(10, 'one\ntwo\nthree'))
  await note(put(12, 'one\nTWO\nthree'))
  await note('DELETE FROM walked WHERE a = 1')
  await note(put(15, 'again'))
  await note(`${put(16, 'lost')}; ${put(17, 'kept')}`)
  await db.exec('ALTER TABLE walked DROP COLUMN old')
  await db.exec('ALTER TABLE walked RENAME COLUMN price TO cost')
  return at
}

const walkedRow = `n:1,s:x%2C'<b>%25"`

describe('the history of a row', () => {
  test('shows each revision with its transaction, from a link, and restores one', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const at = await walked(db)
    const console = await open(server.url)
    await console.enter(rowPath('defaultdb', 'walked', walkedRow, '2'))
    const drawer = new Drawer(console.page)
    await drawer.box.waitFor()
    for (const [index, tx] of at.entries()) {
      await drawer
        .line(String(index + 1))
        .getByText(`tx ${tx}`, { exact: true })
        .waitFor()
    }
    await drawer.line('3').getByText('Deleted').waitFor()
    await drawer.line('4').getByText('Inserted again').waitFor()
    await drawer.cells('cost').getByText('± changed').waitFor()
    await drawer.cells('cost').getByText('12').waitFor()
    await drawer.cells('cost').getByText('renamed since from price, in').waitFor()
    await drawer.cells('note').getByText('TWO', { exact: true }).waitFor()
    await drawer.says('immudb keeps only the last of several changes within one transaction.')
    // The next one by the keyboard, kept in the address.
    await drawer.line('2').focus()
    await console.page.keyboard.press('ArrowUp')
    await drawer.says('This revision deleted the row. A deletion repeats the last content.')
    await expect.poll(() => new URL(console.page.url()).searchParams.get('rev')).toBe('3')
    await drawer.line('1').click()
    await drawer.box.getByLabel('Compared with', { exact: true }).fill('5')
    await drawer.cells('cost').getByText('17').waitFor()
    await drawer.button('Show 3 more that are the same').click()
    await drawer.cells('old').getByText('dropped since, in').waitFor()
    await drawer.cells('old').getByText('dropped', { exact: true }).first().waitFor()
    await looksRight(console.page)
    // Proven in the transaction that was found.
    await drawer.button('Verify').click()
    const proof = console.page.getByRole('dialog', { name: /^Proof of / })
    await proof.getByText(`tx ${at[0]}`, { exact: false }).first().waitFor()
    await proof
      .getByText(/Verified/)
      .first()
      .waitFor()
    await console.page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })
    await drawer.button('Restore…').click()
    const question = console.page.getByRole('dialog', { name: 'Restore revision 1?' })
    await question.getByText('Show what is sent').click()
    await question.getByText(/UPDATE walked/).waitFor()
    const send = question.getByRole('button', { name: 'Restore revision', exact: true })
    // Someone else is faster: the server refuses it, and the row stays as they left it.
    await db.exec("UPDATE walked SET note = 'theirs' WHERE a = 1;")
    await send.click()
    await question.getByText(/^Someone else changed the row first\./).waitFor()
    expect(await db.query('SELECT note FROM walked')).toEqual([[{ s: 'theirs' }]])
    await question.getByRole('button', { name: 'Cancel', exact: true }).click()
    await drawer.button('Restore…').click()
    await question.getByText('theirs', { exact: true }).waitFor()
    await send.click()
    await drawer.says(/^Restored in/)
    await drawer.line('7').waitFor()
    expect(await db.query('SELECT cost, note FROM walked')).toEqual([
      [{ n: '10' }, { s: 'one\ntwo\nthree' }],
    ])
    await console.page.keyboard.press('Escape')
    await drawer.box.waitFor({ state: 'detached' })
    expect(new URL(console.page.url()).searchParams.get('row')).toBeNull()
  })

  test('is opened from a result by a letter, and says when there is none', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE lettered (id INTEGER, v VARCHAR, PRIMARY KEY id)')
    await db.exec("INSERT INTO lettered (id, v) VALUES (7, 'x')")
    const console = await open(server.url)
    await console.enter('/query')
    await console.runSql('SELECT * FROM lettered')
    const grid = console.page.getByRole('grid', { name: /^Rows of result/ })
    await grid.focus()
    await console.page.keyboard.press('Alt+h')
    const drawer = new Drawer(console.page)
    await drawer.line('1').waitFor()
    expect(new URL(console.page.url()).searchParams.get('row')).toBe('n:7')
    await console.page.reload()
    await console.signedIn()
    await drawer.line('1').waitFor()
    await console.goTo(rowPath('defaultdb', 'lettered', 'n:99'))
    await drawer.says('No such row: lettered never had one with id = 99.')
    await console.goTo(rowPath('defaultdb', 'lettered', 's:text'))
    await drawer.says('No such row: the primary key of lettered is id INTEGER.')
    await console.goTo(rowPath('defaultdb', 'nothing', 'n:1'))
    await drawer.says(/does not exist/)
  })

  test(
    'of 1,000 revisions is found from both ends, and remembered',
    unhurried,
    async ({ server, open }) => {
      const db = await api(server.url)
      await db.exec('CREATE TABLE many (id INTEGER, v INTEGER, old VARCHAR, PRIMARY KEY id)')
      const first = (await db.txId()) + 1
      for (let at = 0; at < 1_000; at += 1) {
        await db.exec(`UPSERT INTO many (id, v, old) VALUES (1, ${at}, 'kept')`)
      }
      const last = await db.txId()
      await db.exec('ALTER TABLE many DROP COLUMN old')
      const console = await open(server.url)
      const asked: string[] = []
      console.page.on('request', (request) => {
        if (request.url().endsWith('/db/sqlquery')) asked.push(request.postData() ?? '')
      })
      await console.enter(rowPath('defaultdb', 'many', 'n:1'))
      const drawer = new Drawer(console.page)
      await drawer
        .line('1,000')
        .getByText(`tx ${last.toLocaleString('en')}`)
        .waitFor()
      await drawer.line('991').getByText(/tx/).waitFor()
      const most = 2 * Math.log2(last)
      const probes = asked.filter((body) => body.includes('UNTIL TX'))
      const shown = await drawer.list.getByText(/^tx /).count()
      expect(shown).toBeGreaterThanOrEqual(10)
      expect(probes.length / shown).toBeLessThan(most)
      await drawer.line('1,000').focus()
      await console.page.keyboard.press('End')
      await drawer
        .line('1')
        .getByText(`tx ${first.toLocaleString('en')}`)
        .waitFor()
      await drawer.cells('v').getByText('0', { exact: true }).waitFor()
      // The names of the past take many transactions, so they are read when they are asked for.
      const unnamed = drawer.cells('column 3')
      await unnamed.getByText('dropped since; its name is not known yet').waitFor()
      await drawer.button('Look for it').click()
      await drawer.cells('old').getByText('dropped since, in').waitFor()
      await drawer.cells('old').getByText('kept', { exact: true }).waitFor()
      // What was found is not looked for again.
      await drawer.line('10').getByText(/tx/).waitFor()
      await console.page.reload()
      await console.signedIn()
      asked.length = 0
      await drawer
        .line('1')
        .getByText(`tx ${first.toLocaleString('en')}`)
        .waitFor()
      expect(asked.filter((body) => body.includes('UNION ALL'))).toEqual([])
    },
  )
})

describe('the history of a key', () => {
  test('shows deletions, expiry and references, and restores', async ({ server, open }) => {
    const db = await api(server.url)
    const set = (key: string, value: string, more = {}) =>
      db.call('/db/set', { KVs: [{ key: base64(key), value: base64(value), ...more }] })
    await set('kept:<i>', '{"a":1,"b":2}')
    await set('kept:<i>', '{"a":1,"b":3}')
    await db.call('/db/deletekey', { keys: [base64('kept:<i>')] })
    const console = await open(server.url)
    await console.enter(`/keys?key=${encodeURIComponent('kept:<i>')}`)
    const drawer = new Drawer(console.page)
    await console.page.getByRole('button', { name: 'History', exact: true }).click()
    await drawer.line('3').getByText('Deleted').waitFor()
    await drawer.line('2').click()
    await drawer.cells('Value').getByText('"b": 3').waitFor()
    await drawer.button('Restore…').click()
    const question = console.page.getByRole('dialog', { name: 'Restore revision 2?' })
    await question.getByText(/only if nothing wrote the key after tx/).waitFor()
    await question.getByRole('button', { name: 'Restore revision', exact: true }).click()
    await drawer.says(/^Restored in/)
    await drawer.line('4').getByText('Inserted again').waitFor()
    const read = await db.call<{ value: string }>(`/db/get/${base64('kept:<i>')}`)
    expect(Buffer.from(read.value, 'base64').toString()).toBe('{"a":1,"b":3}')
    await set('kept:over', 'x', { metadata: { expiration: { expiresAt: '1600000000' } } })
    await db.call('/db/setreference', {
      key: base64('kept:ref'),
      referencedKey: base64('kept:<i>'),
    })
    await console.goTo('/keys?key=kept:over&dialog=history')
    await drawer.line('1').getByText('Expired').waitFor()
    await drawer.says('This value has expired: the server no longer returns it.')
    await console.goTo('/keys?key=kept:ref&dialog=history')
    await drawer.cells('Refers to').getByText('kept:<i>').waitFor()
    await drawer.says(/^This revision refers to another key\. The value is the one/)
    // Bound to a transaction, it is restored as it was.
    const target = { key: base64('kept:bound'), referencedKey: base64('kept:target') }
    await set('kept:target', 'then')
    const then = await db.txId()
    await db.call('/db/setreference', { ...target, atTx: String(then), boundRef: true })
    await set('kept:target', 'now')
    await set('kept:bound', 'own')
    await console.goTo('/keys?key=kept:bound&rev=1&dialog=history')
    await drawer.cells('As of').getByText(String(then), { exact: true }).waitFor()
    await drawer.cells('Value').getByText('then', { exact: true }).waitFor()
    await drawer.button('Restore…').click()
    const again = console.page.getByRole('dialog', { name: 'Restore revision 1?' })
    await again
      .getByText(`set a reference to the key kept:target as of tx ${then.toLocaleString('en')}`)
      .waitFor()
    await again.getByRole('button', { name: 'Restore revision', exact: true }).click()
    await drawer.says(/^Restored in/)
    const restored = await db.call<{ referencedBy: object }>(`/db/get/${base64('kept:bound')}`)
    expect(restored.referencedBy).toMatchObject({ atTx: String(then) })
    // A value that no answer takes is still a revision.
    await set('kept:huge', 'x'.repeat(4_200_000))
    await console.goTo('/keys?key=kept:huge&dialog=history')
    await drawer.line('1').getByText('larger than 4 MiB').waitFor()
    await drawer.says('This value is larger than 4 MiB, which cannot be read over HTTP.')
  })

  test('leaves writes to those who may', async ({ server, open }) => {
    const db = await api(server.url)
    await db.createUser('looker', 'C0rrect-horse', 1, 'defaultdb')
    await db.exec('CREATE TABLE seen (id INTEGER, v VARCHAR, PRIMARY KEY id)')
    await db.exec("INSERT INTO seen (id, v) VALUES (1, 'x')")
    const console = await open(server.url)
    await console.enter(rowPath('defaultdb', 'seen', 'n:1'), 'looker', 'C0rrect-horse')
    const drawer = new Drawer(console.page)
    await drawer.line('1').waitFor()
    await expect
      .poll(() => drawer.button('Restore…').getAttribute('title'))
      .toBe('This needs the permission “Read & write” on the database.')
  })
})

/** A document with hostile names and numbers, and the transactions of its three revisions. */
async function kept(db: Api): Promise<{ id: string; at: readonly number[] }> {
  await db.call('/v2/collection/kept', { fields: [{ name: 'price', type: 'DOUBLE' }] })
  const at: number[] = []
  const hostile = '"<img src=x onerror=alert(1)>":"<b>old</b>"'
  const first = `{"price":-0,"big":9007199254740993,"code":"5",${hostile},"lines":["a","b"]}`
  const id = await db.insertDocument('kept', first)
  at.push(await db.txId())
  for (const content of [
    '{"price":2.5,"code":5,"added":null,"lines":["a","B"]}',
    '{"price":3,"code":5,"lines":["a","B"]}',
  ]) {
    await db.replaceDocument('kept', id, content)
    at.push(await db.txId())
  }
  return { id, at }
}

/** Opens the drawer of the document that a transaction wrote. */
async function openDocument(page: Page): Promise<Drawer> {
  const entry = page.getByRole('article').filter({ hasText: 'Document' })
  await entry.getByRole('button', { name: 'History', exact: true }).click()
  const drawer = new Drawer(page)
  await drawer.box.waitFor()
  return drawer
}

describe('the history of a document', () => {
  test(
    'is opened from its transaction, compared, verified and restored',
    unhurried,
    async ({ server, open }) => {
      const db = await api(server.url)
      const { id, at } = await kept(db)
      const console = await open(server.url)
      const { page } = console
      await console.enter(`/tx?db=defaultdb&id=${at[1]}`)
      const drawer = await openDocument(page)
      for (const [index, tx] of at.entries()) {
        const line = drawer.line(String(index + 1))
        await line.getByText(`tx ${tx.toLocaleString('en')}`, { exact: true }).waitFor()
        await line.getByText(/\d\d:\d\d.* by immudb$/).waitFor()
      }
      // Beside the one before; a text that became a number is a change.
      await drawer.line('2').focus()
      await page.keyboard.press('Enter')
      await drawer.cells('price').getByText('-0', { exact: true }).waitFor()
      await drawer.cells('code').getByText('STRING → NUMBER').waitFor()
      await drawer.cells('big').getByText('− removed').waitFor()
      await drawer.cells('added').getByText('NULL', { exact: true }).last().waitFor()
      await drawer.box.getByText('<img src=x onerror=alert(1)>').waitFor()
      // And beside any other.
      await page.keyboard.press('ArrowDown')
      await drawer.box.getByLabel('Compared with', { exact: true }).fill('3')
      await drawer.cells('price').getByText('3', { exact: true }).waitFor()
      await looksRight(page, 'revisions-document')
      const proof = page.getByRole('dialog', { name: /^Proof of / })
      const verify = async () => {
        await drawer.button('Verify').click()
        await proof
          .getByText(/Verified/)
          .first()
          .waitFor()
        // It takes keys once it has the focus, which is a moment after it is drawn.
        await expect
          .poll(() => proof.evaluate((drawn) => drawn.contains(document.activeElement)))
          .toBe(true)
        await page.keyboard.press('Escape')
        await proof.waitFor({ state: 'detached' })
        // It gives the focus back a moment after it is gone.
        await expect
          .poll(() => drawer.box.evaluate((box) => box.contains(document.activeElement)))
          .toBe(true)
      }
      await verify()
      // Restored by the keyboard alone.
      await drawer.button('Restore…').press('Enter')
      const question = page.getByRole('dialog', { name: 'Restore revision 1?' })
      await question.getByText('Show what is sent').click()
      await question.getByText('PUT /v2/collection/kept/documents/replace').waitFor()
      await question.getByText(/^There are numbers above 2\^53 in “big”\./).waitFor()
      await looksRight(page, 'restore-document')
      await question.getByRole('button', { name: 'Restore revision', exact: true }).press('Enter')
      await drawer.says(/^Restored in/)
      await drawer.box
        .getByRole('button', { name: /^Verified in part: the name of the collection / })
        .waitFor()
      await drawer.line('4').getByText('by immudb').waitFor()
      const [now, , , old] = await db.documentRevisions('kept', id)
      expect(now?.document).toEqual(old?.document)
      expect(Object.is(now?.document?.price, -0)).toBe(true)
      // Proven, too, once the field for ids has a name that this revision has for something else.
      await db.renameIdField('kept', 'code')
      await drawer.line('1').click()
      await verify()
    },
  )

  test('of a deleted one says what is possible', async ({ server, open }) => {
    const db = await api(server.url)
    await db.call('/v2/collection/gone', {})
    const id = await db.insertDocument('gone', '{"a":1}')
    await db.deleteDocument('gone', id)
    const console = await open(server.url)
    await console.enter(`/tx?db=defaultdb&id=${await db.txId()}`)
    const drawer = await openDocument(console.page)
    await drawer.line('2').getByText('Deleted').waitFor()
    await drawer.says('This revision deleted the document.')
    await drawer.line('1').click()
    await drawer.cells('a').getByText('1', { exact: true }).waitFor()
    await drawer.says(/^This document was deleted\. immudb does not take a document back/)
    expect(await drawer.button('Restore…').getAttribute('aria-disabled')).toBe('true')
    await looksRight(console.page, 'deleted-document')
    // The server indeed has no way back to the same id.
    await db.replaceDocument('gone', id, '{"a":1}')
    await expect(db.insertDocument('gone', `{"_id":"${id}","a":1}`)).rejects.toThrow(
      'should NOT be specified',
    )
    expect(await db.documentRevisions('gone', id)).toHaveLength(2)
  })
})

describe('a restore without an answer', () => {
  /** What is in the question after the button was pressed and the connection broke. */
  async function restored(drawer: Drawer, proxy: FaultProxy, rule: Rule): Promise<Locator> {
    await drawer.box.getByText('old', { exact: true }).first().waitFor()
    await drawer.button('Restore…').click()
    const question = drawer.page.getByRole('dialog', { name: 'Restore revision 1?' })
    const mend = proxy.fault(rule)
    const send = question.getByRole('button', { name: 'Restore revision', exact: true })
    await send.click()
    await question.getByText(/^It is not known whether this was restored\./).waitFor()
    expect(await send.getAttribute('aria-disabled')).toBe('true')
    mend()
    return question
  }

  test('of a document is said, even when the question is closed, and checked', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await db.call('/v2/collection/lost', {})
    const id = await db.insertDocument('lost', '{"a":"old"}')
    await db.replaceDocument('lost', id, '{"a":"new"}')
    const tx = await db.txId()
    const next = (tx + 1).toLocaleString('en')
    const console = await open(proxy.url)
    await console.enter(`/tx?db=defaultdb&id=${tx}`)
    const drawer = await openDocument(console.page)
    await drawer.line('1').click()
    const replace = { method: 'PUT', path: '/documents/replace' }
    const rule: Rule = { ...replace, fault: { kind: 'dropAnswer' } }
    const question = await restored(drawer, proxy, rule)
    await question.getByRole('button', { name: 'Cancel', exact: true }).click()
    await drawer.says(/^It is not known whether revision 1 was restored\./)
    await drawer.button('Check now').click()
    await drawer.says(
      `The newest revision has this content: it was written in tx ${next} by immudb.`,
    )
    await drawer.line('3').waitFor()
    expect(proxy.count(replace)).toBe(1)
    expect(await db.documentRevisions('lost', id)).toHaveLength(3)
  })

  test('of a key and of a row is said and checked', async ({ server, proxy, open }) => {
    const db = await api(server.url)
    for (const value of ['old', 'new']) {
      await db.call('/db/set', { KVs: [{ key: base64('lost:k'), value: base64(value) }] })
    }
    await db.exec('CREATE TABLE lost (id INTEGER, v VARCHAR, PRIMARY KEY id)')
    await db.exec("INSERT INTO lost (id, v) VALUES (1, 'old')")
    await db.exec("UPDATE lost SET v = 'new' WHERE id = 1")
    const console = await open(proxy.url)
    const drawer = new Drawer(console.page)
    // The answer is lost after the work.
    await console.enter('/keys?key=lost:k&dialog=history&rev=1')
    const afterWork: Rule = { path: '/db/set', fault: { kind: 'dropAnswer' } }
    const done = await restored(drawer, proxy, afterWork)
    await done.getByRole('button', { name: 'Check now', exact: true }).click()
    await done.getByText(/^The newest revision has this content: it was written in tx/).waitFor()
    expect(proxy.count({ path: '/db/set' })).toBe(1)
    // The request is lost before it.
    await console.page.goto(proxy.url + rowPath('defaultdb', 'lost', 'n:1', '1'))
    const beforeWork: Rule = { path: '/db/sqlexec', fault: { kind: 'reset' } }
    const notDone = await restored(drawer, proxy, beforeWork)
    await notDone.getByRole('button', { name: 'Check now', exact: true }).click()
    await notDone.getByText(/^Not stored so far\./).waitFor()
    expect(await db.query('SELECT v FROM lost')).toEqual([[{ s: 'new' }]])
  })
})

describe('the export of revisions', () => {
  /** What the browser saves. */
  async function saved(drawer: Drawer, format: RegExp): Promise<string> {
    const download = drawer.page.waitForEvent('download')
    await drawer.button('Export').click()
    await drawer.page.getByRole('menuitem', { name: format }).click()
    const file = await download
    return readFileSync(await file.path(), 'utf8')
  }

  test('has every one of a row as CSV, and of a document as JSON', async ({ server, open }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE saved (id INTEGER, v VARCHAR, PRIMARY KEY id)')
    const first = (await db.txId()) + 1
    await db.exec("INSERT INTO saved (id, v) VALUES (1, '=1+1')")
    await db.exec('DELETE FROM saved WHERE id = 1')
    await db.exec(`INSERT INTO saved (id, v) VALUES (1, 'a,"b"')`)
    await db.call('/v2/collection/saved', {})
    const id = await db.insertDocument('saved', '{"n":-0,"t":"<b>","o":{"a":[1e21]}}')
    const at = await db.txId()
    await db.replaceDocument('saved', id, '{"n":2}')
    const console = await open(server.url)
    const drawer = new Drawer(console.page)
    await console.enter(rowPath('defaultdb', 'saved', 'n:1'))
    await drawer.line('3').waitFor()
    expect((await saved(drawer, /^CSV/)).split('\r\n')).toEqual([
      'revision,tx,change,author,id,v',
      `3,${first + 2},written,,1,"a,""b"""`,
      `2,${first + 1},deleted,,,`,
      `1,${first},written,,1,'=1+1`,
      '',
    ])
    await console.goTo(`/tx?db=defaultdb&id=${at}`)
    await openDocument(console.page)
    await drawer.line('2').waitFor()
    const text = await saved(drawer, /^JSON/)
    expect(text).toContain('"n": -0')
    const by = { change: 'written', author: 'immudb' }
    const content = { _id: id, n: -0, t: '<b>', o: { a: [1e21] } }
    expect(JSON.parse(text)).toEqual([
      { revision: 2, tx: `${at + 1}`, ...by, content: { _id: id, n: 2 } },
      { revision: 1, tx: `${at}`, ...by, content },
    ])
  })
})
