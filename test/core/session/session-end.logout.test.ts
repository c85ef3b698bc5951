// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { editorDrafts, editorTextAtom, loadDraft, setEditorText } from '~/atoms/query/editor'
import { appendOutput, outputAtom } from '~/atoms/query/output'
import { countDrafts, draftPlace } from '~/core/drafts'
import { chooseTheme, chooseTimezone, setPaneSizes } from '~/core/page-view'
import { announceLogout, onLogoutElsewhere } from '~/core/session/logout-channel'
import { databaseAtom, loginNoticeAtom, phaseAtom, sessionAtom } from '~/core/session/session'
import {
  followLogout,
  lockIdle,
  logOut,
  replaceStoreAtom,
  type StoreSeed,
} from '~/core/session/session-end'
import { beginSession, keepSession, restoreSession } from '~/core/session/session-start'
import { readStored, storageAtom } from '~/core/storage/stored'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import {
  areaOf,
  type FakeDriver,
  fakeDriver,
  openTab,
  signIn,
  soon,
  stored,
} from '../../support/store'

const bob = { password: 'b', permissions: { defaultdb: 2 } }
const closers: (() => void)[] = []

/** A tab as `startIdentities` makes it: it hears the others, and is followed by an empty store. */
function openListeningTab(server: FakeImmudb, driver: FakeDriver) {
  const tab = openTab(server, driver)
  const seeds: StoreSeed[] = []
  tab.store.set(replaceStoreAtom, { end: (seed) => seeds.push(seed) })
  closers.push(onLogoutElsewhere((logout) => followLogout(tab.store, logout)))
  return { ...tab, seeds }
}

/** Where the fake server's users keep the text of the editor. */
const draftOf = (user: string) => draftPlace('sql', { server: 'dc0mfe1ksduac04rho90', user })

/** A moment after everything that has happened so far. */
const later = () => Date.now() + 1

afterEach(() => {
  for (const close of closers.splice(0)) close()
  vi.useRealTimers()
})

/** The session storage of all tabs here, of which only what is erased or kept is looked at. */
const inTab = new Map<string, string>()

/** A signed-in tab whose editor holds a text that is kept. */
async function withDraft(text: string | null, driver = fakeDriver(), server = fakeImmudb()) {
  const tab = openListeningTab(server, driver)
  await signIn(tab)
  await loadDraft(tab.store)
  if (text !== null) setEditorText(tab.store, text)
  await editorDrafts.keep(tab.store)
  return tab
}

beforeEach(() => {
  inTab.clear()
  vi.stubGlobal('sessionStorage', areaOf(inTab))
})

