import { afterEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import { loadDraft, setEditorText } from '~/atoms/query/editor'
import { exportSettingsAtom, importSettings, wipeStorage } from '~/atoms/settings/browser-storage'
import {
  chooseLocale,
  consentAtom,
  deleteCookies,
  giveConsent,
  localeAtom,
} from '~/atoms/settings/consent'
import { chooseTheme, chooseTimezone, setPaneSizes, themeChoiceAtom } from '~/core/page-view'
import { sessionAtom } from '~/core/session/session'
import { replaceStoreAtom, type StoreSeed } from '~/core/session/session-end'
import { setStaySignedIn, staySignedInAtom } from '~/core/session/session-start'
import {
  changeSettings,
  chooseReadOnly,
  confirmDangerAtom,
  editorLookAtom,
  metricsAddressAtom,
  quoteModeAtom,
  readOnlyDatabasesAtom,
  settingsAtom,
} from '~/core/settings'
import { readStored, storageAtom, storedAtom } from '~/core/storage/stored'
import { allConsented, nothingMoreConsented } from '~/lib/cookies'
import { corpusBytes } from '../support/corpus-bytes'
import { fakeImmudb } from '../support/fake-immudb'
import { corpus } from '../support/recorded'
import { fakeDriver, openTab, signIn, stored } from '../support/store'

afterEach(() => {
  for (const part of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the tests' cookies are those of the page.
    document.cookie = `${part.split('=')[0]}=; Max-Age=0; Path=/`
  }
  vi.restoreAllMocks()
})

const tabOf = (driver = fakeDriver()) =>
  openTab(fakeImmudb({ databases: ['defaultdb', 'shop'] }), driver)

type Leaf = string | number | boolean | null | Leaf[] | { [name: string]: Leaf }

function leavesOf(value: Leaf): Leaf[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.values(value).flatMap(leavesOf)
}

/** The same fields, all with one text. */
function withLeaves(value: Leaf, text: string): Record<string, Leaf> {
  const put = (one: Leaf): Leaf =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? withLeaves(one, text) : text
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, one]) => [name, put(one)]))
}

describe('settings', () => {
  test('have safe defaults', () => {
    const { store } = tabOf()
    expect(store.get(confirmDangerAtom)).toBe(true)
    expect(store.get(quoteModeAtom)).toBe('automatic')
    expect(store.get(metricsAddressAtom)).toBe('')
    expect(store.get(editorLookAtom)).toEqual({ fontSize: 13, wrap: true })
    expect(store.get(settingsAtom).idle).toBe(30)
  })

  test('are stored and found again', async () => {
    const tab = tabOf()
    await changeSettings(tab.store, { fontSize: 16, quotes: 'never', idle: 0 })
    const { settings } = readStored(await stored(tab))
    expect(settings).toMatchObject({ fontSize: 16, quotes: 'never', idle: 0, wrap: true })
  })

  test.each([
    [{ fontSize: 400 }, { fontSize: 13 }],
    [{ fontSize: '13' }, { fontSize: 13 }],
    [{ idle: -1 }, { idle: 30 }],
    [{ idle: 0 }, { idle: 0 }],
    [{ quotes: 'sometimes' }, { quotes: 'automatic' }],
    [{ confirm: 'no' }, { confirm: true }],
    [{ readOnly: 'shop' }, { readOnly: [] }],
    [{ metrics: 9497 }, { metrics: '' }],
    [null, { fontSize: 13, confirm: true }],
  ])('%j in storage counts as %j', (settings, found) => {
    expect(readStored({ settings }).settings).toMatchObject(found)
  })

  test('F41 two tabs that change theme and panes: both stay, the token too', async () => {
    const driver = fakeDriver()
    const one = tabOf(driver)
    const other = tabOf(driver)
    await signIn(one)
    await chooseTheme(one.store, 'light')
    await setPaneSizes(other.store, { tables: 40 })
    await changeSettings(other.store, { fontSize: 18 })
    const kept = readStored(await stored(one))
    expect(kept.view).toMatchObject({ theme: 'light', paneSizes: { tables: 40 } })
    expect(kept.settings.fontSize).toBe(18)
    expect(kept.auth.token).not.toBeNull()
  })
})

