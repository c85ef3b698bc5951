import { beforeEach, describe, expect, test, vi } from 'vitest'
import { draftAtom, isDraftChangedAtom, keyDrafts } from '~/atoms/keys/drafts'
import { changeDraft, draftKeyValue, draftNewKey, dropDraft } from '~/atoms/keys/edit-draft'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { draftPlace } from '~/core/drafts'
import { logIn } from '~/core/session/login'
import { databaseAtom } from '~/core/session/session'
import { lockIdle, logOut } from '~/core/session/session-end'
import { fakeImmudb } from '../../support/fake-immudb'
import {
  type FakeDriver,
  fakeDriver,
  openTab,
  signIn,
  soon,
  stored,
  type Tab,
} from '../../support/store'

const key = draftPlace('keys', { server: 'dc0mfe1ksduac04rho90', user: 'immudb' })

let driver: FakeDriver

beforeEach(() => {
  sessionStorage.clear()
  driver = fakeDriver()
})

const server = () =>
  fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })

/** A page with the screen of keys, as after a reload when the storage is one of before. */
async function page(user = 'immudb', of = driver) {
  const tab = openTab(server(), of)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'b')
  tab.store.sub(keyDrafts.areBackAtom, () => {})
  await soon(() => expect(tab.store.get(keyDrafts.areBackAtom)).toBe(true))
  return tab
}

function write({ store }: Tab, text: string, name = 'k') {
  if (!store.get(draftAtom)) draftNewKey(store)
  changeDraft(store, { keyText: name, text })
}

const written = () => soon(() => expect(driver.values.get(key)).toBeTruthy())
const text = ({ store }: Tab) => store.get(draftAtom)?.text

describe('a value that is typed on the screen Keys', () => {
  test('comes back after a reload of its tab at once, without what was read', async () => {
    const before = await page()
    draftKeyValue(before.store, btoa('k'), {
      kind: 'live',
      entry: { tx: '7', value: btoa('canary'), revision: '1', expiresAt: '99', target: null },
    } as Parameters<typeof draftKeyValue>[2])
    expect(before.store.get(draftAtom)?.text).toBe('canary')
    changeDraft(before.store, { text: '' })
    expect(sessionStorage.getItem(key)).not.toContain('canary')
    const after = await page('immudb', fakeDriver())
    expect(after.store.get(draftAtom)).toEqual({
      ...before.store.get(draftAtom),
      firstText: null,
      readValue: null,
    })
    expect(after.store.get(isDraftChangedAtom)).toBe(true)
    expect(after.store.get(draftAtom)?.base).toMatchObject({ kind: 'revision', tx: '7' })
  })

  test('comes back in another tab from storage, half a second after the last key', async () => {
    write(await page(), 'typed')
    expect(driver.values.get(key)).toBeUndefined()
    await written()
    sessionStorage.clear()
    expect(text(await page())).toBe('typed')
  })

  test('is stored for all tabs when the page is left, and when its tab was quicker than that', async () => {
    write(await page(), 'typed')
    window.dispatchEvent(new Event('pagehide'))
    await soon(() => expect(JSON.stringify(driver.values.get(key))).toContain('typed'))
    driver.values.delete(key)
    await page()
    await soon(() => expect(JSON.stringify(driver.values.get(key))).toContain('typed'))
  })

  test('is kept for each database', async () => {
    const before = await page()
    write(before, 'one')
    before.store.set(databaseAtom, 'other')
    write(before, 'two')
    const after = await page()
    expect(text(after)).toBe('one')
    after.store.set(databaseAtom, 'other')
    expect(text(after)).toBe('two')
  })

  test('does not come back when it was discarded, nor when nothing was typed', async () => {
    const before = await page()
    write(before, 'typed')
    await written()
    dropDraft(before.store)
    expect(text(await page())).toBeUndefined()
    await soon(() => expect(driver.values.get(key)).toEqual({ drafts: [] }))
    draftNewKey(before.store)
    expect(text(await page())).toBeUndefined()
  })

  test('does not take the place of what was typed in the meantime', async () => {
    write(await page(), 'old')
    const tab = openTab(server(), driver)
    await signIn(tab)
    const loading = keyDrafts.load(tab.store)
    write(tab, 'new')
    await loading
    expect(text(tab)).toBe('new')
  })

  test('is another user’s alone', async () => {
    write(await page(), 'secret')
    await written()
    expect(text(await page('bob'))).toBeUndefined()
    expect(text(await page())).toBe('secret')
  })

  test('outlives the log-out for the same user, also the last key before it', async () => {
    const tab = await page()
    write(tab, 'first')
    await written()
    write(tab, 'second')
    logOut(tab.store)
    window.dispatchEvent(new Event('pagehide'))
    await soon(() => expect(JSON.stringify(driver.values.get(key))).toContain('second'))
    expect(text(await page('bob'))).toBeUndefined()
    expect(text(await page())).toBe('second')
  })

  test('is erased with the log-out when that is chosen, and nothing is written after it', async () => {
    const tab = await page()
    write(tab, 'first')
    await written()
    vi.useFakeTimers()
    write(tab, 'second')
    logOut(tab.store, 'erase')
    vi.runAllTimers()
    vi.useRealTimers()
    window.dispatchEvent(new Event('pagehide'))
    await stored(tab, key)
    expect(driver.values.has(key)).toBe(false)
    expect(sessionStorage.getItem(key)).toBeNull()
    expect(text(await page())).toBeUndefined()
  })

  test('is there again after the console was locked, and after a reload in between', async () => {
    const tab = await page()
    write(tab, 'typed')
    lockIdle(tab.store)
    expect(sessionStorage.getItem(key)).toContain('typed')
    await logIn(tab.store, { user: 'immudb', password: 'immudb', isStored: true })
    expect(text(tab)).toBe('typed')
    expect(text(await page())).toBe('typed')
  })

  test('is asked about only when it could not be stored', async () => {
    const tab = await page()
    write(tab, 'typed')
    await written()
    expect(tab.store.get(draftsAtRiskAtom).has('keys')).toBe(false)
    const full = await page('immudb', {
      ...fakeDriver(),
      setItem: () => Promise.reject(new Error('full')),
    })
    write(full, 'typed')
    await soon(() => expect(full.store.get(draftsAtRiskAtom).has('keys')).toBe(true))
    dropDraft(full.store)
    expect(full.store.get(draftsAtRiskAtom).has('keys')).toBe(false)
  })

  test('of more than two million characters is not stored, and asked about', async () => {
    const tab = await page()
    write(tab, 'x'.repeat(2_000_001))
    expect(tab.store.get(draftsAtRiskAtom).has('keys')).toBe(true)
    expect(sessionStorage.getItem(key)?.length).toBeLessThan(100)
    write(tab, 'short')
    await soon(() => expect(tab.store.get(draftsAtRiskAtom).has('keys')).toBe(false))
  })

  test.each([null, 'text', { drafts: [{ database: 'defaultdb' }] }])(
    'found as %j counts as none',
    async (found) => {
      driver.values.set(key, found)
      expect(text(await page())).toBeUndefined()
    },
  )
})
