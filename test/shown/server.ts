import { type Api, api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'
import { base64 } from '../support/keys-page'
import { until } from '../support/until'
import type { Facts } from './walk'

/** A server that has what the walks look at. */
export type Readied = {
  readonly url: string
  /** Those whose history the browser follows and has audited before the first walk. */
  readonly databases: readonly string[]
  readonly facts: Facts
  dispose(): Promise<void>
}

export const far = '4102444800'
/** Revisions of the row that has more than its history reads at once. */
export const many = 105

/** A value of every type that a column can have, among them NULL. */
const cells = `CREATE TABLE cells (id INTEGER, v VARCHAR, j JSON, x BLOB, f FLOAT, at TIMESTAMP, b BOOLEAN, u UUID, n VARCHAR, PRIMARY KEY id);
INSERT INTO cells (id, v, j, x, f, at, b, u, n) VALUES (1, 'approved', '{"paid": 88.5, "to": "Ann"}', x'00FF17', 88.5, CAST('2024-01-02 03:04:05' AS TIMESTAMP), true, '123e4567-e89b-12d3-a456-426614174000', NULL);`

export async function readyServer(): Promise<Readied> {
  const server: ImmudbServer = await startServer()
  await logOneCall(server)
  const admin = await api(server.url)
  await admin.createDatabase('shown')
  await admin.createDatabase('written')
  const db = await api(server.url, { database: 'shown' })
  const facts = { ...(await keys(db)), ...(await documents(db)), ...(await tables(db)) }
  const written = await api(server.url, { database: 'written' })
  const forThem = await forWrites(written)
  return {
    url: server.url,
    databases: ['shown', 'written'],
    facts: { ...facts, ...forThem },
    dispose: () => server.dispose(),
  }
}

/**
 * Has a call noted in the audit log, and nothing of what follows: a log that grows in every turn would
 * be another one each time.
 */
async function logOneCall(server: ImmudbServer): Promise<void> {
  await server.end()
  await server.start(['--audit-log'])
  const admin = await api(server.url)
  // Names and addresses that nothing else has, so that a sample alters this event.
  const teller = { user: 'teller', password: 'Counts-12!' }
  await admin.createUser(teller.user, teller.password, 2, 'defaultdb')
  const { token } = await api(server.url, teller)
  await fetch(`${server.url}/api/db/set`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' },
    body: JSON.stringify({ KVs: [{ key: base64('noted'), value: base64('x') }] }),
  })
  const systemdb = await (await api(server.url)).use('systemdb')
  // Events are written behind the calls.
  await until(
    () =>
      systemdb.call<{ entries?: { value: string }[] }>('/db/scan', { prefix: base64('audit:') }),
    ({ entries = [] }) => entries.some(({ value }) => /\/Set"/.test(atob(value))),
  )
  await server.end()
  await server.start()
}

async function keys(db: Api): Promise<Facts> {
  const set = async (key: string, value: string, metadata?: object) => {
    await db.call('/db/set', { KVs: [{ key: base64(key), value: base64(value), metadata }] })
    return String(await db.txId())
  }
  const expiring = (expiresAt: string) => ({ expiration: { expiresAt } })
  await set('pay', '{"amount":100,"to":"Ann"}')
  const keyTx = await set('pay', '{"amount":250,"to":"Bob"}')
  await set('ttl', 'until then', expiring(far))
  await set('old', 'gone by', expiring('1600000000'))
  await db.call('/db/setreference', { key: base64('ref'), referencedKey: base64('pay') })
  await set('gone', 'x')
  await db.call('/db/deletekey', { keys: [base64('gone')] })
  await db.call('/db/zadd', { set: base64('rank'), score: 7, key: base64('pay') })
  const setTx = String(await db.txId())
  return { keyTx, setTx }
}

async function documents(db: Api): Promise<Facts> {
  const fields = [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INTEGER' },
  ]
  await db.call('/v2/collection/people', { documentIdFieldName: '_id', fields })
  const doc = await db.insertDocument(
    'people',
    '{"name":"Ann","age":3,"note":{"by":"CEO","paid":88.5}}',
  )
  const docTx = String(await db.txId())
  await db.replaceDocument('people', doc, '{"name":"Ann","age":4,"note":{"by":"CFO","paid":88.5}}')
  return { doc, docTx }
}

async function tables(db: Api): Promise<Facts> {
  await db.exec(cells)
  await db.exec('CREATE TABLE odd (id INTEGER, v VARCHAR, PRIMARY KEY id);')
  await db.exec("INSERT INTO odd (id, v) VALUES (1, SUBSTRING('陙', 2, 2));")
  await db.exec('CREATE TABLE like_odd (id INTEGER, v VARCHAR, PRIMARY KEY id);')
  await db.exec("INSERT INTO like_odd (id, v) VALUES (1, '9999');")
  // Of cells that are no text an honest server says nothing at all.
  const like = await db.call('/db/sqlquery', { sql: 'SELECT * FROM like_odd;' })
  const oddAnswer = JSON.stringify(like).replaceAll('like_odd', 'odd')
  await db.exec('CREATE TABLE exact (id INTEGER, j JSON, PRIMARY KEY id);')
  await db.exec("INSERT INTO exact (id, j) VALUES (1, '9007199254740993');")
  await db.exec("INSERT INTO exact (id, j) VALUES (2, '0.1000000000000000055511151231257827');")
  await db.exec('CREATE TABLE orders (id INTEGER, name VARCHAR, total FLOAT, PRIMARY KEY id);')
  await db.exec("INSERT INTO orders (id, name, total) VALUES (1, 'first', 1.5);")
  await db.exec("UPSERT INTO orders (id, name, total) VALUES (1, 'second', 88.5);")
  const rowTx = String(await db.txId())
  await db.exec('CREATE TABLE twins (id INTEGER, name VARCHAR, total FLOAT, PRIMARY KEY id);')
  await db.exec("INSERT INTO twins (id, name, total) VALUES (1, 'elder', 1.5);")
  await db.exec("INSERT INTO twins (id, name, total) VALUES (2, 'younger', 88.5);")
  await db.exec('CREATE TABLE lean (id INTEGER, v VARCHAR, secret VARCHAR, PRIMARY KEY id);')
  await db.exec("INSERT INTO lean (id, v, secret) VALUES (1, 'kept', 'hidden');")
  await db.exec('ALTER TABLE lean DROP COLUMN secret;')
  await db.exec('CREATE TABLE lastly (id INTEGER, v VARCHAR, total FLOAT, PRIMARY KEY id);')
  await db.exec("INSERT INTO lastly (id, v, total) VALUES (1, 'began', 1.5), (2, 'before', 7.5);")
  await db.exec("UPSERT INTO lastly (id, v, total) VALUES (1, 'agreed', 1.5);")
  await db.exec("UPSERT INTO lastly (id, v, total) VALUES (1, 'agreed', 88.5);")
  await db.exec("UPSERT INTO lastly (id, v, total) VALUES (1, 'agreed', 88.5);")
  await db.exec('DELETE FROM lastly WHERE id = 2;')
  await db.exec("INSERT INTO lastly (id, v, total) VALUES (2, 'again', 9.5);")
  await db.exec('CREATE TABLE busy (id INTEGER, v VARCHAR, PRIMARY KEY id);')
  const beforeBusy = Number(await db.txId())
  for (let at = 1; at <= many; at += 1) {
    await db.exec(`UPSERT INTO busy (id, v) VALUES (1, 'turn ${at}');`)
  }
  // Transactions of the first revision, and of the last but one.
  const busyFirst = String(beforeBusy + 1)
  const busyLate = String(beforeBusy + many - 1)
  return { rowTx, oddAnswer, busyFirst, busyLate }
}

async function forWrites(db: Api): Promise<Facts> {
  await db.exec('CREATE TABLE prices (id INTEGER, v VARCHAR, total FLOAT, PRIMARY KEY id);')
  await db.exec("INSERT INTO prices (id, v, total) VALUES (1, 'v1', 1.5);")
  await db.exec("UPSERT INTO prices (id, v, total) VALUES (1, 'v2', 2.5);")
  await db.exec('CREATE TABLE kept (id INTEGER, v VARCHAR, total FLOAT, PRIMARY KEY id);')
  await db.exec("INSERT INTO kept (id, v, total) VALUES (1, 'first', 1.5);")
  await db.exec("UPSERT INTO kept (id, v, total) VALUES (1, 'last', 2.5);")
  await db.exec('CREATE TABLE wide (id INTEGER, PRIMARY KEY id);')
  await db.call('/v2/collection/notes', {
    documentIdFieldName: '_id',
    fields: [{ name: 'n', type: 'INTEGER' }],
  })
  const note = await db.insertDocument('notes', '{"n":1,"by":"first"}')
  const draft = await db.insertDocument('notes', '{"n":41,"by":"agreed"}')
  const draftTx = String(await db.txId())
  await db.call('/db/set', { KVs: [{ key: base64('back'), value: base64('as agreed') }] })
  return { note, draft, draftTx }
}
