import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, scoresOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
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
  await screen.findByText('Stored in tx 1.')
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
  await screen.findByText(/^Two operations write the same key/)
  expect(sent()).toEqual([])
})

test('an unknown outcome is said, what was sent stays as it is, and the check finds it', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await type(1, 'Key', 'fault_lost_1')
  await type(2, 'Refers to', 'fault_lost_1')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  expect(within(await group(1)).getByLabelText('Key')).toHaveProperty('readOnly', true)
  await press('Check now')
  await screen.findByText(/^tx 1 holds exactly these operations/)
  expect(sent()).toHaveLength(1)
})

test('an unknown outcome that was not stored can be sent once more', async () => {
  await showKeys(server, '/keys?db=defaultdb')
  await collect()
  await type(1, 'Key', 'fault_reset_1')
  await press('Send as one transaction')
  await screen.findByText(/^It is not known whether these operations were stored\./)
  await press('Check now')
  await screen.findByText(/^Not stored so far/)
  await press('Send once more')
  await screen.findByText('Stored in tx 1.')
})
