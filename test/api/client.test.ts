// @vitest-environment node

import * as v from 'valibot'
import { safeParse } from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Call, createClient } from '~/api/client'
import { compactIndex, flushIndex } from '~/api/databases'
import { ApiError } from '~/api/errors'
import { fakeImmudb } from '../support/fake-immudb'

const anything = v.unknown()
const read: Call = { method: 'POST', path: '/db/sqlquery', body: {}, isRead: true }
const state: Call = { method: 'GET', path: '/db/state' }

/** A client of a fake server, with a token of a database whose calls have the fault. */
async function clientFor(fault: string) {
  const server = fakeImmudb({ databases: ['defaultdb', fault] })
  const tokens: (string | null)[] = [null]
  const lost = vi.fn(async () => false)
  const client = createClient({
    baseURL: '/api',
    fetch: server.fetch,
    token: () => tokens.at(-1) ?? null,
    onSessionLost: lost,
  })
  const take = async (call: Call) => {
    const answer = await client.call(v.object({ token: v.string() }), call)
    tokens.push(answer.token)
  }
  const body = { user: btoa('immudb'), password: btoa('immudb') }
  await take({ method: 'POST', path: '/login', body, isAnonymous: true })
  await take({ method: 'GET', path: `/db/use/${fault}` })
  server.clear()
  return { server, client, lost, token: tokens.at(-1) ?? '' }
}

async function failed(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw error
}

/** Milliseconds at which requests left, under fake timers. */
async function departures(fault: string, call: Call) {
  const { client, server } = await clientFor(fault)
  const started = performance.now()
  const outcome = client.call(anything, call).then(
    () => 'good',
    (error: ApiError) => error.kind,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  return { left: server.calls.map(({ at }) => at - started), outcome: await outcome }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  // The platform's own timer does not obey fake ones.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), ms)
    return controller.signal
  })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a request', () => {
  test('carries the token, leaves nothing in a cache and refuses redirects', async () => {
    const fetch = vi.fn(fakeImmudb().fetch)
    const client = createClient({ baseURL: '/ops/immudb/api', fetch, token: () => 'v2.public.x' })
    await failed(client.call(anything, read))
    const [url, init] = fetch.mock.calls[0] ?? []
    const headers = Object.fromEntries(new Headers(init?.headers))
    expect(url).toBe('/ops/immudb/api/db/sqlquery')
    expect(headers).toMatchObject({
      authorization: 'Bearer v2.public.x',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      'content-type': 'application/json',
    })
    expect(init).toMatchObject({
      method: 'POST',
      body: '{}',
      redirect: 'manual',
      cache: 'no-store',
    })
  })

  test('an anonymous one carries no token although there is one', async () => {
    const { client, server } = await clientFor('plain')
    await client.call(anything, { method: 'GET', path: '/health', isAnonymous: true })
    expect(server.calls).toMatchObject([{ path: '/health', token: null }])
  })

  test('the token is asked for at each request, with the database it is about', async () => {
    const token = vi.fn(() => null)
    const client = createClient({ baseURL: '/api', fetch: fakeImmudb().fetch, token })
    await failed(client.call(anything, { ...state, database: 'shop' }))
    expect(token).toHaveBeenCalledWith('shop')
  })

  test('is counted, and the server’s id is taken from each answer', async () => {
    const onCall = vi.fn()
    const onServer = vi.fn()
    const { fetch } = fakeImmudb()
    const client = createClient({ baseURL: '/api', fetch, token: () => null, onCall, onServer })
    await client.call(anything, { method: 'GET', path: '/health', isAnonymous: true })
    expect(onCall).toHaveBeenCalledTimes(1)
    expect(onServer).toHaveBeenCalledWith('dc0mfe1ksduac04rho90')
  })

  test('a redirect is not followed, so the token stays at home', async () => {
    const { client, server } = await clientFor('fault_redirect')
    const call = client.call(anything, state)
    call.catch(() => {})
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await failed(call)).kind).toBe('proxy')
    expect(server.strays).toEqual([])
  })
})

// The handler refuses a GET that changes something without a header that other sites cannot send.
test('a GET that changes something carries a name, without a token too, and one that reads none', async () => {
  const fetch = vi.fn(fakeImmudb().fetch)
  const client = createClient({ baseURL: '/api', fetch, token: () => null })
  await failed(flushIndex(client, { database: 'd', cleanup: '1', isSynced: true }))
  await failed(compactIndex(client, 'd'))
  await failed(client.call(anything, { ...state, mayRepeat: false }))
  const names = fetch.mock.calls.map(([, init]) =>
    new Headers(init?.headers).get('webconsole-write'),
  )
  expect(names).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    expect.stringMatching(/^[0-9a-f]{32}$/),
    null,
  ])
})

