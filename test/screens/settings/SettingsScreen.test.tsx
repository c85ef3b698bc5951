import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '~/atoms/databases/database-list'
import { giveConsent, isCookieBarOpenAtom } from '~/atoms/settings/consent'
import { stateAtom } from '~/core/history/newest-state'
import { themeChoiceAtom, timezoneAtom } from '~/core/page-view'
import { loginNoticeAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { replaceStoreAtom } from '~/core/session/session-end'
import {
  areSingleKeysOnAtom,
  chooseReadOnly,
  isShortcutListOpenAtom,
  metricsAddressAtom,
  readOnlyDatabasesAtom,
  settingsAtom,
} from '~/core/settings'
import { storedAtom } from '~/core/storage/stored'
import { nothingMoreConsented } from '~/lib/cookies'
import SettingsScreen from '~/screens/settings/SettingsScreen'
import { settingsSections } from '~/screens/settings/sections'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { corpus } from '../../support/recorded'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, stored, type Tab } from '../../support/store'

const manifest = {
  schema: 1,
  version: 'test',
  commit: 'test',
  entry: 'assets/main-1.js',
  files: [
    { path: 'assets/main-1.js', size: 1_000, sha256: 'ab'.repeat(32), type: 'x', immutable: true },
    { path: '<b>odd</b>.js', size: 24, sha256: 'cd'.repeat(32), type: 'x', immutable: true },
  ],
}

let server: FakeImmudb
let tab: Tab
let manifestAnswer: () => Response

beforeEach(async () => {
  server = fakeImmudb({ databases: ['defaultdb', 'shop'] })
  manifestAnswer = () => Response.json(manifest)
  const fetch: typeof globalThis.fetch = async (input, init) =>
    String(input).endsWith('/manifest.json') ? manifestAnswer() : server.fetch(input, init)
  tab = openTab({ ...server, fetch })
  await signIn(tab)
})

afterEach(() => {
  vi.restoreAllMocks()
  for (const part of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the tests' cookies are those of the page.
    document.cookie = `${part.split('=')[0]}=; Max-Age=-1; Path=/`
  }
})

async function show() {
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <SettingsScreen />
      </Provider>,
    )
  })
  // By its text, because roles of a whole screen take long to find.
  await screen.findByText('Accept all')
}

const section = (name: string) => within(screen.getByRole('region', { name }))
const type = (field: HTMLElement, value: string) =>
  act(async () => fireEvent.change(field, { target: { value } }))
const press = (element: HTMLElement) => act(async () => fireEvent.click(element))

describe('the screen', () => {
  test('has a heading, a section for everything, and links to them', async () => {
    await show()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
    const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)
    const links = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual(titles)
    for (const link of links) {
      expect(document.querySelector(link.getAttribute('href') ?? '?')).not.toBeNull()
    }
  })
})

describe('appearance and times', () => {
  test('the theme: dark, light or as the system', async () => {
    await show()
    const { getByRole } = section('Appearance')
    for (const [name, theme] of [
      ['Light', 'light'],
      ['System', 'system'],
      ['Dark', 'dark'],
    ] as const) {
      await press(getByRole('radio', { name: new RegExp(name) }))
      expect(tab.store.get(themeChoiceAtom)).toBe(theme)
    }
  })

  test('the zone: local, UTC, or any that the browser knows', async () => {
    await show()
    const { getByRole, getByLabelText, queryByLabelText, getByText } = section('Times')
    await press(getByRole('radio', { name: 'UTC' }))
    expect(tab.store.get(timezoneAtom)).toBe('utc')
    expect(queryByLabelText('Zone')).toBeNull()
    await press(getByRole('radio', { name: 'Another zone' }))
    expect(tab.store.get(timezoneAtom)).toBe('utc')
    await type(getByLabelText('Zone'), 'Asia/Tok')
    expect(getByText('The zone is not one of the allowed values.')).toBeTruthy()
    expect(tab.store.get(timezoneAtom)).toBe('utc')
    await type(getByLabelText('Zone'), 'Asia/Tokyo')
    expect(tab.store.get(timezoneAtom)).toBe('Asia/Tokyo')
    expect(getByText(/GMT\+9/)).toBeTruthy()
    await press(getByRole('radio', { name: /Local/ }))
    expect(tab.store.get(timezoneAtom)).toBe('local')
  })

  test('no text of the corpus becomes a zone', async () => {
    await show()
    const { getByRole, getByLabelText } = section('Times')
    await press(getByRole('radio', { name: 'Another zone' }))
    for (const { text = '' } of corpus('markup')) await type(getByLabelText('Zone'), text)
    expect(tab.store.get(timezoneAtom)).toBe('local')
  })
})

