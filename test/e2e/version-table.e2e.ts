import { describe, expect } from 'vitest'
import {
  type Fault,
  type Feature,
  faultNames,
  featureNames,
  hasFault,
  lacking,
  readVersion,
} from '~/immudb/server-versions'
import { type Api, api } from '../support/api'
import { type Serve, test } from '../support/e2e'
import { olderVersion, unnamedVersions, walkedVersions } from '../support/immudb-versions'

/** The version in our binary. */
const own = '1.11.1'

/** The server that is asked, with a table and two rows that every version takes. */
type Asked = { readonly db: Api; readonly serve: Serve; readonly version: string }

type Probe = (asked: Asked) => Promise<boolean>

const isRefused = (error: unknown): error is Error & { text: string } =>
  error instanceof Error && 'text' in error

/** Whether the server does all of it; any other failure than a refusal is thrown on. */
const does =
  (run: (db: Api) => Promise<unknown>): Probe =>
  async ({ db }) => {
    try {
      await run(db)
      return true
    } catch (error) {
      if (isRefused(error)) return false
      throw error
    }
  }

const runs = (sql: string) => does((db) => db.exec(sql))
const answers = (sql: string) => does((db) => db.query(sql))

async function idsOf(db: Api, sql: string): Promise<unknown> {
  const rows = await db.query(sql)
  return rows.map(([cell]) => Object.values(cell ?? {})[0])
}

/** One question for each feature that the guide and Settings list, in the words that screens send. */
const features: Readonly<Record<Feature, Probe>> = {
  documents: does((db) =>
    db.call('/v2/collection/notes', { fields: [{ name: 'n', type: 'INTEGER' }] }),
  ),
  truncation: async ({ db }) => {
    await db.createDatabase('cut')
    const body = { database: 'cut', retentionPeriod: '86400000' }
    const text = await db.call('/db/truncate', body).catch((error: unknown) => {
      if (isRefused(error)) return error.text
      throw error
    })
    // Nothing is that old yet, which only a server that truncates knows.
    return /retention period has not been reached/i.test(String(text))
  },
  floats: runs('CREATE TABLE floats (id INTEGER, f FLOAT, PRIMARY KEY id);'),
  collectionFields: does(async (db) => {
    await db.call('/v2/collection/fields', { fields: [{ name: 'n', type: 'INTEGER' }] })
    await db.call('/v2/collection/fields/field', { field: { name: 'm', type: 'STRING' } })
  }),
  dropping: does(async (db) => {
    await db.exec('CREATE TABLE gone (id INTEGER, PRIMARY KEY id);')
    await db.exec('DROP TABLE gone;')
  }),
  rowHistory: answers('SELECT * FROM (HISTORY OF t);'),
  uuids: runs('CREATE TABLE uuids (id INTEGER, u UUID, PRIMARY KEY id);'),
  json: runs('CREATE TABLE jsons (id INTEGER, j JSON, PRIMARY KEY id);'),
  sqlPrivileges: does(async (db) => {
    await db.createUser('probe', 'Pr0be-Pass', 1, 'defaultdb')
    const change = { action: 'GRANT', username: 'probe', database: 'defaultdb' }
    await db.call('/user/changesqlprivileges', { ...change, privileges: ['INSERT'] })
  }),
  deletingKeys: does(async (db) => {
    await db.call('/db/set', { KVs: [{ key: 'YQ==', value: 'Yg==' }] })
    await db.call('/db/deletekey', { keys: ['YQ=='] })
  }),
  deletingDatabases: does(async (db) => {
    await db.createDatabase('gone')
    await db.call('/db/unload', { database: 'gone' })
    await db.call('/db/delete', { database: 'gone' })
    await db.use('gone').then(
      () => Promise.reject(new Error('the database is still there')),
      () => undefined,
    )
  }),
  anyOrder: answers('SELECT id FROM t ORDER BY a;'),
  floatOrder: answers('SELECT id FROM t ORDER BY a != a, a;'),
  ranges: answers('SELECT id FROM t WHERE a BETWEEN 1 AND 2;'),
  textFilters: answers("SELECT id FROM t WHERE POSITION('x', s) > 0;"),
  explain: answers('EXPLAIN SELECT * FROM t;'),
  lineComments: async (asked) => {
    if (!(await answers('SELECT id -- a\nFROM t;')(asked))) return false
    return JSON.stringify(await idsOf(asked.db, 'SELECT id -- a\nFROM t;')) === '["1","2"]'
  },
  tableComparison: async (asked) => {
    const until = await asked.db.txId()
    return answers(`SELECT * FROM (DIFF OF t) SINCE TX 2 UNTIL TX ${until};`)(asked)
  },
  columnList: answers('SELECT table_name FROM information_schema_columns LIMIT 2500;'),
  rowEdits: runs(
    'UPDATE t SET a = 2 WHERE id = 1 LIMIT 1 / (SELECT COUNT(*) FROM t WHERE id = 1);',
  ),
  auditLog: async ({ serve, version }) => {
    const other = version === own ? {} : { version }
    return serve({ ...other, flags: ['--audit-log'] }).then(
      () => true,
      () => false,
    )
  },
}

/** The same for faults, where a question cannot end the server. */
const faults: Readonly<Partial<Record<Fault, Probe>>> = {
  leftToRight: async ({ db }) =>
    JSON.stringify(await idsOf(db, 'SELECT id FROM t WHERE id = 1 OR id = 2 AND a = 9;')) === '[]',
  unlisted: async (asked) => {
    const lists = does((db) => db.call('/db/list/v2', {}))
    if (!(await lists(asked))) return false
    await asked.db.createDatabase('closed')
    await asked.db.call('/db/unload', { database: 'closed' })
    return !(await lists(asked))
  },
  // Before 1.11 only COUNT(*) is answered, which is no wrong answer.
  countOfColumn: async ({ db }) => {
    const rows = await db.query('SELECT COUNT(a) FROM t;').catch((error: unknown) => {
      if (isRefused(error)) return null
      throw error
    })
    return rows !== null && Number(Object.values(rows[0]?.[0] ?? {})[0]) === 0
  },
}

const versions = [...unnamedVersions, olderVersion, ...walkedVersions, own]

describe.for(versions)('immudb %s', (version) => {
  test('has what the table says, lacks what it says, and does wrong what it says', async ({
    serve,
  }) => {
    const server = await serve(version === own ? {} : { version })
    const db = await api(server.url)
    await db.exec('CREATE TABLE t (id INTEGER, a INTEGER, s VARCHAR[10], PRIMARY KEY id);')
    await db.exec("INSERT INTO t (id, a, s) VALUES (1, 2, 'x'), (2, 1, 'yx');")
    const asked = { db, serve, version }
    const at = readVersion(version)
    const found = new Map<string, boolean>()
    for (const name of featureNames) found.set(name, await features[name](asked))
    for (const name of faultNames) {
      const wrong = await faults[name]?.(asked)
      if (wrong !== undefined) found.set(name, wrong)
    }
    const said = [
      ...featureNames.map((name) => [name, lacking(at, name) === undefined] as const),
      ...faultNames.flatMap((name) => (faults[name] ? [[name, hasFault(at, name)] as const] : [])),
    ]
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said))
  })
})