describe('logging out', () => {
  test('tells the server with the token and wipes what belongs to the user', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const tab = openListeningTab(server, fakeDriver())
    await signIn(tab)
    chooseTheme(tab.store, 'light')
    await setPaneSizes(tab.store, { tables: 40 })
    await chooseTimezone(tab.store, 'utc')
    await tab.store.get(storageAtom).write('webconsole.history', {
      user: 'immudb',
      entries: [{ text: 'SELECT secret;', database: 'defaultdb', at: 1 }],
    })
    const token = tab.store.get(sessionAtom)?.token
    server.clear()
    logOut(tab.store)
    expect(server.calls).toMatchObject([{ path: '/logout', token }])
    expect(tab.store.get(sessionAtom)).toBeNull()
    const kept = readStored(await stored(tab))
    // What a server calls itself belongs to no user; the next password is for the same one.
    const known = 'dc0mfe1ksduac04rho90'
    expect(kept.auth).toEqual({ token: null, user: null, permission: null, server: known })
    expect(kept.database.active).toBe('defaultdb')
    expect(kept.view).toMatchObject({
      theme: 'light',
      timezone: 'utc',
      paneSizes: { tables: 40 },
      banner: { show: false, title: '' },
    })
    const everything = JSON.stringify([...tab.driver.values])
    expect(everything).not.toContain('v2.public')
    expect(everything).not.toContain('secret')
    expect(everything).not.toContain('default password')
  })

  test('what follows starts empty from the settings of the device', async () => {
    const tab = openListeningTab(fakeImmudb(), fakeDriver())
    await signIn(tab)
    chooseTheme(tab.store, 'light')
    logOut(tab.store)
    const [seed] = tab.seeds
    expect(tab.seeds).toHaveLength(1)
    expect(seed).toMatchObject({
      session: null,
      notice: null,
      stored: { view: { theme: 'light' } },
    })
    expect(JSON.stringify(seed)).not.toContain('v2.public')
    const next = openTab(fakeImmudb())
    if (seed) await beginSession(next.store, seed)
    expect(next.store.get(phaseAtom)).toBe('signed-out')
    expect(next.store.get(outputAtom)).toEqual([])
    expect(next.store.get(databaseAtom)).toBeNull()
  })

  test('does not wait for a server that is away, and nothing is left unhandled', async () => {
    const server = fakeImmudb()
    const tab = openListeningTab(server, fakeDriver())
    await signIn(tab)
    server.unplug()
    logOut(tab.store)
    expect(tab.seeds).toHaveLength(1)
    expect(readStored(await stored(tab)).auth.token).toBeNull()
  })

  test('without a session is nothing', () => {
    const server = fakeImmudb()
    const tab = openListeningTab(server, fakeDriver())
    logOut(tab.store)
    expect(server.log()).toEqual([])
    expect(tab.seeds).toEqual([])
  })

  test('what the old store still does later keeps the draft and no token', async () => {
    vi.useFakeTimers()
    const tab = openListeningTab(fakeImmudb(), fakeDriver())
    await signIn(tab)
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT 1;')
    logOut(tab.store)
    keepSession(tab.store)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(tab.driver.values.get(draftOf('immudb'))).toEqual({
      drafts: [['defaultdb', 'SELECT 1;']],
    })
    expect(JSON.stringify([...tab.driver.values])).not.toContain('v2.public')
  })

  test('keeps what was typed for the same user and says so, or erases it where that is chosen', async () => {
    const tab = await withDraft('SELECT 1;')
    const none = { keys: 0, operations: 0, rows: 0, documents: 0, tables: 0, collections: 0 }
    expect(await countDrafts(tab.store)).toEqual({ ...none, sql: 1, forms: 0, places: 0 })
    logOut(tab.store)
    expect(tab.seeds[0]?.notice).toBe(
      'You are logged out. Your drafts are kept: log in again to continue.',
    )
    const again = await withDraft(null, tab.driver)
    expect(again.store.get(editorTextAtom)).toBe('SELECT 1;')
    logOut(again.store, 'erase')
    expect(again.seeds[0]?.notice).toBe('You are logged out. Your drafts were erased.')
    setEditorText(again.store, 'SELECT 2;')
    await editorDrafts.keep(again.store)
    await stored(again)
    expect(again.driver.values.has(draftOf('immudb'))).toBe(false)
    expect(inTab.size).toBe(0)
  })

  test('a storage that has no room does not stop it', async () => {
    const driver = fakeDriver()
    const tab = openListeningTab(fakeImmudb(), driver)
    await signIn(tab)
    driver.setItem = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    logOut(tab.store)
    expect(tab.seeds).toHaveLength(1)
    await stored(tab)
  })
})

