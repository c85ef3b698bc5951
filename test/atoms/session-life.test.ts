// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readState } from '~/api/server'
import { openDatabase } from '~/atoms/databases/database-list'
import { editorTextAtom, loadDraft, setEditorText } from '~/atoms/query/editor'
import { dockerTokenAtom, fetchDockerToken } from '~/atoms/settings/page-files'
import { clientAtom } from '~/core/session/client'
import { expiryAtom, extendSession } from '~/core/session/expiry'
import { logIn, loginPauseAtom } from '~/core/session/login'
import {
  clockOffsetAtom,
  databaseAtom,
  loginNoticeAtom,
  phaseAtom,
  sessionAtom,
  sessionLossAtom,
} from '~/core/session/session'
import {
  idleLimitAtom,
  lockIdle,
  lockNow,
  replaceStoreAtom,
  type StoreSeed,
} from '~/core/session/session-end'
import { restoreSession } from '~/core/session/session-start'
import { joinTabs, type TabNews } from '~/core/session/tab-messages'
import { changeSettings } from '~/core/settings'
import { readStored } from '~/core/storage/stored'
import { fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn, soon, stored } from '../support/store'
import { tokenEnding } from '../support/tokens'

afterEach(() => {
  vi.useRealTimers()
})

describe('locking', () => {
  test('A17 drops the token everywhere and keeps the draft for the same user', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const tab = openTab(server)
    await signIn(tab)
    await openDatabase(tab.store, 'shop')
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT 1 -- half')
    const token = tab.store.get(sessionAtom)?.token ?? '?'
    lockIdle(tab.store)
    expect(tab.store.get(sessionAtom)).toBeNull()
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    expect(tab.store.get(loginNoticeAtom)?.text).toBe(
      'Locked after 30 minutes without use. Log in again: your drafts are kept.',
    )
    await stored(tab)
    expect(JSON.stringify([...tab.driver.values])).not.toContain(token)
    server.clear()
    await signIn(tab)
    expect(tab.store.get(phaseAtom)).toBe('ready')
    expect(tab.store.get(databaseAtom)).toBe('shop')
    expect(tab.store.get(editorTextAtom)).toBe('SELECT 1 -- half')
  })

  test('A17 a reload of a locked console asks for the password', async () => {
    const server = fakeImmudb()
    const tab = openTab(server)
    await signIn(tab)
    lockNow(tab.store)
    await stored(tab)
    const reloaded = openTab(server, tab.driver)
    await restoreSession(reloaded.store, null)
    expect(reloaded.store.get(phaseAtom)).toBe('signed-out')
  })

  test('A17 by hand covers the intact work, holds no token and sends nothing before the login', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const tab = openTab(server)
    const { store } = tab
    await signIn(tab)
    await openDatabase(store, 'shop')
    const tokens = [
      store.get(sessionAtom)?.token,
      ...(store.get(sessionAtom)?.databaseTokens.values() ?? []),
    ]
    lockNow(store)
    expect(store.get(phaseAtom)).toBe('ready')
    expect(store.get(sessionLossAtom)).not.toBeNull()
    expect(store.get(loginNoticeAtom)?.text).toMatch(
      /^Locked\. .*Your work is kept: log in again to continue\.$/,
    )
    await stored(tab)
    const left = JSON.stringify([
      store.get(sessionAtom),
      [...(store.get(sessionAtom)?.databaseTokens ?? [])],
      [...tab.driver.values],
    ])
    for (const token of tokens) expect(left).not.toContain(token)
    const before = server.calls.length
    const read = readState(store.get(clientAtom), 'shop')
    await Promise.resolve()
    expect(server.calls).toHaveLength(before)
    await signIn(tab)
    expect((await read).db).toBe('shop')
    expect(store.get(databaseAtom)).toBe('shop')
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test.each([true, false])(
    'A17 another user finds nothing of the first, stay signed in: %s',
    async (isStored) => {
      const server = fakeImmudb({
        users: { bob: { password: 'b', permissions: { defaultdb: 2 } } },
      })
      const tab = openTab(server)
      const seeds: StoreSeed[] = []
      tab.store.set(replaceStoreAtom, { end: (seed) => seeds.push(seed) })
      await signIn(tab, 'immudb', 'immudb', isStored)
      await loadDraft(tab.store)
      setEditorText(tab.store, 'SELECT secret')
      lockIdle(tab.store)
      await signIn(tab, 'bob', 'b')
      // An empty store takes the place of this one.
      expect(seeds.map(({ session }) => session?.user)).toEqual(['bob'])
      expect(JSON.stringify(seeds)).not.toContain('secret')
    },
  )

  test('can be set to another time, or to never', async () => {
    const { store } = openTab(fakeImmudb())
    expect(store.get(idleLimitAtom)).toBe(1_800_000)
    await changeSettings(store, { idle: 5 })
    expect(store.get(idleLimitAtom)).toBe(300_000)
    await changeSettings(store, { idle: 0 })
    expect(store.get(idleLimitAtom)).toBeNull()
  })

  test('does nothing while nobody is signed in', async () => {
    const { store } = openTab(fakeImmudb())
    lockIdle(store)
    expect(store.get(loginNoticeAtom)).toBeNull()
  })
})

