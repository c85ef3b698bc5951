import { describe, expect, test } from 'vitest'
import { type ClientOptions, createClient } from '~/api/client'
import { ApiError, sentence } from '~/api/errors'
import { nothing } from '~/api/schemas'

type Said = { status?: number; headers?: Record<string, string>; body?: string }

const uuid = { 'Grpc-Metadata-Immudb-Uuid': 'one' }
const known = { ...uuid, 'Webconsole-Token': 'known' }
const taken = { ...uuid, 'Webconsole-Token': 'taken' }

/** A client of a server that answers in turn, and what it was sent. */
function talk(answers: readonly Said[], options: Partial<ClientOptions> = {}) {
  const sent: (string | null)[][] = []
  const left = [...answers]
  const client = createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    ...options,
    fetch: async (_url, init) => {
      const headers = new Headers(init?.headers)
      sent.push([headers.get('Authorization'), headers.get('Webconsole-Token')])
      const { status = 200, headers: own = {}, body = '{}' } = left.shift() ?? {}
      return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...own } })
    },
  })
  const read = () => client.call(nothing, { method: 'GET', path: '/db/state' })
  const write = () => client.call(nothing, { method: 'POST', path: '/db/set', body: {} })
  return { client, sent, read, write }
}

const bearer = ['Bearer v2.public.x', null]
const own = [null, 'v2.public.x']

describe('a token', () => {
  test('travels as immudb wants it until the host says that it has a header of its own', async () => {
    const { sent, read, write } = talk([{ headers: known }, { headers: taken }, { headers: taken }])
    await read()
    await read()
    await write()
    expect(sent).toEqual([bearer, own, own])
  })

  test('travels as immudb wants it under plain immudb', async () => {
    const { sent, read } = talk([{ headers: uuid }, { headers: uuid }])
    await read()
    await read()
    expect(sent).toEqual([bearer, bearer])
  })

  test('goes back to it when a plain immudb answers there', async () => {
    const { sent, read } = talk([{ headers: known }, { headers: uuid }, { headers: uuid }])
    for (const _ of [1, 2, 3]) await read()
    expect(sent).toEqual([bearer, own, bearer])
  })

  test('stays in its own header when a proxy answers in place of the host', async () => {
    const { sent, read } = talk([{ headers: known }, { status: 401 }, { headers: taken }])
    await read()
    await expect(read()).rejects.toMatchObject({ kind: 'proxy' })
    await read()
    expect(sent).toEqual([bearer, own, own])
  })

  test('goes the other way once something drops the header, and a read is sent again', async () => {
    const refused = {
      status: 500,
      headers: known,
      body: '{"error":"not logged in","code":2,"message":"not logged in"}',
    }
    const { sent, read, client } = talk([{ headers: known }, refused, { headers: known }, {}])
    await read()
    await read()
    expect(client.takesOwnHeader()).toBe(false)
    await read()
    expect(sent).toEqual([bearer, own, bearer, bearer])
  })

  test('a write that arrived without it is not sent again', async () => {
    const refused = {
      status: 401,
      headers: known,
      body: '{"error":"Please login","code":16,"message":"Please login"}',
    }
    const { sent, read, write } = talk([{ headers: known }, refused])
    await read()
    await expect(write()).rejects.toMatchObject({ kind: 'session' })
    expect(sent).toEqual([bearer, own])
  })

  test('of a worker begins as the page ended', async () => {
    const { sent, read } = talk([{ headers: taken }], { takesOwnHeader: true })
    await read()
    expect(sent).toEqual([own])
  })
})

describe('a proxy that asks for a password (Basic)', () => {
  const asked = { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="ops"' }, body: '' }

  test('in front of plain immudb: the sentence says why both cannot work', async () => {
    const { read } = talk([asked])
    const error = await read().then(
      () => null,
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(ApiError)
    expect(sentence(error)).toMatch(/asks for a password in the header that carries the session/)
    expect(sentence(error)).toMatch(/Open the console through the webconsole program/)
  })

  test('is not asked again with what makes a browser ask the user', async () => {
    const manners: (RequestCredentials | undefined)[] = []
    const client = createClient({
      baseURL: '/api',
      token: () => 'v2.public.x',
      fetch: async (_url, init) => {
        manners.push(init?.credentials)
        return new Response('', asked)
      },
    })
    const path = '/db/state'
    await client.call(nothing, { method: 'GET', path }).catch(() => {})
    await client.call(nothing, { method: 'GET', path }).catch(() => {})
    await client
      .call(nothing, { method: 'GET', path: '/health', isAnonymous: true })
      .catch(() => {})
    expect(manners).toEqual(['same-origin', 'omit', 'same-origin'])
  })

  test('in front of our handler the header is free, so it is only a log-in that has ended', async () => {
    const { read } = talk([{ headers: known }, asked])
    await read()
    await expect(read().catch((error: unknown) => sentence(error))).resolves.toMatch(
      /^A proxy in front of the server wants you to log in at it again\./,
    )
  })
})

test('a proxy that wants its log-in is told of until immudb answers again', async () => {
  const told: (string | null)[] = []
  const { read } = talk([{ status: 401 }, {}], {
    onProxy: (error) => told.push(error?.kind ?? null),
  })
  await read().catch(() => {})
  await read()
  expect(told).toEqual(['proxy', null])
})
