// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '~/api/client'
import { ApiError, isBecause } from '~/api/errors'
import { deleteKey, getKey, listRevisions, scanKeys, setKey, setReference } from '~/api/keys'
import { readVerifiableEntry } from '~/api/proof'
import { listTransactions } from '~/api/transactions'
import { type Recorded, recorded, recordedPairs, recordedResponse } from '../support/recorded'

type Sent = { method: string; url: string; body: unknown }

/** A client of a server that gives one recorded answer, whatever it is asked. */
function answering(pair: Recorded, sent: Sent[] = []): Client {
  return createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      sent.push({ method: init?.method ?? 'GET', url: String(input), body })
      return recordedResponse(pair)
    },
  })
}

const b = (text: string) => Buffer.from(text).toString('base64')
const user = b('user:1')
const database = 'defaultdb'
const kv = (name: string) => recorded('kv', name)

describe('requests are those that were recorded', () => {
  test('get, with a revision and with bytes that need the URL-safe alphabet', async () => {
    const sent: Sent[] = []
    await getKey(answering(kv('get'), sent), { database, key: user })
    await getKey(answering(kv('get revision'), sent), { database, key: user, revision: '1' })
    await getKey(answering(kv('get'), sent), { database, key: '++++/w==' })
    expect(sent.map(({ url }) => url)).toEqual([
      kv('get').request.path,
      kv('get revision').request.path,
      '/api/db/get/----_w==',
    ])
  })

  test('set a reference, with a precondition', async () => {
    const sent: Sent[] = []
    const answer = await setReference(answering(kv('setreference'), sent), {
      database,
      key: b('ref:1'),
      target: user,
      atTx: null,
      precondition: { kind: 'must-not-exist' },
    })
    expect(answer.id).toBe('9')
    expect(sent[0]?.body).toEqual({
      ...(kv('setreference').request.body as object),
      preconditions: [{ keyMustNotExist: { key: b('ref:1') } }],
    })
  })

  test('set with a precondition', async () => {
    const sent: Sent[] = []
    const client = answering(kv('set third revision'), sent)
    const request = { database, key: user, value: b('alice v3'), expiresAt: null }
    await setKey(client, { ...request, precondition: { kind: 'not-modified-after', tx: '2' } })
    expect(sent[0]?.body).toEqual(kv('set third revision').request.body)
    await setKey(client, {
      ...request,
      value: b('z'),
      precondition: { kind: 'must-not-exist' },
    }).catch(() => {})
    expect(sent[1]?.body).toEqual(kv('set precondition failed').request.body)
    await setKey(client, {
      ...request,
      key: b('tmp'),
      value: b('x'),
      expiresAt: '4102444800',
      precondition: { kind: 'must-exist' },
    })
    expect(sent[2]?.body).toEqual({
      ...(kv('set expiring').request.body as object),
      preconditions: [{ keyMustExist: { key: b('tmp') } }],
    })
  })

  test('delete, history, scan and proof', async () => {
    const sent: Sent[] = []
    await deleteKey(answering(kv('deletekey'), sent), { database, key: b('user:2') })
    expect(sent.at(-1)?.body).toEqual(kv('deletekey').request.body)
    const some = { database, key: user, offset: 0, limit: 10 }
    await listRevisions(answering(kv('history'), sent), some)
    expect(sent.at(-1)?.body).toEqual({ key: user, offset: '0', limit: 10, desc: true })
    const scan = { database, prefix: b('user:'), after: user, offset: 0, limit: 1 }
    await scanKeys(answering(kv('scan seek'), sent), scan)
    expect(sent.at(-1)?.body).toEqual({
      ...(kv('scan seek').request.body as object),
      offset: '0',
    })
    const pair = recorded('verifiable', 'get')
    await readVerifiableEntry(answering(pair, sent), {
      database,
      keyRequest: { key: user },
      since: '3',
    })
    expect(sent.at(-1)?.body).toEqual(pair.request.body)
  })
})

