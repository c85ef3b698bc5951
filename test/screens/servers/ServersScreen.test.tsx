import { fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { refreshStandings } from '~/atoms/servers/standings'
import { listedAsAtom } from '~/core/session/session'
import ServersScreen from '~/screens/servers/ServersScreen'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { type FakeHost, fakeHost } from '../../support/fake-servers'
import { openFleetPage } from '../../support/fleet'

let servers: Record<string, FakeImmudb>
let host: FakeHost

const replication = {
  replicationSettings: {
    replica: { value: true },
    primaryDatabase: { value: 'shop' },
    primaryHost: { value: 'eu' },
    primaryPort: { value: 3322 },
    primaryPassword: { value: 'hidden-word' },
    syncReplication: { value: true },
  },
}

beforeEach(() => {
  servers = {
    eu: fakeImmudb({ databases: ['defaultdb', 'shop'] }),
    us: fakeImmudb({ databases: ['defaultdb', 'shop'] }),
    asia: fakeImmudb(),
  }
  const [shop, copy] = [servers.eu?.databases.get('shop'), servers.us?.databases.get('shop')]
  if (shop) shop.txId = 12
  if (copy) Object.assign(copy, { txId: 9, settings: replication })
  host = fakeHost(servers)
})

async function opened(elsewhere = ['us']) {
  const page = await openFleetPage(host)
  const others = host.list.servers.filter(({ name }) => elsewhere.includes(name))
  await logInElsewhere(page.fleet, others, { user: 'immudb', password: 'immudb', isStored: false })
  render(
    <Provider store={page.store}>
      <Router>
        <ServersScreen />
      </Router>
    </Provider>,
  )
  return page
}

/** The text of a server's row. */
function textOf(name: string): string {
  const rows = [...screen.getByRole('grid', { name: 'Servers' }).querySelectorAll('tr')]
  return rows.map((row) => row.textContent ?? '').find((text) => text.startsWith(name)) ?? ''
}

test('each server is a row; one without a login offers it', async () => {
  const page = await opened()
  const grid = screen.getByRole('grid', { name: 'Servers' })
  expect(within(grid).getAllByRole('row')).toHaveLength(4)
  await vi.waitFor(() => expect(textOf('us')).toContain('replica3 transactions behind'))
  expect(textOf('eu')).toContain('primary')
  const button = await screen.findByRole('button', { name: 'Log in to asia' })
  // Rows stay where the list has them until someone asks for another order.
  const first = () => within(grid).getAllByRole('row')[1]?.textContent
  expect(first()).toContain('eu')
  const order = screen.getByRole('button', { name: 'Attention first' })
  fireEvent.click(order)
  await vi.waitFor(() => expect(first()).toContain('asia'))
  fireEvent.click(order)
  await vi.waitFor(() => expect(first()).toContain('eu'))
  fireEvent.click(button)
  expect(page.identities.present().store.get(listedAsAtom)?.name).toBe('asia')
})

test('a replica and its primary are drawn, with the same in words and in a table', async () => {
  await opened()
  const picture = await screen.findByRole('img', { name: /eu is the primary of shop, at tx 12/ })
  expect(picture.getAttribute('aria-label')).toContain(
    'us is a replica, synchronous, at tx 9, lag 3 transactions behind.',
  )
  const table = screen.getByRole('table', { name: 'States of shop' })
  expect(within(table).getByRole('row', { name: /us replica/ }).textContent).toContain(
    'synchronous',
  )
  expect(document.body.textContent).not.toContain('hidden-word')
  // No server tells why its replication failed, and a failed call of this page is not that.
  expect(within(table).getByRole('row', { name: /us replica/ }).textContent).toMatch(/not known$/)
  expect(screen.getByText(/immudb writes errors of replication to its own log/)).toBeTruthy()
})

test('a call of this page that failed is not told as an error of replication', async () => {
  host.answer = (server, path) =>
    server === 'us' && path === '/db/state'
      ? Response.json({ error: 'disk is full', code: 2, message: 'disk is full' }, { status: 500 })
      : null
  await opened()
  fireEvent.click(await screen.findByRole('button', { name: 'Read states' }))
  const table = screen.getByRole('table', { name: 'States of shop' })
  const row = within(table).getByRole('row', { name: /us replica/ })
  await vi.waitFor(() => expect(table.textContent).toMatch(/To this page: .*disk is full/i))
  expect(row.textContent).toMatch(/not known$/)
})

test('a server that does not answer says so, with the reason and since when', async () => {
  servers.us?.unplug()
  await opened()
  await vi.waitFor(() => expect(textOf('us')).toMatch(/^us.*No answersince \d\d:\d\d:\d\d/))
})

test('a replica that dies is drawn as dead, with no figures that look new', async () => {
  const page = await opened()
  await screen.findByRole('img', { name: /us is a replica, synchronous, at tx 9/ })
  servers.us?.unplug()
  refreshStandings(page.store)
  const picture = await screen.findByRole('img', { name: /us is a replica.*no answer/ })
  expect(picture.getAttribute('aria-label')).toContain('lag not known')
  expect(picture.textContent).not.toContain('tx 9')
  const table = screen.getByRole('table', { name: 'States of shop' })
  const row = within(table).getByRole('row', { name: /us replica/ })
  expect(row.textContent).not.toMatch(/behind|\b9\b/)
  await vi.waitFor(() => expect(textOf('us')).toMatch(/No answersince/))
  expect(textOf('us')).not.toContain('behind')
})

test('one name and password go to the servers that are ticked, and each answer is told', async () => {
  servers.asia = fakeImmudb({ users: { immudb: { password: 'x', permissions: { '*': 255 } } } })
  servers.far = fakeImmudb()
  host = fakeHost(servers)
  await opened([])
  fireEvent.click(await screen.findByRole('button', { name: 'Log in to 3 servers…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Log in to several servers' }))
  fireEvent.click(dialog.getByRole('checkbox', { name: /^far/ }))
  fireEvent.change(dialog.getByLabelText('User'), { target: { value: 'immudb' } })
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'immudb' } })
  host.calls.length = 0
  fireEvent.click(dialog.getByRole('button', { name: 'Log in to 2 servers' }))
  await dialog.findByText('us: logged in.')
  await dialog.findByText(/^asia: .*invalid user name or password/i)
  const logins = host.calls.filter(({ path }) => path === '/login').map(({ server }) => server)
  expect(logins.toSorted()).toEqual(['asia', 'us'])
  expect(dialog.getByLabelText<HTMLInputElement>('Password').value).toBe('')
})

