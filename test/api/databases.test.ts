// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '~/api/client'
import { createDatabase, hiddenSecret, readSettings, updateSettings } from '~/api/database-settings'
import {
  compactIndex,
  deleteDatabase,
  flushIndex,
  listDatabases,
  loadDatabase,
  truncateDatabase,
  unloadDatabase,
} from '~/api/databases'
import { ApiError, sentence, troubleOf } from '~/api/errors'
import { allSettings } from '~/immudb/database-settings'
import { corpus, recorded, recordedPairs, recordedResponse } from '../support/recorded'

type Asked = { method: string; url: string; body: unknown }

function answering(answer: () => Response, asked: Asked[] = []): Client {
  return createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      asked.push({ method: init?.method ?? 'GET', url: String(input), body })
      return answer()
    },
  })
}

const headers = { 'content-type': 'application/json' }
const json = (value: unknown) => () => new Response(JSON.stringify(value), { headers })
const refused =
  (error: string, status = 500, code = 2) =>
  () =>
    new Response(JSON.stringify({ error, code, message: error }), { headers, status })
const recordedAnswer = (name: string) => () => recordedResponse(recorded('databases', name))
const withSettings = (settings: unknown) => json({ databases: [{ name: 'x', settings }] })

describe('the list', () => {
  test('of immudb up to 1.5, which has no figures, says none', async () => {
    const databases = [
      { name: 'defaultdb', loaded: true },
      { name: 'archive', loaded: true },
    ]
    const found = await listDatabases(answering(json({ databases })))
    expect(found).toMatchObject([
      { name: 'defaultdb', diskSize: '', numTransactions: '', createdAt: null },
      { name: 'archive', diskSize: '', numTransactions: '', createdAt: null },
    ])
  })

  test('tells state, size, creation, role and retention', async () => {
    const found = await listDatabases(answering(recordedAnswer('list v2 with unloaded')))
    expect(found.map(({ name, loaded, isReplica }) => [name, loaded, isReplica])).toEqual([
      ['defaultdb', true, false],
      ['shop', true, false],
      ['ledger', true, false],
      ['legacy', false, false],
      ['replica', true, true],
    ])
    expect(found[2]).toMatchObject({ retention: '86400000', createdBy: 'immudb' })
    expect(found[3]).toMatchObject({ numTransactions: '0', diskSize: '5922' })
  })

  test('of 1.9.5, which refuses it beside an unloaded database, has those known by name', async () => {
    const old = (name: string) => recordedResponse(recorded('immudb-1.9.5', name))
    const asked: Asked[] = []
    const client = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async (input, init) => {
        const url = String(input)
        asked.push({ method: init?.method ?? 'GET', url, body: undefined })
        if (url.endsWith('/db/list/v2')) return old('list databases beside an unloaded one')
        if (url.endsWith('/user/list')) return old('users')
        if (url.endsWith('/use/shop')) return recordedAnswer('use unloaded')()
        return url.endsWith('/use/gone')
          ? refused("'gone' does not exist", 404, 5)()
          : json({ token: 'x' })()
      },
    })
    const found = await listDatabases(client, undefined, ['shop', 'gone'])
    expect(found.map(({ name, loaded }) => [name, loaded])).toEqual([
      ['defaultdb', true],
      ['shop', false],
    ])
    expect(found[0]).toMatchObject({ diskSize: '', numTransactions: '', isUnlisted: true })
  })

  test('does not believe when defaultdb was created, because the server says “now”', async () => {
    const found = await listDatabases(answering(recordedAnswer('list v2')))
    expect(found.map(({ createdAt }) => createdAt === null)).toEqual([
      true,
      ...Array(found.length - 1).fill(false),
    ])
  })

  test('that a deleted database broke is made of what the permissions name', async () => {
    const answers = new Map<string, () => Response>([
      ['/api/db/list/v2', refused('tbtree: key not found')],
      [
        '/api/user/list',
        json({
          users: [
            {
              user: 'YQ==',
              permissions: ['here', 'gone', 'asleep', 'theirs', '*'].map((database) => ({
                database,
              })),
            },
          ],
        }),
      ],
      ['/api/db/use/here', json({ token: 'v2.public.y' })],
      ['/api/db/use/gone', refused('database does not exist')],
      ['/api/db/use/asleep', refused('already closed')],
      ['/api/db/use/theirs', refused('no permission', 403, 7)],
    ])
    const client = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async (input) => answers.get(String(input))?.() ?? new Response('', { status: 404 }),
    })
    const found = await listDatabases(client)
    expect(found.map(({ name, loaded, diskSize }) => [name, loaded, diskSize])).toEqual([
      ['asleep', false, ''],
      ['here', true, ''],
    ])
  })

  test.each(['', ' '])('that is empty without a body is a bad answer (F13)', async (text) => {
    const list = listDatabases(answering(() => new Response(text, { status: 200, headers })))
    await expect(list).rejects.toMatchObject({ kind: 'bad-answer' })
  })
})

