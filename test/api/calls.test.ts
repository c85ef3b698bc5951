// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { login, logout, openDatabase } from '~/api/auth'
import { type Client, createClient } from '~/api/client'
import { listDatabases } from '~/api/databases'
import { ApiError } from '~/api/errors'
import { readHealth, readState } from '~/api/server'
import { execSql, querySql } from '~/api/sql'
import { describeTable, listColumns, listIndexes, listTables } from '~/api/tables'
import { listUsers } from '~/api/users'
import { ResultShapeError, readResult } from '~/sql/result'
import { mutants } from '../support/mutants'
import { corpus, recorded, recordedPairs } from '../support/recorded'

/** A client of a server that gives one answer, whatever it is asked. */
function answering(body: unknown, asked: { url: string; body: unknown }[] = []): Client {
  return createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      asked.push({ url: String(input), body: init?.body })
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    },
  })
}

const body = (group: string, name: string) => recorded(group, name).response.body
const database = 'shop'

type Called = {
  method: string
  path: RegExp
  call: (client: Client) => Promise<unknown>
}

/** Each call of the console, with the requests of the recordings it corresponds to. */
const calls: Record<string, Called> = {
  login: { method: 'POST', path: /^\/api\/login$/, call: (client) => login(client, 'a', 'b') },
  logout: { method: 'POST', path: /^\/api\/logout$/, call: logout },
  health: { method: 'GET', path: /^\/api\/health$/, call: readHealth },
  use: { method: 'GET', path: /^\/api\/db\/use\//, call: (client) => openDatabase(client, 'a') },
  state: {
    method: 'GET',
    path: /^\/api\/db\/state$/,
    call: (client) => readState(client, database),
  },
  databases: { method: 'POST', path: /^\/api\/db\/list\/v2$/, call: listDatabases },
  users: {
    method: 'GET',
    path: /^\/api\/user\/list$/,
    call: (client) => listUsers(client, { database }),
  },
  tables: {
    method: 'GET',
    path: /^\/api\/db\/table\/list$/,
    call: (client) => listTables(client, { database }),
  },
  columns: {
    method: 'POST',
    path: /^\/api\/db\/tables$/,
    call: (client) => describeTable(client, { database, table: 't' }),
  },
  query: {
    method: 'POST',
    path: /^\/api\/db\/sqlquery$/,
    call: async (client) => readResult(await querySql(client, { database, sql: 'X;' })),
  },
  exec: {
    method: 'POST',
    path: /^\/api\/db\/sqlexec$/,
    call: (client) => execSql(client, { database, sql: 'X;' }),
  },
}

const good = Object.entries(calls).flatMap(([what, called]) =>
  recordedPairs
    .filter(
      ({ request, response }) =>
        request.method === called.method &&
        called.path.test(request.path) &&
        response.status === 200 &&
        response.body !== undefined &&
        // The console never asks for a stream, whose answer lacks the columns.
        !JSON.stringify(request.body ?? '').includes('acceptStream'),
    )
    .map((pair) => [`${what}, ${pair.group}: ${pair.name}`, called, pair] as const),
)

describe('every recorded good answer', () => {
  test('there are some for each call', () => {
    const kinds = new Set(good.map(([name]) => name.split(',')[0]))
    expect([...kinds].sort()).toEqual(Object.keys(calls).sort())
    expect(good.length).toBeGreaterThan(120)
  })

  test.each(good)('%s is understood', async (_name, { call }, { response }) => {
    await call(answering(response.body))
  })
})

describe('every recorded good answer with one field changed (F76)', () => {
  test.each(good)(
    '%s: an ApiError or an answer, never anything else',
    async (_name, { call }, pair) => {
      let failures = 0
      for (const changed of mutants(pair.response.body)) {
        const client = answering(changed)
        await call(client).catch((error: unknown) => {
          if (!(error instanceof ApiError || error instanceof ResultShapeError)) throw error
          failures += 1
        })
      }
      // An answer with anything in it has at least one field whose change must be noticed.
      const parts = Object.keys(pair.response.body ?? {}).filter((key) => key !== 'columns')
      if (parts.length > 0) expect(failures).toBeGreaterThan(0)
    },
  )

  test.each([
    'null',
    '[]',
    '7',
    '"text"',
    'true',
    '{"rows":"x"}',
    '{"txs":{}}',
    '{"users":[null]}',
  ])('the answer %s to every call', async (text) => {
    for (const { call } of Object.values(calls)) {
      await call(answering(text)).catch((error: unknown) => {
        if (!(error instanceof ApiError || error instanceof ResultShapeError)) throw error
      })
    }
  })

  test.each(corpus('response').map(({ id, name, text = '' }) => [`${id} ${name}`, text] as const))(
    '%s to every call',
    async (_name, text) => {
      for (const { call } of Object.values(calls)) {
        await call(answering(text)).catch((error: unknown) => {
          if (!(error instanceof ApiError || error instanceof ResultShapeError)) throw error
        })
      }
      expect('x' in {}).toBe(false)
    },
  )
})

describe('what the calls make of the answers', () => {
  test('login: the token, and the warning as text', async () => {
    const answer = await login(answering(body('auth', 'login default password')), 'a', 'b')
    expect(answer.token).toMatch(/^v2\.public\./)
    expect(answer.warning).toBe(
      'immudb user has the default password: please change it to ensure proper security',
    )
    expect(await login(answering({ token: 't' }), 'a', 'b')).toEqual({ token: 't', warning: null })
    expect((await login(answering({ token: 't', warning: '%%%' }), 'a', 'b')).warning).toBeNull()
  })

  test('user and password are sent as base64 of UTF-8', async () => {
    const asked: { url: string; body: unknown }[] = []
    await login(answering({ token: 't' }, asked), 'immudb', ' p\u00e4\u00df ')
    expect(JSON.parse(String(asked[0]?.body))).toEqual({
      user: 'aW1tdWRi',
      password: 'IHDDpMOfIA==',
    })
  })

  test('state: an empty database has transaction 0, ids stay exact text', async () => {
    const empty = await readState(answering(body('databases', 'state empty')), database)
    expect(empty).toMatchObject({ db: 'shop', txId: '0', precommittedTxId: '0' })
    const big = '18446744073709551615'
    expect(
      (await readState(answering({ db: 'd', txHash: 'aA==', txId: big }), database)).txId,
    ).toBe(big)
  })

  test.each(['9007199254740993', '1e400', '1.5', '-', '0x10', '123456789012345678901'])(
    'a transaction id of %s is not guessed at',
    async (id) => {
      const text = /^[\d.e]+$/.test(id)
        ? `{"db":"d","txHash":"aA==","txId":${id}}`
        : `{"db":"d","txHash":"aA==","txId":"${id}"}`
      await expect(readState(answering(text), database)).rejects.toMatchObject({
        kind: 'bad-answer',
      })
    },
  )

  test('a small number instead of a text is the same number', async () => {
    expect(
      (await readState(answering('{"db":"d","txHash":"aA==","txId":42}'), database)).txId,
    ).toBe('42')
  })

  test('databases: an unloaded one is one whose flag is missing', async () => {
    const found = await listDatabases(answering(body('databases', 'list v2 with unloaded')))
    expect(found.map(({ name, loaded }) => [name, loaded])).toEqual([
      ['defaultdb', true],
      ['shop', true],
      ['ledger', true],
      ['legacy', false],
      ['replica', true],
    ])
    expect(await listDatabases(answering({}))).toEqual([])
  })

  test('settings of databases, which hold passwords, do not get past the wire', async () => {
    const found = await listDatabases(answering(body('databases', 'list v2')))
    expect(Object.keys(found[0] ?? {}).sort()).toEqual([
      'createdAt',
      'createdBy',
      'diskSize',
      'isReplica',
      'loaded',
      'name',
      'numTransactions',
      'retention',
    ])
    expect(JSON.stringify(found)).not.toContain('visible')
  })

  test('users: names decoded, missing flags and lists filled in', async () => {
    const found = await listUsers(answering(body('users', 'list as read-only')), { database })
    expect(found).toMatchObject([
      { user: 'carol', active: true, permissions: [{ database: 'shop', permission: 1 }] },
    ])
    const bare = await listUsers(answering({ users: [{ user: 'eA==' }] }), { database })
    expect(bare).toEqual([
      {
        user: 'x',
        permissions: [],
        active: false,
        createdby: '',
        createdat: '',
        sqlPrivileges: [],
      },
    ])
  })

  test.each(['%%%', '/w=='])('a user name that is %s is a bad answer', async (user) => {
    const list = listUsers(answering({ users: [{ user }] }), { database })
    await expect(list).rejects.toMatchObject({ kind: 'bad-answer' })
  })

  test('tables: names, and none when there are no rows', async () => {
    expect(await listTables(answering(body('sql', 'tables')), { database })).toEqual([
      'alltypes',
      'orders',
    ])
    expect(await listTables(answering(body('sql', 'tables none')), { database })).toEqual([])
  })

  test('columns: a primary key is never null, whatever the server says', async () => {
    const [id, title, , active] = await describeTable(answering(body('sql', 'describe')), {
      database,
      table: 'alltypes',
    })
    expect(id).toEqual({
      name: 'id',
      type: 'INTEGER',
      isNullable: false,
      isPrimaryKey: true,
      isForeignKey: false,
      isIndexed: false,
      isAutoIncrement: true,
      isUnique: true,
    })
    expect(title).toMatchObject({ isNullable: false, isIndexed: true, isUnique: true })
    expect(active).toMatchObject({ isNullable: true, isIndexed: true, isUnique: false })
  })

  test('indexes: their columns in order, and the table’s name cannot end the text', async () => {
    const asked: { url: string; body: unknown }[] = []
    const found = await listIndexes(answering(body('sql', 'indexes()'), asked), {
      database,
      table: "it's",
    })
    expect(found).toEqual([
      { columns: ['id'], isUnique: true, isPrimary: true },
      { columns: ['active'], isUnique: false, isPrimary: false },
      { columns: ['title'], isUnique: true, isPrimary: false },
      { columns: ['active', 'created'], isUnique: false, isPrimary: false },
    ])
    expect(JSON.parse(String(asked[0]?.body)).sql).toBe("SELECT * FROM INDEXES('it''s');")
  })

  test('columns of all tables: by table, with names such as __proto__', async () => {
    const row = (...names: string[]) => ({ values: names.map((s) => ({ s })) })
    const rows = [
      row('a', 'x', 'integer'),
      row('__proto__', 'constructor', 'text'),
      row('a', 'y', 'text'),
    ]
    expect(await listColumns(answering({ columns: [{}], rows }), { database })).toEqual([
      {
        table: 'a',
        columns: [
          { name: 'x', type: 'integer' },
          { name: 'y', type: 'text' },
        ],
      },
      { table: '__proto__', columns: [{ name: 'constructor', type: 'text' }] },
    ])
  })

  test('exec: a transaction without a header is kept apart from one with', async () => {
    const none = await execSql(answering(body('sql', 'rollback')), { database, sql: 'X;' })
    expect(none).toMatchObject([{ updatedRows: 1 }])
    expect(none[0]?.header).toBeUndefined()
    const one = await execSql(answering(body('sql', 'update')), { database, sql: 'X;' })
    expect(one[0]?.header?.id).toBe('9')
    expect(await execSql(answering({}), { database, sql: 'X;' })).toEqual([])
  })

  test('a table named __proto__ among the inserted keys harms nothing', async () => {
    const text = '{"txs":[{"header":{"id":"1"},"lastInsertedPKs":{"__proto__":{"n":"1"}}}]}'
    const answer = await execSql(answering(text), { database, sql: 'X;' })
    expect(answer[0]?.header?.id).toBe('1')
    expect('n' in {}).toBe(false)
  })

  test('a column without a name is a column', async () => {
    const text = '{"columns":[{"type":"INTEGER"}],"rows":[{"values":[{"n":"1"}]}]}'
    const answer = await querySql(answering(text), { database, sql: 'X;' })
    expect(answer.columns).toEqual([{ name: '', type: 'INTEGER' }])
  })

  test('names of databases are sent percent-encoded; impossible ones are not sent', async () => {
    const asked: { url: string; body: unknown }[] = []
    const client = answering({ token: 't' }, asked)
    await openDatabase(client, 'a/b?c#d \u00e9')
    expect(asked[0]?.url).toBe('/api/db/use/a%2Fb%3Fc%23d%20%C3%A9')
    for (const name of ['', '.', '..', '\ud800']) {
      await expect(openDatabase(client, name)).rejects.toMatchObject({ kind: 'refused' })
    }
    expect(asked).toHaveLength(1)
  })
})