test('with one login it says what comparing needs', async () => {
  await opened([])
  expect(await screen.findByText(/Log in on two servers to compare/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Compare histories' })).toBeNull()
})

test('versions that differ are said', async () => {
  host.answer = (server, path) =>
    path === '/serverinfo'
      ? Response.json({ version: server === 'us' ? '1.10.0' : '1.11.1', startedAt: '1700000000' })
      : null
  await opened()
  await screen.findByText(/Versions differ: 1\.10\.0, 1\.11\.1\./)
  await vi.waitFor(() => expect(textOf('us')).toContain('1.10.0'))
})

test('uptime and clock are by the time of the server itself', async () => {
  const ahead = Date.now() + 7_200_000
  const Date_ = new Date(ahead).toUTCString()
  host.answer = (server, path) => {
    if (server !== 'us' || path !== '/serverinfo') return null
    const started = { version: '1.11.1', startedAt: String(Math.round(ahead / 1_000) - 600) }
    return Response.json(started, { headers: { Date: Date_ } })
  }
  await opened()
  await vi.waitFor(() => expect(textOf('us')).toContain('10 minutes'))
  expect(textOf('us')).toContain('clock 2 hours ahead')
  expect(textOf('eu')).not.toContain('clock')
})

test('a replica is called ahead only where its primary was asked after it', async () => {
  const copy = servers.us?.databases.get('shop')
  if (copy) copy.txId = 20
  await opened()
  const table = await screen.findByRole('table', { name: 'States of shop' })
  const row = () => within(table).getByRole('row', { name: /us replica/ }).textContent
  await vi.waitFor(() => expect(row()).toContain('8 transactions ahead'))
  expect(row()).toContain('The primary, asked later, does not have them.')
  host.calls.length = 0
  fireEvent.click(screen.getByRole('button', { name: 'Read states' }))
  await screen.findByRole('button', { name: 'Read states again' })
  expect(row()).toContain('8 transactions ahead')
  const states = host.calls.filter(({ path }) => path === '/db/state').map(({ server }) => server)
  expect(states).toEqual(['eu', 'us', 'eu'])
})

test('with one server it says how to see several', () => {
  render(<ServersScreen />)
  expect(screen.getByRole('heading', { level: 1, name: 'Servers' })).toBeTruthy()
  expect(screen.getByText(/start the webconsole binary in front of them/)).toBeTruthy()
  const link = screen.getByRole('link', { name: 'by text or file' })
  expect(link.getAttribute('href')).toBe('/verify')
})

const metrics = (sessions: number) =>
  `immudb_uptime_hours 1\nimmudb_active_sessions ${sessions}\nprocess_open_fds 20\nprocess_max_fds 100\n`

test('each server that can be asked says which limit is nearest, and shows all of them', async () => {
  host.metrics = (name) => (name === 'eu' ? metrics(90) : null)
  await opened()
  await vi.waitFor(() => expect(textOf('eu')).toMatch(/Limits Sessions 90%$/))
  // Metrics that cannot be reached, and a server that takes no question without a login.
  expect(textOf('us')).toMatch(/Limits not known$/)
  expect(textOf('asia')).toMatch(/Limits not known$/)
  const asked = host.calls.filter(({ path }) => path === '/metrics')
  expect(asked.map(({ server, token }) => [server, token])).toEqual([
    ['eu', null],
    ['us', null],
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Limits of eu' }))
  const dialog = await screen.findByRole('dialog', { name: 'Limits of eu' })
  expect(dialog.textContent).toMatch(/Nearest to its limit.*: Sessions, 90%\. It is met soon\./)
  expect(dialog.textContent).toMatch(/Measured at \d/)
  const sessions = within(dialog).getByRole('listitem', { name: 'Sessions' })
  expect(sessions.textContent).toContain('90 of 100 – near')
  expect(within(dialog).getByRole('listitem', { name: 'Open files' }).textContent).toContain(
    '20 of 100',
  )
  // Settings of databases are not asked for here.
  expect(within(dialog).queryByRole('listitem', { name: 'Snapshots' })).toBeNull()
  const open = within(dialog).getByRole('link', { name: 'open eu and see them' })
  expect(open.getAttribute('href')).toBe('/?server=eu&limits=all')
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Limits of us' }))
  const other = await screen.findByRole('dialog', { name: 'Limits of us' })
  expect(other.textContent).toContain('The metrics of immudb cannot be reached from this page.')
  expect(other.textContent).not.toContain('Measured at')
})

test('a server near a limit is among those that need attention', async () => {
  host.metrics = (name) => metrics(name === 'us' ? 85 : 1)
  await opened(['us', 'asia'])
  await vi.waitFor(() => expect(textOf('us')).toMatch(/Sessions 85%$/))
  await vi.waitFor(() => expect(textOf('asia')).toMatch(/Open files 20%$/))
  fireEvent.click(screen.getByRole('button', { name: 'Attention first' }))
  const rows = within(screen.getByRole('grid', { name: 'Servers' })).getAllByRole('row')
  await vi.waitFor(() => expect(rows[1]?.textContent).toMatch(/^us/))
})
