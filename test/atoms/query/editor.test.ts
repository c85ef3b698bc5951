// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { editorDrafts, editorTextAtom, loadDraft, setEditorText } from '~/atoms/query/editor'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { draftPlace } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { areaOf, type FakeDriver, fakeDriver, openTab, signIn, stored } from '../../support/store'

/** Where the draft of the fake server's first user lies. */
const key = draftPlace('sql', { server: 'dc0mfe1ksduac04rho90', user: 'immudb' })

const kept = (text: string, database = 'defaultdb') => ({ drafts: [[database, text]] })

async function editor(
  server: FakeImmudb,
  driver: FakeDriver,
  user = 'immudb',
  password = 'immudb',
) {
  const tab = openTab(server, driver)
  await signIn(tab, user, password)
  return tab
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the draft', () => {
  test('is stored half a second after the last key', async () => {
    const driver = fakeDriver()
    const tab = await editor(fakeImmudb(), driver)
    await loadDraft(tab.store)
    expect(tab.store.get(editorTextAtom)).toBe('')
    setEditorText(tab.store, 'SEL')
    await vi.advanceTimersByTimeAsync(400)
    setEditorText(tab.store, 'SELECT 1')
    await vi.advanceTimersByTimeAsync(499)
    expect(driver.values.get(key)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(driver.values.get(key)).toEqual(kept('SELECT 1'))
  })

  test('belongs to its database: no other has it in its editor', async () => {
    const items = new Map<string, string>()
    vi.stubGlobal('sessionStorage', areaOf(items))
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const driver = fakeDriver()
    const { store } = await editor(server, driver)
    await loadDraft(store)
    setEditorText(store, 'DROP TABLE one')
    store.set(databaseAtom, 'shop')
    expect(store.get(editorTextAtom)).toBeNull()
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe('')
    setEditorText(store, 'SELECT two')
    store.set(databaseAtom, 'defaultdb')
    expect(store.get(editorTextAtom)).toBe('DROP TABLE one')
    await editorDrafts.keep(store)
    const both = [
      ['defaultdb', 'DROP TABLE one'],
      ['shop', 'SELECT two'],
    ]
    expect(driver.values.get(key)).toEqual({ drafts: both })
    // Another tab that types for one of them leaves the other.
    items.clear()
    const other = await editor(server, driver)
    await loadDraft(other.store)
    setEditorText(other.store, 'SELECT 1')
    await editorDrafts.keep(other.store)
    expect(driver.values.get(key)).toEqual({ drafts: [both[1], ['defaultdb', 'SELECT 1']] })
    vi.unstubAllGlobals()
  })

  test('of a database that is opened later is the newest of any tab by then', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const driver = fakeDriver()
    driver.values.set(key, kept('SELECT old', 'shop'))
    const { store } = await editor(server, driver)
    await loadDraft(store)
    driver.values.set(key, kept('SELECT newer', 'shop'))
    store.set(databaseAtom, 'shop')
    expect(store.get(editorTextAtom)).toBeNull()
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe('SELECT newer')
  })

  test('of an older console goes to the first database that is opened, and to no other', async () => {
    const server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    const driver = fakeDriver()
    driver.values.set(key, { text: 'SELECT old' })
    const { store } = await editor(server, driver)
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe('SELECT old')
    expect(driver.values.get(key)).toEqual(kept('SELECT old'))
    store.set(databaseAtom, 'shop')
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe('')
  })

  test('is stored at once when the page goes away', async () => {
    const driver = fakeDriver()
    const tab = await editor(fakeImmudb(), driver)
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT 2')
    expect(await editorDrafts.keep(tab.store)).toBe(true)
    expect(driver.values.get(key)).toEqual(kept('SELECT 2'))
  })

  test('is back after a reload, for its own user and server only', async () => {
    const server = fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })
    const driver = fakeDriver()
    driver.values.set(key, kept('SELECT mine;'))
    const text = async (user: string, password: string) => {
      const { store } = await editor(server, driver, user, password)
      await loadDraft(store)
      return store.get(editorTextAtom)
    }
    expect(await text('immudb', 'immudb')).toBe('SELECT mine;')
    expect(await text('bob', 'b')).toBe('')
    expect(await text('immudb', 'immudb')).toBe('SELECT mine;')
    server.becomeAnother('another')
    driver.values.delete('webconsole')
    expect(await text('immudb', 'immudb')).toBe('')
  })

  test('of one user is not overwritten by what another types', async () => {
    const server = fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })
    const driver = fakeDriver()
    for (const [user, password, typed] of [
      ['immudb', 'immudb', 'SELECT 1'],
      ['bob', 'b', 'SELECT 2'],
    ] as const) {
      const { store } = await editor(server, driver, user, password)
      await loadDraft(store)
      setEditorText(store, typed)
      await editorDrafts.keep(store)
    }
    expect(driver.values.get(key)).toEqual(kept('SELECT 1'))
  })

  test.each([null, 'text', 7, {}, { text: 7 }])('found as %j counts as none', async (found) => {
    const driver = fakeDriver()
    driver.values.set(key, found)
    const tab = await editor(fakeImmudb(), driver)
    await loadDraft(tab.store)
    expect(tab.store.get(editorTextAtom)).toBe('')
  })

  test('that arrives late does not overwrite what was typed, and loading twice is loading once', async () => {
    const driver = fakeDriver()
    driver.values.set(key, kept('old'))
    const { store } = await editor(fakeImmudb(), driver)
    const loads = [loadDraft(store), loadDraft(store)]
    setEditorText(store, 'typed')
    await Promise.all(loads)
    expect(store.get(editorTextAtom)).toBe('typed')
  })

  test('of a tab that changed nothing does not overwrite the newer one of another', async () => {
    const server = fakeImmudb()
    const driver = fakeDriver()
    driver.values.set(key, kept('old'))
    const idle = await editor(server, driver)
    await loadDraft(idle.store)
    const busy = await editor(server, driver)
    await loadDraft(busy.store)
    setEditorText(busy.store, 'new')
    await editorDrafts.keep(busy.store)
    await editorDrafts.keep(idle.store)
    expect(driver.values.get(key)).toEqual(kept('new'))
  })

  test('that could not be stored is tried again, and said not to be kept', async () => {
    const driver = fakeDriver()
    const tab = await editor(fakeImmudb(), driver)
    await loadDraft(tab.store)
    await stored(tab)
    const { setItem } = driver
    driver.setItem = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
    setEditorText(tab.store, 'SELECT 3')
    expect(tab.store.get(draftsAtRiskAtom).has('sql')).toBe(false)
    expect(await editorDrafts.keep(tab.store)).toBe(false)
    expect(tab.store.get(draftsAtRiskAtom).has('sql')).toBe(true)
    driver.setItem = setItem
    expect(await editorDrafts.keep(tab.store)).toBe(true)
    expect(tab.store.get(draftsAtRiskAtom).has('sql')).toBe(false)
    expect(driver.values.get(key)).toEqual(kept('SELECT 3'))
    expect(tab.store.get(editorTextAtom)).toBe('SELECT 3')
  })

  test('of a tab comes back with it, however quickly the page went and whatever another tab stored', async () => {
    const items = new Map<string, string>()
    vi.stubGlobal('sessionStorage', areaOf(items))
    const server = fakeImmudb()
    const driver = fakeDriver()
    const tab = await editor(server, driver)
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT gone')
    editorDrafts.leave(tab.store)
    const reloaded = await editor(server, fakeDriver())
    await loadDraft(reloaded.store)
    expect(reloaded.store.get(editorTextAtom)).toBe('SELECT gone')
    await driver.setItem(key, { text: 'SELECT elsewhere' })
    const beside = await editor(server, driver)
    await loadDraft(beside.store)
    expect(beside.store.get(editorTextAtom)).toBe('SELECT gone')
    // The page came back instead of being reloaded, and was written on.
    editorDrafts.leave(tab.store)
    setEditorText(tab.store, 'SELECT newer')
    await editorDrafts.keep(tab.store)
    editorDrafts.leave(tab.store)
    const again = await editor(server, driver)
    await loadDraft(again.store)
    expect(again.store.get(editorTextAtom)).toBe('SELECT newer')
  })

  test('that is long is kept for the tab only when the page goes, and never an older one', async () => {
    const items = new Map<string, string>()
    vi.stubGlobal('sessionStorage', areaOf(items))
    const [server, driver] = [fakeImmudb(), fakeDriver()]
    const tab = await editor(server, driver)
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT older')
    await editorDrafts.keep(tab.store)
    const long = 'SELECT long;\n'.repeat(20_000)
    setEditorText(tab.store, long)
    await editorDrafts.keep(tab.store)
    expect([...items.values()].join()).not.toMatch(/older|long/)
    const crashed = await editor(server, driver)
    await loadDraft(crashed.store)
    expect(crashed.store.get(editorTextAtom)).toBe(long)
    editorDrafts.leave(tab.store)
    const reloaded = await editor(server, fakeDriver())
    await loadDraft(reloaded.store)
    expect(reloaded.store.get(editorTextAtom)).toBe(long)
    vi.unstubAllGlobals()
  })

  test('with a password is stored without it, and counts as kept', async () => {
    const items = new Map<string, string>()
    vi.stubGlobal('sessionStorage', areaOf(items))
    const driver = fakeDriver()
    const tab = await editor(fakeImmudb(), driver)
    await loadDraft(tab.store)
    const typed = "SELECT 1;\nCREATE USER bob WITH PASSWORD 'c4nary''s' READ;\nSELECT 'kept';"
    setEditorText(tab.store, typed)
    await vi.advanceTimersByTimeAsync(500)
    const without = "SELECT 1;\nCREATE USER bob WITH PASSWORD '' READ;\nSELECT 'kept';"
    expect(driver.values.get(key)).toEqual(kept(without))
    expect([...items.values()].join()).toContain('kept')
    expect(JSON.stringify([...driver.values, ...items])).not.toContain('c4nary')
    expect(tab.store.get(editorTextAtom)).toBe(typed)
    expect(tab.store.get(draftsAtRiskAtom).has('sql')).toBe(false)
    driver.values.delete(key)
    expect(await editorDrafts.keep(tab.store)).toBe(true)
    expect(driver.values.has(key)).toBe(false)
    vi.unstubAllGlobals()
  })

  test('of nobody is not stored', async () => {
    const tab = openTab(fakeImmudb())
    setEditorText(tab.store, 'x')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(tab.driver.values.has(key)).toBe(false)
  })
})
