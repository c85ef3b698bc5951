import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  hasDocumentSessionAtom,
  inDocumentSession,
  isDocumentSessionOpeningAtom,
  keptSessionAtom,
  NoDocumentSession,
  openDocumentSession,
} from '~/atoms/documents/session'
import type { Store } from '~/core/session/client'
import { documentLoginAtom, handedPasswordAtom } from '~/core/session/document-login'
import { serverAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { lockNow } from '~/core/session/session-end'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})

/** Ends the tabs of a test: each hears when the page goes away. */
const ends: (() => void)[] = []

function begun(server = new CollectionServer(), change: (store: Store) => void = () => {}) {
  const store = tabWith(server)
  const session = store.get(sessionAtom)
  if (session) store.set(sessionAtom, { ...session, isStored: true })
  change(store)
  const end = store.sub(keptSessionAtom, () => {})
  ends.push(end)
  const has = () => store.get(hasDocumentSessionAtom)
  return { server, store, end, has }
}

const open = (store: Store) => openDocumentSession(store, 'db', 'right')
const opened = (server: CollectionServer) =>
  server.paths().filter((path) => path.endsWith('/session/open')).length

/** The page goes away for a reload, without any word to the server. */
const leavePage = () => window.dispatchEvent(new Event('pagehide'))
const stored = () => Object.entries(sessionStorage).join()

describe('a document session', () => {
  test('is opened with the password, which is sent once', async () => {
    const { server, store, has } = begun()
    await expect(openDocumentSession(store, 'db', 'wrong')).rejects.toThrow(/invalid user/)
    expect(has()).toBe(false)
    expect(store.get(sessionLossAtom)).toBe(null)
    await open(store)
    expect(has()).toBe(true)
    expect(server.asked.filter(({ body }) => body.includes('right'))).toHaveLength(1)
  })

  test.each([true, false])(
    'is opened by a login to a database with collections (for documents: %s)',
    async (isWanted) => {
      const { server, store, end } = begun(new CollectionServer(), (store) => {
        store.set(handedPasswordAtom, { password: 'right', isWanted })
        expect(store.get(isDocumentSessionOpeningAtom)).toBe(true)
      })
      expect(store.get(handedPasswordAtom)).toBe(null)
      await vi.waitFor(() => expect(store.get(hasDocumentSessionAtom)).toBe(true))
      expect(store.get(isDocumentSessionOpeningAtom)).toBe(false)
      expect(server.paths().includes('GET /collections')).toBe(!isWanted)
      end()
      await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    },
  )

  test('is not opened by a login to a database without collections', async () => {
    const server = new CollectionServer()
    server.instead = ({ path }) => (path === '/collections' ? Response.json({}) : undefined)
    const { store, has } = begun(server, (store) =>
      store.set(handedPasswordAtom, { password: 'right', isWanted: false }),
    )
    await vi.waitFor(() => expect(store.get(isDocumentSessionOpeningAtom)).toBe(false))
    expect(has()).toBe(false)
    expect(opened(server)).toBe(0)
  })

  test('is opened again by a log-in over a lost login', async () => {
    const { server, store, end, has } = begun()
    await open(store)
    server.sessions.clear()
    store.get(documentLoginAtom)?.take('right')
    expect(store.get(isDocumentSessionOpeningAtom)).toBe(true)
    await vi.waitFor(() => expect(store.get(isDocumentSessionOpeningAtom)).toBe(false))
    expect(has()).toBe(true)
    expect(server.sessions.size).toBe(1)
    end()
    expect(store.get(documentLoginAtom)).toBe(null)
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  })

  test('is asked for where the password of the log-in opens none', async () => {
    const { store, has } = begun(new CollectionServer(), (store) =>
      store.set(handedPasswordAtom, { password: 'wrong', isWanted: true }),
    )
    await vi.waitFor(() => expect(store.get(isDocumentSessionOpeningAtom)).toBe(false))
    expect(has()).toBe(false)
    expect(store.get(handedPasswordAtom)).toBe(null)
  })

  test('serves other databases, which it opens before what is asked of them', async () => {
    const { server, store } = begun()
    await open(store)
    const paths: string[] = []
    const ask = (database: string) =>
      inDocumentSession(store, database, async (session) => {
        paths.push(`${database} ${session}`, ...server.paths().slice(-1))
      })
    await Promise.all([ask('db'), ask('other'), ask('other'), ask('db')])
    const used = server.paths().filter((path) => path.includes('/db/use/'))
    expect(used).toEqual(['GET /db/use/other', 'GET /db/use/db'])
    expect(server.asked.filter(({ path }) => path.startsWith('/db/use/'))[0]).toMatchObject({
      session: 'session1',
      authorization: null,
    })
    expect(paths.slice(2, 4)).toEqual(['other session1', 'GET /db/use/other'])
    expect(opened(server)).toBe(1)
  })

  test('is closed when the console ends, and not kept where the user left meanwhile', async () => {
    const { server, store, end, has } = begun()
    await open(store)
    end()
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    expect(has()).toBe(false)
    const opening = open(store)
    store.set(sessionAtom, null)
    await opening
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    expect(has()).toBe(false)
  })

  test('is closed when the console is locked', async () => {
    const { server, store, has } = begun()
    await open(store)
    lockNow(store)
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    expect(has()).toBe(false)
  })

  test('is kept alive while it is used, also in a hidden tab, and closed after an hour without use', async () => {
    vi.useFakeTimers()
    const { server, store, end, has } = begun()
    await open(store)
    const kept = () => server.paths().filter((path) => path.endsWith('/keepalive')).length
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await vi.advanceTimersByTimeAsync(100_000)
    hidden.mockRestore()
    expect(kept()).toBe(2)
    await vi.advanceTimersByTimeAsync(3_300_000)
    window.dispatchEvent(new Event('keydown'))
    await vi.advanceTimersByTimeAsync(3_500_000)
    expect(has()).toBe(true)
    await vi.advanceTimersByTimeAsync(200_000)
    expect(has()).toBe(false)
    expect(server.sessions.size).toBe(0)
    end()
  })

  test('is not taken for idle while something is read in it', async () => {
    vi.useFakeTimers()
    const { store, end, has } = begun()
    await open(store)
    for (let minute = 0; minute < 120; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      await inDocumentSession(store, 'db', () => Promise.resolve())
    }
    expect(has()).toBe(true)
    end()
  })
})

