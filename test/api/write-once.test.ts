// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { login } from '~/api/auth'
import { type Client, createClient } from '~/api/client'
import { flushIndex, loadDatabase } from '~/api/databases'
import { ApiError, sentence } from '~/api/errors'
import { fetchMetrics } from '~/api/metrics'
import { readHealth } from '~/api/server'
import { execSql } from '~/api/sql'

beforeEach(() => vi.stubGlobal('location', new URL('http://localhost:8080/')))
afterEach(() => vi.unstubAllGlobals())

const write = (client: Client) => execSql(client, { database: 'd', sql: 'X;' })
const kept = { 'webconsole-fresh': 'kept', connection: 'Webconsole-Fresh' }
const apart = { 'webconsole-fresh': 'apart', connection: 'Webconsole-Fresh' }
const required = { 'webconsole-fresh': 'required', connection: 'close' }

type Given = Readonly<Record<string, string>> | Error

const goodAnswers: readonly (readonly [RegExp, string])[] = [
  [/health$/, '{"status":true}'],
  [/login$/, '{"token":"t"}'],
  [/load$|flushindex/, '{"database":"d"}'],
]

function json(text: string, headers: HeadersInit, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** A client of a server whose answers have these headers in turn, the last one again and again. */
function clientOf(...given: readonly Given[]) {
  const marks: (string | null)[] = []
  const names: (string | null)[] = []
  const credentials: (string | undefined)[] = []
  let calls = 0
  const fetch = async (input: unknown, init?: RequestInit) => {
    const answer = given[Math.min(marks.length, given.length - 1)] ?? {}
    const sent = new Headers(init?.headers)
    marks.push(sent.get('webconsole-fresh'))
    names.push(sent.get('webconsole-write'))
    credentials.push(init?.credentials)
    if (answer instanceof Error) throw answer
    if (answer['webconsole-fresh'] === 'required') {
      return json('{"error":"send it again","code":10,"message":"send it again"}', answer, 409)
    }
    const [, good = '{"txs":[{}]}'] = goodAnswers.find(([path]) => path.test(String(input))) ?? []
    return json(good, answer)
  }
  const onCall = () => {
    calls += 1
  }
  const client = createClient({ baseURL: '/api', token: () => 't', fetch, onCall })
  return { client, marks, names, credentials, calls: () => calls }
}

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error('it did not fail')
}

describe('the mark of a write', () => {
  test.each<[string, (client: Client) => Promise<unknown>, boolean]>([
    ['a statement', write, true],
    ['a login', (client) => login(client, 'a', 'b'), true],
    ['work on a database', (client) => loadDatabase(client, 'd'), true],
    [
      'work by a GET',
      (client) => flushIndex(client, { database: 'd', cleanup: '1', isSynced: true }),
      true,
    ],
    ['a read', readHealth, false],
    [
      'metrics, which may be of another origin',
      (client) => fetchMetrics(client, 'http://a:9497/metrics').catch(() => {}),
      false,
    ],
  ])('%s: %s', async (_what, call, isMarked) => {
    const { client, marks, names } = clientOf({})
    await call(client)
    await call(client)
    expect(marks).toEqual(Array.from({ length: 2 }, () => (isMarked ? '1' : null)))
    const [one, two] = names
    if (!isMarked) return expect([one, two]).toEqual([null, null])
    expect(one).toMatch(/^[0-9a-f]{32}$/)
    expect(two).not.toBe(one)
  })
})

describe('a write that is refused for its connection', () => {
  test('is sent again until it runs, and each request is counted', async () => {
    const { client, marks, calls } = clientOf(required, required, kept)
    await expect(write(client)).resolves.toHaveLength(1)
    expect(marks).toEqual(['1', '1', '1'])
    expect(calls()).toBe(3)
    expect(client.runsOnce()).toBe(true)
  })

  test('is sent without the mark after eight more refusals, under the same name', async () => {
    const nine: Given[] = Array.from({ length: 9 }, () => required)
    const { client, marks, names } = clientOf(kept, ...nine, kept)
    await readHealth(client)
    expect(client.runsOnce()).toBe(true)
    await write(client)
    expect(marks).toEqual([null, ...Array.from({ length: 9 }, () => '1'), null])
    expect(new Set(names.slice(1)).size).toBe(1)
    expect(client.runsOnce()).toBe(true)
  })

  test('whose answer was lost is unknown when it is refused as a repetition', async () => {
    const text = 'the answer to this write was lost, and it is not run a second time'
    const body = JSON.stringify({ error: text, message: text, code: 14 })
    const fetch = async () => json(body, { 'webconsole-fresh': 'repeated' }, 503)
    const client = createClient({ baseURL: '/api', token: () => 't', fetch })
    const error = await failureOf(write(client))
    expect(error).toMatchObject({ kind: 'unavailable', isOutcomeUnknown: true, isOnce: true })
    expect(sentence(error)).toBe(
      'The answer to this write was lost, and it is not run a second time.',
    )
  })

  test('a 409 of anything else is an answer', async () => {
    const conflict = vi.fn(async () => json('{"error":"x","code":10}', {}, 409))
    const client = createClient({ baseURL: '/api', token: () => 't', fetch: conflict })
    expect((await failureOf(write(client))).kind).toBe('refused')
    expect(conflict).toHaveBeenCalledTimes(1)
  })

  test('is over when the operator cancels it, or its time is up', async () => {
    const cancelled = new AbortController()
    const marks: string[] = []
    const fetch = async (_input: unknown, init?: RequestInit) => {
      marks.push('1')
      cancelled.abort()
      init?.signal?.throwIfAborted()
      return new Response('{}')
    }
    const client = createClient({ baseURL: '/api', token: () => 't', fetch })
    const call = execSql(client, { database: 'd', sql: 'X;', signal: cancelled.signal })
    expect((await failureOf(call)).kind).toBe('aborted')
    expect(marks).toHaveLength(1)
  })
})