describe('the editor', () => {
  test('font size within bounds, the rest is said and not taken', async () => {
    await show()
    const { getByLabelText, getByText, getByRole } = section('SQL editor')
    await type(getByLabelText('Font size'), '16')
    expect(tab.store.get(settingsAtom).fontSize).toBe(16)
    await type(getByLabelText('Font size'), '99')
    expect(getByText('Font size must be between 11 and 22.')).toBeTruthy()
    await type(getByLabelText('Font size'), '')
    expect(getByText('The Font size field is required')).toBeTruthy()
    expect(tab.store.get(settingsAtom).fontSize).toBe(16)
    await press(getByRole('switch', { name: /Wrap long lines/ }))
    expect(tab.store.get(settingsAtom).wrap).toBe(false)
  })

  test('double quotes: automatic, text, never', async () => {
    await show()
    const { getByRole } = section('SQL editor')
    expect(getByRole('radio', { name: /Automatic/ })).toHaveProperty('checked', true)
    await press(getByRole('radio', { name: /Always text/ }))
    expect(tab.store.get(settingsAtom).quotes).toBe('text')
    await press(getByRole('radio', { name: /Never change/ }))
    expect(tab.store.get(settingsAtom).quotes).toBe('never')
  })
})

describe('safety', () => {
  test('the question before destructive statements can be turned off', async () => {
    await show()
    await press(section('Safety').getByRole('switch', { name: /destructive statements/ }))
    expect(tab.store.get(settingsAtom).confirm).toBe(false)
  })

  test('the open database can be made read-only; others are listed and freed', async () => {
    await chooseReadOnly(tab.store, '__proto__', true)
    await show()
    const { getByRole } = section('Safety')
    await press(getByRole('switch', { name: /Only read the open database/ }))
    expect(tab.store.get(readOnlyDatabasesAtom)).toEqual(new Set(['defaultdb', '__proto__']))
    await act(() => openDatabase(tab.store, 'shop'))
    await press(getByRole('button', { name: 'Allow writes to defaultdb' }))
    await press(getByRole('button', { name: 'Allow writes to __proto__' }))
    expect(tab.store.get(readOnlyDatabasesAtom)).toEqual(new Set())
  })
})

describe('the session', () => {
  test('stay signed in, idle lock with minutes, off, and on again', async () => {
    await show()
    const { getByRole, getByLabelText, queryByLabelText } = section('Session')
    await press(getByRole('switch', { name: /Stay signed in/ }))
    expect(tab.store.get(sessionAtom)?.isStored).toBe(false)
    await type(getByLabelText('Lock after'), '5')
    expect(tab.store.get(settingsAtom).idle).toBe(5)
    await press(getByRole('switch', { name: /Lock when not in use/ }))
    expect(tab.store.get(settingsAtom).idle).toBe(0)
    expect(queryByLabelText('Lock after')).toBeNull()
    await press(getByRole('switch', { name: /Lock when not in use/ }))
    expect(tab.store.get(settingsAtom).idle).toBe(5)
  })

  test('can be locked at once', async () => {
    await show()
    await press(section('Session').getByRole('button', { name: 'Lock now' }))
    expect(tab.store.get(sessionLossAtom)).not.toBeNull()
    expect(tab.store.get(loginNoticeAtom)?.text).toMatch(/^Locked\./)
  })
})

