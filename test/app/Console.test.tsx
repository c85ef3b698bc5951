import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { databaseNamed } from '~/api/databases'
import { AddressedDatabase } from '~/app/Console'
import { UnopenedDatabase } from '~/app/UnopenedDatabase'
import { openDatabase } from '~/atoms/databases/database-list'
import { addressedMomentAtom } from '~/core/history/newest-state'
import { databaseAtom, unopenedDatabaseAtom } from '~/core/session/session'
import { openFirst } from '~/core/session/session-start'
import { usePath } from '~/ui/location'
import { Toaster } from '~/ui/toast'
import { fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn } from '../support/store'

/** Goes on to another page in an effect, as a press does that comes before those of the frame. */
function Hasty({ from, go }: { from: string; go: () => void }) {
  const path = usePath()
  useEffect(() => {
    if (path === from) go()
  }, [path, from, go])
  return null
}

/** What stands in the place of a screen. */
function Unopened() {
  const unopened = useAtomValue(unopenedDatabaseAtom)
  return unopened && <UnopenedDatabase unopened={unopened} />
}

async function open(path: string) {
  const server = fakeImmudb()
  for (const name of ['defaultdb', 'shop', 'systemdb'])
    server.databases.set(name, { isLoaded: true, txId: 0, tables: new Map() })
  const tab = openTab(server)
  await signIn(tab)
  const location = memoryLocation({ path, record: true })
  const { navigate } = location
  const go = () => navigate('/keys')
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <Hasty from="/query" go={go} />
        <AddressedDatabase />
        <Unopened />
        <Toaster />
      </Router>
    </Provider>,
  )
  return { tab, location, server }
}

test('the database is written into the address', async () => {
  const { location, tab } = await open('/users')
  await vi.waitFor(() => expect(location.history.at(-1)).toBe('/users?db=defaultdb'))
  await act(() => openDatabase(tab.store, 'shop'))
  expect(location.history.at(-1)).toBe('/users?db=shop')
})

test('an address that names another database opens it', async () => {
  const { location, tab } = await open('/users?db=shop')
  await vi.waitFor(() => expect(tab.store.get(databaseAtom)).toBe('shop'))
  expect(location.history.at(-1)).toBe('/users?db=shop')
})

test('one that cannot be opened keeps its address, for the page to say so', async () => {
  const { location, tab } = await open('/users?db=nothing')
  await vi.waitFor(() => expect(tab.store.get(unopenedDatabaseAtom)?.name).toBe('nothing'))
  expect(tab.store.get(databaseAtom)).toBe('defaultdb')
  expect(location.history).toEqual(['/users?db=nothing'])
  await act(async () => location.navigate('/users?db=defaultdb'))
  expect(tab.store.get(unopenedDatabaseAtom)).toBeNull()
})

describe('systemdb, which holds password hashes and session IDs', () => {
  test('is not opened by an address, which says why and leads to the audit log', async () => {
    const path = '/keys?db=systemdb&key=YXVkaXQ6'
    const { location, tab, server } = await open(path)
    await screen.findByRole('heading', { name: 'systemdb is not shown here' })
    expect(screen.getByText(/^It holds password hashes and live session IDs/)).toBeTruthy()
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    expect(location.history).toEqual([path])
    fireEvent.click(screen.getByRole('link', { name: 'Show log' }))
    expect(location.history.at(-1)).toMatch(/^\/audit/)
    expect(server.calls.filter(({ path }) => path.includes('systemdb'))).toEqual([])
  })

  test('is not opened at login or by a reload that asks for it', async () => {
    const { tab, server } = await open('/keys')
    const opened = await openFirst(tab.store, 'systemdb', [
      databaseNamed('systemdb'),
      databaseNamed('shop'),
    ])
    expect(opened).toBe('shop')
    expect(server.calls.filter(({ path }) => path.includes('systemdb'))).toEqual([])
  })
})

test('anyone who goes on at once is not brought back', async () => {
  const { location } = await open('/users')
  await act(async () => location.navigate('/query'))
  await vi.waitFor(() => expect(location.history.at(-1)).toBe('/keys?db=defaultdb'))
})

test('the moment is that of the address, and each database has its own', async () => {
  const { location, tab } = await open('/users?db=defaultdb&at=tx:2')
  const seen = () => tab.store.get(addressedMomentAtom)
  await vi.waitFor(() => expect(seen()).toBe('tx:2'))
  await act(() => openDatabase(tab.store, 'shop'))
  expect([location.history.at(-1), seen()]).toEqual(['/users?db=shop', null])
  act(() => location.navigate('/users?db=shop&at=tx:1'))
  await vi.waitFor(() => expect(seen()).toBe('tx:1'))
  await act(() => openDatabase(tab.store, 'defaultdb'))
  expect([location.history.at(-1), seen()]).toEqual(['/users?db=defaultdb&at=tx%3A2', 'tx:2'])
  act(() => location.navigate('/users?db=defaultdb'))
  await vi.waitFor(() => expect(seen()).toBeNull())
})

test('transactions and rows of one database are not shown of the next one', async () => {
  const { location, tab } = await open('/compare?db=defaultdb&from=tx:3&to=tx:5&table=t')
  await act(() => openDatabase(tab.store, 'shop'))
  expect(location.history.at(-1)).toBe('/compare?db=shop&table=t')
  await act(() => openDatabase(tab.store, 'defaultdb'))
  act(() => location.navigate('/tx?db=defaultdb&id=4'))
  await act(() => openDatabase(tab.store, 'shop'))
  expect(location.history.at(-1)).toBe('/tx?db=shop')
  act(() => location.navigate('/tx?db=defaultdb&id=4'))
  await vi.waitFor(() => expect(tab.store.get(databaseAtom)).toBe('defaultdb'))
  expect(location.history.at(-1)).toBe('/tx?db=defaultdb&id=4')
})

test('an address that names a moment and no database means the open one', async () => {
  const { location, tab } = await open('/keys?at=tx:2')
  await vi.waitFor(() => expect(location.history.at(-1)).toBe('/keys?at=tx%3A2&db=defaultdb'))
  expect(tab.store.get(addressedMomentAtom)).toBe('tx:2')
})
