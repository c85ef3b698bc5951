import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'
import { encodeUtf8 } from '~/lib/bytes'
import { SwapBar } from '~/screens/trust/TrustBars'
import { TrustDrawer } from '~/screens/trust/TrustDrawer'
import VerifyScreen from '~/screens/verify/VerifyScreen'
import { acceptServer } from '~/trust/decisions'
import { watchServer } from '~/trust/follow-history'
import { serverSwapAtom } from '~/trust/incidents'
import { pinKey } from '~/trust/signing-keys'
import { TrustedStates, trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { lagWords } from '~/words/trusted-state'
import { historyOf, keptDoor, ProvingServer, tabOf } from '../../support/proving-server'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

async function show(store: Store, path = '/verify', part = <VerifyScreen />) {
  const { hook, searchHook } = memoryLocation({ path, record: true })
  await act(async () => {
    render(
      <Provider store={store}>
        <Router hook={hook} searchHook={searchHook}>
          {part}
        </Router>
      </Provider>,
    )
  })
}

/** A tab that has met a server which is then rolled back, and right again. */
async function afterIncident(door = keptDoor()) {
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server, door)
  openQueryCache(store)
  await verifyState(store)
  const { history } = server
  server.history = historyOf(3)
  await verifyState(store)
  server.history = history
  return { server, store, door }
}

/** A tab at whose address a second server was accepted, and answers. */
async function accepted() {
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server)
  openQueryCache(store)
  store.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
  await verifyState(store)
  await watchServer({ get: store.get, set: store.set }, 'db')
  server.uuid = 'server-two'
  await verifyState(store)
  await acceptServer(store, 'moved on Sunday')
  return { server, store }
}

test('incidents are listed with what, when, the object and both hashes, to be copied', async () => {
  const { store } = await afterIncident()
  const written = vi.fn(async (_text: string) => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
  await show(store, '/verify?tab=incidents')
  const log = within(await screen.findByRole('region', { name: 'Incidents of db' }))
  const line = within(log.getByRole('listitem'))
  line.getByText('The server does not have a transaction that this browser recorded.')
  line.getByText('the newest state of db')
  expect(line.getAllByText(/^[0-9a-f]{8}…[0-9a-f]{4}$/)).toHaveLength(2)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /Copy all incidents/ })))
  expect(written.mock.calls[0]?.[0]).toMatch(
    /^immudb incidents\ndatabase: db\n[\s\S]*\nobject: the newest state of db\n/,
  )
})

test('the panel behind the shield leads to the incidents, with their number', async () => {
  const { store } = await afterIncident()
  await store.set(trustRecordsAtom)
  await show(store, '/keys', <TrustDrawer />)
  const link = await screen.findByRole('link', { name: 'Incidents: 1' })
  expect(link.getAttribute('href')).toBe('/verify?tab=incidents')
})

test('the panel says that the tree of the server lags behind, until it does not', async () => {
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server)
  openQueryCache(store)
  await verifyState(store)
  const write = (lag: number) => {
    server.history.add([{ key: encodeUtf8('k'), value: encodeUtf8('v') }], { lag })
    return act(async () => void (await verifyState(store)))
  }
  await write(0)
  await show(store, '/keys', <TrustDrawer />)
  const state = within(screen.getByRole('region', { name: 'State' }))
  state.getByText(/^Consistent since/)
  expect(state.queryByText(lagWords)).toBeNull()
  await write(1)
  state.getByText(lagWords)
  // A state that is asked for again, and one whose tree had lagged before.
  await act(async () => void (await verifyState(store)))
  state.getByText(lagWords)
  await write(2)
  state.getByText(lagWords)
  await write(0)
  expect(state.queryByText(lagWords)).toBeNull()
})

test('a browser without incidents says so', async () => {
  const store = tabOf(new ProvingServer(historyOf(5)))
  openQueryCache(store)
  await show(store, '/verify?tab=incidents')
  await screen.findByText('No incidents recorded.')
})

test('an accepted server is revoked with a reason, after it was said what follows', async () => {
  const { store } = await accepted()
  await show(store)
  const list = within(await screen.findByRole('list', { name: 'Accepted servers' }))
  const [first, second] = list.getAllByRole('listitem')
  if (!first || !second) throw new Error('not two servers')
  within(first).getByText(/^First contact /)
  expect(second.textContent).toMatch(/Accepted .*\. Reason: moved on Sunday/)
  within(second).getByText('Answers now')
  const revoke = within(second).getByRole('button', { name: 'Revoke…' })
  await act(async () => fireEvent.click(revoke))
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke this server?' }))
  dialog.getByText(/^It answers now, so every database on it is reported as broken at once/)
  const confirm = () =>
    act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Revoke' })))
  await confirm()
  dialog.getByText('Say why, for the log.')
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'not ours' } })
  await confirm()
  await vi.waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
  // The last one could only be replaced by one that nobody was asked about.
  expect(list.queryByRole('button', { name: 'Revoke…' })).toBeNull()
  const log = within(await screen.findByRole('region', { name: 'Log' }))
  log.getByText((_, element) => /Server revoked server-two: not ours$/.test(said(element)), {
    selector: 'li',
  })
})

