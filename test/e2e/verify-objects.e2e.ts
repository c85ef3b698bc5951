import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { changed, type Fault } from '../support/faults'
import type { ImmudbServer } from '../support/immudb'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { look, sizes, unhurried } from '../support/looks'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'

/** A database of its own with a table, so that what one test breaks is not in the way of another. */
async function tableIn(server: ImmudbServer, database: string, ...more: string[]): Promise<Api> {
  const admin = await api(server.url)
  await admin.createDatabase(database)
  const db = await admin.use(database)
  await db.exec(
    'CREATE TABLE orders (id INTEGER AUTO_INCREMENT, name VARCHAR[40], total FLOAT, note JSON, PRIMARY KEY id);',
  )
  for (const sql of more) await db.exec(sql)
  return db
}

const insert = (...names: string[]) =>
  `INSERT INTO orders (name, total, note) VALUES ${names
    .map((name, at) => `('${name}', ${at}.5, '{"a": [1, 2], "b": ${at}}')`)
    .join(',')};`

/** A document whose proof is there, and where it is asked for. */
async function documentIn(db: Api): Promise<{ id: string; path: string }> {
  const fields = [{ name: 'n', type: 'INTEGER' }]
  await db.call('/v2/collection/notes', { documentIdFieldName: '_id', fields })
  const documents = [{ n: 1, text: 'umbrella' }]
  const made = await db.call<{ documentIds: string[] }>('/v2/collection/notes/documents', {
    documents,
  })
  const id = made.documentIds[0] ?? ''
  return { id, path: `/document/${id}/proof` }
}

async function signedIn(console: ConsolePage, database: string, page: string) {
  await console.enter(`/${page}${page.includes('?') ? '&' : '?'}db=${database}`)
  return new VerifyPage(console)
}

