import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { scoresOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { sentence } from '../../support/sentence'
import { press, showKeys } from '../../support/show-keys'

vi.setConfig({ testTimeout: 60_000 })

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))

let server: FakeImmudb
let database: FakeDatabase

beforeEach(() => {
  sessionStorage.clear()
  server = fakeImmudb({ users: { reader: { password: 'x', permissions: { defaultdb: 1 } } } })
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  for (const key of ['a', 'b']) storeKey(database, b(key), b(`value of ${key}`))
})

const add = (key: string, score: number | string, more = {}) =>
  scoresOf(database).push({ set: b('scores'), key: b(key), score, ...more })

const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Entries of scores' })
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
}

test('a set is opened by its name, and shown by its scores although the server is not', async () => {
  add('a', 1.5)
  add('b', 10, { atTx: '2' })
  add('b', 'Infinity')
  add('a', -1)
  add('b', -2)
  const { history } = await showKeys(server)
  await press('Sorted set…')
  fireEvent.change(await screen.findByLabelText('Name of the set'), {
    target: { value: 'scores' },
  })
  await press('Open')
  expect(history.at(-1)).toBe('/keys?db=defaultdb&kind=set&key=scores')
  await waitFor(async () =>
    expect(await rows()).toEqual([
      ['-2', 'b', 'value of b'],
      ['-1', 'a', 'value of a'],
      ['1.5', 'a', 'value of a'],
      ['10', 'btx 2', 'value of b'],
      ['Infinity', 'b', 'value of b'],
    ]),
  )
  expect(screen.getAllByRole('link', { name: 'b' })).toHaveLength(3)
})

test('the name of a set that is typed is there after a reload, until it is cancelled', async () => {
  const path = '/keys?db=defaultdb&kind=set'
  const name = () => screen.findByLabelText('Name of the set')
  await showKeys(server, path)
  fireEvent.change(await name(), { target: { value: 'sco' } })
  cleanup()
  await showKeys(server, path)
  expect(await name()).toHaveProperty('value', 'sco')
  await press('Cancel')
  cleanup()
  await showKeys(server, path)
  expect(await name()).toHaveProperty('value', '')
})

test('a long set is paged, and says that negative scores stand last', async () => {
  for (let at = 0; at < 700; at += 1) add('a', at)
  add('b', -1)
  await showKeys(server, '/keys?kind=set&key=scores')
  await screen.findByText(/^500 entries, more exist: .* negative scores stand last$/)
  await press('Show more')
  await screen.findByText('701 entries')
  expect((await rows())[0]?.[0]).toBe('-1')
})

test('an entry is added by a transaction that begins with this set', async () => {
  await showKeys(server, '/keys?db=defaultdb&kind=set&key=scores')
  await screen.findByText('No entries')
  await press('Add to the set…')
  const dialog = await screen.findByRole('dialog')
  const field = (name: string) => within(dialog).getByLabelText(name)
  expect(field('Set')).toHaveProperty('value', 'scores')
  fireEvent.change(field('Score'), { target: { value: '-0.5' } })
  fireEvent.change(field('Key'), { target: { value: 'a' } })
  await press('Send as one transaction')
  await within(dialog).findByText(sentence('Stored in tx 3.'))
  await press('Done')
  await waitFor(async () => expect(await rows()).toEqual([['-0.5', 'a', 'value of a']]))
})

test('who may only read cannot add to it, and is told why', async () => {
  await showKeys(server, '/keys?db=defaultdb&kind=set&key=scores', { user: 'reader' })
  await waitFor(async () =>
    expect(
      (await screen.findByRole('button', { name: 'Add to the set…' })).getAttribute('title'),
    ).toBe('This needs the permission “Read & write” on the database.'),
  )
})
