import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { type DebianScript, debianScript } from '../support/debian-scripts'
import { test } from '../support/e2e'
import { countsOf, judged, requestOf, runOn, transactionsOf } from '../support/script-runs'

/** A dump with every kind of column and value, as its program writes it. */
const dumped = (name: string) =>
  new File(
    [readFileSync(new URL(`../fixtures/scripts/${name}.sql`, import.meta.url))],
    `${name}.sql`,
  )

/** Tables of the server. */
async function tablesOf(db: Api): Promise<string[]> {
  const rows = await db.query('SELECT * FROM TABLES();')
  return rows.map(([cell]) => String(cell?.s))
}

/** Statements of the scripts by what becomes of them, as of the packages of Debian 12. */
const known: readonly (readonly [DebianScript, Readonly<Record<string, number>>, number])[] = [
  ['phpmyadmin.mysql', { rewritten: 19, 'left out': 2 }, 19],
  ['roundcube.mysql', { rewritten: 18, 'left out': 2 }, 17],
  ['roundcube.postgres', { rewritten: 30, 'left out': 9 }, 17],
  ['roundcube.sqlite', { runs: 1, rewritten: 32, 'left out': 2 }, 17],
]

describe('a script of a Debian package', () => {
  test.for(known)(
    '%s is judged, and what is sent is taken',
    async ([name, counts, tables], { serve }) => {
      const db = await api((await serve()).url)
      const file = await debianScript(name)
      const script = await judged(file)
      // A new version of a package may have more statements, but none that cannot run.
      expect(Object.keys(countsOf(script)).sort()).toEqual(Object.keys(counts).sort())
      expect(script.index.count).toBeGreaterThanOrEqual(
        Object.values(counts).reduce((sum, count) => sum + count, 0),
      )
      expect(await runOn(db, file, script)).toEqual([])
      expect(await tablesOf(db)).toHaveLength(tables)
    },
  )

  test('dumps with every kind of value are taken, value by value', async ({ serve }) => {
    const db = await api((await serve()).url)
    const mysql = dumped('mysqldump')
    const script = await judged(mysql)
    expect(countsOf(script)).toEqual({ rewritten: 2, 'left out': 11 })
    expect(await runOn(db, mysql, script)).toEqual([])
    const rows = await db.query(
      'SELECT id, ti, de, big, fl, bi, ch, en, te, bl, vb, da, dt, ts, tm, ye, js FROM every;',
    )
    const none = { null: null }
    const time = (ms: number) => ({ ts: String(ms * 1_000) })
    expect(rows).toEqual([
      [
        { n: '1' },
        { n: '-1' },
        { f: 1.5 },
        { n: '999999999999999999' },
        { f: 15_000_000_000 },
        { b: false },
        { s: 'abc' },
        { s: 'b,c' },
        { s: 'a\'b\\c\nd"e\0f' },
        { bs: Buffer.from('\0ÿ').toString('base64') },
        { bs: 'AP8=' },
        time(Date.UTC(2024, 1, 29)),
        { ts: '1714979289123456' },
        { ts: '1000000' },
        { s: '-838:59:59' },
        { n: '2024' },
        { s: '{"a":"\\""}' },
      ],
      [
        { n: '2' },
        none,
        { f: -0.0001 },
        none,
        none,
        { b: true },
        none,
        { s: "d'e" },
        { s: '' },
        none,
        none,
        none,
        none,
        time(Date.UTC(2038, 0, 19, 3, 14, 7)),
        none,
        none,
        none,
      ],
    ])
    const sqlite = dumped('sqlite')
    const other = await judged(sqlite)
    expect(other.index.badRows).toBe(0)
    expect(await runOn(db, sqlite, other)).toEqual([])
    expect(await db.query('SELECT a, b, r, n, d, f FROM t;')).toEqual([
      [
        { s: "it's\ntwo\r\nx" },
        { bs: 'AP8=' },
        { f: 1e301 },
        { f: 12.5 },
        time(Date.UTC(2024, 0, 2)),
        { b: true },
      ],
      [{ s: '😀 \\ "q"' }, none, { f: 0 }, { f: 1e20 }, none, { b: false }],
      [none, { bs: '' }, { f: 'Infinity' }, { f: 5 }, none, { b: true }],
    ])
    const postgres = dumped('pg_dump')
    const last = await judged(postgres)
    // One row has the time “infinity”.
    expect(last.index.badRows).toBe(1)
    expect(await runOn(db, postgres, last)).toEqual([])
    const kinds = await db.query(
      'SELECT s, i, n, n2, d, v, t, b, ts, tz, da, iv, bo, u, j, ia, m, ip, mo, groesse FROM kinds;',
    )
    expect(kinds).toEqual([
      [
        { n: '1' },
        { n: '2147483647' },
        { n: '12345678' },
        { f: 123.45 },
        { f: 'NaN' },
        { s: 'žluť' },
        { s: "tab\tnl\nbs\\ q'" },
        { bs: 'AP8=' },
        { ts: '1714979289123456' },
        { ts: '-60772255200000000' },
        time(Date.UTC(2024, 1, 29)),
        { s: '1 day' },
        { b: false },
        { s: '8d9a6d2e-1b3c-4f5a-9c1d-2e3f4a5b6c7d' },
        { s: '{"a":[1,2]}' },
        { s: '{1,2}' },
        { s: 'sad' },
        { s: '10.0.0.1/8' },
        { s: '$1.50' },
        { n: '7' },
      ],
    ])
  })

  test('SQL of immudb itself runs as it is, and the server makes what it is asked for', async ({
    serve,
  }) => {
    const db = await api((await serve()).url)
    const own = new File(
      [
        `CREATE TABLE own (id INTEGER AUTO_INCREMENT, v VARCHAR[20], at TIMESTAMP, u UUID, PRIMARY KEY id);
INSERT INTO own (v, at, u) VALUES ('it''s', NOW(), RANDOM_UUID()), ('b', NULL, NULL);
INSERT INTO own (v) VALUES (UPPER('calculated'));
INSERT INTO own (id, v) SELECT id + 10, v FROM own WHERE id = 1;
BEGIN TRANSACTION;
DELETE FROM own;
ROLLBACK;
CREATE VIEW seen AS SELECT v FROM own;
UPDATE own SET v = 'c' WHERE v = 'b' LIMIT 1;
`,
      ],
      'own.sql',
    )
    const script = await judged(own)
    expect(countsOf(script)).toEqual({ runs: 6, 'left out': 3 })
    expect(await runOn(db, own, script)).toEqual([])
    expect(await db.query('SELECT id, v FROM own;')).toEqual(
      [
        ['1', "it's"],
        ['2', 'c'],
        ['3', 'CALCULATED'],
        ['11', "it's"],
      ].map(([n, s]) => [{ n }, { s }]),
    )
    const [[at, u] = []] = await db.query('SELECT at, u FROM own WHERE id = 1;')
    expect(Math.abs(Number(at?.ts) / 1_000 - Date.now())).toBeLessThan(120_000)
    expect(String(u?.s)).toMatch(/^[\da-f-]{36}$/)
    expect(await db.query('SELECT COUNT(*) FROM seen;')).toEqual([[{ n: '4' }]])
  })

  test('zabbix with its 130,000 rows is judged, and what is sent is taken', {
    timeout: 600_000,
  }, async ({ serve }) => {
    const db = await api((await serve()).url)
    const parts = await Promise.all(
      (['zabbix.schema', 'zabbix.images', 'zabbix.data'] as const).map(debianScript),
    )
    const file = new File(parts, 'zabbix.sql')
    const script = await judged(file)
    expect(Object.keys(countsOf(script)).sort()).toEqual(['left out', 'rewritten'])
    expect(script.index.badRows).toBe(0)
    expect(script.index.count).toBeGreaterThan(130_000)
    // All tables and indexes, and of the rows the first transactions of each table.
    const perTable = new Map<string, number>()
    const refused: string[] = []
    let sent = 0
    for await (const items of transactionsOf(file, script)) {
      const table = items[0]?.row?.target.table
      const before = table === undefined ? 0 : (perTable.get(table) ?? 0)
      if (table !== undefined) perTable.set(table, before + 1)
      if (before >= 3) continue
      sent += 1
      await db.call('/db/sqlexec', requestOf(items)).catch((error: Error) => {
        refused.push(`line ${items[0]?.line}: ${error.message}`)
      })
    }
    expect(refused).toEqual([])
    expect(sent).toBeGreaterThan(400)
    expect(await tablesOf(db)).toHaveLength(173)
    const [[icon]] = (await db.query('SELECT image FROM images WHERE imageid = 1;')) as [
      [{ bs: string }],
    ]
    expect(Buffer.from(icon.bs, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })
})