describe('the other tabs', () => {
  test('of the same user forget everything too, and say why', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    const first = openListeningTab(server, driver)
    await signIn(first)
    await stored(first)
    const second = openListeningTab(server, driver)
    await restoreSession(second.store, null)
    appendOutput(second.store, {} as never)
    logOut(first.store)
    await soon(() => expect(second.seeds).toHaveLength(1))
    expect(second.store.get(sessionAtom)).toBeNull()
    expect(second.seeds[0]).toMatchObject({
      session: null,
      notice: 'You were logged out in another tab.',
    })
    expect(first.seeds).toHaveLength(1)
    expect(readStored(await stored(second)).auth.token).toBeNull()
    const [seed] = second.seeds
    if (seed) await beginSession(second.store, seed)
    expect(second.store.get(loginNoticeAtom)?.text).toBe('You were logged out in another tab.')
  })

  test('keep what was typed there, and say so; nothing of it when it is erased', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    for (const [drafts, said] of [
      ['keep', 'Your drafts are kept: log in again to continue.'],
      ['erase', 'Your drafts were erased.'],
    ] as const) {
      const first = await withDraft(null, driver, server)
      const second = await withDraft(`SELECT '${drafts}';`, driver, server)
      logOut(first.store, drafts)
      await soon(() => expect(second.seeds).toHaveLength(1))
      expect(second.seeds[0]?.notice).toBe(`You were logged out in another tab. ${said}`)
      setEditorText(second.store, `SELECT '${drafts} later';`)
      await editorDrafts.keep(second.store)
      await stored(second)
      const text = JSON.stringify(driver.values.get(draftOf('immudb')))
      if (drafts === 'keep') expect(text).toContain('keep later')
      else expect([text, inTab.size]).toEqual([undefined, 0])
    }
  })

  test('that are logged out already keep nothing of the user who erases, and all of others', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    // Its names are what it has beside its methods, as in a browser.
    const names: Record<string, string> = Object.create({
      getItem: (name: string) => names[name] ?? null,
      setItem: (name: string, value: string) => Object.assign(names, { [name]: value }),
      removeItem: (name: string) => Reflect.deleteProperty(names, name),
    })
    vi.stubGlobal('sessionStorage', names)
    const place = (user: string) => draftPlace('forms', { server: 'dc0mfe1ksduac04rho90', user })
    for (const user of ['immudb', 'bob', 'my"immudb']) names[place(user)] = '{"drafts":[]}'
    const first = openListeningTab(server, driver)
    const at = Date.now()
    const tell = (drafts: 'keep' | 'erase') =>
      followLogout(first.store, { kind: 'logout', user: 'immudb', at, drafts })
    tell('keep')
    expect(Object.keys(names)).toContain(place('immudb'))
    tell('erase')
    expect(Object.keys(names)).toEqual([place('bob'), place('my"immudb')])
    expect(first.seeds).toEqual([])
  })

  test('that are locked forget what they had read', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    const locked = await withDraft('SELECT 1;', driver, server)
    lockIdle(locked.store)
    const other = await withDraft(null, driver, server)
    logOut(other.store)
    await soon(() => expect(locked.seeds).toHaveLength(1))
    expect(locked.seeds[0]?.notice).toContain('Your drafts are kept')
  })

  test('of another user stay signed in, and so does what they stored', async () => {
    const server = fakeImmudb({ users: { bob } })
    const driver = fakeDriver()
    const root = openListeningTab(server, driver)
    await signIn(root, 'immudb', 'immudb', false)
    const other = openListeningTab(server, driver)
    await signIn(other, 'bob', 'b')
    await loadDraft(other.store)
    setEditorText(other.store, 'SELECT 1; -- of bob')
    await editorDrafts.keep(other.store)
    logOut(root.store)
    await stored(root)
    await stored(other)
    expect(other.seeds).toEqual([])
    expect(other.store.get(sessionAtom)?.user).toBe('bob')
    expect(readStored(await stored(other)).auth.user).toBe('bob')
    expect(driver.values.get(draftOf('bob'))).toEqual({
      drafts: [['defaultdb', 'SELECT 1; -- of bob']],
    })
  })

  test('are told when another user signs in over the lost session of the first', async () => {
    const server = fakeImmudb({ users: { bob } })
    const driver = fakeDriver()
    const first = openListeningTab(server, driver)
    await signIn(first)
    await stored(first)
    const second = openListeningTab(server, driver)
    await restoreSession(second.store, null)
    await signIn(first, 'bob', 'b')
    await soon(() => expect(second.seeds).toHaveLength(1))
    expect(first.seeds).toMatchObject([{ session: { user: 'bob' } }])
  })

  test('that hear of it late do not end the session that began since', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    const frozen = openTab(server, driver)
    await signIn(frozen)
    await stored(frozen)
    const awake = openTab(server, driver)
    await restoreSession(awake.store, null)
    logOut(awake.store)
    await stored(awake)
    const again = openTab(server, driver)
    await signIn(again)
    await loadDraft(again.store)
    setEditorText(again.store, 'SELECT 2;')
    await editorDrafts.keep(again.store)
    followLogout(frozen.store, {
      kind: 'logout',
      user: 'immudb',
      at: later(),
      drafts: 'keep',
    })
    await stored(frozen)
    expect(frozen.store.get(sessionAtom)).toBeNull()
    expect(readStored(await stored(again)).auth.token).toBe(again.store.get(sessionAtom)?.token)
    expect(driver.values.get(draftOf('immudb'))).toEqual({ drafts: [['defaultdb', 'SELECT 2;']] })
  })

  test('that began their session after it go on', async () => {
    const tab = openTab(fakeImmudb(), fakeDriver())
    const at = Date.now() - 1
    await signIn(tab)
    followLogout(tab.store, { kind: 'logout', user: 'immudb', at, drafts: 'keep' })
    expect(tab.store.get(sessionAtom)?.user).toBe('immudb')
  })

  test('that hear of it just after they stored their token remove it again', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    const tab = openTab(server, driver)
    await signIn(tab)
    followLogout(tab.store, { kind: 'logout', user: 'immudb', at: later(), drafts: 'keep' })
    expect(readStored(await stored(tab)).auth.token).toBeNull()
  })

  test('a message that is none of ours is ignored', async () => {
    const tell = vi.fn()
    closers.push(onLogoutElsewhere(tell))
    const channel = new BroadcastChannel('webconsole')
    for (const message of [null, 'logout', 7, {}, { kind: 'login' }, []])
      channel.postMessage(message)
    announceLogout('x', 'keep')
    await soon(() => expect(tell).toHaveBeenCalled())
    expect(tell.mock.calls).toEqual([
      [{ kind: 'logout', user: 'x', at: expect.any(Number), drafts: 'keep' }],
    ])
    channel.close()
  })
})

test('without BroadcastChannel logging out still works here', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const tab = openListeningTab(fakeImmudb(), fakeDriver())
  await signIn(tab)
  logOut(tab.store)
  expect(tab.seeds).toHaveLength(1)
})