describe('settings (F75)', () => {
  test('are all read from a whole answer, the password only as being set', async () => {
    const settings = await readSettings(answering(recordedAnswer('list v2')), 'replica')
    expect([...settings.keys()].sort()).toEqual(allSettings.map(({ path }) => path).sort())
    expect(settings.get('replicationSettings.primaryPassword')).toBe(hiddenSecret)
    expect(settings.get('replicationSettings.primaryHost')).toBe('127.0.0.1')
    expect(settings.get('replicationSettings.syncAcks')).toBe('0')
    expect(settings.get('autoload')).toBe('true')
    expect(settings.get('embeddedValues')).toBe('false')
    expect([...settings.values()].join()).not.toContain('visible')
  })

  test('an empty wrapper is zero, false or no text; no wrapper is not told', async () => {
    const settings = await readSettings(
      answering(
        withSettings({
          maxKeyLen: {},
          autoload: {},
          indexSettings: { cleanupPercentage: {}, renewSnapRootAfter: {} },
          replicationSettings: { primaryHost: {}, primaryPassword: {} },
        }),
      ),
      'x',
    )
    expect(Object.fromEntries(settings)).toEqual({
      maxKeyLen: '0',
      autoload: 'false',
      'indexSettings.cleanupPercentage': '0',
      'indexSettings.renewSnapRootAfter': '0',
      'replicationSettings.primaryHost': '',
      'replicationSettings.primaryPassword': '',
    })
  })

  test('{} has none of them', async () => {
    expect((await readSettings(answering(withSettings({})), 'x')).size).toBe(0)
  })

  test.each([
    ['a bare value', { maxKeyLen: 5 }],
    ['a text for a number', { maxKeyLen: { value: 'long' } }],
    ['a number for a flag', { autoload: { value: 1 } }],
    ['a text for a group', { indexSettings: 'x' }],
  ])('%s is a bad answer', async (_what, settings) => {
    const read = readSettings(answering(withSettings(settings)), 'x')
    await expect(read).rejects.toMatchObject({ kind: 'bad-answer' })
  })

  test.each([{ maxKeyLen: null }, { __proto__: { value: 1 }, other: { value: 2 } }])(
    '%o is read without what makes no sense',
    async (settings) => {
      const result = await readSettings(answering(withSettings(settings)), 'x').catch((e) => e)
      expect(result instanceof Map || result instanceof ApiError).toBe(true)
    },
  )

  test('every recorded answer with one field of the settings changed is told or refused (F76)', async () => {
    const { settings } = Object(recorded('databases', 'list v2').response.body).databases[0]
    const changes = [null, { unexpected: true }, [[]], '\u202e', 2 ** 60, true]
    let failures = 0
    for (const key of Object.keys(settings)) {
      for (const value of changes) {
        const client = answering(withSettings({ ...settings, [key]: value }))
        await readSettings(client, 'x').catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error
          failures += 1
        })
      }
    }
    expect(failures).toBeGreaterThan(50)
  })

  test.each(corpus('response').map(({ id, name, text = '' }) => [`${id} ${name}`, text] as const))(
    '%s is no answer of settings or an empty one',
    async (_name, text) => {
      const client = answering(() => new Response(text, { headers }))
      const error = await readSettings(client, 'x').catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ApiError)
    },
  )

  test('a database that is not in the list is one that does not exist', async () => {
    const read = readSettings(answering(json({})), 'x')
    await expect(read).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('what is sent', () => {
  test('settings are nested and wrapped as in the recording, periods as text', async () => {
    const asked: Asked[] = []
    const settings = new Map([
      ['maxKeyLen', '512'],
      ['indexSettings.flushThreshold', '1000'],
      ['truncationSettings.retentionPeriod', '86400000'],
      ['truncationSettings.truncationFrequency', '3600000'],
      ['autoload', 'true'],
    ])
    const client = answering(recordedAnswer('create v2 with settings'), asked)
    expect(await createDatabase(client, { name: 'Ledger', settings })).toBe('ledger')
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/api/db/create/v2',
        body: recorded('databases', 'create v2 with settings').request.body,
      },
    ])
  })

  test('an update always holds settings, without which the server dies', async () => {
    const asked: Asked[] = []
    const client = answering(recordedAnswer('update v2'), asked)
    await updateSettings(client, { name: 'x', settings: new Map() })
    expect(asked[0]).toMatchObject({
      url: '/api/db/update/v2',
      body: { database: 'x', settings: {} },
    })
  })

  test('unknown settings are not sent', async () => {
    const asked: Asked[] = []
    const settings = new Map([['__proto__.x', '1']])
    await updateSettings(answering(recordedAnswer('update v2'), asked), { name: 'x', settings })
    expect(asked[0]?.body).toEqual({ database: 'x', settings: {} })
  })

  test('each call is the recorded one', async () => {
    const asked: Asked[] = []
    const isCompaction = () => asked.at(-1)?.url.includes('compactindex')
    const client = answering(() => json(isCompaction() ? {} : { database: 'legacy' })(), asked)
    await loadDatabase(client, 'legacy')
    await unloadDatabase(client, 'legacy')
    await deleteDatabase(client, 'legacy')
    await truncateDatabase(client, { database: 'shop', retention: 86_400_000 })
    await flushIndex(client, { database: 'shop', cleanup: '0.5', isSynced: true })
    await compactIndex(client, 'shop')
    const names = ['load', 'unload', 'delete unloaded', 'truncate nothing old enough']
    const wanted = [...names, 'flushindex', 'compactindex too early'].map((name) => {
      const { method, path, body } = recorded('databases', name).request
      return { method, url: path, body: body ?? undefined }
    })
    expect(asked).toEqual(wanted)
  })

  test.each([
    [
      'flush',
      (client: Client) => flushIndex(client, { database: 'x', cleanup: '0', isSynced: true }),
    ],
    ['compact', (client: Client) => compactIndex(client, 'x')],
    ['create', (client: Client) => createDatabase(client, { name: 'x', settings: new Map() })],
    ['delete', (client: Client) => deleteDatabase(client, 'x')],
  ])('%s is sent once, whatever becomes of it', async (_what, call) => {
    const asked: Asked[] = []
    const client = answering(() => {
      throw new TypeError('fetch failed')
    }, asked)
    await expect(call(client)).rejects.toMatchObject({ kind: 'network', isOutcomeUnknown: true })
    expect(asked).toHaveLength(1)
  })
})

