import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, scoresOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { sentence } from '../../support/sentence'
import { click, press, showKeys } from '../../support/show-keys'

vi.setConfig({ testTimeout: 60_000 })

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))

let server: FakeImmudb
let database: FakeDatabase

beforeEach(() => {
  sessionStorage.clear()
  server = fakeImmudb()
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
})

const sent = () => server.calls.filter(({ path }) => path === '/db/execall')
const group = (number: number) => screen.findByRole('group', { name: `Operation ${number}` })
const type = async (number: number, label: string, text: string) =>
  fireEvent.change(within(await group(number)).getByLabelText(label), { target: { value: text } })
const choose = async (name: string, option: string) => {
  await click(await screen.findByRole('combobox', { name }))
  await click(await screen.findByRole('option', { name: option }))
}

/** A key, a reference to it and an entry of a set. */
async function collect() {
  await press('Several operations…')
  await press('Add an operation')
  await type(1, 'Key', 'order:1')
  await type(1, 'Value', 'paid')
  await choose('Condition of operation 1', 'The key must not exist')
  await press('Add an operation')
  await choose('Kind of operation 2', 'Set a reference')
  await type(2, 'Key', 'last')
  await type(2, 'Refers to', 'order:1')
  await press('Add an operation')
  await choose('Kind of operation 3', 'Add to a sorted set')
  await type(3, 'Set', 'by price')
  await type(3, 'Score', '9.5')
  await type(3, 'Key', 'order:1')
}

/** Gives the key, which the other two name, another name. */
async function rename(to: string) {
  await type(1, 'Key', to)
  await type(2, 'Refers to', to)
  await type(3, 'Key', to)
}

const body = {
  Operations: [
    { kv: { key: b('order:1'), value: b('paid') } },
    { ref: { key: b('last'), referencedKey: b('order:1') } },
    { zAdd: { set: b('by price'), score: 9.5, key: b('order:1') } },
  ],
  preconditions: [{ keyMustNotExist: { key: b('order:1') } }],
}

test('several operations are shown, sent once, and end in one receipt', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  expect(screen.getByText(/"Operations"/).textContent).toBe(JSON.stringify(body, null, 2))
  await press('Send as one transaction')
  await screen.findByText(sentence('Stored in tx 1.'))
  expect(sent().map((call) => call.body)).toEqual([body])
  expect(keysOf(database).get(b('last'))?.[0]?.target).toBe(b('order:1'))
  expect(scoresOf(database)).toHaveLength(1)
  await press('Done')
  await screen.findByRole('button', { name: 'Several operations…' })
})

test('a condition that is not met is named, and nothing typed is lost', async () => {
  storeKey(database, b('order:1'), b('there'))
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await press('Send as one transaction')
  await screen.findByText('A condition is not met: the key of operation 1 exists.')
  expect(await group(3)).toBeTruthy()
})

test('what is collected survives a reload', async () => {
  const { driver } = await showKeys(server, '/keys?db=defaultdb')
  await collect()
  cleanup()
  await showKeys(server, '/keys?db=defaultdb', { driver })
  await press('Continue with them')
  expect(within(await group(2)).getByLabelText('Refers to')).toHaveProperty('value', 'order:1')
})

test('what does not fit or is missing is said before anything is sent', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await type(3, 'Score', '9007199254740993')
  await screen.findByText('It does not fit: it would be stored as 9007199254740992.')
  await type(2, 'Key', '')
  await press('Send as one transaction')
  await screen.findByText('It has at least one byte.')
  await type(3, 'Score', '1')
  await type(2, 'Key', 'order:1')
  await type(2, 'Refers to', 'other')
  await screen.findByText(/^Operations 1 and 2 are the same to immudb/)
  expect(sent()).toEqual([])
})

test('an unknown outcome is said, what was sent stays as it is, and the check finds it', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await rename('fault_lost_1')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  expect(within(await group(1)).getByLabelText('Key')).toHaveProperty('readOnly', true)
  await press('Check now')
  await screen.findByText(sentence(/^tx 1 holds exactly these operations/))
  expect(sent()).toHaveLength(1)
})

test('an unknown outcome that was not stored can be sent once more', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await rename('fault_reset_1')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  await press('Check now')
  await screen.findByText(/^Not stored so far/)
  await press('Send once more')
  await screen.findByText(sentence('Stored in tx 1.'))
})

test('what was sent twice without an answer is found twice', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await press('Several operations…')
  await press('Add an operation')
  await type(1, 'Key', 'fault_lost_2')
  await type(1, 'Value', 'paid')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  await press('Send once more')
  await vi.waitFor(() => expect(sent()).toHaveLength(2))
  await press('Check now')
  await screen.findByText(sentence(/^Stored more than once: tx 1, tx 2 hold exactly these/))
  expect(sent()).toHaveLength(2)
})

test('an unknown outcome is still unknown after a reload, and can still be checked', async () => {
  const { driver } = await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await rename('fault_lost_2')
  await type(1, 'Expires at (UTC)', '2099-01-01 00:00:00')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  cleanup()
  await showKeys(server, '/keys?db=defaultdb', { driver })
  await screen.findByText('3 operations sent. It is not known whether they were stored.')
  await press('Continue with them')
  await screen.findByText(/this page saw no answer/)
  expect(within(await group(1)).getByLabelText('Key')).toHaveProperty('readOnly', true)
  await press('Check now')
  await screen.findByText(sentence(/^tx 1 holds exactly these operations/))
  expect(sent()).toHaveLength(1)
})

test('a refusal leaves nothing unknown behind', async () => {
  storeKey(database, b('order:1'), b('there'))
  const { driver } = await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await press('Send as one transaction')
  await screen.findByText('A condition is not met: the key of operation 1 exists.')
  cleanup()
  await showKeys(server, '/keys?db=defaultdb', { driver })
  await screen.findByText('3 operations not sent yet.')
})

test('a key that cannot be referred to is named', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await type(2, 'Refers to', 'nowhere')
  await press('Send as one transaction')
  await screen.findByText(/^Operation 2: The key that it refers to does not exist/)
  await screen.findByText('Nothing was stored.')
})

test('a condition on a transaction to come is refused before anything is sent', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await choose('Condition of operation 1', 'Not modified since a transaction')
  await type(1, 'Not modified since transaction', '5')
  await press('Send as one transaction')
  await screen.findByText(/^Operation 1: there is no tx 5 yet/)
  expect(sent()).toEqual([])
})

test('the focus goes to a new operation, to what is wrong, and never with a removed one', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  const focused = () => document.activeElement
  await press('Add an operation')
  expect(focused()).toBe(within(await group(4)).getByLabelText('Key'))
  await press('Remove operation 4')
  await type(2, 'Refers to', '')
  await press('Send as one transaction')
  expect(focused()).toBe(within(await group(2)).getByLabelText('Refers to'))
  await press('Remove operation 2')
  expect(focused()).toBe(screen.getByRole('button', { name: 'Add an operation' }))
  expect(within(await group(2)).getByLabelText('Set')).toHaveProperty('value', 'by price')
  await press('Send as one transaction')
  await screen.findByText(sentence('Stored in tx 1.'))
})
