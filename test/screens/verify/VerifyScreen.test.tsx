import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom, databaseIdAtom, serverAtom } from '~/core/session/session'
import { writeStateText } from '~/immudb/state-text'
import { writeState } from '~/proof/immuclient-state'
import VerifyScreen from '~/screens/verify/VerifyScreen'
import { checkById, closeProof } from '~/trust/proof-drawer'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { grow, historyOf, ProvingServer, refusal, tabOf } from '../../support/proving-server'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

const keptDoor = (): TrustStore => ({ ...memoryTrustStore(), isKept: true })

/** A tab that has met the database, and checked it a second time after a write. */
async function met(door: TrustStore = keptDoor()) {
  const server = new ProvingServer(historyOf(3))
  const store = tabOf(server, door)
  openQueryCache(store)
  await verifyState(store)
  grow(server.history)
  await verifyState(store)
  return { server, store }
}

async function show(store: Store, path = '/verify') {
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  await act(async () => {
    render(
      <Provider store={store}>
        <Router hook={hook} searchHook={searchHook}>
          <VerifyScreen />
        </Router>
      </Provider>,
    )
  })
  return history
}

const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const card = () => screen.findByRole('article')

test('a database that was checked shows its point, first contact and history', async () => {
  const { store } = await met()
  await show(store)
  const point = within(await card())
  expect(point.getByRole('heading').textContent).toBe('db')
  expect(point.getByText('Consistent')).toBeTruthy()
  // Once as it is, and once in its history.
  expect(point.getAllByRole('link', { name: 'tx 4' })).toHaveLength(2)
  expect(point.getAllByRole('link', { name: 'tx 3' })).toHaveLength(2)
  expect(point.getByText('1 time')).toBeTruthy()
  expect(point.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    expect.stringMatching(/^tx 4.*advanced by proof$/),
    expect.stringMatching(/^tx 3.*first contact$/),
  ])
})

test('a first contact against which something was verified is no more than that', async () => {
  const store = tabOf(new ProvingServer(historyOf(3)))
  openQueryCache(store)
  await verifyState(store)
  await checkById(store, { kind: 'tx', tx: '2' })
  closeProof(store)
  await show(store)
  const shown = await card()
  within(shown).getByText('First contact')
  within(shown).getByText(/unchanged: no proof has advanced it$/)
  within(shown).getByText('0 times')
  expect(shown.innerHTML).not.toMatch(/(text|border|bg)-verified/)
})

test('a database that was not checked in this page is not shown as verified', async () => {
  const door = keptDoor()
  const { server } = await met(door)
  const next = tabOf(server, door)
  openQueryCache(next)
  next.set(serverAtom, server.uuid)
  await show(next)
  const said = within(await card()).getByText(/not checked since/)
  expect(said.textContent).toBe('Consistent up to tx 4 · not checked since')
})

test('a browser that keeps nothing is said to, above all else', async () => {
  const { store } = await met(memoryTrustStore())
  await show(store)
  await screen.findByText(/This browser keeps no trusted states/)
  // It was checked all the same.
  expect(within(await card()).queryByText(/Not checked/)).toBeNull()
})

test('points of other servers stand apart, and cannot be checked from here', async () => {
  const { store } = await met()
  const there = { origin: 'https://other.example', server: 'server-two', database: 'orders' }
  const point = { txId: '9', txHash: `${'A'.repeat(43)}=` }
  await store.get(trustedStatesAtom).import(there, point)
  await show(store)
  const other = within(
    await screen.findByRole('region', { name: 'Server server-two at https://other.example' }),
  )
  expect(other.getByRole('heading', { level: 3 }).textContent).toBe('orders')
  expect(other.queryByRole('button', { name: 'Check now' })).toBeNull()
  expect(other.getByRole('button', { name: 'Forget…' })).toBeTruthy()
})

