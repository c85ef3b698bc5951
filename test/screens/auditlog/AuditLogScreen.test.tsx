import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { permissionsAtom, sessionAtom } from '~/core/session/session'
import AuditLogScreen from '~/screens/auditlog/AuditLogScreen'
import { AuditServer, liveSession, refusedToReader } from '../../support/audit-server'
import { stubLayout } from '../../support/layout'
import { reportVersion } from '../../support/server-version'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 30_000 })

let server: AuditServer
let store: Store
let history: string[]

beforeEach(() => {
  stubLayout({ width: 1_200, height: 600 })
  server = new AuditServer(1_000)
  store = createStore()
  connect(store, '/api', server.answer)
  openQueryCache(store)
  const databaseTokens = new Map()
  store.set(sessionAtom, { user: 'immudb', token: 't', databaseTokens, isStored: false, since: 0 })
  store.set(permissionsAtom, [{ database: '*', permission: 255 }])
})

async function show(path: string): Promise<void> {
  const location = memoryLocation({ path, record: true })
  history = location.history
  await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <AuditLogScreen />
        </Router>
      </Provider>,
    ),
  )
}

const grid = () => screen.findByRole('grid', { name: 'Audit log' })
const rows = async () => within(await grid()).findAllByRole('row')

describe('the audit log', () => {
  test('shows user, method, outcome, time and both parts of the address, newest first', async () => {
    await show('/audit')
    const [head, newest, next] = await rows()
    const texts = (row: HTMLElement | undefined, role: string) =>
      within(row as HTMLElement)
        .getAllByRole(role)
        .map(({ textContent }) => textContent)
    expect(texts(head, 'columnheader')).toEqual([
      'Time',
      'User',
      'Method',
      'Outcome',
      'Claimed by the client',
      'Seen',
    ])
    expect(texts(newest, 'gridcell').slice(1)).toEqual([
      'no user',
      'Login',
      'FailedBurst of 7',
      '203.0.113.9',
      '127.0.0.1',
    ])
    expect(texts(next, 'gridcell').slice(1)).toEqual(['ada', 'Scan', 'Succeeded', '', '127.0.0.1'])
    screen.getByText(/^Reading adds events: /)
    screen.getByText('100 events so far. More follow.')
    expect((await grid()).getAttribute('aria-rowcount')).toBe('-1')
  })

  test('marks bursts of failed logins', async () => {
    const { make } = server
    server.make = (number) => make(number <= 6 ? 10 : number)
    server.count = 6
    await show('/audit')
    expect(await screen.findAllByText('Burst of 6')).toHaveLength(6)
  })

  test('opens an event by keys, with everything but its session ID', async () => {
    server.count = 7
    await show('/audit')
    await rows()
    const box = await grid()
    act(() => box.focus())
    fireEvent.keyDown(box, { key: 'End' })
    fireEvent.keyDown(box, { key: 'Home' })
    fireEvent.keyDown(box, { key: 'Enter' })
    const sheet = await screen.findByRole('dialog', { name: 'Event: Set' })
    within(sheet).getByText('ID hidden, because it may still give access')
    within(sheet).getByText('– (the server never fills it in)')
    within(sheet).getByText('/immudb.schema.ImmuService/Set')
    within(sheet).getByRole('button', { name: 'Verify' })
    expect(document.body.innerHTML).not.toContain(liveSession)
    fireEvent.click(within(sheet).getByRole('button', { name: 'Only this user' }))
    expect(history.at(-1)).toBe('/audit?user=immudb')
  })

  test('keeps its filter in the address, and says how far it looked', async () => {
    await show('/audit?outcome=failed&address=203.0.113.9')
    await screen.findByText(
      /^100 matches\. Looked at 1,000 events, back to .*\. That is all of them\.$/,
    )
    expect(screen.queryByRole('button', { name: 'Look further' })).toBeNull()
    fireEvent.change(screen.getByLabelText('User'), { target: { value: 'ada' } })
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
    expect(history.at(-1)).toBe('/audit?outcome=failed&address=203.0.113.9&user=ada')
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(history.at(-1)).toBe('/audit')
  })

  test('looks further when asked to', async () => {
    server.count = 10_000
    await show('/audit?user=nobody')
    await screen.findByText(/^0 matches\. Looked at 2,000 events, back to /)
    screen.getByText('No such events so far')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Look further' })))
    await screen.findByText(/^0 matches\. Looked at 4,000 events, back to /)
  })

  test('takes no range that it cannot read, and says so', async () => {
    await show('/audit?from=some%20day')
    await screen.findByText('Write a time, such as 2026-11-21 09:00 or 5 minutes ago.')
    fireEvent.change(screen.getByLabelText('From, in UTC'), {
      target: { value: '2026-11-24 09:00' },
    })
    fireEvent.change(screen.getByLabelText('To, in UTC'), { target: { value: '2026-11-23 09:00' } })
    await screen.findByText('This is before the beginning.')
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
    expect(history).toHaveLength(1)
  })

  test('takes a time as people write it, and keeps it where it is in the address', async () => {
    await show('/audit')
    const from = await screen.findByLabelText('From, in UTC')
    fireEvent.change(from, { target: { value: '24 Nov 2026, 10:00 +01:00' } })
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
    await waitFor(() => expect(history.at(-1)).toContain('from=2026-11-24+09%3A00%3A00'))
  })

  test('of a range without events says so, and of a server without a log names the flag', async () => {
    await show('/audit?to=2020-01-01 00:00')
    await screen.findByText('The audit log has no event in this range.')
    cleanup()
    server.count = 0
    await show('/audit')
    await screen.findByText('immudb --audit-log')
    // There is nothing to filter.
    for (const role of ['textbox', 'combobox', 'searchbox']) {
      expect(screen.queryByRole(role)).toBeNull()
    }
    expect(screen.getByRole('button', { name: 'Look again' })).toBeTruthy()
  })

  test('shows a line for each user, which leads to the events of that user', async () => {
    await show('/audit')
    const lines = within(await screen.findByRole('list', { name: 'Users' })).getAllByRole(
      'listitem',
    )
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'immudb60 events',
      'ada30 events',
      'no user10 events, 10 logins, 10 failed',
    ])
    fireEvent.click(screen.getByRole('button', { name: 'ada' }))
    expect(history.at(-1)).toBe('/audit?user=ada')
  })

  test('without a permission on systemdb reads nothing and says why', async () => {
    store.set(permissionsAtom, [{ database: 'defaultdb', permission: 254 }])
    await show('/audit')
    screen.getByText('You may not read the audit log')
    expect(server.opened).toEqual([])
  })

  test('that the server refuses says so, and can be read again', async () => {
    server.fails = refusedToReader
    await show('/audit')
    await screen.findByText('The audit log could not be read.', { exact: false })
    server.fails = null
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
    await grid()
  })

  test('shows no part of an event that it cannot read', async () => {
    server.count = 1
    server.make = () => `not an event ${liveSession}`
    await show('/audit')
    await screen.findByText('not readable')
    const [, row] = await rows()
    fireEvent.click(row as HTMLElement)
    await screen.findByRole('dialog', { name: 'Event that cannot be read' })
    expect(document.body.innerHTML).not.toContain(liveSession)
  })
})

test.each(['1.9.5', '1.10.0'])(
  'immudb %s keeps no audit log, and no flag is named',
  async (version) => {
    reportVersion(store, version)
    const asked: string[] = []
    connect(store, '/api', async (input) => {
      asked.push(String(input))
      return Response.json({})
    })
    await show('/audit')
    expect(screen.getByText('This server keeps no audit log')).toBeTruthy()
    expect(screen.getByText(/^Needs immudb 1\.11\. This server runs 1\./)).toBeTruthy()
    expect(screen.queryByText(/--audit-log/)).toBeNull()
    expect(asked).toEqual([])
  },
)
