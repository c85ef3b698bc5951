import { api } from './api'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What {@link writeTruncatedHistory} wrote, by the numbers of the transactions. */
export type TruncatedHistory = {
  readonly inserted: number
  readonly changed: number
  readonly greeting: number
  readonly renamed: number
  readonly document: number
  /** The newest one whose values are left. */
  readonly kept: number
  readonly truncation: number
  /** Wrote rows 2 and 3 after the truncation. */
  readonly after: number
  readonly newest: number
}

/**
 * Writes a history into a database of its own and truncates it. Values must be a day old for that,
 * so the server leaves out the times at first, which makes all of it as old as 1970. Values are
 * removed by whole files, so those are small.
 */
export async function writeTruncatedHistory(
  url: string,
  database: string,
): Promise<TruncatedHistory> {
  const db = await api(url)
  const settings = { excludeCommitTime: { value: true }, fileSize: { value: 4_096 } }
  await db.call('/db/create/v2', { name: database, settings })
  await db.use(database)
  const at = async (work: () => Promise<unknown>) => {
    await work()
    return db.txId()
  }
  const sql = (text: string) => at(() => db.exec(text))
  const set = (key: string, value: string) =>
    at(() => db.call('/db/set', { KVs: [{ key: base64(key), value: base64(value) }] }))
  await sql('CREATE TABLE flour (id INTEGER, kind VARCHAR, price FLOAT, PRIMARY KEY id);')
  const inserted = await sql(
    "INSERT INTO flour (id, kind, price) VALUES (1, 'T45', 1.5), (2, 'T55', 2.5);",
  )
  const changed = await sql("UPDATE flour SET kind = 'T65' WHERE id = 1;")
  const greeting = await set('greeting', 'hello')
  const renamed = await sql('ALTER TABLE flour RENAME COLUMN kind TO grade;')
  await sql('ALTER TABLE flour DROP COLUMN price;')
  await at(() =>
    db.call('/v2/collection/orders', {
      name: 'orders',
      fields: [{ name: 'customer', type: 'STRING' }],
    }),
  )
  const document = await at(() =>
    db.call('/v2/collection/orders/documents', { documents: [{ customer: 'Ann', total: 3.5 }] }),
  )
  await set('filler', 'x'.repeat(9_000))
  const kept = await set('greeting', 'hello again')
  const truncation = await at(() =>
    db.call('/db/truncate', { database, retentionPeriod: '86400000' }),
  )
  await db.call('/db/update/v2', { database, settings: { excludeCommitTime: { value: false } } })
  await db.call('/db/unload', { database })
  await db.call('/db/load', { database })
  await db.use(database)
  const after = await sql(
    "UPSERT INTO flour (id, grade) VALUES (2, 'T80'); INSERT INTO flour (id, grade) VALUES (3, 'T110');",
  )
  const newest = await set('greeting', 'hello once more')
  const before = { inserted, changed, greeting, renamed, document, kept }
  return { ...before, truncation, after, newest }
}