describe('polling', () => {
  test('each choice says what it costs, and is taken over', async () => {
    await show()
    const { getByRole, queryByRole } = section('Polling')
    const prices = [
      [/^Every 5 seconds\s*720 calls\/h/, 5],
      [/^Every 10 seconds\s*360 calls\/h/, 10],
      [/^Every 30 seconds\s*120 calls\/h/, 30],
      [/^Every minute\s*60 calls\/h/, 60],
      [/^Every 5 minutes\s*12 calls\/h/, 300],
      [/^Off$/, 0],
    ] as const
    expect(getByRole<HTMLInputElement>('radio', { name: prices[1][0] }).checked).toBe(true)
    for (const [name, poll] of prices) {
      expect(queryByRole('button', { name: 'Ask now' })).toBeNull()
      await press(getByRole('radio', { name }))
      expect(tab.store.get(settingsAtom).poll).toBe(poll)
    }
    // As the header does on every screen.
    tab.store.sub(stateAtom, () => {})
    await waitFor(() => expect(server.log()).toContain('GET /db/state'))
    server.clear()
    await press(getByRole('button', { name: 'Ask now' }))
    await waitFor(() => expect(server.log()).toEqual(['GET /db/state']))
  })
})

describe('the keyboard', () => {
  test('single keys are switched off, and the list of shortcuts is opened', async () => {
    await show()
    const { getByRole } = section('Keyboard')
    await press(getByRole('switch', { name: /Single-key shortcuts/ }))
    expect(tab.store.get(areSingleKeysOnAtom)).toBe(false)
    await press(getByRole('button', { name: 'Show all shortcuts' }))
    expect(tab.store.get(isShortcutListOpenAtom)).toBe(true)
  })
})

describe('the metrics address', () => {
  test.each([
    ['http://127.0.0.1:9497/metrics', 'http://127.0.0.1:9497/metrics'],
    ['db.example', 'http://db.example:9497/metrics'],
    ['', ''],
  ])('%s is taken as %s', async (typed, taken) => {
    await show()
    const field = section('Metrics').getByLabelText('Address of the metrics')
    await type(field, 'other.example')
    await type(field, typed)
    expect(tab.store.get(metricsAddressAtom)).toBe(taken)
  })

  test.each(['http://db.example:9090/metrics', 'http://user:pass@db.example:9497', 'a b'])(
    '%s is refused with a reason',
    async (typed) => {
      await show()
      const { getByLabelText } = section('Metrics')
      await type(getByLabelText('Address of the metrics'), typed)
      expect(getByLabelText('Address of the metrics').getAttribute('aria-invalid')).toBe('true')
      expect(tab.store.get(metricsAddressAtom)).toBe('')
    },
  )
})

describe('cookies and privacy', () => {
  test.each(['Accept all', 'Decline all', 'Save', 'Delete all'])(
    'the bar that was opened by hand goes with the answer “%s”',
    async (answer) => {
      await show()
      const { getByRole } = section('Cookies and privacy')
      await press(getByRole('button', { name: 'Show the cookie bar' }))
      expect(tab.store.get(isCookieBarOpenAtom)).toBe(true)
      await press(getByRole('button', { name: answer }))
      expect(tab.store.get(isCookieBarOpenAtom)).toBe(false)
    },
  )

  test('what was chosen is said, and every action is there', async () => {
    await show()
    const { getByRole, getByText } = section('Cookies and privacy')
    expect(getByText(/Not asked yet/)).toBeTruthy()
    await press(getByRole('button', { name: 'Accept all' }))
    expect(getByText(/You accepted all cookies/)).toBeTruthy()
    await press(getByRole('checkbox', { name: /Optional cookies/ }))
    await press(getByRole('button', { name: 'Save' }))
    expect(getByText(/You accepted some cookies/)).toBeTruthy()
    await press(getByRole('button', { name: 'Decline all' }))
    expect(getByText(/You declined/)).toBeTruthy()
    await press(getByRole('button', { name: 'Delete all' }))
    expect(getByText(/Not asked yet/)).toBeTruthy()
    expect(document.cookie).toBe('')
  })

  test('the focus stays on the answer that was given, and a choice elsewhere is taken over', async () => {
    await show()
    const { getByRole } = section('Cookies and privacy')
    const accept = getByRole('button', { name: 'Accept all' })
    accept.focus()
    await press(accept)
    expect(document.activeElement).toBe(accept)
    expect(accept.isConnected).toBe(true)
    const optional = () => getByRole('checkbox', { name: /Optional cookies/, checked: true })
    expect(optional()).toBeTruthy()
    await act(async () => giveConsent(tab.store, nothingMoreConsented))
    expect(() => optional()).toThrow()
  })
})