describe('the end of the session', () => {
  const now = Date.parse('2026-11-21T20:00:00Z')

  beforeEach(() => {
    vi.useFakeTimers({ now })
  })

  async function tabEnding(at: number) {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const tab = openTab(server)
    await signIn(tab)
    const session = tab.store.get(sessionAtom)
    if (!session) throw new Error('not signed in')
    const token = tokenEnding(at)
    const databaseTokens = new Map([
      ['defaultdb', token],
      ['shop', 'v2.public.old'],
    ])
    tab.store.set(sessionAtom, { ...session, databaseTokens })
    return { ...tab, server }
  }

  test('is read from the token of the open database', async () => {
    const { store } = await tabEnding(now + 600_000)
    expect(store.get(expiryAtom)).toBe(now + 600_000)
  })

  test.each([86_400_000, -86_400_000])(
    'F48 goes by the clock of the server when this one is %s ms off',
    async (offset) => {
      const { store } = await tabEnding(now + offset + 600_000)
      store.set(clockOffsetAtom, offset)
      expect(store.get(expiryAtom)).toBe(now + 600_000)
    },
  )

  test('F48 the offset comes from the answers of the server', async () => {
    const server = fakeImmudb()
    const late = now + 86_400_000
    const fetch: typeof globalThis.fetch = async (...call) => {
      const answer = await server.fetch(...call)
      answer.headers.set('date', new Date(late).toUTCString())
      return answer
    }
    const tab = openTab({ ...server, fetch })
    await signIn(tab)
    expect(tab.store.get(clockOffsetAtom)).toBe(86_400_000)
  })

  test('is put off by asking for a new token; other databases open again when needed', async () => {
    const { store, server } = await tabEnding(now + 30_000)
    server.clear()
    await extendSession(store)
    expect(server.log()).toEqual(['GET /db/use/defaultdb'])
    expect(store.get(sessionAtom)?.databaseTokens.size).toBe(1)
    server.clear()
    await openDatabase(store, 'shop')
    expect(server.log()).toEqual(['GET /db/use/shop'])
  })

  test('a refused extension leaves the session as it is', async () => {
    const { store, server } = await tabEnding(now + 30_000)
    const before = store.get(sessionAtom)
    server.databases.delete('defaultdb')
    await expect(extendSession(store)).rejects.toThrow()
    expect(store.get(sessionAtom)).toBe(before)
  })
})

