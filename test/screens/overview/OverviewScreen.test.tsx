import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { databasesAtom } from '~/atoms/databases/database-list'
import { levelAtom } from '~/atoms/users/user-list'
import { stateAtom, stateKey } from '~/core/history/newest-state'
import { databaseAtom } from '~/core/session/session'
import { lockNow } from '~/core/session/session-end'
import { changeStoredPart } from '~/core/storage/stored'
import OverviewScreen from '~/screens/overview/OverviewScreen'
import { isTrustOpenAtom, setTrust, type Trust } from '~/trust/trust'
import { startedRecord } from '~/trust/trust-record'
import { failure } from '../../support/fake-faults'
import { fakeImmudb } from '../../support/fake-immudb'
import {
  type FakeServer,
  metricsText,
  recordedMetrics,
  withMetrics,
} from '../../support/fake-metrics'
import { stubLayout } from '../../support/layout'
import { corpus } from '../../support/recorded'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, type Tab } from '../../support/store'

let server: FakeServer
let tab: Tab

/** Lets time pass, and React with it. */
const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

// They are fetched when first used, which a test’s clock does not wait for.
beforeAll(() => Promise.all([import('~/ui/chart/Plot'), import('~/ui/chart/Chart')]), 30_000)

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})

afterEach(() => {
  vi.useRealTimers()
})

async function open(
  prepare: (server: FakeServer) => void = () => {},
  names = ['defaultdb'],
  user = 'immudb',
) {
  server = withMetrics(fakeImmudb({ databases: names }))
  server.databases.set('defaultdb', { isLoaded: true, txId: 1_234, tables: new Map() })
  prepare(server)
  tab = openTab(server)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'b')
  for (const of of [stateAtom, databasesAtom, levelAtom]) tab.store.sub(of, () => {})
  // The charts have sizes at once and are fetched for them, which a render has to be awaited for.
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <OverviewScreen />
      </Provider>,
    )
  })
  await passing(50)
}

const region = (name: string | RegExp) => within(screen.getByRole('region', { name }))
const counter = (name: string) => {
  const term = region('Counters').getByText(name)
  return term.parentElement?.querySelector('dd')?.textContent
}
const figure = (name: string) => within(screen.getByRole('figure', { name }))

