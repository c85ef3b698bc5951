import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { type DebianScript, debianScript } from '../support/debian-scripts'
import { test } from '../support/e2e'
import { countsOf, judged, requestOf, runOn, transactionsOf } from '../support/script-runs'

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