describe('rows', () => {
  test('one by v, chosen ones, all of them; a rerun starts from nothing; reasons against it', async ({
    server,
    open,
  }) => {
    const names = Array.from({ length: 30 }, (_, at) => `bulk ${at}`)
    await tableIn(server, 'rows', insert('first'), insert('second'), insert(...names))
    const console = await open(server.url)
    const verify = await signedIn(console, 'rows', 'query')
    await console.runSql('SELECT id, name FROM orders')
    await console.grid(1).waitFor()
    await verify.verify(1).click()
    const inPart = /^0 of 32 rows verified, 32 in part \(the name and columns of the table are the/
    await verify.summary(1).getByText(inPart).waitFor()
    expect(await verify.marks(1, /Verified/).count()).toBe(0)
    await verify
      .marks(1, /^In part, tx 4: the name/)
      .first()
      .click()
    await verify.inPart()
    await verify.close()
    await verify.audit('rows')
    await console.open('/query?db=rows')
    await console.runSql('SELECT id, name AS id2, total, note FROM orders')
    await verify.pressV(1, 'second')
    const drawer = await verify.verified('row id = 2 of orders')
    const steps = drawer.getByRole('list', { name: 'Proof', exact: true })
    await steps.getByText('Digest in its transaction').waitFor()
    await expect.poll(() => steps.getByText('Holds', { exact: true }).count()).toBe(4)
    const saved = await verify.saveEvidence()
    const evidence = JSON.parse(await readFile(await saved.path(), 'utf8'))
    expect(evidence).toMatchObject({ kind: 'row', what: 'row id = 2 of orders' })
    expect(JSON.stringify(evidence)).not.toContain('token')
    await verify.close()
    await verify.marks(1, /^Verified in this browser: written in tx/).waitFor()
    await verify.verify(1).click()
    await verify.summary(1).getByText('32 of 32 rows verified.', { exact: true }).waitFor()
    // Two of them by their first and last, and with Shift all between.
    const number = (row: number) =>
      console.grid(1).locator(`[aria-rowindex="${row + 1}"] [role=rowheader]`)
    await number(1).click({ position: { x: 40, y: 10 } })
    await number(4).click({ position: { x: 40, y: 10 }, modifiers: ['Shift'] })
    await verify.verify(1).getByText('Verify 4 chosen', { exact: true }).click()
    await verify.summary(1).getByText('4 of 4 rows verified.', { exact: true }).waitFor()
    await console.run.click()
    await console.grid(2).waitFor()
    expect(await verify.marks(2, /Verified/).count()).toBe(0)
    await console.runSql('SELECT COUNT(*), name FROM orders GROUP BY name')
    await console.grid(3).waitFor()
    await expect
      .poll(() => verify.verify(3).getAttribute('title'))
      .toMatch(/Only rows of one table/)
    await console.runSql('SELECT name FROM orders')
    await verify.verify(4).click()
    await verify
      .summary(4)
      .getByText(/its whole primary key\. This result lacks id/)
      .waitFor()
    await expect.poll(() => verify.verify(4).getAttribute('aria-disabled')).toBe('true')
  })

  test('in part are verified wholly after one press, which reads what describes the table', async ({
    server,
    open,
  }) => {
    await tableIn(server, 'press', insert('first'), insert('second'))
    const console = await open(server.url)
    const verify = await signedIn(console, 'press', 'query')
    await console.runSql('SELECT id, name FROM orders')
    await console.grid(1).waitFor()
    await verify.pressV(1, 'second')
    const drawer = await verify.inPart()
    const asked = new Set<string>()
    console.page.on('request', (request) => asked.add(new URL(request.url()).pathname))
    await drawer.getByRole('button', { name: 'Read from the history', exact: true }).click()
    await verify.verified('row id = 2 of orders')
    await verify.close()
    await verify.verify(1).click()
    await verify.summary(1).getByText('2 of 2 rows verified.', { exact: true }).waitFor()
    expect([...asked].some((path) => path.includes('collection'))).toBe(false)
    // A table that came later is read from where that ended, from the summary as well.
    await console.runSql('CREATE TABLE later (id INTEGER, PRIMARY KEY id)')
    await console.runSql('INSERT INTO later (id) VALUES (1)')
    await console.runSql('SELECT id FROM later')
    await console.grid(4).waitFor()
    await verify.verify(4).click()
    const summary = verify.summary(4)
    await summary.getByText(/^0 of 1 row verified, 1 in part/).waitFor()
    await console.page.getByRole('button', { name: 'Read from the history', exact: true }).click()
    await summary.getByText('1 of 1 row verified.', { exact: true }).waitFor()
  })

  test('every type, a key of several columns, and what a dropped column still holds', async ({
    server,
    open,
  }) => {
    const db = await tableIn(server, 'types')
    await db.exec(
      'CREATE TABLE every (k VARCHAR[8], at TIMESTAMP, i INTEGER, b BOOLEAN, f FLOAT, u UUID, x BLOB, n VARCHAR, gone VARCHAR, PRIMARY KEY (k, at));',
    )
    await db.exec(
      "INSERT INTO every (k, at, i, b, f, u, x, n, gone) VALUES ('ü', CAST('2024-01-02 03:04:05.678901' AS TIMESTAMP), -9223372036854775807, true, 1.5, '123e4567-e89b-12d3-a456-426614174000', x'00FF', NULL, 'secret');",
    )
    await db.exec('ALTER TABLE every DROP COLUMN gone;')
    const console = await open(server.url)
    const verify = await signedIn(console, 'types', 'query')
    await console.runSql('SELECT * FROM every')
    await console.grid(1).waitFor()
    await verify.verify(1).click()
    await verify
      .summary(1)
      .getByText(/^0 of 1 row verified, 1 in part/)
      .waitFor()
    await verify.marks(1, /^In part/).click()
    const drawer = await verify.inPart()
    await drawer.getByText(/dropped column has content in this row/).waitFor()
    await drawer.getByText(Buffer.from('secret').toString('hex')).waitFor()
  })

  test('of the past are verified where they were written, those of yesterday are not green', async ({
    server,
    open,
  }) => {
    const more = ["UPDATE orders SET name = 'now' WHERE id = 1;", insert('noise')]
    const db = await tableIn(server, 'past', insert('then'), insert('other'), ...more)
    expect(await db.txId()).toBe(5)
    const console = await open(server.url)
    const verify = await signedIn(console, 'past', 'query')
    await console.runSql('SELECT id, name FROM orders UNTIL TX 3')
    await verify.pressV(1, 'then')
    const drawer = await verify.inPart('row id = 1 of orders')
    await drawer.getByText(/By its proof, tx 2 wrote it and is within UNTIL TX 3\./).waitFor()
    await verify.close()
    await verify.verify(1).click()
    await verify
      .summary(1)
      .getByText(/^0 of 2 rows verified, 1 in part .*, 1 in part /)
      .waitFor()
    await console.runSql('SELECT id, name FROM orders')
    await console.grid(2).waitFor()
    await db.exec("UPDATE orders SET name = 'after' WHERE id = 1;")
    await verify.verify(2).click()
    const some = /^0 of 3 rows verified, 2 in part \(the name and .*\), 1 written again since\.$/
    await verify.summary(2).getByText(some).waitFor()
    await verify.marks(2, /^Written again since, in tx 6: name$/).click()
    await verify.drawer().getByText('Written again since', { exact: true }).waitFor()
    const both = verify.drawer().getByRole('row', { name: /^name now after$/ })
    await both.waitFor()
  })

  test('of a history are verified in the transactions that wrote them, deletions among them', async ({
    server,
    open,
  }) => {
    const db = await tableIn(
      server,
      'versions',
      'CREATE TABLE pets (id INTEGER, name VARCHAR[40], PRIMARY KEY id);',
      "INSERT INTO pets (id, name) VALUES (1, 'Kim'), (2, 'Noa');",
      insert('between'),
      "UPDATE pets SET name = 'Kit' WHERE id = 1;",
      'DELETE FROM pets WHERE id = 1;',
      insert('between'),
      "INSERT INTO pets (id, name) VALUES (1, 'Ari');",
    )
    expect(await db.txId()).toBe(8)
    const console = await open(server.url)
    const verify = await signedIn(console, 'versions', 'query')
    await console.runSql('SELECT * FROM (HISTORY OF pets)')
    await console.grid(1).waitFor()
    await verify.verify(1).click()
    const part = 'not covered by the proof: _rev'
    await verify
      .summary(1)
      .getByText(new RegExp(`5 in part \\(${part}; the name`))
      .waitFor()
    for (const tx of [3, 5, 8]) {
      await verify
        .marks(1, new RegExp(`^In part, tx ${tx}: not covered`))
        .first()
        .waitFor()
    }
    await verify.marks(1, /^In part, tx 6: not covered/).click()
    const drawer = verify.drawer('row id = 1 of pets, revision 3')
    await drawer.getByText('Verified in part', { exact: true }).waitFor()
    await drawer.getByText(/By its proof, this transaction deleted the row/).waitFor()
    await drawer.getByText('Deleted', { exact: true }).waitFor()
    await verify.close()
    await verify.pressV(1, 'Kit')
    await verify
      .drawer('row id = 1 of pets, revision 2')
      .getByText(/By its proof, this transaction wrote the row like this\./)
      .waitFor()
    await verify.close()
    await console.runSql('SELECT id, name FROM (HISTORY OF pets)')
    await console.grid(2).waitFor()
    await verify.verify(2).click()
    await verify
      .summary(2)
      .getByText(/This result has no column _rev/)
      .waitFor()
  })

  test('a table that was altered is told apart from a broken history', async ({ server, open }) => {
    const db = await tableIn(server, 'altered', insert('one'))
    const console = await open(server.url)
    const verify = await signedIn(console, 'altered', 'query')
    await console.runSql('SELECT * FROM orders')
    await verify.pressV(1, 'one')
    await verify.inPart()
    await verify.close()
    await db.exec('ALTER TABLE orders RENAME COLUMN name TO title;')
    await console.runSql('SELECT id, title FROM orders')
    await verify.pressV(2, 'one')
    const drawer = verify.drawer()
    await drawer.getByText(/is not described as this browser recorded it/).waitFor()
    await drawer.getByText('2 name VARCHAR[40]').waitFor()
    await drawer.getByText('2 title VARCHAR[40]').waitFor()
    expect(await new TrustPage(console).bar.count()).toBe(0)
    await drawer.getByRole('button', { name: 'Accept the new description', exact: true }).click()
    await verify.inPart()
  })
})

describe('keys and transactions', () => {
  test('the newest, an older revision, a deletion, an expired value, a reference in two steps', async ({
    server,
    open,
  }) => {
    const db = await tableIn(server, 'keys')
    await setKeys(db, [['k', '{"a":1}']])
    await setKeys(db, [['k', 'second']])
    const ref = { key: base64('r'), referencedKey: base64('k') }
    await db.call('/db/setreference', ref)
    const expiration = { expiresAt: '1600000000' }
    const KVs = [{ key: base64('old'), value: base64('x'), metadata: { expiration } }]
    await db.call('/db/set', { KVs })
    await setKeys(db, [['gone', 'x']])
    await db.call('/db/deletekey', { keys: [base64('gone')] })
    const console = await open(server.url)
    const verify = await signedIn(console, 'keys', 'keys?key=k')
    const keys = new KeysPage(console.page)
    await keys.entry.getByText('second').waitFor()
    await keys.button('Verify').click()
    const drawer = await verify.verified('key k')
    await drawer
      .getByRole('region', { name: 'the value in the proof' })
      .getByText('second')
      .waitFor()
    await verify.close()
    await keys.entry.getByRole('link', { name: /^rev 1/ }).click()
    await keys.entry.getByText('This is revision 1.').waitFor()
    await keys.button('Verify').click()
    const older = verify.drawer()
    await older.getByText(/^Not covered by the proof: the revision number\./).waitFor()
    await older.getByRole('treeitem', { name: '"a": 1' }).waitFor()
    await verify.close()
    const byTx = async (key: string, words: RegExp, proof: RegExp) => {
      await keys.get(key)
      await keys.entry.getByText(words).waitFor()
      await keys.button('Verify').click()
      await (await verify.verified()).getByText(proof).first().waitFor()
      await verify.close()
    }
    await byTx('gone', /This key was deleted/, /Entry 1 of this transaction deletes it\./)
    await byTx('old', /This value has expired/, /It is entry 1 of this transaction\./)
    await keys.get('r')
    await keys.entry.getByText('Reference', { exact: true }).waitFor()
    await keys.button('Verify').click()
    const both = await verify.verified('key r')
    await both.getByRole('heading', { name: '1. key r', exact: true }).waitFor()
    await both.getByText(/The reference alone/).waitFor()
    await both.getByRole('heading', { name: '2. the entry it refers to', exact: true }).waitFor()
    await both.getByRole('region', { name: 'the value in the proof' }).getByText('second').waitFor()
    await expect
      .poll(() => both.getByText('Verified in this browser', { exact: true }).count())
      .toBe(2)
  })

  test('recent transactions, with all of their entries, by a reader as well', async ({
    server,
    open,
  }) => {
    const db = await tableIn(server, 'recent', insert('one', 'two'))
    await db.createUser('looker', 'C0rrect-horse', 1, 'recent')
    const console = await open(server.url)
    await console.enter('/?db=recent', 'looker', 'C0rrect-horse')
    const verify = new VerifyPage(console)
    await console.page.getByRole('button', { name: 'Verify tx 2', exact: true }).click()
    const drawer = verify.drawer('tx 2')
    await drawer.getByText('Verified in part', { exact: true }).waitFor()
    await drawer.getByText(/^Not covered by the proof: what it touched\./).waitFor()
    const entries = drawer.getByRole('region', { name: 'Entries in the proof' })
    await expect.poll(() => entries.getByRole('listitem').count()).toBe(2)
  })
})

describe('receipts', () => {
  test('of SQL say that they are in the history, of keys that they are verified', async ({
    server,
    open,
  }) => {
    await tableIn(server, 'receipts')
    const console = await open(server.url)
    const verify = await signedIn(console, 'receipts', 'query')
    await console.runSql(insert('by hand'))
    await console
      .result(1)
      .getByRole('button', { name: /^Transaction 2 is in the history\./ })
      .click()
    await verify
      .drawer('tx 2')
      .getByText(/^Not covered by the proof: what was sent\./)
      .waitFor()
    await verify.close()
    await console.link('Keys').click()
    const keys = new KeysPage(console.page)
    await keys.set(Buffer.from('k'), Buffer.from('v'), true)
    await keys.entry.getByRole('button', { name: 'Verified at tx 3', exact: true }).click()
    await verify.verified('tx 3')
    await verify.close()
    await keys.button('Delete…').click()
    await keys.button('Delete the key').click()
    await keys.entry.getByRole('button', { name: 'Verified at tx 4', exact: true }).waitFor()
  })
})

const notFound: Fault = {
  kind: 'answer',
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"tbtree: key not found","code":2,"message":"tbtree: key not found"}',
}