describe('the overview', () => {
  test('shows the state as reported by the server, and nothing as verified', async () => {
    await open()
    const state = region('State')
    expect(state.getByText('reported by server')).toBeTruthy()
    expect(state.getByText('defaultdb')).toBeTruthy()
    expect(state.getByText('tx 1,234')).toBeTruthy()
    expect(state.getByRole('button', { name: 'Copy hash of the state' })).toBeTruthy()
    expect(state.getByText('same as committed')).toBeTruthy()
    expect(state.getByText('measuring…')).toBeTruthy()
    expect(document.querySelector('[class*="verified"]')).toBeNull()
  })

  test('does not tell what is precommitted where the server does not', async () => {
    await open()
    const cache = tab.store.get(queryClientAtom)
    const { data } = tab.store.get(stateAtom)
    cache.setQueryData(stateKey('defaultdb'), { ...data, precommittedTxId: '0' })
    await passing(50)
    const told = region('State').getByText('Precommitted').nextElementSibling
    expect(told?.textContent).toBe('not known')
  })

  test('shows what this browser verified beside it, in the words of the chip', async () => {
    await open()
    const card = region('Trusted history')
    card.getByText('Not checked')
    expect(card.getAllByText('not yet')).toHaveLength(2)
    const id = { origin: 'http://localhost', server: 's', database: 'defaultdb' }
    const first = startedRecord(id, { txId: '7', txHash: 'AAAA' }, 'first', 1)
    const record = { ...first, checked: 2, moved: 1, point: { txId: '1234', txHash: 'AAAA' } }
    const show = (trust: Trust) => act(() => setTrust(tab.store, 'defaultdb', trust))
    show({ kind: 'consistent', record, why: null })
    expect(card.getByText('Consistent since tx 7').className).toContain('text-verified')
    card.getByText('verified by this browser')
    card.getByText('tx 1,234')
    card.getByText('tx 7')
    show({ kind: 'consistent', record, why: 'The server is away.' })
    card.getByText('The server is away.')
    expect(document.querySelector('[class*="verified"]')).toBeNull()
    const words = { reason: '', step: '', part: '', expected: '', received: '', what: '' }
    const found = { ...words, at: 1, verification: null, acknowledgedAt: null }
    show({ kind: 'broken', record, broken: { kind: 'forked', ...found } })
    expect(card.getByText(/^BROKEN: /).className).toContain('text-error')
    fireEvent.click(card.getByRole('button', { name: 'Show the trusted state' }))
    expect(tab.store.get(isTrustOpenAtom)).toBe(true)
    expect(card.getByRole('link', { name: 'All trusted states' }).getAttribute('href')).toMatch(
      /verify/,
    )
  })

  test('has the counters at once, before any metrics came', async () => {
    await open()
    expect(counter('Server health')).toBe('Healthy')
    expect(counter('Size')).toBe('5.3 KiB')
    expect(counter('Uptime')).toMatch(/^\d+ (y|mo|w|d|h|m|s)/)
    expect(server.asked).toHaveLength(0)
  })

  test('asks for the health every minute, says when it was told, and that nobody answers', async () => {
    await open()
    const told = () => region('Counters').getByText(/^as of \d\d:\d\d:\d\d/).textContent
    const first = told()
    server.clear()
    server.isHealthy = false
    await passing(60_000)
    expect(server.log().filter((line) => line === 'GET /health')).toHaveLength(1)
    expect(counter('Server health')).toBe('Not healthy')
    expect(told()).not.toBe(first)
    server.unplug()
    await passing(15_000)
    expect(counter('Server health')).toBe('Not answering')
  })

  test('says what it waits for, and why the server does not tell when it started', async () => {
    await open((one) => {
      one.metrics.clear()
      one.databases.set('asleep', { isLoaded: false, txId: 0, tables: new Map() })
    })
    expect(counter('Uptime')).toBe('measuring…')
    expect(region('State').getByText('measuring…')).toBeTruthy()
    await passing(4_000)
    expect(counter('Uptime')).toBe('–not known')
    region('Counters').getByText('not reported while a database is unloaded')
    expect(region('State').getByText('not known without metrics')).toBeTruthy()
  })

  test('of a user who is not immudb calls neither its password nor other users in order', async () => {
    await open(
      (one) => one.users.set('bob', { password: 'b', permissions: { defaultdb: 1 } }),
      ['defaultdb'],
      'bob',
    )
    const check = region('Security check-up')
    expect(check.queryByText('No default password')).toBeNull()
    for (const title of [
      'Default password',
      'Access to systemdb',
      'SQL privileges without permission',
    ]) {
      expect(check.getByText(title).closest('p')?.textContent).toBe(`Not known: ${title}`)
    }
  })

  test('lists recent transactions with time, entries and hash', async () => {
    await open()
    const rows = region('Recent transactions').getAllByRole('row')
    expect(rows).toHaveLength(11)
    expect(rows[1]?.textContent).toMatch(/^tx 1,234\d+ Nov 2026/)
    expect(region('Recent transactions').getByRole('button', { name: 'Copy hash of tx 1233' }))
  })

  test('spells every hash in hex digits, so that the same one is seen to be the same', async () => {
    await open()
    const hashes = [...document.querySelectorAll('.hash')].map((hash) => hash.getAttribute('title'))
    expect(hashes.length).toBeGreaterThan(10)
    for (const hash of hashes) expect(hash).toMatch(/^([0-9a-f]{2})+$/)
    const ofState = region('State').getAllByText(/…/)[0]?.title ?? ''
    expect(region('Recent transactions').getAllByTitle(ofState)).toHaveLength(1)
  })

  test('of an empty database says so and leads to Query', async () => {
    await open((one) =>
      one.databases.set('defaultdb', { isLoaded: true, txId: 0, tables: new Map() }),
    )
    expect(region('Recent transactions').getByText('No transactions')).toBeTruthy()
    expect(region('Recent transactions').getByRole('link', { name: 'Open Query' })).toBeTruthy()
    expect(region('State').getByText('none yet')).toBeTruthy()
    expect(region('State').getByText('– (no transactions yet)')).toBeTruthy()
  })

  test('of a user without any database says so', async () => {
    await open()
    await act(async () => tab.store.set(databaseAtom, null))
    await passing(50)
    expect(region('State').getByText('No database is open')).toBeTruthy()
  })

  test('lists what needs attention, with the page where it is dealt with', async () => {
    await open()
    const list = region('Needs attention')
    // The password comes before the signature.
    const titles = list.getAllByRole('listitem').map((one) => one.querySelector('p')?.textContent)
    expect(titles[0]).toBe('Danger: Default password')
    expect(titles).toContain('Advice: States are not signed')
    server.databases.set('orders', { isLoaded: false, txId: 0, tables: new Map() })
    await act(async () => void tab.store.get(databasesAtom).refetch())
    await passing(50)
    expect(list.getByRole('link', { name: 'Show databases' }).getAttribute('href')).toBe(
      '/databases',
    )
  })

  test('says once that the password is the default one, and opens the dialog that changes it', async () => {
    await open()
    const said = screen.getAllByText('Default password')
    const whole = said.map((one) => one.closest('p')?.textContent)
    expect(whole).toEqual(['Danger: Default password'])
    const link = region('Needs attention').getByRole('link', { name: 'Change it' })
    expect(link.getAttribute('href')).toBe('/users?dialog=change-password&user=immudb')
  })

  test('checks security and names the flag that cures each finding', async () => {
    await open()
    const found = region('Needs attention')
    expect(found.getByText('IMMUDB_ADMIN_PASSWORD')).toBeTruthy()
    expect(found.getByText(/--signingKey FILE, or webconsole --signing-key FILE/)).toBeTruthy()
    expect(found.getByText('Missing headers')).toBeTruthy()
    const check = region('Security check-up')
    expect(check.getByText(/\d+ findings/)).toBeTruthy()
    expect(check.queryByText('IMMUDB_ADMIN_PASSWORD')).toBeNull()
  })

  test('does not call an old version in order, and leads to what it lacks', async () => {
    await open()
    await act(async () => reportVersion(tab.store, '1.3.2'))
    const found = region('Needs attention')
    expect(found.getByText('Version older than tested')).toBeTruthy()
    const item = found.getByText(/^immudb 1\.3\.2 is older than 1\.9\.5/).closest('li')
    const link = within(item as HTMLElement).getByRole('link', { name: 'See what' })
    expect(link.getAttribute('href')).toBe('/settings#about')
    expect(region('Security check-up').queryByText('Version of the server')).toBeNull()
  })

  test('says of a newer version than is known how it is used', async () => {
    await open()
    await act(async () => reportVersion(tab.store, '1.12.0'))
    const line = region('Security check-up').getByText(/is newer than this console knows/)
    expect(line.closest('li')?.textContent).toMatch(/^Not known: Version of the server.* 1\.11\.1/)
  })

  test.each([
    ['webconsole_disk_free_bytes 1048576', 'Disk full', /^1 MiB left.* Reads work\.$/],
    ['process_max_fds 60', 'Many open files', /^53 of 60\. At the limit calls fail\./],
    ['webconsole_writes_waiting_seconds 45.9', 'Writes wait', /^For 45 seconds no write has ended/],
  ])('says what our server adds to the metrics: %s', async (line, title, text) => {
    await open((one) =>
      one.metrics.set('/metrics', () => metricsText(`${recordedMetrics}\n${line}\n`)),
    )
    await passing(4_000)
    const found = region('Needs attention')
    expect(found.getByText(title)).toBeTruthy()
    expect(found.getByText(text)).toBeTruthy()
  })

  test.each([
    'webconsole_disk_free_bytes 68719476736\nwebconsole_writes_waiting_seconds 3',
    'webconsole_disk_free_bytes -1\nwebconsole_writes_waiting_seconds 0',
    'process_max_fds 20000',
    '',
  ])('and nothing of disk and writes where all is well or not known: %s', async (lines) => {
    await open((one) =>
      one.metrics.set('/metrics', () => metricsText(`${recordedMetrics}\n${lines}\n`)),
    )
    await passing(4_000)
    expect(figure('Memory').queryByText('Not known without metrics.')).toBeNull()
    const found = region('Needs attention')
    expect(found.queryByText('Disk full')).toBeNull()
    expect(found.queryByText('Writes wait')).toBeNull()
    expect(found.queryByText('Many open files')).toBeNull()
  })

  test('says that no file has the trusted states, until they were saved', async () => {
    await open()
    const list = region('Needs attention')
    expect(list.queryByText('Trusted states have no backup')).toBeNull()
    const id = { origin: 'http://localhost', server: 's', database: 'defaultdb' }
    const record = startedRecord(id, { txId: '7', txHash: 'AAAA' }, 'first', 1)
    await act(async () =>
      setTrust(tab.store, 'defaultdb', { kind: 'consistent', record, why: null }),
    )
    list.getByText('Trusted states have no backup')
    expect(list.getByRole('link', { name: 'Save them as a file' })).toBeTruthy()
    await act(() => changeStoredPart(tab.store, (stored) => ({ ...stored, statesSaved: 1 })))
    expect(list.queryByText('Trusted states have no backup')).toBeNull()
  })

  test('asks for nothing while it is locked', async () => {
    await open()
    await passing(4_000)
    await act(async () => void lockNow(tab.store))
    await passing(1_000)
    const before = server.asked.length
    server.clear()
    await passing(200_000)
    expect(server.log()).toEqual([])
    expect(server.asked).toHaveLength(before)
  })

  test('notes the visit, and the next one is told against it', async () => {
    await open()
    const visit = region('Since your last visit')
    const list = screen.getByRole('region', { name: 'Needs attention' })
    expect(list.contains(visit.getByRole('heading'))).toBe(true)
    expect(visit.getByText(/No earlier visit remembered/)).toBeTruthy()
    const kept = JSON.stringify(tab.driver.values.get('webconsole'))
    expect(kept).toContain('"tx":"1234"')
  })

  test('leads from the last visit to what changed since', async () => {
    await open()
    const before = { tx: '1200', at: Date.now() - 86_400_000 }
    await act(() =>
      changeStoredPart(tab.store, (stored) => ({
        ...stored,
        visits: stored.visits.map((visit) => ({ ...visit, before })),
      })),
    )
    const visit = region('Since your last visit')
    expect(visit.getByText(/^34 new transactions\./)).toBeTruthy()
    const link = visit.getByRole('link', { name: 'See what changed' })
    expect(link.getAttribute('href')).toBe('/compare?db=defaultdb&from=tx%3A1200&to=tx%3A1234')
  })

  test('leads from the state to its transaction', async () => {
    await open()
    const link = region('State').getByRole('link', { name: 'tx 1,234' })
    expect(link.getAttribute('href')).toBe('/tx?db=defaultdb&id=1234')
  })
})

