// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readHealth, readState } from '~/api/server'
import { execSql } from '~/api/sql'
import { trustOfAtom } from '~/atoms/databases/trusted-databases'
import { clientAtom } from '~/core/session/client'
import {
  databaseAtom,
  loginNoticeAtom,
  phaseAtom,
  serverAtom,
  sessionAtom,
  sessionLossAtom,
} from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { restoreSession } from '~/core/session/session-start'
import { readStored } from '~/core/storage/stored'
import { acceptServer } from '~/trust/decisions'
import { watchServer } from '~/trust/follow-history'
import { isBrokenAtom } from '~/trust/object-verdict'
import { setTrust, trustAtom, trustsAtom } from '~/trust/trust'
import { verifyState } from '~/trust/verify-state'
import { releaseWrites, writesHeldAtom } from '~/trust/write-block'
import { fakeImmudb } from '../../support/fake-immudb'
import { grow, historyOf, ProvingServer, refusal, tabOf } from '../../support/proving-server'
import { openTab, signIn, soon, stored } from '../../support/store'

/** A tab with two databases, both of which were looked at while another server answered. */
async function replaced() {
  const server = new ProvingServer(historyOf(5))
  server.instead = (path) => (path === '/health' ? refusal('no answer') : undefined)
  const tab = tabOf(server)
  const databaseTokens = new Map(['db', 'db2'].map((name) => [name, 'token']))
  tab.set(sessionAtom, { user: 'u', token: 'token', databaseTokens, isStored: false, since: 0 })
  await verifyState(tab)
  await answerFrom('server-two')
  await verifyState(tab, 'db2')
  /** Another server is in place, is known by an answer, and someone has logged in to it. */
  async function answerFrom(uuid: string) {
    server.uuid = uuid
    await readHealth(tab.get(clientAtom)).catch(() => {})
    tab.set(sessionAtom, { user: 'u', token: 'new', databaseTokens, isStored: false, since: 0 })
    await verifyState(tab)
  }
  return { server, tab, answerFrom }
}

const kindsIn = (tab: ReturnType<typeof tabOf>) =>
  [...tab.get(trustsAtom)].map(([name, { kind }]) => `${name} ${kind}`)

describe('F49 another server', () => {
  test('is said of every database while it answers', async () => {
    const { tab } = await replaced()
    expect(kindsIn(tab)).toEqual(['db broken', 'db2 broken'])
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(true)
      expect(tab.get(writesHeldAtom)(name)).toMatch(/Write anyway/)
    }
  })

  test('that does not answer any more is said of no database', async () => {
    const { tab, answerFrom } = await replaced()
    await answerFrom('server-one')
    expect(tab.get(trustAtom).kind).toBe('first')
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(false)
      expect(tab.get(writesHeldAtom)(name)).toBeUndefined()
    }
    await answerFrom('server-two')
    expect(tab.get(writesHeldAtom)('db')).toMatch(/Write anyway/)
  })

  test('that is known here, too, is not called consistent before it was checked', async () => {
    const { tab, server } = await replaced()
    await acceptServer(tab, 'replaced')
    grow(server.history)
    await verifyState(tab)
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent', why: null })
    const trust = tab.get(trustAtom)
    const record = trust.kind === 'consistent' ? trust.record : null
    if (!record) throw new Error('nothing is recorded')
    const id = { ...record.id, database: 'db2' }
    setTrust(tab, 'db2', { kind: 'consistent', record: { ...record, id }, why: null })
    expect(tab.get(trustOfAtom)('db2')).toMatchObject({ kind: 'consistent' })
    server.uuid = 'server-one'
    await readHealth(tab.get(clientAtom)).catch(() => {})
    await watchServer({ get: tab.get, set: tab.set }, 'db')
    expect(tab.get(trustAtom)).toEqual({ kind: 'unchecked', why: null })
    // Nor is any other one that was looked at.
    expect(tab.get(trustOfAtom)('db2')).toBeNull()
  })

  test('that was accepted is said of no database', async () => {
    const { tab } = await replaced()
    expect(await acceptServer(tab, 'moved')).toMatchObject({ kind: 'first' })
    expect(kindsIn(tab)).toEqual(['db first', 'db2 unchecked'])
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(false)
      expect(tab.get(writesHeldAtom)(name)).toBeUndefined()
    }
  })

  test('in spite of which one may write holds the other database', async () => {
    const { tab } = await replaced()
    releaseWrites(tab, 'db')
    expect(tab.get(writesHeldAtom)('db')).toBeUndefined()
    expect(tab.get(databaseAtom)).toBe('db')
    expect(tab.get(writesHeldAtom)('db2')).toMatch(/Write anyway/)
  })
})

