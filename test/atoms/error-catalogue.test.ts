// @vitest-environment node
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, sentence } from '~/api/errors'
import { readHealth, readState } from '~/api/server'
import { outputAtom } from '~/atoms/query/output'
import { runStatements } from '~/atoms/query/run'
import { tablesAtom } from '~/atoms/tables/table-list'
import { clientAtom } from '~/core/session/client'
import { sessionAtom, sessionLossAtom } from '~/core/session/session'
import { changeStoredPart, readStored } from '~/core/storage/stored'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn, soon, stored, type Tab } from '../support/store'

type Answer = { status: number; error: string; code: number }

let server: FakeImmudb
let tab: Tab
/** What the calls of a path are answered with instead of by the server. */
let answers: Map<string, Answer>
let logged: string[]
/** What a query is answered with instead, once. */
let teapot: Response | null

beforeEach(async () => {
  logged = []
  vi.spyOn(console, 'info').mockImplementation((line) => logged.push(String(line)))
  server = fakeImmudb()
  answers = new Map()
  teapot = null
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (teapot && String(input) === '/api/db/sqlquery') return teapot
    const answer = answers.get(String(input))
    if (!answer) return server.fetch(input, init)
    const { status, error, code } = answer
    return new Response(JSON.stringify({ error, message: error, code }), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
  tab = openTab({ ...server, fetch })
  await signIn(tab)
  await changeStoredPart(tab.store, (of) => ({ ...of, docker: { dockerToken: 'd' } }))
})

const kept = async () => readStored(await stored(tab))

/** Asks for the state, which answers so, and waits until it is known what it means. */
async function ask(answer: Answer): Promise<unknown> {
  answers.set('/api/db/state', answer)
  const call = readState(tab.store.get(clientAtom), 'defaultdb')
  const failed = call.catch((error: unknown) => error)
  const lost = new Promise<void>((resolve) => tab.store.sub(sessionLossAtom, resolve))
  return Promise.race([failed, lost])
}

describe('an answer that ends the session', () => {
  test.each([406, 410])('%i: the docker token goes, and the token', async (status) => {
    await ask({ status, error: 'gone', code: 5 })
    expect(tab.store.get(sessionLossAtom)).toBe('docker-token')
    expect(await kept()).toMatchObject({
      docker: { dockerToken: null },
      auth: { token: null, user: 'immudb' },
    })
  })

  test.each([
    [401, 'unauthorized', 16],
    [500, 'please login first', 2],
    [403, 'invalid token', 7],
  ])('%i “%s”: the token goes, the docker token stays', async (status, error, code) => {
    await ask({ status, error, code })
    expect(tab.store.get(sessionLossAtom)).toBe('ended')
    expect(await kept()).toMatchObject({
      docker: { dockerToken: 'd' },
      auth: { token: null, user: 'immudb' },
    })
  })

  test('a later call carries the token of the next login only', async () => {
    const before = tab.store.get(sessionAtom)?.token
    await ask({ status: 500, error: 'please login first', code: 2 })
    answers.clear()
    await signIn(tab)
    server.clear()
    await readState(tab.store.get(clientAtom), 'defaultdb')
    expect(server.calls.map(({ token }) => token)).not.toContain(before)
    expect(server.calls.map(({ token }) => token)).toEqual([tab.store.get(sessionAtom)?.token])
  })
})

describe('an answer that ends no session', () => {
  test.each([
    [403, 'logged in user does not have permission on this database', 7],
    [403, 'old password is incorrect', 7],
    [500, 'internal error', 2],
    [404, 'no such thing', 5],
  ])('%i “%s”', async (status, error, code) => {
    const failure = await ask({ status, error, code })
    expect(failure).toBeInstanceOf(ApiError)
    expect(tab.store.get(sessionLossAtom)).toBeNull()
    expect((await kept()).auth.token).not.toBeNull()
  })
})

describe('what is said', () => {
  const say = (text: string, status: number | null, kind: ApiError['kind'] = 'refused') =>
    sentence(new ApiError({ kind, text, status }))

  test('text of the storage is translated', () => {
    expect(say('tbtree: key not found', 500)).toBe('The server has no entry for this key.')
  })

  test.each([400, 401, 403, 404, 405, 422, 500, 502, 503])(
    '%i: the text as a sentence',
    (status) => {
      expect(say('it was refused', status)).toBe('It was refused.')
    },
  )

  test.each([406, 410])('%i: that the docker token expired, with a text and without', (status) => {
    expect(say('whatever', status, 'docker-token')).toBe('The docker token expired.')
    expect(say('', status, 'docker-token')).toBe('The docker token expired.')
  })

  test.each([402, 409, 418, 429, 501, 505])(
    '%i: that it went wrong, and the words of the server as they are',
    (status) => {
      expect(say('it was refused', status)).toBe(
        'Something went wrong. The server said: “it was refused”',
      )
      expect(say('', status)).toBe('Something went wrong.')
      expect(say('x'.repeat(400), status)).toBe(
        `Something went wrong. The server said: “${'x'.repeat(300)}…”`,
      )
    },
  )

  test('504 without a text: that console and server cannot talk', () => {
    expect(say('', 504, 'unavailable')).toBe(
      'webconsole is unable to communicate with the immudb server.',
    )
  })

  test('no text at all: that it went wrong', () => {
    expect(say('', 500)).toBe('Something went wrong.')
  })

  test('no status counts as 500', () => {
    expect(say('it was refused', null)).toBe('It was refused.')
  })
})

describe('a failed call', () => {
  test('is logged once, by its kind, and goes on to anyone who asked', async () => {
    answers.set('/api/health', { status: 500, error: 'secret words', code: 2 })
    await expect(readHealth(tab.store.get(clientAtom))).rejects.toThrow('secret words')
    expect(logged).toEqual(['webconsole: GET /health failed: refused 500'])
  })

  test('of a query is an entry among the errors, with its message and time', async () => {
    const before = Date.now()
    answers.set('/api/db/sqlquery', { status: 500, error: 'table does not exist (t)', code: 2 })
    await runStatements(tab.store, 'SELECT id FROM t', splitStatements('SELECT id FROM t'))
    const [entry, divider] = tab.store.get(outputAtom)
    const failed = entry?.kind === 'entry' ? entry : undefined
    expect(failed).toMatchObject({ stream: 'error', status: 'failed' })
    expect(failed?.message).toBe('Table does not exist (t).')
    expect(failed?.timestamp).toBeGreaterThanOrEqual(before)
    expect(failed?.timestamp).toBeLessThanOrEqual(Date.now())
    expect(divider?.kind).toBe('divider')
  })

  test.each([
    ['text/plain', 'I am a teapot'],
    ['application/json', '{"error":"I am a teapot"}'],
    ['application/problem+json', '{"title":"no","detail":"I am a teapot"}'],
  ])('of a query, answered by something else in %s, quotes its words: %s', async (type, body) => {
    teapot = new Response(body, { status: 418, headers: { 'content-type': type } })
    await runStatements(tab.store, 'SELECT 1', splitStatements('SELECT 1'))
    const [entry] = tab.store.get(outputAtom)
    expect(entry?.kind === 'entry' && entry.message).toBe(
      'Something went wrong. The server said: “I am a teapot”',
    )
  })

  test('of the list of tables is an error of its own, is logged, and touches nothing else', async () => {
    answers.set('/api/db/table/list', { status: 500, error: 'corrupted', code: 2 })
    server.databases.set('defaultdb', { isLoaded: true, txId: 3, tables: new Map([['t', []]]) })
    const stop = tab.store.sub(tablesAtom, () => {})
    await soon(() => expect(tab.store.get(tablesAtom).error).toBeInstanceOf(ApiError))
    stop()
    // The trusted state may be asked for meanwhile.
    expect(logged.filter((line) => line.includes('/db/table'))).toEqual([
      'webconsole: GET /db/table failed: refused 500',
    ])
    expect(tab.store.get(outputAtom)).toEqual([])
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })
})

test('each entry names the line its statement begins in', async () => {
  const text = 'SELECT 1;\n\n-- a note\nSELECT 2; SELECT 3'
  await runStatements(tab.store, text, splitStatements(text))
  const entries = tab.store.get(outputAtom).filter((item) => item.kind === 'entry')
  expect(entries.map(({ line }) => line)).toEqual([1, 4, 4])
})