describe('charts', () => {
  test('have a select of the database and one of the time window', async () => {
    await open(() => {}, ['defaultdb', 'orders'])
    expect(screen.getByRole('combobox', { name: 'Chart database' }).textContent).toBe(
      'All databases',
    )
    expect(screen.getByRole('combobox', { name: 'Time window' }).textContent).toBe('Last hour')
  })

  test('show sizes at once from the list, memory three seconds later from the metrics', async () => {
    await open()
    expect(figure('Memory').getByText(/three seconds after/)).toBeTruthy()
    expect(figure('Size per database').getByText(/5.3 KiB now/)).toBeTruthy()
    // No frame stands empty: a chart is drawn when it has a line.
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Table/ })).toBeNull()
    await passing(3_100)
    expect(counter('Memory')).toBe('226.6 MiB')
    expect(counter('Reads and writes')).toMatch(/^[\d,]+$/)
    expect(figure('Memory').getByText(/Reserved: 238.4 MiB now/)).toBeTruthy()
    expect(figure('Memory').getByText(/In use: 226.6 MiB now/)).toBeTruthy()
    expect(region('Charts').getByText(/last at/)).toBeTruthy()
  })

  test('are read point by point with the keyboard', async () => {
    await open()
    await passing(64_000)
    const memory = figure('Memory')
    const slider = memory.getByRole('slider', { name: 'Memory, points in time' })
    expect(slider.getAttribute('aria-valuemax')).toBe('1')
    fireEvent.keyDown(slider, { key: 'Home' })
    expect(slider.getAttribute('aria-valuenow')).toBe('0')
    expect(slider.getAttribute('aria-valuetext')).toMatch(/: Reserved 238.4 MiB, In use 226.6 MiB$/)
    fireEvent.keyDown(slider, { key: 'ArrowRight' })
    expect(slider.getAttribute('aria-valuenow')).toBe('1')
    fireEvent.keyDown(slider, { key: 'ArrowRight' })
    expect(slider.getAttribute('aria-valuenow')).toBe('1')
  })

  test('have a table of the same points', async () => {
    stubLayout()
    await open()
    await passing(64_000)
    const toggle = figure('Memory').getByRole('button', { name: 'Table of: Memory' })
    await act(async () => fireEvent.click(toggle))
    await act(() => vi.dynamicImportSettled())
    await passing(500)
    const grid = figure('Memory').getByRole('grid', { name: 'Memory, as a table' })
    expect(grid.getAttribute('aria-rowcount')).toBe('3')
    expect(grid.textContent).toContain('Reserved')
    fireEvent.click(figure('Memory').getByRole('button', { name: 'Chart of: Memory' }))
    expect(figure('Memory').queryByRole('grid')).toBeNull()
  })

  test('F71 A13 hostile labels are text only, in charts and their tables', async () => {
    const hostile = [...corpus('markup').slice(0, 6), ...corpus('property-name').slice(0, 3)]
      .map(({ text = '' }) => text)
      .filter((text) => text !== '' && !/[\n\r]/.test(text))
    const lines = hostile.map((name, index) => {
      const label = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
      return `immudb_db_size_bytes{db="${label}"} ${1_000_000 - index}`
    })
    await open((one) =>
      one.metrics.set('/metrics', () => metricsText(`immudb_uptime_hours 1\n${lines.join('\n')}`)),
    )
    await passing(3_100)
    const size = screen.getByRole('figure', { name: 'Size per database' })
    for (const name of hostile.slice(0, 8)) expect(size.textContent).toContain(name)
    expect(size.querySelector('img, script, b, iframe')).toBeNull()
  })
})