describe('faults', () => {
  test('F73, F74: a lagging index, a byte flipped once, a server that is away: no alarm', async ({
    server,
    proxy,
    open,
  }) => {
    await tableIn(server, 'calm', insert('one'))
    const console = await open(proxy.url)
    const verify = await signedIn(console, 'calm', 'query')
    await console.runSql('SELECT id, name FROM orders')
    const path = '/api/db/verifiable/sqlget'
    proxy.fault({ path, times: 2, fault: notFound })
    await verify.pressV(1, 'one')
    await verify.inPart()
    expect(proxy.count({ path })).toBe(3)
    await verify.close()
    proxy.fault({ path, times: 1, fault: changed('eH') })
    await verify.pressV(1, 'one')
    await verify.inPart()
    await verify.close()
    const away = proxy.fault({ path, fault: { kind: 'reset' } })
    await verify.pressV(1, 'one')
    const alert = verify.drawer().getByRole('alert')
    await alert.getByText(/This says nothing about what is stored/).waitFor()
    away()
    await alert.getByRole('button', { name: 'Try again', exact: true }).click()
    await verify.inPart()
    await verify.close()
    proxy.fault({ path, fault: notFound })
    await verify.pressV(1, 'one')
    await verify.drawer().getByText('This cannot be proven', { exact: true }).waitFor()
    expect(await new TrustPage(console).bar.count()).toBe(0)
  })

  test.for([
    ['row', '/api/db/verifiable/sqlget', 'value', 'Digest in its transaction'],
    ['key', '/api/db/verifiable/get', 'value', 'Digest in its transaction'],
    ['tx', /\/api\/db\/verifiable\/tx\/2\?/, 'hValue', 'Digest in its transaction'],
  ] as const)(
    'F74: a %s whose answer has a flipped byte is refused, with the step, the hashes and the bar',
    async ([kind, path, field, step], { server, proxy, open }) => {
      const database = `flip${kind}${field.toLowerCase()}`
      const db = await tableIn(server, database, insert('one'))
      await setKeys(db, [['k', 'value of the key']])
      const console = await open(proxy.url)
      const page = kind === 'row' ? 'query' : kind === 'key' ? 'keys?key=k' : ''
      const verify = await signedIn(console, database, page)
      if (kind === 'row') {
        await console.runSql('SELECT id, name FROM orders')
        await console.grid(1).waitFor()
      }
      if (kind === 'key') await new KeysPage(console.page).entry.getByText('value of').waitFor()
      const trust = new TrustPage(console)
      await trust.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
      proxy.fault({ path, fault: changed(field) })
      if (kind === 'row') await verify.pressV(1, 'one')
      else if (kind === 'key') await new KeysPage(console.page).button('Verify').click()
      else await console.page.getByRole('button', { name: 'Verify tx 2', exact: true }).click()
      const drawer = verify.drawer()
      const alert = drawer.getByRole('alert')
      await alert.getByText(/^Reason /).waitFor()
      for (const what of ['expected', 'received']) {
        await alert.getByRole('button', { name: `Copy ${what} hash`, exact: true }).waitFor()
      }
      const steps = drawer.getByRole('list', { name: 'Proof' }).getByRole('listitem')
      await steps.filter({ hasText: step }).getByText('Does not hold', { exact: true }).waitFor()
      expect(await drawer.getByText('Verified in this browser').count()).toBe(0)
      await drawer.getByRole('button', { name: 'Save evidence', exact: true }).waitFor()
      await verify.close()
      await trust.bar.waitFor()
      if (kind === 'row') await verify.marks(1, /^Refused: /).waitFor()
    },
  )

  test('F74: a document whose answer has a flipped byte is refused, with the step and the bar', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await tableIn(server, 'flipdocument')
    const { id, path } = await documentIn(db)
    const console = await open(proxy.url)
    const verify = await signedIn(
      console,
      'flipdocument',
      `verify?tab=check&collection=notes&doc=${id}`,
    )
    const trust = new TrustPage(console)
    await trust.known()
    const check = console.page.getByRole('form', { name: 'A document' }).getByRole('button')
    proxy.fault({ path, times: 1, fault: changed('encodedDocument') })
    await check.click()
    await verify.inPart()
    await verify.close()
    proxy.fault({ path, fault: changed('encodedDocument') })
    await check.click()
    await verify
      .drawer()
      .getByRole('alert')
      .getByText(/^Reason /)
      .waitFor()
    const steps = verify.drawer().getByRole('list', { name: 'Proof' }).getByRole('listitem')
    await steps
      .filter({ hasText: 'Content to digest' })
      .getByText('Does not hold', { exact: true })
      .waitFor()
    expect(await verify.drawer().getByText('Verified in this browser').count()).toBe(0)
    await verify.close()
    await trust.bar.getByText(/gave a false proof\.$/).waitFor()
  })

  test('F41: a value of 4 MiB has a proof up to the limit, and beyond it the reason', async ({
    server,
    open,
  }) => {
    const db = await tableIn(server, 'large')
    await setKeys(db, [['fits', Buffer.alloc(3_000_000, 'x')]])
    const console = await open(server.url)
    const verify = await signedIn(console, 'large', 'keys?key=fits')
    const keys = new KeysPage(console.page)
    await keys.entry.getByText('This is the beginning.').waitFor()
    await keys.button('Verify').click()
    await verify.verified()
    await verify.close()
    await setKeys(db, [['over', Buffer.alloc(4_300_000, 'x')]])
    await keys.get('over')
    await keys.entry.getByText(/larger than 4 MiB/).waitFor()
    await expect
      .poll(() => keys.button('Verify').getAttribute('title'))
      .toMatch(/does not fit into the 4 MiB/)
  })
})

