import { type Api, api } from './api'
import { until } from './until'

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

/** What {@link writeOddHistory} wrote, by the numbers of the transactions. */
export type OddHistory = {
  readonly keys: number
  readonly reference: number
  readonly set: number
  readonly table: number
  readonly inserted: number
  readonly changed: number
  readonly renamed: number
  readonly dropped: number
  readonly twice: number
  readonly deleted: number
  readonly collection: number
  readonly document: number
  readonly wide: number
  readonly large: number
  readonly newest: number
}

/** Writes a history with everything that is awkward to show into a database of its own. */
export async function writeOddHistory(url: string, database: string): Promise<OddHistory> {
  const db = await api(url)
  await db.createDatabase(database)
  await db.use(database)
  const at = async (work: () => Promise<unknown>) => {
    await work()
    return db.txId()
  }
  const sql = (text: string) => at(() => db.exec(text))
  const set = (KVs: readonly object[]) => at(() => db.call('/db/set', { KVs }))
  const keys = await set([
    { key: base64('greeting'), value: base64('hello') },
    { key: base64(Buffer.from([0xff, 0xfe])), value: base64('of bytes') },
    { key: base64('<b>bold</b>'), value: base64('<img src=x onerror=window.__pwn=1>') },
    expiring(),
  ])
  const reference = await at(() =>
    db.call('/db/setreference', { key: base64('ref'), referencedKey: base64('greeting') }),
  )
  const setTx = await at(() =>
    db.call('/db/zadd', { set: base64('scores'), score: -1.5, key: base64('greeting') }),
  )
  const table = await sql(
    'CREATE TABLE flour (region VARCHAR[8], sack INTEGER, grade VARCHAR, price FLOAT, PRIMARY KEY (region, sack));',
  )
  const inserted = await sql(
    "INSERT INTO flour (region, sack, grade, price) VALUES ('nord', 1, 'T45', 1.5), ('süd', -2, NULL, NULL);",
  )
  const changed = await sql("UPDATE flour SET grade = 'T55' WHERE region = 'nord' AND sack = 1;")
  const renamed = await sql('ALTER TABLE flour RENAME COLUMN grade TO kind;')
  const dropped = await sql('ALTER TABLE flour DROP COLUMN price;')
  const twice = await sql(
    "UPSERT INTO flour (region, sack, kind) VALUES ('nord', 1, 'once'); UPSERT INTO flour (region, sack, kind) VALUES ('nord', 1, 'again');",
  )
  const deleted = await sql("DELETE FROM flour WHERE region = 'süd';")
  const collection = await at(() =>
    db.call('/v2/collection/orders', {
      name: 'orders',
      fields: [{ name: 'customer', type: 'STRING' }],
    }),
  )
  await writeDocument(db)
  const document = await at(() => replaceDocument(db))
  const wide = await set(
    Array.from({ length: 1_024 }, (_, number) => ({
      key: base64(`wide:${String(number).padStart(4, '0')}`),
      value: base64(`value ${number}`),
    })),
  )
  const large = await set([
    { key: base64('large'), value: base64(Buffer.alloc(3_000_000, 'x')) },
    { key: base64('also large'), value: base64(Buffer.alloc(3_000_000, 'y')) },
  ])
  await until(() => hasExpired(db), Boolean)
  const numbers = { keys, reference, set: setTx, table, inserted, changed, renamed, dropped }
  return { ...numbers, twice, deleted, collection, document, wide, large, newest: large }
}

/** A key that expires within a second. */
function expiring() {
  const expiresAt = String(Math.floor(Date.now() / 1_000) + 1)
  return { key: base64('soon'), value: base64('gone'), metadata: { expiration: { expiresAt } } }
}

async function hasExpired(db: Api): Promise<boolean> {
  const get = db.call(`/db/get/${encodeURIComponent(base64('soon'))}`)
  return get.then(
    () => false,
    (error: unknown) => /expired/.test(String(error)),
  )
}

async function writeDocument(db: Api): Promise<void> {
  const documents = [{ customer: 'Ann', total: 3.5 }]
  await db.call('/v2/collection/orders/documents', { documents })
}

async function replaceDocument(db: Api): Promise<void> {
  const answer = await fetch(`${db.base}/api/v2/collection/orders/documents/replace`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${db.token}` },
    body: JSON.stringify({
      query: {
        collectionName: 'orders',
        expressions: [{ fieldComparisons: [{ field: 'customer', operator: 'EQ', value: 'Ann' }] }],
      },
      document: { customer: 'Ann', total: 4.5, paid: true },
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