describe('a reload', () => {
  test('keeps the session, and storage has it only until then', async () => {
    const { server, store } = begun()
    await open(store)
    expect(stored()).not.toContain('session1')
    leavePage()
    expect(stored()).toContain('session1')
    const next = begun(server)
    expect(next.has()).toBe(true)
    expect(stored()).not.toContain('session1')
    expect(await inDocumentSession(next.store, 'db', async (id) => id)).toBe('session1')
    expect(opened(server)).toBe(1)
    // A copy of the tab finds none: two would disturb each other.
    expect(begun(server).has()).toBe(false)
  })

  test('asks again for one that the server has ended', async () => {
    const { server, store } = begun()
    await open(store)
    leavePage()
    server.sessions.clear()
    const next = begun(server)
    const asked = inDocumentSession(next.store, 'db', (session) =>
      openDocumentSession(next.store, session, 'wrong'),
    )
    await expect(asked).rejects.not.toBeInstanceOf(NoDocumentSession)
  })

  test.each([
    ['after three minutes', (store: Store) => void store, 180_001],
    ['of another user', (store: Store) => user(store, 'bo'), 0],
    ['of another server', (store: Store) => store.set(serverAtom, 'two'), 0],
  ])('finds none %s', async (what, change, later) => {
    vi.useFakeTimers()
    const { server, store } = begun()
    await open(store)
    leavePage()
    await vi.advanceTimersByTimeAsync(0)
    vi.setSystemTime(Date.now() + later)
    expect(begun(server, change).has()).toBe(false)
    expect(stored()).not.toContain('session1')
    await vi.advanceTimersByTimeAsync(0)
    // The session of another user is closed; another server is told nothing.
    expect(server.sessions.size).toBe(what.includes('user') ? 0 : 1)
  })

  test('finds none where the token is kept in memory alone', async () => {
    const { server, store } = begun()
    const session = store.get(sessionAtom)
    if (session) store.set(sessionAtom, { ...session, isStored: false })
    await open(store)
    leavePage()
    expect(stored()).not.toContain('session1')
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  })

  test('that the browser takes back leaves the session where it was', async () => {
    const { store, has } = begun()
    await open(store)
    leavePage()
    window.dispatchEvent(new Event('pageshow'))
    expect(has()).toBe(true)
    expect(stored()).not.toContain('session1')
  })
})

function user(store: Store, name: string): void {
  const session = store.get(sessionAtom)
  if (session) store.set(sessionAtom, { ...session, user: name })
}
