import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { Pages } from '~/app/Pages'
import { openDatabase } from '~/atoms/databases/database-list'
import { databaseAtom } from '~/core/session/session'
import { beginSession } from '~/core/session/session-start'
import { storedAtom } from '~/core/storage/stored'
import { clearToasts, Toaster } from '~/ui/toast'
import { fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn } from '../support/store'

type Options = { path: string; wanted?: string; level?: number }

/** Opens an address; a `wanted` database is the one that the page was opened with. */
async function open({ path, wanted, level }: Options) {
  clearToasts()
  const clerk = { password: 'x', permissions: { defaultdb: level ?? 0 } }
  const server = fakeImmudb({ users: level === undefined ? {} : { clerk } })
  for (const name of ['defaultdb', 'shop', 'asleep'])
    server.databases.set(name, { isLoaded: name !== 'asleep', txId: 0, tables: new Map() })
  const tab = openTab(server)
  const { store } = tab
  if (wanted) {
    const stored = store.get(storedAtom)
    await beginSession(store, { session: null, stored, wanted, notice: null })
  }
  if (level === undefined) await signIn(tab)
  else await signIn(tab, 'clerk', 'x')
  const location = memoryLocation({ path, record: true })
  await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <AddressedDatabase />
          <Pages />
          <Toaster />
        </Router>
      </Provider>,
    ),
  )
  return { store, server, location, at: () => location.history.at(-1) }
}

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test.each([
  '/tx?db=nosuch&id=3',
  '/compare?db=nosuch&table=t&from=tx:3&to=tx:5',
  '/query?db=nosuch&table=t&row=n:1&rev=2',
  '/keys?db=nosuch&key=k&at=tx:3',
  '/verify?db=nosuch&tx=3',
])('%s opened cold says so and keeps the address', async (path) => {
  const { at, server, store } = await open({ path, wanted: 'nosuch' })
  await heading('No database nosuch on this server')
  expect(screen.getByText(/The open database is/).textContent).toContain('defaultdb')
  expect(at()).toBe(path)
  expect(store.get(databaseAtom)).toBe('defaultdb')
  expect(screen.queryByRole('alert')).toBeNull()
  // Asked for once, and nothing of the open database is read for the numbers of another.
  const asked = server.calls.map((call) => call.path)
  expect(asked.filter((one) => one === '/db/use/nosuch')).toHaveLength(1)
  expect(asked.filter((one) => /\/db\/(tx|get|history|sqlquery|verifiable)/.test(one))).toEqual([])
})

test('the one that exists is opened by a button, without the numbers of the other', async () => {
  const { at } = await open({ path: '/tx?db=nosuch&id=3&at=tx:2', wanted: 'nosuch' })
  await heading('No database nosuch on this server')
  await act(async () => press('Open defaultdb'))
  expect(at()).toBe('/tx?db=defaultdb')
  expect(screen.queryByText(/No database nosuch/)).toBeNull()
})

test('a text and a saved query of the link, and its values, are not taken to another', async () => {
  const path = '/query?db=nosuch&sql=DROP+TABLE+t&query=q_1234&p.id=1'
  const { at } = await open({ path, wanted: 'nosuch' })
  await heading('No database nosuch on this server')
  await act(async () => press('Open defaultdb'))
  expect(at()).toBe('/query?db=defaultdb')
})

test('it is answered in place, too, when a link within the console names it', async () => {
  const { at, location, store } = await open({ path: '/users' })
  await act(async () => location.navigate('/users?db=nosuch'))
  await heading('No database nosuch on this server')
  expect(at()).toBe('/users?db=nosuch')
  // Another one that is chosen meanwhile is shown.
  await act(() => openDatabase(store, 'shop'))
  expect(at()).toBe('/users?db=shop')
  expect(screen.queryByText(/No database nosuch/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each(['/tx?db=nosuch&id=3', '/tx?db=shop&id=3'])(
  'nothing of the open database is read for the number in %s',
  async (path) => {
    const { location, server } = await open({ path: '/tx?db=defaultdb&id=1' })
    await heading(/^Transaction/)
    // The heading stands before its transaction is asked for.
    await vi.waitFor(() => expect(server.calls.map((call) => call.path)).toContain('/db/tx/1'))
    server.clear()
    await act(async () => location.navigate(path))
    await heading(/^No database nosuch|^Transaction/)
    const read = server.calls.filter((call) => /^\/db\/tx/.test(call.path))
    expect(read.filter(({ database }) => database === 'defaultdb')).toEqual([])
  },
)

test('one that was created meanwhile opens with the address as it is', async () => {
  const { at, server, store } = await open({ path: '/users?db=nosuch', wanted: 'nosuch' })
  await heading('No database nosuch on this server')
  await act(async () => press('Try again'))
  await heading('No database nosuch on this server')
  server.databases.set('nosuch', { isLoaded: true, txId: 0, tables: new Map() })
  await act(async () => press('Try again'))
  await vi.waitFor(() => expect(store.get(databaseAtom)).toBe('nosuch'))
  expect(at()).toBe('/users?db=nosuch')
  expect(screen.queryByText(/No database nosuch/)).toBeNull()
})

test('an unloaded one leads to where it can be loaded', async () => {
  await open({ path: '/tx?db=asleep&id=3', wanted: 'asleep' })
  await heading('The database asleep is unloaded')
  const link = screen.getByRole('link', { name: 'Show the databases' })
  expect(link.getAttribute('href')).toBe('/databases?db=defaultdb&name=asleep')
})

test('one without permission is said to be there for others', async () => {
  const { at } = await open({ path: '/tx?db=shop&id=3', wanted: 'shop', level: 1 })
  await heading('You have no permission on shop')
  expect(at()).toBe('/tx?db=shop&id=3')
})

test('a long or hidden name shows as what it is', async () => {
  const long = `a\u202eb${'x'.repeat(5_000)}`
  await open({ path: `/tx?db=${encodeURIComponent(long)}`, wanted: long })
  const title = (await heading(/^No database/)).textContent ?? ''
  expect(title).not.toContain('\u202e')
  expect(title.length).toBeLessThan(250)
})

test('a page that shows no database tells it and goes on', async () => {
  const { at } = await open({ path: '/databases?db=nosuch', wanted: 'nosuch' })
  await vi.waitFor(() => expect(at()).toBe('/databases?db=defaultdb'))
  expect(screen.getByText(/^nosuch was not opened\./)).toBeTruthy()
})

test('an address with an empty name means the open one', async () => {
  const { at } = await open({ path: '/users?db=' })
  await vi.waitFor(() => expect(at()).toBe('/users?db=defaultdb'))
})