const said = (element: Element | null) => element?.textContent ?? ''

test('a swap among accepted servers is said with both names, until it is dismissed', async () => {
  const { server, store } = await accepted()
  server.uuid = 'server-one'
  await verifyState(store)
  await watchServer({ get: store.get, set: store.set }, 'db')
  const swap = store.get(serverSwapAtom)
  if (!swap) throw new Error('no swap')
  await show(store, '/keys', <SwapBar swap={swap} />)
  expect(screen.getByRole('status').textContent).toMatch(
    /^Another accepted server answers now\. server-one answers in place of server-two\./,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(store.get(serverSwapAtom)).toBeNull()
})

test('a record that cannot be read is told above all else, and can be saved', async () => {
  const door = keptDoor()
  const { store } = await afterIncident(door)
  const [point] = await door.all('points')
  await door.change('points', point?.[0] ?? '', () => 'damaged')
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:record'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await show(store)
  const region = await screen.findByRole('region', { name: 'Records that cannot be read' })
  const told = within(region)
  expect(region.textContent).toContain('The trusted state of db on server server-one is damaged.')
  expect(region.textContent).toContain('The next check of this database is a first contact.')
  await act(async () => fireEvent.click(told.getByRole('button', { name: 'Save the record' })))
  const text = (await saved[0]?.text()) ?? ''
  expect(JSON.parse(text)).toMatchObject({ store: 'points', value: 'damaged' })
})

test('a record that was set aside is removed once it was said what is lost, and can be saved before', async () => {
  const door = keptDoor()
  const { store } = await afterIncident(door)
  const [point] = await door.all('points')
  await door.change('points', point?.[0] ?? '', () => 'damaged')
  await show(store)
  const told = within(await screen.findByRole('region', { name: 'Records that cannot be read' }))
  await told.findByText(/^The record is where it was/)
  // Only what was set aside is in nobody's way.
  expect(told.queryByRole('button', { name: 'Remove…' })).toBeNull()
  await act(async () => void (await verifyState(store)))
  await act(async () => fireEvent.click(await told.findByRole('button', { name: 'Remove…' })))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove this record?' }))
  dialog.getByText(/^This browser deletes the damaged text that it kept\./)
  dialog.getByText('The trusted state of db on server server-one')
  dialog.getByRole('button', { name: 'Save the record' })
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })))
  expect(await door.all('aside')).toHaveLength(1)
  await act(async () => fireEvent.click(told.getByRole('button', { name: 'Remove…' })))
  const again = within(await screen.findByRole('dialog', { name: 'Remove this record?' }))
  await act(async () => fireEvent.click(again.getByRole('button', { name: 'Remove' })))
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Records that cannot be read' })).toBeNull(),
  )
  expect(await door.all('aside')).toEqual([])
})

test('records that only a newer console can open are said to be there', async () => {
  const store = tabOf(new ProvingServer(historyOf(5)))
  openQueryCache(store)
  const opening = () => Promise.reject(new DOMException('newer', 'VersionError'))
  store.set(trustedStatesAtom, new TrustedStates(opening))
  await show(store)
  await screen.findByText(/^A newer version of this console keeps the trusted states/)
})

test('a key that cannot be read is told, and the one that is pinned then takes its place', async () => {
  const door = keptDoor()
  const store = tabOf(new ProvingServer(historyOf(5)), door)
  openQueryCache(store)
  await verifyState(store)
  const [point] = await store.get(trustedStatesAtom).all()
  if (!point) throw new Error('nothing recorded')
  const { origin, server } = point.id
  await door.change('keys', JSON.stringify([origin, server]), () => 'half a key')
  await show(store)
  const region = await screen.findByRole('region', { name: 'Records that cannot be read' })
  const told = within(region)
  expect(region.textContent).toContain('The signing key pinned for server-one is damaged.')
  expect(region.textContent).toContain('Nothing of this server is verified until you pin the key')
  const key = `B${'A'.repeat(86)}=`
  await act(async () => void (await pinKey(store, point.id, key)))
  await told.findByText(/Set aside /)
  expect(region.textContent).toContain('You pinned a key again, or unpinned it.')
  expect((await store.set(trustRecordsAtom)).keys.get(JSON.stringify([origin, server]))).toBe(key)
})