test('a point is forgotten with its name and a reason, which stays in the log', async () => {
  const { store } = await met()
  await show(store)
  await card()
  await press('Forget…')
  const dialog = within(await screen.findByRole('dialog'))
  const button = dialog.getByRole('button', { name: 'Forget the state' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await type('Name', 'db')
  await press('Forget the state')
  dialog.getByText('Say why, for the log.')
  await type('Reason', 'restored on purpose')
  await press('Forget the state')
  const log = within(await screen.findByRole('region', { name: 'Log' }))
  log.getByText(
    (_, element) =>
      /Trusted state forgotten of db, tx 4: restored on purpose$/.test(element?.textContent ?? ''),
    { selector: 'li' },
  )
  expect(within(await card()).getByText('Not checked')).toBeTruthy()
  expect(log.getByRole('list', { name: 'Log' }).tabIndex).toBe(0)
})

test('a check of a broken history says that what was found stays', async () => {
  const { server, store } = await met()
  server.history = historyOf(2)
  await verifyState(store)
  await show(store)
  within(await card()).getByText(
    /The server does not have a transaction that this browser recorded/,
  )
  await press('Check now')
  const said = await screen.findByRole('status')
  expect(said.textContent).toMatch(/^Checked just now\. What was found wrong stays, .* “Resolve…”/)
  server.instead = () => Promise.reject(new TypeError('fetch failed'))
  await press('Check now')
  await screen.findByText(/^Not checked against the newest state: .* cannot be reached/)
  expect(screen.queryByRole('status')).toBeNull()
})

test('a point from elsewhere is compared by what is recorded, then by a proof', async () => {
  const { server, store } = await met()
  await show(store)
  await card()
  const text = (tx: number, hash = server.history.point(tx).txHash) =>
    writeStateText([
      { database: 'db', txId: String(tx), txHash: hash, server: '', origin: '', at: '' },
    ])
  const compare = async (given: string) => {
    await type('States from elsewhere', given)
    await press('Compare')
    return within(screen.getByRole('list', { name: 'Compared states' }))
  }
  expect((await compare(text(3))).getByText('Same')).toBeTruthy()
  const forged = await compare(text(4, `${'A'.repeat(43)}=`))
  expect(forged.getByText('Different')).toBeTruthy()
  const older = await compare(text(2))
  expect(older.getByText('Older')).toBeTruthy()
  await press('Ask the server for a proof')
  await vi.waitFor(() => older.getByText('Agrees'))
  await compare(text(2, `${'A'.repeat(43)}=`))
  await press('Ask the server for a proof')
  await vi.waitFor(() => screen.getByText('Different'))
  screen.getByText(/^In the history recorded here, tx 2 has:/)
  screen.getByRole('button', { name: 'Show proof' })
  await type('States from elsewhere', 'hello')
  await press('Compare')
  expect(screen.getByText(/This text contains no trusted state/)).toBeTruthy()
})

test('the answer about a point does not stay beside another database of the same hash', async () => {
  const { server, store } = await met()
  await show(store)
  await card()
  const text = (database: string) =>
    writeStateText([{ ...point, ...server.history.point(2), database }])
  await type('States from elsewhere', text('db'))
  await press('Compare')
  await press('Ask the server for a proof')
  const list = within(screen.getByRole('list', { name: 'Compared states' }))
  await vi.waitFor(() => list.getByText('Agrees'))
  await type('States from elsewhere', text('payroll'))
  await press('Compare')
  list.getByText('payroll')
  expect(list.queryByText('Agrees')).toBeNull()
  list.getByText('Nothing recorded')
})

test('what immuclient keeps is compared as any other point', async () => {
  const { server, store } = await met()
  await show(store)
  await card()
  const give = async (name: string, tx: number) => {
    const text = writeState({ ...server.history.point(tx), database: 'db' })
    const input = screen.getByLabelText('File with states')
    const file = new File([text], name)
    await act(async () => fireEvent.change(input, { target: { files: [file] } }))
    return within(await screen.findByRole('list', { name: 'Compared states' }))
  }
  const same = await give(`.state-${server.uuid}`, 3)
  await vi.waitFor(() => same.getByText('Same'))
  const other = await give('.state-another', 3)
  await vi.waitFor(() => other.getByText(/^It is of another server/))
})

test('a file with many points is compared without filling the field, what differs first', async () => {
  const { server, store } = await met()
  await show(store)
  await card()
  const others = Array.from({ length: 1_000 }, (_, index) => ({
    ...point,
    database: `of_${index}`,
  }))
  const text = writeStateText([
    ...others.slice(0, 400),
    { ...point, txId: '3', txHash: `${'A'.repeat(43)}=` },
    ...others.slice(400),
    { ...point, ...server.history.point(3) },
  ])
  const input = screen.getByLabelText('File with states')
  const file = new File([text], 'points.txt')
  await act(async () => fireEvent.change(input, { target: { files: [file] } }))
  const list = within(await screen.findByRole('list', { name: 'Compared states' }))
  screen.getByText('1,002 states in', { exact: false })
  const words = list.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(words).toHaveLength(50)
  expect(words[0]).toContain('Different')
  expect(words[1]).toContain('Same')
  expect(screen.getByLabelText<HTMLTextAreaElement>('States from elsewhere').value).toBe('')
  await press('Show more')
  expect(list.getAllByRole('listitem')).toHaveLength(100)
})

const point = {
  database: 'db',
  txId: '1',
  txHash: `${'A'.repeat(43)}=`,
  server: '',
  origin: '',
  at: '',
}

test('a point is taken over only when that was asked, though another address of the server has one', async () => {
  const server = new ProvingServer(historyOf(3))
  const store = tabOf(server, keptDoor())
  openQueryCache(store)
  store.set(serverAtom, server.uuid)
  store.set(databaseAtom, null)
  const here = store.get(databaseIdAtom)('db')
  const there = { ...here, origin: 'https://other.example' }
  await store.get(trustedStatesAtom).import(there, server.history.point(3))
  await show(store)
  await type('States from elsewhere', 'database: db\ntransaction: 2\nhash: '.concat('a'.repeat(64)))
  await press('Compare')
  await press('Take over…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Trust this state?' }))
  dialog.getByText('Database:', { exact: false })
  expect(await store.get(trustedStatesAtom).read(here)).toBeNull()
})