describe('repeats', () => {
  const write: Call = { method: 'POST', path: '/db/sqlexec', body: {} }

  test.each([
    ['a GET after a broken connection', 'fault_reset', state, 'network'],
    ['a GET after a gateway’s page', 'fault_gateway', state, 'unavailable'],
    ['a GET after code 14', 'fault_away', state, 'unavailable'],
    ['a read by POST', 'fault_reset', read, 'network'],
    ['a read of a busy server', 'fault_busy', read, 'busy'],
  ])('%s: three more, at 100 ms doubling plus a random share', async (_name, fault, call, kind) => {
    const { left, outcome } = await departures(fault, call)
    expect(outcome).toBe(kind)
    expect(left.map(Math.round)).toEqual([0, 110, 330, 770])
  })

  test('stop as soon as one succeeds', async () => {
    const { left, outcome } = await departures('fault_reset_2', state)
    expect(outcome).toBe('good')
    expect(left).toHaveLength(3)
  })

  test.each([
    ['a write after a broken connection', 'fault_reset', write, 'network'],
    ['a write after its answer was lost', 'fault_lost', write, 'network'],
    ['a write after a gateway’s page', 'fault_gateway', write, 'unavailable'],
    ['a write to a busy server', 'fault_busy', write, 'busy'],
    ['a write after code 14', 'fault_away', write, 'unavailable'],
    ['a POST that nobody called a read', 'fault_reset', { ...read, isRead: false }, 'network'],
    ['a read after an answer of the database', 'fault_conflict', read, 'conflict'],
    ['a read after half an answer', 'fault_cut', state, 'bad-answer'],
    ['a read after a page with status 200', 'fault_portal', state, 'proxy'],
    ['a read after an empty answer', 'fault_empty', state, 'bad-answer'],
    ['a read after a too large answer', 'fault_large', read, 'too-large'],
  ])('%s: none', async (_name, fault, call, kind) => {
    const { left, outcome } = await departures(fault, call)
    expect(outcome).toBe(kind)
    expect(left).toHaveLength(1)
  })

  test('abort during the pause between two ends the call at once', async () => {
    const { client, server } = await clientFor('fault_reset')
    const controller = new AbortController()
    const call = failed(client.call(anything, { ...state, signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(50)
    expect(server.calls).toHaveLength(1)
    controller.abort()
    const error = await call
    expect(error.kind).toBe('aborted')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(server.calls).toHaveLength(1)
  })

  test('a call whose signal is aborted before it starts does not leave', async () => {
    const { client, server } = await clientFor('fault_reset')
    const error = await failed(client.call(anything, { ...state, signal: AbortSignal.abort() }))
    expect(error.kind).toBe('aborted')
    expect(server.calls).toHaveLength(0)
  })
})

describe('the timer', () => {
  test.each([
    ['no answer', 'fault_hang'],
    ['a body that never ends', 'fault_stall'],
  ])('ends %s after 30 s, and nothing is repeated', async (_name, fault) => {
    const { client, server } = await clientFor(fault)
    const settled = vi.fn()
    const call = failed(client.call(anything, state)).then((error) => {
      settled()
      return error
    })
    await vi.advanceTimersByTimeAsync(29_900)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    const error = await call
    expect(error.kind).toBe('timeout')
    expect(error.elapsed).toBeGreaterThanOrEqual(30_000)
    expect(error.isOutcomeUnknown).toBe(true)
    expect(server.calls).toHaveLength(1)
  })

  test('starts again with each try', async () => {
    const { client } = await clientFor('fault_reset_1')
    const timers = vi.mocked(AbortSignal.timeout)
    timers.mockClear()
    const call = client.call(anything, state)
    await vi.advanceTimersByTimeAsync(200)
    await call
    expect(timers.mock.calls).toEqual([[30_000], [30_000]])
  })

  test('abort while the body comes is an abort, not a timeout', async () => {
    const { client } = await clientFor('fault_stall')
    const controller = new AbortController()
    const call = failed(client.call(anything, { ...state, signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort()
    expect((await call).kind).toBe('aborted')
  })
})

describe('a lost session', () => {
  test('a read is sent once more after the same user is back', async () => {
    const { client, server, lost } = await clientFor('plain')
    server.restart()
    lost.mockResolvedValueOnce(true)
    const error = await failed(client.call(anything, state))
    expect(error.kind).toBe('session')
    expect(server.log()).toEqual(['GET /db/state', 'GET /db/state'])
    expect(lost).toHaveBeenCalledTimes(1)
  })

  test('a read is not sent again when nobody comes back', async () => {
    const { client, server } = await clientFor('plain')
    server.restart()
    expect((await failed(client.call(anything, state))).message).toBe('not logged in')
    expect(server.calls).toHaveLength(1)
  })

  test('a write fails at once, without waiting for anybody', async () => {
    const { client, server, lost } = await clientFor('plain')
    server.restart()
    lost.mockReturnValueOnce(new Promise(() => {}))
    const write: Call = { method: 'POST', path: '/db/sqlexec', body: {} }
    expect((await failed(client.call(anything, write))).kind).toBe('session')
    expect(server.calls).toHaveLength(1)
    expect(lost).toHaveBeenCalledTimes(1)
  })

  test('the token that was refused is named', async () => {
    const { client, server, lost, token } = await clientFor('plain')
    server.expireTokens()
    await failed(client.call(anything, { ...state, database: 'plain' }))
    expect(lost.mock.calls[0]).toEqual([expect.any(ApiError), token, 'plain'])
  })

  test('a read that is given up while it waits ends', async () => {
    const { client, server, lost } = await clientFor('plain')
    server.restart()
    lost.mockReturnValueOnce(new Promise(() => {}))
    const controller = new AbortController()
    const call = failed(client.call(anything, { ...state, signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort()
    await call
    expect(server.calls).toHaveLength(1)
  })
})

describe('what is not JSON of the database', () => {
  test.each([
    ['portal', 'proxy'],
    ['empty', 'bad-answer'],
    ['cut', 'bad-answer'],
  ])('%s', async (fault, kind) => {
    const { client } = await clientFor(`fault_${fault}`)
    expect((await failed(client.call(anything, state))).kind).toBe(kind)
  })

  test('an answer of the wrong shape names the place, not the value', async () => {
    const { client } = await clientFor('fault_wrong')
    const schema = v.object({ users: v.array(v.string()) })
    const error = await failed(client.call(schema, state))
    expect(error).toMatchObject({ kind: 'bad-answer', message: 'unexpected users', status: 200 })
    expect(safeParse(schema, { users: [] }).success).toBe(true)
  })
})