describe('the theme', () => {
  test('of the system leaves the stored one as specified', async () => {
    const tab = tabOf()
    await chooseTheme(tab.store, 'light')
    await chooseTheme(tab.store, 'system')
    expect(tab.store.get(themeChoiceAtom)).toBe('system')
    expect(tab.store.get(storedAtom).view.theme).toBe('light')
    expect(readStored(await stored(tab)).view).toMatchObject({ theme: 'light', system: true })
    await chooseTheme(tab.store, 'dark')
    expect(tab.store.get(themeChoiceAtom)).toBe('dark')
  })

  test('anything else is ignored', () => {
    const { store } = tabOf()
    const wrong: Parameters<typeof readStored>[0] = { view: { theme: 'pink', system: 'yes' } }
    expect(readStored(wrong).view).toMatchObject({ theme: 'dark', system: false })
    expect(store.get(themeChoiceAtom)).toBe('dark')
  })
})

describe('read-only databases', () => {
  test('are told by their names', async () => {
    const tab = tabOf()
    const names = () => [...tab.store.get(readOnlyDatabasesAtom)]
    await chooseReadOnly(tab.store, 'shop', true)
    await chooseReadOnly(tab.store, 'attic', true)
    expect(names()).toEqual(['attic', 'shop'])
    await chooseReadOnly(tab.store, 'shop', false)
    expect(names()).toEqual(['attic'])
  })

  test('A13 may have any name', async () => {
    const tab = tabOf()
    const names = ['__proto__', 'constructor', ...corpus('name').map(({ text }) => text ?? '')]
    for (const name of names) await chooseReadOnly(tab.store, name, true)
    expect(tab.store.get(readOnlyDatabasesAtom)).toEqual(new Set(names))
    const again = readStored(await stored(tab)).settings.readOnly
    expect(new Set(again)).toEqual(new Set(names))
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('staying signed in', () => {
  test('can be turned off and on again while signed in', async () => {
    const tab = tabOf()
    await signIn(tab)
    expect(tab.store.get(staySignedInAtom)).toBe(true)
    setStaySignedIn(tab.store, false)
    expect(readStored(await stored(tab)).auth.token).toBeNull()
    setStaySignedIn(tab.store, true)
    expect(readStored(await stored(tab)).auth.token).toBe(tab.store.get(sessionAtom)?.token)
  })
})

describe('cookies', () => {
  test('an answer is kept for a year', () => {
    const { store } = tabOf()
    const written = vi.spyOn(document, 'cookie', 'set')
    expect(store.get(consentAtom)).toBeNull()
    giveConsent(store, allConsented)
    expect(written.mock.calls[0]?.[0]).toBe(
      'webconsole_consent=necessary.optional.functional; Max-Age=31536000; Path=/; SameSite=Lax',
    )
    expect(store.get(consentAtom)).toEqual(allConsented)
  })

  test('the language is remembered for 365 days, only with functional cookies', () => {
    const { store } = tabOf()
    chooseLocale(store, 'fr')
    expect(store.get(localeAtom)).toBe('fr')
    expect(document.cookie).not.toContain('webconsole_locale')
    const written = vi.spyOn(document, 'cookie', 'set')
    giveConsent(store, allConsented)
    chooseLocale(store, 'ja')
    expect(written.mock.calls.at(-1)?.[0]).toContain('webconsole_locale=ja; Max-Age=31536000')
    expect(tabOf().store.get(localeAtom)).toBe('ja')
    giveConsent(store, nothingMoreConsented)
    expect(document.cookie).not.toContain('webconsole_locale')
  })

  test('all can be deleted, the answer included; those of others stay', () => {
    const { store } = tabOf()
    // biome-ignore lint/suspicious/noDocumentCookie: someone else's on the same host.
    document.cookie = 'other=1; Path=/'
    giveConsent(store, allConsented)
    deleteCookies(store)
    expect(store.get(consentAtom)).toBeNull()
    expect(document.cookie).toBe('other=1')
  })
})

describe('stored data', () => {
  test('the export holds settings and no secrets', async () => {
    const tab = tabOf()
    await signIn(tab)
    await openDatabase(tab.store, 'shop')
    await chooseReadOnly(tab.store, 'shop', true)
    await changeSettings(tab.store, { metrics: 'http://secret-host:9497/metrics' })
    await chooseTimezone(tab.store, 'Asia/Tokyo')
    await loadDraft(tab.store)
    setEditorText(tab.store, 'SELECT canary')
    const text = tab.store.get(exportSettingsAtom)
    expect(JSON.parse(text)).toMatchObject({
      product: 'webconsole',
      view: { timezone: 'Asia/Tokyo' },
      settings: { confirm: true },
    })
    const { token } = tab.store.get(sessionAtom) ?? { token: '?' }
    for (const secret of [token, 'shop', 'canary', 'secret-host', 'default password', '"immudb"']) {
      expect(text).not.toContain(secret)
    }
  })

  test('what was exported can be imported elsewhere', async () => {
    const from = tabOf()
    await chooseTimezone(from.store, 'Asia/Tokyo')
    await chooseTheme(from.store, 'system')
    await changeSettings(from.store, { fontSize: 20, confirm: false })
    const to = tabOf()
    await signIn(to)
    await chooseReadOnly(to.store, 'shop', true)
    await changeSettings(to.store, { metrics: 'http://mine:9497/metrics' })
    expect(importSettings(to.store, from.store.get(exportSettingsAtom))).toBeNull()
    const kept = readStored(await stored(to))
    expect(kept.view).toMatchObject({ timezone: 'Asia/Tokyo', system: true })
    expect(kept.settings).toMatchObject({ fontSize: 20, confirm: false, readOnly: ['shop'] })
    expect(kept.settings.metrics).toBe('http://mine:9497/metrics')
    expect(kept.auth.user).toBe('immudb')
  })

  const wrongFiles = [
    '',
    'null',
    '[]',
    '{}',
    '{"product":"other","schema":1,"view":{},"settings":{}}',
    '{"product":"webconsole","schema":2,"view":{},"settings":{}}',
    ...corpus('storage').map(({ text }) => text ?? ''),
  ].map((text) => [text.slice(0, 40), text] as const)

  test.each(wrongFiles)('a file that says %j is refused and changes nothing', (_start, text) => {
    const { store } = tabOf()
    const before = store.get(storedAtom)
    expect(importSettings(store, text)).toMatch(/Nothing was changed/)
    expect(store.get(storedAtom)).toBe(before)
  })

  test('A01: nothing of the corpus gets into the settings, in whichever field a file has it', () => {
    const whole: Leaf = JSON.parse(JSON.stringify({ ...readStored(null), server: {} }))
    const allowed = new Set(leavesOf(whole).map((leaf) => JSON.stringify(leaf)))
    for (const { id, bytes } of corpusBytes()) {
      const text = bytes.toString()
      if (text.length > 1_000) continue
      const { store } = tabOf()
      const { view, settings } = withLeaves(whole, text)
      const file = { product: 'webconsole', schema: 1, view, settings, [text]: text }
      expect(importSettings(store, JSON.stringify(file)), id).toBeNull()
      const kept = leavesOf(JSON.parse(JSON.stringify(store.get(storedAtom))))
      expect(
        kept.filter((leaf) => !allowed.has(JSON.stringify(leaf))),
        id,
      ).toEqual([])
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('theme')
  })

  test('nonsense within a file becomes the default', () => {
    const { store } = tabOf()
    const file = {
      product: 'webconsole',
      schema: 1,
      view: { theme: 7, timezone: 'Mars/X' },
      settings: [],
    }
    expect(importSettings(store, JSON.stringify(file))).toBeNull()
    expect(store.get(storedAtom).view).toMatchObject({ theme: 'dark', timezone: 'local' })
  })

  test('removing everything leaves nothing, tells the server and starts again', async () => {
    const server = fakeImmudb()
    const tab = openTab(server)
    const seeds: StoreSeed[] = []
    tab.store.set(replaceStoreAtom, { end: (seed) => seeds.push(seed) })
    await signIn(tab)
    await tab.store.get(storageAtom).write('webconsole.history', { user: 'immudb' })
    await chooseTheme(tab.store, 'light')
    giveConsent(tab.store, allConsented)
    localStorage.setItem('webconsole-theme', 'light')
    sessionStorage.setItem('webconsole.draft', '"x"')
    localStorage.setItem('other', 'stays')
    await wipeStorage(tab.store)
    expect([...tab.driver.values]).toEqual([])
    expect(Object.keys(localStorage)).toEqual(['other'])
    expect(Object.keys(sessionStorage)).toEqual([])
    expect(document.cookie).toBe('')
    expect(server.log()).toContain('POST /logout')
    expect(tab.store.get(sessionAtom)).toBeNull()
    expect(seeds).toHaveLength(1)
    expect(seeds[0]?.stored).toEqual(readStored(null))
  })
})