describe('optional parts', () => {
  test('an ordinary build says that it has none', async () => {
    await show()
    expect(section('Optional parts').getAllByText('Not included')).toHaveLength(3)
  })
})

describe('stored data', () => {
  test('is listed with its size', async () => {
    await stored(tab)
    tab.driver.values.clear()
    // With its quotes, and two bytes for each ü.
    tab.driver.values.set('webconsole', 'x'.repeat(1_022))
    tab.driver.values.set('of another version', 'ü'.repeat(2_047))
    // Names of what is stored are words, whoever's it is.
    tab.driver.values.set('webconsole.drafts.collections ["dc5o","immudb"]', null)
    tab.driver.values.set('webconsole.drafts.keys ["","eve"]', null)
    await show()
    const { findByRole, getByRole, getByText } = section('Stored data')
    expect(await findByRole('row', { name: 'Settings and session 1 KiB' })).toBeTruthy()
    expect(getByRole('row', { name: 'Other data (of another version) 4 KiB' })).toBeTruthy()
    expect(
      getByRole('row', { name: 'Drafts of collections – user immudb, server dc5o 4 bytes' }),
    ).toBeTruthy()
    expect(
      getByRole('row', { name: 'Drafts of Keys – user eve, a server without a name 4 bytes' }),
    ).toBeTruthy()
    expect(getByText('5 KiB, and cookies.')).toBeTruthy()
  })

  test('settings go out as a file and come back', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) saved.push(blob)
      return 'blob:x'
    })
    await show()
    const { getByRole, getByLabelText, findByRole } = section('Stored data')
    await press(getByRole('button', { name: 'Export settings' }))
    const text = (await saved[0]?.text()) ?? ''
    expect(JSON.parse(text)).toMatchObject({ product: 'webconsole', view: { theme: 'dark' } })
    const changed = text.replace('"theme": "dark"', '"theme": "light"')
    const choose = (content: string) =>
      fireEvent.change(getByLabelText('File with settings'), {
        target: { files: [new File([content], 'settings.json')] },
      })
    choose(changed)
    await waitFor(() => expect(tab.store.get(storedAtom).view.theme).toBe('light'))
    choose('<html>')
    expect((await findByRole('alert')).textContent).toMatch(/Nothing was changed/)
  })

  test('a file of settings that gives nothing is said to, and nothing changes', async () => {
    await show()
    const { getByLabelText, findByRole, findByText } = section('Stored data')
    const before = tab.store.get(storedAtom)
    const choose = (size: number) => {
      const file = { name: 'folder', size, text: () => Promise.reject(new Error('a folder')) }
      fireEvent.change(getByLabelText('File with settings'), { target: { files: [file] } })
    }
    choose(9)
    expect((await findByRole('alert')).textContent).toMatch(/^This file could not be read/)
    // Many wrong entries keep the reading of them waiting; no settings are that long.
    choose(64_001)
    await findByText('This file is too large to hold settings.')
    expect(tab.store.get(storedAtom)).toBe(before)
  })

  test('is removed only after the word was typed', async () => {
    const end = vi.fn()
    tab.store.set(replaceStoreAtom, { end })
    await show()
    await press(section('Stored data').getByRole('button', { name: 'Remove everything…' }))
    const dialog = within(await screen.findByRole('dialog'))
    const button = dialog.getByRole('button', { name: 'Remove everything' })
    await press(button)
    expect(end).not.toHaveBeenCalled()
    await type(dialog.getByLabelText('Name'), 'webconsole')
    await press(button)
    await waitFor(() => expect(end).toHaveBeenCalledTimes(1))
    expect([...tab.driver.values]).toEqual([])
  })
})

