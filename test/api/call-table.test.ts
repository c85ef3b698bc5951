// @vitest-environment node
import { expect, test } from 'vitest'
import { login, logout, openDatabase } from '~/api/auth'
import { type Client, createClient } from '~/api/client'
import { createDatabase } from '~/api/database-settings'
import { listDatabases } from '~/api/databases'
import { replaceDocument } from '~/api/documents'
import { getKey, setKey } from '~/api/keys'
import { readHealth, readState } from '~/api/server'
import { execSql, querySql } from '~/api/sql'
import { describeTable, listTables } from '~/api/tables'
import { changePassword, changePermission, createUser, listUsers, setActive } from '~/api/users'

const database = 'shop'
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What a call sends; the answer is none, so that each ends in a failure. */
async function sent(call: (client: Client) => Promise<unknown>) {
  const found: { line: string; body: unknown; token: string | null; outlives: boolean }[] = []
  const client = createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      const { body } = init ?? {}
      found.push({
        line: `${init?.method} ${String(input)}`,
        body: typeof body === 'string' ? JSON.parse(body) : null,
        token: new Headers(init?.headers).get('authorization'),
        outlives: init?.keepalive === true,
      })
      return new Response('', { headers: { 'content-type': 'application/json' } })
    },
  })
  await call(client).catch(() => {})
  return found
}

type Row = [name: string, call: (client: Client) => Promise<unknown>, line: string, body: unknown]

const rows: readonly Row[] = [
  [
    'login',
    (client) => login(client, 'Zoë', 'p w'),
    'POST /api/login',
    { user: base64('Zoë'), password: base64('p w') },
  ],
  ['logout', logout, 'POST /api/logout', {}],
  ['health', (client) => readHealth(client), 'GET /api/health', null],
  ['state', (client) => readState(client, database), 'GET /api/db/state', null],
  ['users', (client) => listUsers(client, { database }), 'GET /api/user/list', null],
  [
    'add a user',
    (client) => createUser(client, { user: 'a', password: 'b', database, permission: 2 }),
    'POST /api/user',
    { user: base64('a'), password: base64('b'), database, permission: 2 },
  ],
  [
    'make a user active',
    (client) => setActive(client, { user: 'a', active: true }),
    'POST /api/user/setactiveUser',
    { username: 'a', active: true },
  ],
  [
    'change a password',
    (client) => changePassword(client, { user: 'a', oldPassword: 'b', newPassword: 'c' }),
    'POST /api/user/password/change',
    { user: base64('a'), oldPassword: base64('b'), newPassword: base64('c') },
  ],
  [
    'change a permission',
    (client) => changePermission(client, { action: 'GRANT', user: 'a', database, permission: 1 }),
    'POST /api/user/changepermission',
    { action: 'GRANT', username: 'a', database, permission: 1 },
  ],
  ['databases', (client) => listDatabases(client), 'POST /api/db/list/v2', {}],
  [
    'create a database',
    (client) => createDatabase(client, { name: 'new', settings: new Map() }),
    'POST /api/db/create/v2',
    expect.objectContaining({ name: 'new' }),
  ],
  ['tables', (client) => listTables(client, { database }), 'GET /api/db/table/list', null],
  [
    'describe a table',
    (client) => describeTable(client, { database, table: 'orders' }),
    'POST /api/db/tables',
    { tableName: 'orders' },
  ],
  ['use a database', (client) => openDatabase(client, 'a b'), 'GET /api/db/use/a%20b', null],
  [
    'run a command',
    (client) => execSql(client, { database, sql: 'DROP TABLE t;' }),
    'POST /api/db/sqlexec',
    { sql: 'DROP TABLE t;' },
  ],
  [
    'run a query',
    (client) => querySql(client, { database, sql: 'SELECT 1;' }),
    'POST /api/db/sqlquery',
    { sql: 'SELECT 1;' },
  ],
  [
    'set an entry',
    (client) =>
      setKey(client, {
        database,
        key: base64('k'),
        value: base64('v'),
        expiresAt: null,
        precondition: { kind: 'must-not-exist' },
      }),
    'POST /api/db/set',
    {
      KVs: [{ key: base64('k'), value: base64('v') }],
      preconditions: [{ keyMustNotExist: { key: base64('k') } }],
    },
  ],
  [
    'get an entry',
    (client) => getKey(client, { database, key: base64('k') }),
    'GET /api/db/get/aw==',
    null,
  ],
  [
    'replace a document',
    (client) =>
      replaceDocument(client, {
        database,
        collection: 'a/b',
        id: 'ff',
        idField: 'key',
        document: { key: 'other', n: -0, [`__proto__`]: [1] },
      }),
    'PUT /api/v2/collection/a%2Fb/documents/replace',
    {
      query: {
        expressions: [{ fieldComparisons: [{ field: 'key', operator: 'EQ', value: 'ff' }] }],
        limit: 1,
      },
      document: { key: 'ff', n: -0, [`__proto__`]: [1] },
    },
  ],
]

const anonymous: ReadonlySet<string> = new Set(['login', 'health'])

/** Calls that must reach the server even if the page is left at once. */
const outliving: ReadonlySet<string> = new Set(['logout'])

test.each(rows)('%s', async (name, call, line, body) => {
  const token = anonymous.has(name) ? null : 'Bearer v2.public.x'
  expect(await sent(call)).toEqual([{ line, body, token, outlives: outliving.has(name) }])
})
