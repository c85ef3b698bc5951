// @vitest-environment node
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '~/api/errors'
import { readState } from '~/api/server'
import { execSql, querySql } from '~/api/sql'
import { openDatabase } from '~/atoms/databases/database-list'
import { bannerAtom } from '~/core/session/banner'
import { clientAtom } from '~/core/session/client'
import { logIn, loginFailure } from '~/core/session/login'
import {
  databaseAtom,
  loginNoticeAtom,
  phaseAtom,
  serverAtom,
  sessionAtom,
  sessionLossAtom,
} from '~/core/session/session'
import { logOut, replaceStoreAtom, type StoreSeed } from '~/core/session/session-end'
import { beginSession, enterSession, restoreSession } from '~/core/session/session-start'
import { readStored, storedAtom } from '~/core/storage/stored'
import { listPatience } from '~/lib/constants'
import { emptyDatabase, type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { fakeDriver, openTab, signIn, soon, stored, type Tab } from '../../support/store'

const clerk = { password: 'pass-1', permissions: { shop: 2 } }

/** A server on which immudb is signed in, and the storage that remembers it. */
async function signedInBefore(server: FakeImmudb, database?: string) {
  const driver = fakeDriver()
  const tab = openTab(server, driver)
  await signIn(tab)
  if (database) await openDatabase(tab.store, database)
  await stored(tab)
  server.clear()
  return driver
}

async function auth(tab: Tab) {
  return readStored(await stored(tab)).auth
}

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${error}`)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('start', () => {
  test('with nothing stored: the form, and not a single call', async () => {
    const server = fakeImmudb()
    const { store } = openTab(server)
    await restoreSession(store, null)
    expect(store.get(phaseAtom)).toBe('signed-out')
    expect(server.log()).toEqual([])
  })

  test('with a token: health, the stored database, ready', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const driver = await signedInBefore(server, 'shop')
    const { store } = openTab(server, driver)
    await restoreSession(store, null)
    expect(store.get(phaseAtom)).toBe('ready')
    expect(store.get(databaseAtom)).toBe('shop')
    expect(server.log()).toEqual(['GET /health', 'GET /db/use/shop'])
    expect(server.calls[0]?.token).toBeNull()
  })

  test('the database of the address comes before the stored one', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const { store } = openTab(server, await signedInBefore(server))
    await restoreSession(store, 'shop')
    expect(store.get(databaseAtom)).toBe('shop')
  })

  test.each([
    ['is gone', (server: FakeImmudb) => server.databases.delete('shop')],
    [
      'is unloaded',
      (server: FakeImmudb) => server.databases.set('shop', { ...emptyDatabase(), isLoaded: false }),
    ],
  ])('a stored database that %s: the first that opens', async (_what, change) => {
    const server = fakeImmudb({ databases: ['unloaded', 'archive', 'shop'] })
    server.databases.set('unloaded', { ...emptyDatabase(), isLoaded: false })
    const driver = await signedInBefore(server, 'shop')
    change(server)
    const tab = openTab(server, driver)
    await restoreSession(tab.store, null)
    expect(tab.store.get(phaseAtom)).toBe('ready')
    expect(tab.store.get(databaseAtom)).toBe('archive')
    expect(server.log()).toEqual([
      'GET /health',
      'GET /db/use/shop',
      'POST /db/list/v2',
      'GET /db/use/archive',
    ])
    expect(readStored(await stored(tab)).database.active).toBe('archive')
  })

  describe('a first login opens', () => {
    async function opened(sizes: Record<string, number>, before?: (tab: Tab) => Promise<unknown>) {
      const server = fakeImmudb({ databases: Object.keys(sizes) })
      for (const [name, txId] of Object.entries(sizes)) {
        server.databases.set(name, { ...emptyDatabase(), txId })
      }
      const tab = openTab(server)
      await before?.(tab)
      server.clear()
      await signIn(tab)
      return { name: tab.store.get(databaseAtom), log: server.log(), tab, server }
    }

    test('the fullest database while the default one is empty', async () => {
      const { name, log, tab } = await opened({ defaultdb: 0, archive: 3, shop: 52 })
      expect(name).toBe('shop')
      expect(log).toEqual(['GET /health', 'POST /login', 'POST /db/list/v2', 'GET /db/use/shop'])
      const session = tab.store.get(sessionAtom)
      expect(session?.token).toBe(session?.databaseTokens.get('shop'))
    })

    test('only a database of the list', async () => {
      const server = fakeImmudb({
        databases: ['defaultdb', 'shop'],
        users: { zoe: { password: 'Zoe-1234!', permissions: { shop: 2 } } },
      })
      server.databases.set('shop', { ...emptyDatabase(), txId: 52 })
      const tab = openTab(server)
      await signIn(tab, 'zoe', 'Zoe-1234!')
      expect(tab.store.get(databaseAtom)).toBe('shop')
      expect(server.log()).toEqual([
        'GET /health',
        'POST /login',
        'POST /db/list/v2',
        'GET /db/use/shop',
      ])
    })

    test.each([
      ['the default one when it holds something', { defaultdb: 1, shop: 52 }],
      ['the default one when nothing holds anything', { defaultdb: 0, shop: 0 }],
    ])('%s', async (_which, sizes) => {
      expect((await opened(sizes)).name).toBe('defaultdb')
    })

    test('the default one when the list does not come in time', async () => {
      const { timeout } = AbortSignal
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
        ms === listPatience ? AbortSignal.abort() : timeout.call(AbortSignal, ms),
      )
      const { name } = await opened({ defaultdb: 0, shop: 52 })
      expect(name).toBe('defaultdb')
    })

    test('the database of the address, whatever holds something', async () => {
      const before = ({ store }: Tab) => restoreSession(store, 'archive')
      const { name, log } = await opened({ defaultdb: 0, archive: 0, shop: 52 }, before)
      expect(name).toBe('archive')
      expect(log).not.toContain('POST /db/list/v2')
    })

    test('the chosen database, until the log-out', async () => {
      const { tab, server } = await opened({ defaultdb: 0, archive: 0, shop: 52 })
      await openDatabase(tab.store, 'archive')
      await stored(tab)
      server.restart()
      const again = openTab(server, tab.driver)
      await restoreSession(again.store, null)
      await signIn(again)
      expect(again.store.get(databaseAtom)).toBe('archive')
      logOut(again.store)
      await stored(again)
      const after = openTab(server, tab.driver)
      await restoreSession(after.store, null)
      await signIn(after)
      expect(after.store.get(databaseAtom)).toBe('shop')
    })
  })

  test('no permission on any database is no reason to stay outside', async () => {
    const server = fakeImmudb({ users: { guest: { password: 'x', permissions: {} } } })
    const tab = openTab(server)
    await signIn(tab, 'guest', 'x')
    expect(tab.store.get(phaseAtom)).toBe('ready')
    expect(tab.store.get(databaseAtom)).toBeNull()
  })

  test.each([
    ['restarted', (server: FakeImmudb) => server.restart()],
    ['let it expire', (server: FakeImmudb) => server.expireTokens()],
  ])('a token after the server %s: the form, without the token', async (_what, end) => {
    const server = fakeImmudb()
    const driver = await signedInBefore(server)
    end(server)
    const tab = openTab(server, driver)
    await restoreSession(tab.store, null)
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    expect(tab.store.get(sessionLossAtom)).toBeNull()
    expect(tab.store.get(loginNoticeAtom)?.text).toBe('Your session has ended. Log in to continue.')
    expect(await auth(tab)).toMatchObject({ token: null, user: 'immudb' })
    await signIn(tab)
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test.each([
    ['another server', 'another-server-id'],
    ['something that does not say who it is', ''],
  ])('the token is never sent to %s', async (_what, uuid) => {
    const server = fakeImmudb()
    const driver = await signedInBefore(server)
    server.becomeAnother(uuid)
    const tab = openTab(server, driver)
    await restoreSession(tab.store, null)
    expect(server.log()).toEqual(['GET /health'])
    expect(server.calls.map(({ token }) => token)).toEqual([null])
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    expect(tab.store.get(loginNoticeAtom)?.text).toMatch(/another server/i)
    expect((await auth(tab)).token).toBeNull()
  })

  test('a server that never says who it is can be signed in to, and back in', async () => {
    const server = fakeImmudb()
    server.becomeAnother('')
    const { store } = openTab(server, await signedInBefore(server))
    expect(store.get(serverAtom)).toBeNull()
    await restoreSession(store, null)
    expect(store.get(phaseAtom)).toBe('ready')
  })

  test('an unreachable server keeps the session, and the next try enters', async () => {
    vi.useFakeTimers()
    const server = fakeImmudb()
    const driver = await signedInBefore(server)
    server.unplug()
    const tab = openTab(server, driver)
    const restored = restoreSession(tab.store, null)
    await vi.advanceTimersByTimeAsync(1_000)
    await restored
    expect(tab.store.get(phaseAtom)).toBe('unreachable')
    expect((await auth(tab)).token).not.toBeNull()
    server.plug()
    await enterSession(tab.store)
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test.each([
    ['a header cannot carry', 'v2.public.\u0442\u043e\u043a\u0435\u043d'],
    ['breaks the line', 'v2.public.a\nX-Evil: 1'],
    ['is empty', ''],
  ])('a stored token that %s counts as none', async (_what, token) => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    driver.values.set('webconsole', { auth: { token, user: 'immudb', server: null } })
    const { store } = openTab(server, driver)
    await restoreSession(store, null)
    expect(store.get(phaseAtom)).toBe('signed-out')
    expect(server.log()).toEqual([])
  })

  test('a stored or addressed database whose name cannot exist does not keep anybody out', async () => {
    const server = fakeImmudb()
    const driver = await signedInBefore(server)
    for (const name of ['..', '', 'half a \ud800 character']) {
      const { store } = openTab(server, driver)
      await restoreSession(store, name)
      expect(store.get(phaseAtom)).toBe('ready')
      expect(store.get(databaseAtom)).toBe('defaultdb')
    }
    expect(server.log().filter((line) => line.includes('use'))).toEqual(
      Array(3).fill('GET /db/use/defaultdb'),
    )
  })
})

describe('logging in', () => {
  test('takes four calls to a usable console, the list of databases among them', async () => {
    const server = fakeImmudb()
    const tab = openTab(server)
    await signIn(tab)
    expect(server.log()).toEqual([
      'GET /health',
      'POST /login',
      'POST /db/list/v2',
      'GET /db/use/defaultdb',
    ])
    expect(tab.store.get(phaseAtom)).toBe('ready')
    expect(tab.store.get(sessionAtom)?.token).toBe('v2.public.immudb.2')
    expect(await auth(tab)).toEqual({
      token: 'v2.public.immudb.2',
      user: 'immudb',
      permission: null,
      server: 'dc0mfe1ksduac04rho90',
    })
  })

  test('the password travels as base64 of UTF-8 and is kept nowhere', async () => {
    const password = 'Gr\u00fc\u00dfe \ud83d\udd11 '
    const server = fakeImmudb({ users: { zoe: { password, permissions: { defaultdb: 1 } } } })
    const tab = openTab(server)
    await signIn(tab, 'zoe', password)
    expect(server.calls[1]?.body.password).toBe(Buffer.from(password).toString('base64'))
    await stored(tab)
    expect(JSON.stringify([...tab.driver.values])).not.toContain('Gr\u00fc')
  })

  test.each([
    ['a wrong password', 'immudb', 'nope', 'Invalid user name or password.'],
    ['an unknown user', 'nobody', 'immudb', 'Invalid user name or password.'],
    ['a deactivated user', 'asleep', 'x', 'User is not active.'],
    ['an empty answer', 'fault_empty', 'x', 'Login received no response.'],
    ['half an answer', 'fault_cut', 'x', 'Login received no response.'],
    ['no server', 'fault_reset', 'x', 'The immudb server cannot be reached.'],
    [
      'a portal',
      'fault_portal',
      'x',
      'Something other than immudb answered at this address, with a page. If a proxy in front has a log-in of its own, log in there again.',
    ],
    [
      'a gateway',
      'fault_gateway',
      'x',
      'webconsole is unable to communicate with the immudb server.',
    ],
  ])('%s changes nothing and is said', async (_what, user, password, said) => {
    const users = Object.fromEntries(
      ['fault_empty', 'fault_cut', 'fault_reset', 'fault_portal', 'fault_gateway'].map((name) => [
        name,
        { password: 'x', permissions: { defaultdb: 1 } },
      ]),
    )
    const asleep = { password: 'x', permissions: { defaultdb: 1 }, isActive: false }
    const server = fakeImmudb({ users: { ...users, asleep } })
    const tab = openTab(server)
    await restoreSession(tab.store, null)
    const error = await refusal(signIn(tab, user, password))
    expect(loginFailure(error)).toBe(said)
    expect(tab.store.get(sessionAtom)).toBeNull()
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    expect((await auth(tab)).token).toBeNull()
    expect(server.log()).toEqual(['GET /health', 'POST /login'])
  })

  test('an answer without a token, or with one that cannot be sent, is no login', async () => {
    for (const token of [undefined, '', 7, 'a\nb']) {
      const fetch = async () =>
        new Response(JSON.stringify({ token }), { headers: { 'content-type': 'application/json' } })
      const tab = openTab({ ...fakeImmudb(), fetch })
      expect((await refusal(signIn(tab))).kind).toBe('bad-answer')
      expect(tab.store.get(sessionAtom)).toBeNull()
    }
  })

  test('the server’s warning goes to the banner; the next login without one takes it away', async () => {
    const server = fakeImmudb()
    const tab = openTab(server)
    await signIn(tab)
    expect(tab.store.get(bannerAtom)).toEqual({
      show: true,
      title: 'immudb user has the default password: please change it to ensure proper security',
      subtitle: '',
      color: 'error',
      persistent: false,
      icon: 'shield',
    })
    server.users.set('immudb', { password: 'better', permissions: { '*': 255 } })
    server.restart()
    void readState(tab.store.get(clientAtom), 'defaultdb').catch(() => {})
    await soon(() => expect(tab.store.get(sessionLossAtom)).not.toBeNull())
    await signIn(tab, 'immudb', 'better')
    expect(tab.store.get(bannerAtom).show).toBe(false)
  })

  test('“this tab only” leaves nothing in storage but which server it was', async () => {
    const tab = openTab(fakeImmudb())
    await signIn(tab, 'immudb', 'immudb', false)
    expect(tab.store.get(phaseAtom)).toBe('ready')
    const server = 'dc0mfe1ksduac04rho90'
    expect(await auth(tab)).toEqual({ token: null, user: null, permission: null, server })
    expect(JSON.stringify([...tab.driver.values])).not.toContain('v2.public')
  })

  test('a user who cannot open the default database lands in one of their own', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'], users: { clerk } })
    const tab = openTab(server)
    await signIn(tab, 'clerk', 'pass-1')
    expect(tab.store.get(databaseAtom)).toBe('shop')
    expect(server.calls.length).toBeLessThanOrEqual(5)
  })
})

describe('databases of a tab', () => {
  test('each call carries the token of its database; going back opens none again', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const { store } = openTab(server)
    await signIn({ store })
    await openDatabase(store, 'shop')
    await openDatabase(store, 'defaultdb')
    server.clear()
    const client = store.get(clientAtom)
    await readState(client, 'shop')
    await readState(client, 'defaultdb')
    expect(server.calls.map(({ database }) => database)).toEqual(['shop', 'defaultdb'])
    await openDatabase(store, 'shop')
    expect(server.calls).toHaveLength(2)
    expect(store.get(databaseAtom)).toBe('shop')
  })

  test('a refused database leaves the old one, its token and the session', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop', 'ledger'], users: { clerk } })
    const { store } = openTab(server)
    await signIn({ store }, 'clerk', 'pass-1')
    const before = store.get(sessionAtom)
    const error = await refusal(openDatabase(store, 'ledger'))
    expect(error).toMatchObject({ kind: 'permission', status: 403 })
    expect(store.get(databaseAtom)).toBe('shop')
    expect(store.get(sessionAtom)).toEqual(before)
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('of two quick choices the later stays, in whatever order they open', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'use_fault_held', 'shop'] })
    const { store } = openTab(server)
    await signIn({ store })
    const slow = openDatabase(store, 'use_fault_held')
    const quick = openDatabase(store, 'shop')
    expect(await quick).toBe(true)
    server.release()
    expect(await slow).toBe(false)
    expect(store.get(databaseAtom)).toBe('shop')
  })

  test('a token without a database is given one, and the read is sent once more', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'fault_unselected_1'] })
    const { store } = openTab(server)
    await signIn({ store })
    await openDatabase(store, 'fault_unselected_1')
    server.clear()
    expect((await readState(store.get(clientAtom), 'fault_unselected_1')).txId).toBe('0')
    expect(server.log()).toEqual([
      'GET /db/state',
      'GET /db/use/fault_unselected_1',
      'GET /db/state',
    ])
  })

  test('a write is not repeated after a database was selected again', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'fault_unselected_1'] })
    const { store } = openTab(server)
    await signIn({ store })
    await openDatabase(store, 'fault_unselected_1')
    server.clear()
    const request = { database: 'fault_unselected_1', sql: 'CREATE TABLE t(id INTEGER);' }
    expect((await refusal(execSql(store.get(clientAtom), request))).kind).toBe('no-database')
    expect(server.log()).toEqual(['POST /db/sqlexec', 'GET /db/use/fault_unselected_1'])
  })
})

/** A tab whose session the server has forgotten, with a read that waits for it. */
async function lost(options: Parameters<typeof fakeImmudb>[0] = {}, user = 'immudb') {
  const server = fakeImmudb(options)
  const tab = openTab(server)
  const seeds: StoreSeed[] = []
  tab.store.set(replaceStoreAtom, { end: (seed) => seeds.push(seed) })
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'pass-1')
  await stored(tab)
  server.restart()
  server.clear()
  const database = tab.store.get(databaseAtom) ?? ''
  const read = readState(tab.store.get(clientAtom), database)
  read.catch(() => {})
  await soon(() => expect(tab.store.get(sessionLossAtom)).toBe('ended'))
  return { ...tab, tab, server, read, seeds }
}

describe('a lost session', () => {
  test('the same user is back: the read is sent exactly once more, all else is as it was', async () => {
    const { store, tab, server, read } = await lost()
    await signIn(tab)
    expect((await read).txId).toBe('0')
    expect(server.log()).toEqual([
      'GET /db/state',
      'GET /health',
      'POST /login',
      'GET /db/use/defaultdb',
      'GET /db/state',
    ])
    expect(server.calls.at(-1)?.token).toBe(store.get(sessionAtom)?.token)
    expect(store.get(phaseAtom)).toBe('ready')
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('several reads wait together and are each sent once more', async () => {
    const { store, tab, server } = await lost()
    const client = store.get(clientAtom)
    const reads = [1, 2, 3].map((n) =>
      querySql(client, { database: 'defaultdb', sql: `SELECT ${n};` }),
    )
    await soon(() => expect(server.log().filter((one) => one.includes('sqlquery'))).toHaveLength(3))
    await signIn(tab)
    const answers = await Promise.all(reads)
    expect(answers.map(({ rows }) => rows.length)).toEqual([1, 1, 1])
    expect(server.log().filter((one) => one.includes('sqlquery'))).toHaveLength(6)
  })

  test('a write fails at once and is not sent again', async () => {
    const { store, tab, server } = await lost()
    const write = execSql(store.get(clientAtom), { database: 'defaultdb', sql: 'X;' })
    expect((await refusal(write)).kind).toBe('session')
    await signIn(tab)
    expect(server.log().filter((one) => one.includes('sqlexec'))).toHaveLength(1)
  })

  test('a late answer to the old token is sent again at once, without another login', async () => {
    const { store, tab, server } = await lost()
    const request = { database: 'defaultdb', sql: 'SELECT 7; /* fault_held_1 */' }
    const read = querySql(store.get(clientAtom), request)
    await signIn(tab)
    server.release()
    expect((await read).rows).toHaveLength(1)
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('a wrong password leaves everything waiting', async () => {
    const { store, tab, read } = await lost()
    expect((await refusal(signIn(tab, 'immudb', 'nope'))).kind).toBe('credentials')
    expect(store.get(sessionLossAtom)).toBe('ended')
    await signIn(tab)
    expect((await read).db).toBe('defaultdb')
  })

  test.each([
    ['gone', (server: FakeImmudb) => server.databases.delete('defaultdb')],
    [
      'unloaded',
      (server: FakeImmudb) =>
        server.databases.set('defaultdb', { ...emptyDatabase(), isLoaded: false }),
    ],
  ])(
    'the database is %s meanwhile: another one, but never a closed door',
    async (_what, change) => {
      const { store, tab, server, read } = await lost({ databases: ['defaultdb', 'shop'] })
      change(server)
      await signIn(tab)
      expect(store.get(sessionLossAtom)).toBeNull()
      expect(store.get(databaseAtom)).toBe('shop')
      // The read was about the other database; it is not answered from this one.
      expect((await refusal(read)).kind).toBe('session')
      expect(server.calls.filter(({ path }) => path === '/db/state')).toHaveLength(1)
    },
  )

  test('a server that dies again during the login ends the attempt instead of hanging it', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'use_fault_delayed'] })
    const tab = openTab(server)
    await signIn(tab)
    const opened = openDatabase(tab.store, 'use_fault_delayed')
    server.release()
    await opened
    server.restart()
    void readState(tab.store.get(clientAtom), 'use_fault_delayed').catch(() => {})
    await soon(() => expect(tab.store.get(sessionLossAtom)).not.toBeNull())
    const first = refusal(signIn(tab))
    await soon(() => expect(server.log().at(-1)).toBe('GET /db/use/use_fault_delayed'))
    server.restart()
    server.release()
    expect((await first).kind).toBe('session')
    expect(tab.store.get(sessionLossAtom)).not.toBeNull()
    const second = signIn(tab)
    await soon(() => expect(server.log().at(-1)).toBe('GET /db/use/use_fault_delayed'))
    server.release()
    await second
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })

  test('storage forgets the token at once but neither user nor settings', async () => {
    const { tab } = await lost()
    expect(await auth(tab)).toMatchObject({ token: null, user: 'immudb' })
    await signIn(tab)
    expect((await auth(tab)).token).toBe(tab.store.get(sessionAtom)?.token)
  })

  test('a token that another tab has stored since is not touched', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    const [first, second] = [openTab(server, driver), openTab(server, driver)]
    await signIn(first)
    await stored(first)
    server.restart()
    await signIn(second)
    await stored(second)
    const kept = second.store.get(sessionAtom)?.token
    void readState(first.store.get(clientAtom), 'defaultdb').catch(() => {})
    await soon(() => expect(first.store.get(sessionLossAtom)).toBe('ended'))
    await stored(first)
    expect((await auth(second)).token).toBe(kept)
  })

  test('another user: nothing of the first one goes on, and the store ends', async () => {
    const { store, tab, server, read, seeds } = await lost({
      databases: ['defaultdb', 'shop'],
      users: { clerk },
    })
    await signIn(tab, 'clerk', 'pass-1')
    expect(store.get(sessionAtom)).toBeNull()
    expect((await refusal(read)).kind).toBe('session')
    expect(seeds).toMatchObject([
      { session: { user: 'clerk' }, stored: { auth: { token: null, user: null } } },
    ])
    expect(server.log().filter((one) => one === 'GET /db/state')).toHaveLength(1)
    expect(await auth(tab)).toMatchObject({ token: null, user: null })
    const [seed] = seeds
    if (!seed) throw new Error('no seed')
    const next = openTab(server, tab.driver)
    await beginSession(next.store, seed)
    expect(next.store.get(databaseAtom)).toBe('shop')
    expect(await auth(next)).toMatchObject({ user: 'clerk' })
  })

  test('another user with the default password still gets the warning', async () => {
    const { tab, seeds } = await lost({ databases: ['shop'], users: { clerk } }, 'clerk')
    await signIn(tab)
    expect(seeds[0]?.stored.view.banner.title).toMatch(/default password/)
    expect(readStored(await stored(tab)).view.banner.show).toBe(true)
  })

  test('a log-out elsewhere while the login is on its way: no session, nothing stored', async () => {
    const { store, tab } = await lost()
    const login = logIn(store, { user: 'immudb', password: 'immudb', isStored: true })
    store.set(sessionAtom, null)
    await login
    expect(store.get(sessionAtom)).toBeNull()
    expect((await auth(tab)).token).toBeNull()
  })

  test('406 clears the docker token and the token, and shows the form over the work', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'fault_docker_1'] })
    const tab = openTab(server)
    await signIn(tab)
    tab.store.set(storedAtom, (of) => ({ ...of, docker: { dockerToken: 'd' } }))
    await openDatabase(tab.store, 'fault_docker_1')
    const read = readState(tab.store.get(clientAtom), 'fault_docker_1')
    await soon(() => expect(tab.store.get(sessionLossAtom)).not.toBeNull())
    expect(tab.store.get(storedAtom)).toMatchObject({
      docker: { dockerToken: null },
      auth: { token: null },
    })
    await signIn(tab)
    expect((await read).db).toBe('fault_docker_1')
  })
})

test('a user stored before whose session is over is forgotten when another one signs in', async () => {
  const server = fakeImmudb({ databases: ['shop'], users: { clerk } })
  const driver = await signedInBefore(server)
  const entries = [{ text: 'SELECT secret;', database: 'shop', at: 1 }]
  driver.values.set('webconsole.history', { user: 'immudb', entries })
  server.restart()
  const tab = openTab(server, driver)
  const seeds: StoreSeed[] = []
  tab.store.set(replaceStoreAtom, { end: (seed) => seeds.push(seed) })
  await restoreSession(tab.store, null)
  expect(driver.values.get('webconsole.history')).not.toBeNull()
  await signIn(tab, 'clerk', 'pass-1')
  await stored(tab)
  expect(seeds).toHaveLength(1)
  expect(JSON.stringify([...driver.values])).not.toContain('secret')
})