describe('a refusal', () => {
  const refusal = (name: string) =>
    loadDatabase(answering(recordedAnswer(name)), 'x').catch((error: unknown) => error)

  test('of an unloaded database says so', async () => {
    const error = await refusal('use unloaded')
    expect(troubleOf(error)).toBe('unloaded')
    expect(sentence(error)).toBe('The database is unloaded on the server.')
  })

  test.each(
    recordedPairs
      .filter(
        ({ group, name, response }) =>
          group === 'databases' && response.status >= 400 && name !== 'x',
      )
      .filter(({ response }) => response.body !== undefined)
      .map(({ name }) => name),
  )('%s ends in a sentence', async (name) => {
    expect(sentence(await refusal(name))).toMatch(/^\S.*\.$/)
  })

  test('tells the state which database is in trouble, and a good answer that it is not', async () => {
    const told: unknown[] = []
    let answer = recordedAnswer('use unloaded')
    const client = createClient({
      baseURL: '/api',
      token: () => 'x',
      fetch: async () => answer(),
      onTrouble: (...what) => told.push(what),
    })
    await compactIndex(client, 'shop').catch(() => {})
    answer = recordedAnswer('compactindex too early')
    await compactIndex(client, 'shop').catch(() => {})
    answer = recordedAnswer('flushindex')
    await flushIndex(client, { database: 'shop', cleanup: '0', isSynced: true })
    expect(told).toEqual([
      ['shop', 'unloaded'],
      ['shop', null],
    ])
  })
})