describe('about', () => {
  test('feedback is a plain link that tells nothing of this page', async () => {
    await show()
    const link = section('About').getByRole('link', { name: 'Report a problem or an idea' })
    expect(link.getAttribute('href')).toBe(
      'https://github.com/codenotary/immudb-webconsole/issues/new',
    )
    expect(link.getAttribute('rel')?.split(' ')).toEqual(['noopener', 'noreferrer'])
    section('About').getByText(/\(github\.com\)/)
  })

  test('versions, the files with their hashes, the licences', async () => {
    await show()
    const { getByText, findByText, getByRole } = section('About')
    expect(getByText(/webconsole test, build/)).toBeTruthy()
    expect(await findByText(/2 files, 1 KiB, with their SHA-256/)).toBeTruthy()
    expect(getByText('<b>odd</b>.js')).toBeTruthy()
    expect(
      getByRole('button', { name: 'Copy hash of assets/main-1.js', hidden: true }),
    ).toBeTruthy()
    const licences = getByRole('link', { name: 'all licences' })
    expect(licences.getAttribute('href')).toMatch(/\/assets\/licences\.txt$/)
  })

  test('another build on the server is said', async () => {
    manifestAnswer = () => Response.json({ ...manifest, commit: 'fffffff' })
    await show()
    expect(
      await section('About').findByText(/hands out webconsole test, build fffffff/),
    ).toBeTruthy()
  })

  test.each([
    ['is missing', () => new Response('404', { status: 404 })],
    ['is a page', () => new Response('<html>', { status: 200 })],
    ['says something else', () => Response.json({ files: [{ path: 1 }] })],
  ])(
    'a list of files that %s is an error in its place, with another try',
    async (_what, answer) => {
      manifestAnswer = answer
      await show()
      const { findByRole, findByText } = section('About')
      expect((await findByRole('alert')).textContent).toMatch(/list of files could not be read/)
      manifestAnswer = () => Response.json(manifest)
      await press(await findByRole('button', { name: 'Try again' }))
      expect(await findByText(/2 files/)).toBeTruthy()
    },
  )
})

test('the version of the server comes with what it lacks and does wrong', async () => {
  await show()
  const about = screen.getByRole('region', { name: 'About' })
  await act(async () => reportVersion(tab.store, '1.3.2'))
  expect(about.textContent).toMatch(
    /immudb 1\.3\.2.*is older than 1\.9\.5.*It lacks documents, .*Known faults: AND and OR/,
  )
  expect(screen.queryByText('immudb --audit-log')).toBeNull()
  await act(async () => reportVersion(tab.store, '1.12.0'))
  expect(about.textContent).toMatch(/immudb 1\.12\.0.*uses it like immudb 1\.11\.1/)
  expect(screen.getByText('immudb --audit-log')).toBeTruthy()
})

test('each section holds what the finder says that it holds, and is shown by its anchor', async () => {
  history.replaceState(null, '', '/settings#session')
  Element.prototype.scrollIntoView = vi.fn()
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <SettingsScreen />
      </Provider>,
    )
  })
  for (const { id, title, holds } of settingsSections) {
    const section = screen.getByRole('region', { name: title })
    expect(section.id).toBe(id)
    for (const label of holds) {
      const found = within(section).queryAllByText(label, { exact: true })
      const named = within(section).queryAllByLabelText(label, { exact: true })
      expect([...found, ...named], label).not.toEqual([])
    }
  }
  expect(document.activeElement?.id).toBe('session')
  history.replaceState(null, '', '/')
})