test('what was typed in one tab is there after a look at another', async () => {
  const { store } = await met()
  await show(store, '/verify?tab=check&tx=12')
  const number = await screen.findByLabelText<HTMLInputElement>('Number')
  expect(number.value).toBe('12')
  await type('Collection', 'notes')
  await userEvent.click(screen.getByRole('tab', { name: 'Signing keys' }))
  await screen.findByText('Not pinned: signatures are not checked.')
  await userEvent.click(screen.getByRole('tab', { name: 'Check' }))
  expect(screen.getByLabelText<HTMLInputElement>('Collection').value).toBe('notes')
})

const document = 'a'.repeat(32)

test.each([
  ['/verify?tx=4', 'Number', '4'],
  [`/verify?collection=notes&doc=${document}`, 'Document id', document],
])('an address that names an object opens what checks it: %s', async (path, label, value) => {
  const { store } = await met()
  await show(store, path)
  expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(value)
})

test('what is checked stands in the address, and nothing that was checked before', async () => {
  const { server, store } = await met()
  server.instead = (path) => (path.includes('/document/') ? refusal('no such document') : undefined)
  const history = await show(store, '/verify?tab=check')
  await screen.findByLabelText('Number')
  const verify = async (name: string) => {
    const form = within(screen.getByRole('form', { name }))
    await act(async () => fireEvent.click(form.getByRole('button', { name: 'Verify' })))
    return history.at(-1)
  }
  await type('Number', '4')
  expect(await verify('A transaction')).toBe('/verify?db=db&tab=check&tx=4')
  await type('Collection', 'notes')
  await type('Document id', document)
  const address = `/verify?db=db&tab=check&collection=notes&doc=${document}`
  expect(await verify('A document')).toBe(address)
  await type('Written in transaction', '3')
  expect(await verify('A document')).toBe(`${address}&tx=3`)
})

test('an address that names a revision of a document names no other transaction', async () => {
  const { store } = await met()
  await show(store, `/verify?collection=notes&doc=${document}&tx=3`)
  const written = await screen.findByLabelText<HTMLInputElement>('Written in transaction')
  expect(written.value).toBe('3')
  expect(screen.getByLabelText<HTMLInputElement>('Number').value).toBe('')
})

test.each([
  ['points', 'File with states', 9, /^This file could not be read/],
  ['points', 'File with states', 2 ** 30, 'This file is too large to hold states.'],
  ['keys', 'PEM file', 9, /^This file could not be read/],
])(
  'a file that gives nothing is said to, tab %s, %s of %i bytes',
  async (tab, label, size, why) => {
    const { store } = await met()
    await show(store, `/verify?tab=${tab}`)
    const file = { name: 'folder', size, text: () => Promise.reject(new Error('a folder')) }
    const input = await screen.findByLabelText(label)
    await act(async () => fireEvent.change(input, { target: { files: [file] } }))
    screen.getByText(why)
  },
)

test('what a server names as its key is pinned only when it is one', async () => {
  const { server, store } = await met()
  const sign = (publicKey: string) => {
    server.change = (answer, path) =>
      path === '/db/state' ? { ...answer, signature: { publicKey, signature: 'AA==' } } : answer
  }
  sign('AAAA')
  await show(store, '/verify?tab=keys')
  const pin = await screen.findByRole('button', { name: 'Confirm and pin…' })
  await act(async () => fireEvent.click(pin))
  await screen.findByText('This is neither a PEM file nor base64 of a public key.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a damaged key is told, with what follows, and can be unpinned', async () => {
  const door = keptDoor()
  const { store } = await met(door)
  const { origin, server } = store.get(databaseIdAtom)('db')
  await door.change('keys', JSON.stringify([origin, server]), () => 'half')
  await show(store, '/verify?tab=keys')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(
    /its record in this browser is damaged\.Nothing of this server is verified without it\./,
  )
  expect(screen.queryByText('Not pinned: signatures are not checked.')).toBeNull()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Unpin…' })))
  const dialog = within(await screen.findByRole('dialog', { name: 'Unpin the signing key?' }))
  dialog.getByText('The damaged record of the pinned key is kept aside.')
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Unpin' })))
  await screen.findByText('Not pinned: signatures are not checked.')
  const { unreadable } = await store.get(trustedStatesAtom).others()
  expect(unreadable).toMatchObject([{ store: 'keys', value: 'half' }])
})