describe('answers', () => {
  test('a reference is the entry of its own key with the value of its target', async () => {
    const plain = await getKey(answering(kv('get reference')), { database, key: b('ref:1') })
    expect(plain).toMatchObject({
      key: b('ref:1'),
      tx: '9',
      revision: '1',
      value: b('alice v3'),
      target: { key: user, tx: '7', revision: '3', isBound: false },
    })
    const bound = await getKey(answering(kv('get bound reference')), { database, key: b('ref:2') })
    expect(bound.target).toEqual({ key: user, tx: '1', revision: null, isBound: true })
  })

  test('an expiring entry keeps its time, a deletion is told, an empty value is empty', async () => {
    const expiring = await getKey(answering(kv('get expiring')), { database, key: b('tmp') })
    expect(expiring.expiresAt).toBe('4102444800')
    const all = { database, key: b('user:2'), offset: 0, limit: 10 }
    const deleted = await listRevisions(answering(kv('history deleted')), all)
    expect(deleted.map(({ isDeleted, value }) => [isDeleted, value])).toEqual([
      [false, b('bob')],
      [true, ''],
    ])
    const scan = { database, prefix: '', after: null, offset: 0, limit: 500 }
    const [empty] = await scanKeys(answering(kv('scan all')), scan)
    expect(empty).toMatchObject({ key: b('empty'), value: '', expiresAt: null, target: null })
  })

  test('nothing found is an empty list; a key that never was has no revisions', async () => {
    const scan = { database, prefix: '', after: null, offset: 0, limit: 500 }
    expect(await scanKeys(answering(kv('scan nothing')), scan)).toEqual([])
    const none = { database, key: b('nope'), offset: 0, limit: 10 }
    expect(await listRevisions(answering(kv('history missing')), none)).toEqual([])
    const message = 'tbtree: no more entries'
    const behind = { ...kv('history missing') }
    behind.response = {
      ...behind.response,
      status: 500,
      body: { error: message, code: 2, message },
    }
    expect(await listRevisions(answering(behind), { ...none, offset: 10 })).toEqual([])
  })

  test.each(['get missing', 'get expired', 'get deleted', 'get non-indexable'])(
    '%s is told from other failures',
    async (name) => {
      const error = await getKey(answering(kv(name)), { database, key: user }).catch((e) => e)
      expect(isBecause(error, 'key-not-found')).toBe(true)
      expect(isBecause(error, 'key-changed')).toBe(false)
    },
  )

  test('a precondition that failed is told from other refusals', async () => {
    const precondition = { kind: 'must-not-exist' } as const
    const request = { database, key: user, value: '', expiresAt: null, precondition }
    const refused = (name: string) =>
      setKey(answering(kv(name)), request).catch((error: unknown) => error)
    expect(isBecause(await refused('set precondition failed'), 'key-changed')).toBe(true)
    for (const name of ['set empty key', 'set key too long', 'write systemdb']) {
      const error = await refused(name)
      expect(error).toBeInstanceOf(ApiError)
      expect(isBecause(error, 'key-changed')).toBe(false)
    }
  })

  test('headers of transactions are their ids and times', async () => {
    const pair = recordedPairs.find(
      ({ group, request, response }) =>
        group === 'tx' && request.path.endsWith('/db/tx') && response.status === 200,
    )
    if (!pair) throw new Error('no recording')
    const found = await listTransactions(answering(pair), { database, from: '1', limit: 3 })
    expect(found[0]?.ts).toMatch(/^\d{10}$/)
  })
})

/** Every way to spoil one field of an answer: away, null, of another type. */
function* spoiled(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    const without = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
    const put = (other: unknown) =>
      Array.isArray(value)
        ? value.map((item, at) => (String(at) === name ? other : item))
        : { ...without, [name]: other }
    if (!Array.isArray(value)) yield without
    for (const other of [null, 7, 'x', [], {}, true]) yield put(other)
    for (const inner of spoiled(field)) yield put(inner)
  }
}

describe('F76: a spoiled answer is a default or a failure of the wire, never anything else', () => {
  const cases: [string, Recorded, (client: Client) => Promise<unknown>][] = [
    ['get', kv('get reference'), (client) => getKey(client, { database, key: user })],
    [
      'scan',
      kv('scan all'),
      (client) => scanKeys(client, { database, prefix: '', after: null, offset: 0, limit: 9 }),
    ],
    [
      'history',
      kv('history deleted'),
      (client) => listRevisions(client, { database, key: user, offset: 0, limit: 9 }),
    ],
    ['delete', kv('deletekey'), (client) => deleteKey(client, { database, key: user })],
  ]
  test.each(cases)('%s', async (_name, pair, call) => {
    let count = 0
    for (const body of spoiled(pair.response.body)) {
      count += 1
      const bad = { ...pair, response: { ...pair.response, body } }
      const error = await call(answering(bad)).catch((failure: unknown) => failure)
      if (error instanceof Error) expect(error).toBeInstanceOf(ApiError)
    }
    expect(count).toBeGreaterThan(20)
  })
})

describe('a scan refuses keys that it did not ask for', () => {
  const scan = { database, prefix: b('a:'), after: b('a:1'), offset: 0, limit: 9 }
  const scanned = (keys: readonly string[], more: object = {}) => {
    const entries = keys.map((key) => ({ tx: '1', key: b(key), value: '', revision: '1' }))
    const client = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async () => Response.json({ entries }),
    })
    return scanKeys(client, { ...scan, ...more })
  }

  test.each([
    [['a:1'], 'the key behind which it goes on'],
    [['a:0'], 'one before it'],
    [['a:2', 'a:2'], 'one twice'],
    [['a:3', 'a:2'], 'another order'],
    [['a:2', 'b:1'], 'another beginning'],
  ])('%j: %s', async (keys) => {
    const failure = await scanned(keys).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'bad-answer' })
  })

  test('and takes those that it did', async () => {
    expect(await scanned(['a:2', 'a:\xff', 'a:€'])).toHaveLength(3)
    expect(await scanned(['a:1', 'a:2'], { isInclusive: true })).toHaveLength(2)
    expect(await scanned(['a:', 'a:0'], { after: null })).toHaveLength(2)
    expect(await scanned([])).toEqual([])
  })
})