describe('a write without cookies, for which browsers keep connections of their own', () => {
  const done = { ...apart, connection: 'close, Webconsole-Fresh' }

  test('is sent where the server says that it may come so, and nothing else is', async () => {
    const { client, credentials } = clientOf(apart, done)
    await readHealth(client)
    await write(client)
    await readHealth(client)
    await write(client)
    expect(credentials).toEqual(['same-origin', 'omit', 'same-origin', 'omit'])
    expect(client.runsOnce()).toBe(true)
  })

  test.each<[string, Given]>([
    ['nothing is claimed', {}],
    ['what is around the guard may ask for cookies', kept],
    ['a front has connections of its own', { ...apart, connection: 'keep-alive' }],
  ])('is not sent where %s', async (_what, before) => {
    const { client, credentials } = clientOf(before)
    await readHealth(client)
    await write(client)
    expect(credentials).toEqual(['same-origin', 'same-origin'])
  })

  test('is not sent over TLS, where a front may want a certificate', async () => {
    vi.stubGlobal('location', new URL('https://db.example/'))
    const { client, credentials } = clientOf(apart)
    await readHealth(client)
    await write(client)
    expect(credentials).toEqual(['same-origin', 'same-origin'])
  })

  test.each<[string, Given]>([
    ['what stands in front answers one', {}],
    ['one gets no answer', new TypeError('redirected')],
  ])('is the last of its kind when %s', async (_what, answer) => {
    const { client, credentials } = clientOf(apart, answer, apart, done)
    await readHealth(client)
    await write(client).catch(() => {})
    await readHealth(client)
    await write(client)
    expect(credentials).toEqual(['same-origin', 'omit', 'same-origin', 'same-origin'])
  })

  test('is sent again without cookies when it is refused for its connection', async () => {
    const { client, credentials } = clientOf(apart, required, done)
    await readHealth(client)
    await write(client)
    expect(credentials).toEqual(['same-origin', 'omit', 'omit'])
  })
})

describe('whether the browser may have repeated a write', () => {
  const broken = new TypeError('fetch failed')

  test.each<[string, Given, boolean]>([
    ['the guard that answered before says that it does not', kept, true],
    ['immudb alone answered', {}, false],
    ['a front passed on the claim, but not the connection', { ...kept, connection: '' }, false],
    ['a front keeps the connection', { ...kept, connection: 'keep-alive' }, false],
  ])('%s: %s', async (_what, before, isOnce) => {
    const { client } = clientOf(before, broken)
    await readHealth(client)
    expect(client.runsOnce()).toBe(isOnce)
    const error = await failureOf(write(client))
    expect(error).toMatchObject({ kind: 'network', isOutcomeUnknown: true, isOnce })
  })

  test('is not known to be so before the first answer, and not after a failure', async () => {
    const { client } = clientOf(broken, broken)
    expect((await failureOf(write(client))).isOnce).toBe(false)
    const other = clientOf(kept, broken, broken).client
    await readHealth(other)
    await failureOf(write(other))
    expect(other.runsOnce()).toBe(false)
    expect((await failureOf(write(other))).isOnce).toBe(false)
  })

  test('is told of a refusal and of a bad answer by that answer itself', async () => {
    const answers = async (text: string, status: number, headers: HeadersInit) => {
      const fetch = async () => json(text, headers, status)
      return failureOf(write(createClient({ baseURL: '/api', token: () => 't', fetch })))
    }
    const refusal = '{"error":"no","code":2,"message":"no"}'
    expect((await answers(refusal, 500, kept)).isOnce).toBe(true)
    expect((await answers(refusal, 500, {})).isOnce).toBe(false)
    expect((await answers('[]', 200, kept)).isOnce).toBe(true)
    expect((await answers('{"txs":7}', 200, kept)).isOnce).toBe(true)
    expect((await answers('{"txs":7}', 200, {})).isOnce).toBe(false)
  })
})