describe.for(sizes)('axe on proofs, $size', unhurried, ({ size, viewport }) => {
  test('of a row, refused and verified, and marks', async ({ server, proxy, open }) => {
    const database = `look${size}`
    await tableIn(server, database, insert('one', 'two', 'three'))
    const console = await open(proxy.url, { viewport })
    const verify = await signedIn(console, database, 'query')
    await console.runSql('SELECT id, name FROM orders')
    if (size === 'phone') await console.page.getByRole('tab', { name: 'Output' }).click()
    await verify.verify(1).click()
    await verify
      .summary(1)
      .getByText(/^0 of 3 rows verified, 3 in part/)
      .waitFor()
    await look(console, 'query-in-part')
    await verify
      .marks(1, /^In part/)
      .first()
      .click()
    await verify.inPart()
    await look(console, 'proof-in-part')
    await verify.close()
    await verify.audit(database)
    await console.open(`/query?db=${database}`)
    await console.runSql('SELECT * FROM orders')
    if (size === 'phone') await console.page.getByRole('tab', { name: 'Output' }).click()
    await console.grid(1).waitFor()
    await verify.verify(1).click()
    await verify.summary(1).getByText('3 of 3 rows verified.').waitFor()
    await look(console, 'query-verified')
    await verify
      .marks(1, /^Verified/)
      .first()
      .click()
    const drawer = await verify.verified()
    await drawer.getByText('Inputs', { exact: true }).first().click()
    await look(console, 'proof-verified')
    proxy.fault({ path: '/api/db/verifiable/sqlget', fault: changed('value') })
    await drawer.getByRole('button', { name: 'Verify again', exact: true }).click()
    await drawer
      .getByRole('alert')
      .getByText(/^Reason /)
      .waitFor()
    await look(console, 'proof-refused')
  })
})