describe('A16 wrong passwords', () => {
  const credentials = { user: 'immudb', password: 'no', isStored: true }

  test('make one wait after the third, other failures do not, a good one ends it', async () => {
    const server = fakeImmudb()
    const { store } = openTab(server)
    const fail = () => logIn(store, credentials).catch(() => {})
    const pauses: number[] = []
    for (let times = 0; times < 5; times += 1) {
      await fail()
      pauses.push(store.get(loginPauseAtom))
    }
    expect(pauses).toEqual([0, 0, 1_000, 2_000, 4_000])
    server.unplug()
    await fail()
    expect(store.get(loginPauseAtom)).toBe(4_000)
    server.plug()
    await logIn(store, { ...credentials, password: 'immudb' })
    expect(store.get(loginPauseAtom)).toBe(0)
  })
})

describe('tabs of one origin', () => {
  test('hear that another is in use, at most every 15 s, and which build it is', async () => {
    const heard: TabNews[] = []
    const one = joinTabs((news) => heard.push(news))
    const other = joinTabs(() => {})
    other.used()
    other.used()
    other.opened('0.1.0 abc')
    await soon(() =>
      expect(heard).toEqual([{ kind: 'used' }, { kind: 'opened', build: '0.1.0 abc' }]),
    )
    one.close()
    other.close()
  })

  test('C21 hear of use though the clock of this computer was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const heard: TabNews[] = []
    const one = joinTabs((news) => heard.push(news))
    const other = joinTabs(() => {})
    other.used()
    vi.setSystemTime(Date.now() - 10 * 365 * 86_400_000)
    vi.advanceTimersByTime(20_000)
    other.used()
    await soon(() => expect(heard).toEqual([{ kind: 'used' }, { kind: 'used' }]))
    one.close()
    other.close()
  })

  test('what is no news of ours is not heard', async () => {
    const heard: TabNews[] = []
    const tabs = joinTabs((news) => heard.push(news))
    const channel = new BroadcastChannel('webconsole.activity')
    for (const odd of [null, 'used', {}, { kind: 'opened' }, { kind: 'used' }])
      channel.postMessage(odd)
    await soon(() => expect(heard).toEqual([{ kind: 'used' }]))
    channel.close()
    tabs.close()
  })
})

describe('the docker token', () => {
  const url = 'https://tokens.example'

  async function tabAnswering(status: number, body: string) {
    const server = fakeImmudb()
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!String(input).startsWith(url)) return server.fetch(input, init)
      asked.push(
        `${String(input)} ${JSON.stringify(Object.fromEntries(new Headers(init?.headers)))}`,
      )
      return new Response(body, { status })
    }
    const tab = openTab({ ...server, fetch })
    await signIn(tab)
    return { ...tab, asked }
  }

  test('is fetched without the token of the database, and stored', async () => {
    const tab = await tabAnswering(200, '{"token":"docker-1"}')
    await fetchDockerToken(tab.store, url)
    expect(tab.asked).toEqual([`${url}/token {}`])
    expect(readStored(await stored(tab)).docker.dockerToken).toBe('docker-1')
  })

  test.each([406, 410])('status %s: both tokens are forgotten', async (status) => {
    const tab = await tabAnswering(200, '{"token":"docker-1"}')
    await fetchDockerToken(tab.store, url)
    const again = await tabAnswering(status, '')
    await expect(fetchDockerToken(again.store, url)).rejects.toThrow()
    expect(again.store.get(dockerTokenAtom)).toBeNull()
    expect(again.store.get(sessionAtom)).toBeNull()
    expect(again.store.get(loginNoticeAtom)?.text).toBe('The docker token expired.')
  })

  test.each([
    [500, '{"token":"x"}'],
    [200, '<html>'],
    [200, '{}'],
    [200, '{"token":"a\\nb"}'],
  ])('status %s with %s changes nothing', async (status, body) => {
    const tab = await tabAnswering(status, body)
    await expect(fetchDockerToken(tab.store, url)).rejects.toThrow()
    expect(tab.store.get(dockerTokenAtom)).toBeNull()
    expect(tab.store.get(sessionAtom)).not.toBeNull()
  })
})