describe('F49 another server within a session', () => {
  async function signedIn() {
    const server = fakeImmudb()
    const tab = openTab(server)
    await signIn(tab)
    await stored(tab)
    server.clear()
    const client = tab.store.get(clientAtom)
    return { server, tab, store: tab.store, read: () => readState(client, 'defaultdb'), client }
  }

  test('is sent no token but the one by whose answer it is known, and is named before a login', async () => {
    const { server, tab, store, read, client } = await signedIn()
    server.becomeAnother('two')
    const waiting = [read()]
    await soon(() => expect(store.get(sessionLossAtom)).toBe('another-server'))
    waiting.push(read(), read())
    const write = execSql(client, { database: 'defaultdb', sql: 'DROP TABLE t' })
    await expect(write).rejects.toMatchObject({ kind: 'session', isOutcomeUnknown: false })
    expect(server.log()).toEqual(['GET /db/state'])
    expect(store.get(phaseAtom)).toBe('ready')
    expect(store.get(sessionLossAtom)).toBe('another-server')
    expect(readStored(await stored(tab)).auth).toMatchObject({ token: null, user: 'immudb' })
    server.clear()
    await signIn(tab)
    for (const one of waiting) expect((await one).txId).toBe('0')
    expect(store.get(sessionLossAtom)).toBeNull()
    const own = [null, null, expect.stringMatching(/^v2/)]
    expect(server.calls.slice(0, 3).map(({ token }) => token)).toEqual(own)
    expect(readStored(await stored(tab)).auth.token).toBe(store.get(sessionAtom)?.token)
  })

  test('is known by an answer that needs no token, so that none is sent', async () => {
    const { server, store, client } = await signedIn()
    server.becomeAnother('two')
    await readHealth(client)
    expect(store.get(sessionLossAtom)).toBe('another-server')
    expect(server.calls.map(({ token }) => token)).toEqual([null])
  })

  test('that was started again, or from a copy of its data, has lost its sessions only', async () => {
    const { server, store, read } = await signedIn()
    server.restart()
    void read().catch(() => {})
    await soon(() => expect(store.get(sessionLossAtom)).toBe('ended'))
  })

  test('is not what something on the way is that does not say who answers', async () => {
    const { server, store, read } = await signedIn()
    server.becomeAnother('')
    void read().catch(() => {})
    await soon(() => expect(store.get(sessionLossAtom)).toBe('ended'))
  })

  test('asks for no login where there is none', async () => {
    const { server, store, client } = await signedIn()
    const session = store.get(sessionAtom)
    if (session) store.set(sessionAtom, { ...session, mode: 'open' })
    server.becomeAnother('two')
    await readHealth(client)
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('leaves the token alone that another tab has stored since', async () => {
    const { server, tab, client } = await signedIn()
    server.becomeAnother('two')
    const other = openTab(server, tab.driver)
    await signIn(other)
    await stored(other)
    await readHealth(client)
    expect(readStored(await stored(tab)).auth.token).toBe(other.store.get(sessionAtom)?.token)
    expect(tab.store.get(loginNoticeAtom)).toBeNull()
  })
})

describe('F49 another server behind a login form that is there already', () => {
  /** A form over work whose session had ended before the server was replaced. */
  async function lost() {
    const server = fakeImmudb()
    const tab = openTab(server)
    await signIn(tab)
    server.restart()
    void readState(tab.store.get(clientAtom), 'defaultdb').catch(() => {})
    await soon(() => expect(tab.store.get(sessionLossAtom)).toBe('ended'))
    server.clear()
    return { server, tab, said: () => tab.store.get(sessionLossAtom) }
  }

  /** A form in a page that has asked no server for anything. */
  async function leftBefore(isStored = true) {
    const server = fakeImmudb()
    const before = openTab(server)
    await signIn(before, 'immudb', 'immudb', isStored)
    if (isStored) logOut(before.store)
    await stored(before)
    const tab = openTab(server, before.driver)
    await restoreSession(tab.store, null)
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    server.clear()
    return { server, tab, said: () => tab.store.get(loginNoticeAtom)?.kind ?? null }
  }

  const forms = [
    ['over work', lost],
    ['after a log-out', leftBefore],
    ['after a session of one tab only', () => leftBefore(false)],
  ] as const

  for (const [where, open] of forms) {
    test.each([
      ['with another name', 'two'],
      ['without a name', ''],
    ])(`${where}: no password is sent to one %s before it is typed again`, async (_what, uuid) => {
      const { server, tab, said } = await open()
      server.becomeAnother(uuid)
      await signIn(tab)
      expect(server.log()).toEqual(['GET /health'])
      expect(server.calls.map(({ token }) => token)).toEqual([null])
      expect(said()).toBe('another-server')
      server.clear()
      await signIn(tab)
      expect(server.log().slice(0, 2)).toEqual(['GET /health', 'POST /login'])
      expect(said()).toBeNull()
      expect(tab.store.get(phaseAtom)).toBe('ready')
      expect(tab.store.get(sessionAtom)?.token).toMatch(/^v2/)
    })
  }

  test('who was told of one has not agreed to a third', async () => {
    const { server, tab } = await leftBefore()
    server.becomeAnother('two')
    await signIn(tab)
    server.becomeAnother('three')
    server.clear()
    await signIn(tab)
    expect(server.log()).toEqual(['GET /health'])
  })

  test('who agreed to one once is asked again when it comes back', async () => {
    const { server, tab } = await lost()
    const { store } = tab
    const first = store.get(serverAtom) ?? ''
    const ask = () => void readState(store.get(clientAtom), 'defaultdb').catch(() => {})
    server.becomeAnother('two')
    await signIn(tab)
    await signIn(tab)
    expect(store.get(sessionLossAtom)).toBeNull()
    // This one is named within the session, before a form is there.
    server.becomeAnother(first)
    ask()
    await soon(() => expect(store.get(sessionLossAtom)).toBe('another-server'))
    await signIn(tab)
    server.restart()
    ask()
    await soon(() => expect(store.get(sessionLossAtom)).toBe('ended'))
    server.becomeAnother('two')
    server.clear()
    await signIn(tab)
    expect(server.log()).toEqual(['GET /health'])
  })

  test('the one that was logged in to last is asked for nothing more', async () => {
    const { server, tab } = await leftBefore()
    await signIn(tab)
    expect(server.log()).toEqual([
      'GET /health',
      'POST /login',
      'POST /db/list/v2',
      'GET /db/use/defaultdb',
    ])
  })

  test('a log-out in another tab while it is asked for sends nothing', async () => {
    const { server, tab } = await lost()
    const login = signIn(tab)
    tab.store.set(sessionAtom, null)
    await login
    expect(server.log()).toEqual(['GET /health'])
  })
})