describe('F70 without metrics', () => {
  test('says why, keeps the rest, and takes another address', async () => {
    await open((one) => one.metrics.clear())
    await passing(3_100)
    const note = region('Metrics unreachable')
    expect(note.getByText(/often closed to browsers/)).toBeTruthy()
    expect(figure('Memory').getByText('Not known without metrics.')).toBeTruthy()
    const field = note.getByLabelText('Metrics address')
    fireEvent.change(field, { target: { value: 'db.example:80' } })
    fireEvent.click(note.getByRole('button', { name: 'Try again' }))
    expect(note.getByText(/Only port 9497/)).toBeTruthy()
    const named = 'http://db.example:9497/metrics'
    server.metrics.set(named, () =>
      metricsText('immudb_uptime_hours 2\ngo_memstats_sys_bytes 1024'),
    )
    fireEvent.change(field, { target: { value: 'db.example' } })
    fireEvent.click(note.getByRole('button', { name: 'Try again' }))
    await passing(100)
    expect(server.asked.at(-1)?.address).toBe(named)
    expect(screen.queryByRole('region', { name: 'Metrics unreachable' })).toBeNull()
    expect(figure('Memory').getByText(/Reserved: 1 KiB now/)).toBeTruthy()
  })
})

describe('failures', () => {
  test('the recent transactions fail for themselves, and can be asked again', async () => {
    await open((one) => {
      one.transactions = () => failure(500, 2, 'tx not found')
    })
    const recent = region('Recent transactions')
    expect(recent.getByRole('alert').textContent).toContain('Tx not found.')
    expect(region('Needs attention').getByText('Default password')).toBeTruthy()
    server.transactions = null
    fireEvent.click(recent.getByRole('button', { name: 'Try again' }))
    await passing(50)
    expect(recent.getAllByRole('row')).toHaveLength(11)
  })

  test('a server that is away is told by the health, what was known stays', async () => {
    await open()
    server.unplug()
    await passing(15_000)
    expect(counter('Server health')).toBe('Not answering')
    server.plug()
    await passing(15_000)
    expect(counter('Server health')).toBe('Healthy')
  })
})
