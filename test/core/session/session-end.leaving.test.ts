// @vitest-environment node
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { draftPlace } from '~/core/drafts'
import { phaseAtom, sessionAtom } from '~/core/session/session'
import {
  forgetStored,
  leavingAt,
  lockIdle,
  lockNow,
  logOut,
  replaceStoreAtom,
} from '~/core/session/session-end'
import { beginSession, restoreSession, setStaySignedIn } from '~/core/session/session-start'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import { readStored } from '~/core/storage/stored'
import { fakeImmudb } from '../../support/fake-immudb'
import {
  areaOf,
  type FakeDriver,
  fakeDriver,
  openTab,
  signIn,
  soon,
  stored,
  type Tab,
} from '../../support/store'

const users = { bob: { password: 'b', permissions: { defaultdb: 2 } } }
const passwords = { immudb: 'immudb', bob: 'b' } as const

/** The browser's storage that answers at once, which all of its pages share. */
const notes = new Map<string, string>()

beforeEach(() => {
  notes.clear()
  vi.stubGlobal('localStorage', areaOf(notes))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A browser whose pages can go away before what they asked of its database is done. */
function openBrowser(server = fakeImmudb({ users })) {
  const disk = fakeDriver()
  let page = { isGone: false }
  let tab = openPage()
  function openPage(): Tab {
    const opened = openTab(server, driverOf(page))
    opened.store.set(replaceStoreAtom, {
      end: (seed) => {
        tab = openPage()
        void beginSession(tab.store, seed)
      },
    })
    return opened
  }
  function driverOf(own: typeof page): FakeDriver {
    const unlessGone = <T>(work: () => Promise<T>): Promise<T> =>
      own.isGone ? new Promise<T>(() => {}) : work()
    return {
      ...disk,
      getItem: (key) => unlessGone(() => disk.getItem(key)),
      setItem: (key, value) => unlessGone(() => disk.setItem(key, value)),
      removeItem: (key) => unlessGone(() => disk.removeItem(key)),
    }
  }
  return {
    disk,
    get tab(): Tab {
      return tab
    },
    async signIn(user: keyof typeof passwords = 'immudb') {
      await signIn(tab, user, passwords[user])
      await soon(() => expect(tab.store.get(phaseAtom)).toBe('ready'))
    },
    /** The page goes away as it is, and the next one starts. */
    async reload() {
      page.isGone = true
      page = { isGone: false }
      tab = openPage()
      await restoreSession(tab.store, null)
    },
  }
}

const endings = {
  'log out': ({ store }: Tab) => logOut(store),
  'log out and erase': ({ store }: Tab) => logOut(store, 'erase'),
  'lock now': ({ store }: Tab) => lockNow(store),
  'lock after a time': ({ store }: Tab) => lockIdle(store),
  'this tab only': ({ store }: Tab) => setStaySignedIn(store, false),
} as const

type Move = keyof typeof endings | keyof typeof passwords | 'settle' | 'reload'

const moves: readonly Move[] = [
  'log out',
  'log out and erase',
  'lock now',
  'lock after a time',
  'this tab only',
  'immudb',
  'bob',
  'settle',
  'reload',
]

describe('a session that ended', () => {
  test('is not found by the next page, whenever this one goes away', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...moves), { maxLength: 12 }), async (series) => {
        notes.clear()
        const browser = openBrowser()
        let user: string | null = null
        for (const move of series) {
          if (move === 'settle') await stored(browser.tab)
          else if (move === 'reload') {
            await browser.reload()
            expect(browser.tab.store.get(sessionAtom)?.user ?? null).toBe(user)
          } else if (move === 'immudb' || move === 'bob') {
            if (browser.tab.store.get(phaseAtom) === 'ready') continue
            await browser.signIn(move)
            user = move
          } else {
            endings[move](browser.tab)
            user = null
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('takes the drafts along that it erases', async () => {
    const browser = openBrowser()
    await browser.signIn()
    const place = draftPlace('sql', { server: 'dc0mfe1ksduac04rho90', user: 'immudb' })
    browser.disk.values.set(place, { text: 'SELECT 1' })
    logOut(browser.tab.store, 'erase')
    await browser.reload()
    await stored(browser.tab)
    expect([...browser.disk.values.keys()]).not.toContain(place)
    expect(notes.size).toBe(0)
  })

  test('is gone without a note as soon as storage has forgotten it', async () => {
    const browser = openBrowser()
    await browser.signIn()
    logOut(browser.tab.store)
    expect([...notes.values()].join()).toContain('immudb')
    expect([...notes.values()].join()).not.toContain('v2.public')
    await vi.waitFor(() => expect(notes.size).toBe(0))
  })

  test('leaves the session of another user alone', async () => {
    const browser = openBrowser()
    await browser.signIn('bob')
    notes.set('webconsole.leaving', JSON.stringify({ user: 'immudb', forgets: 'identity' }))
    await browser.reload()
    expect(browser.tab.store.get(sessionAtom)?.user).toBe('bob')
  })

  test.each(['{', '7', '"x"', '{}', 'null', '[]'])('a note %s is none', (note) => {
    notes.set('webconsole.leaving', note)
    expect(leavingAt('')).toBeNull()
  })

  test('does not take a later one along, for which no page has begun anew', async () => {
    const browser = openBrowser()
    notes.set('webconsole.leaving', JSON.stringify({ user: 'immudb', forgets: 'identity' }))
    await browser.signIn()
    expect(notes.size).toBe(0)
    await browser.reload()
    expect(browser.tab.store.get(sessionAtom)?.user).toBe('immudb')
  })

  test('stays noted while storage refuses, and is not opened', async () => {
    const browser = openBrowser()
    await browser.signIn()
    await stored(browser.tab)
    const full = async () => Promise.reject(new Error('no room'))
    Object.assign(browser.disk, { setItem: full, removeItem: full })
    logOut(browser.tab.store)
    await browser.reload()
    expect(browser.tab.store.get(phaseAtom)).toBe('signed-out')
    expect(readStored(await stored(browser.tab)).auth.token).not.toBeNull()
    expect(notes.size).toBe(1)
  })

  test('is over once the same user has logged in again, though storage had refused', async () => {
    const browser = openBrowser()
    await browser.signIn()
    await stored(browser.tab)
    const { setItem } = browser.disk
    Object.assign(browser.disk, { setItem: async () => Promise.reject(new Error('no room')) })
    lockNow(browser.tab.store)
    await stored(browser.tab)
    expect(notes.size).toBe(1)
    Object.assign(browser.disk, { setItem })
    await browser.signIn()
    await stored(browser.tab)
    await browser.reload()
    expect(browser.tab.store.get(sessionAtom)?.user).toBe('immudb')
  })

  test('is still to be forgotten by storage that answers only later', async () => {
    const browser = openBrowser()
    await browser.signIn()
    logOut(browser.tab.store)
    await browser.reload()
    notes.set('webconsole.leaving', JSON.stringify({ user: 'immudb', forgets: 'identity' }))
    const tab = openTab(fakeImmudb({ users }), { ...fakeDriver(), getItem: async () => null })
    await restoreSession(tab.store, null)
    expect(notes.size).toBe(1)
  })

  test('ends as well where nothing can be noted', async () => {
    vi.stubGlobal('localStorage', undefined)
    const storage = openStorage(
      async () => memoryDriver(),
      () => {},
    )
    await storage.write('webconsole', { auth: { token: 'v2.public.one', user: 'immudb' } })
    await forgetStored(storage, '', { user: 'immudb', forgets: 'identity' })
    expect(readStored(await storage.read('webconsole')).auth.token).toBeNull()
  })
})
