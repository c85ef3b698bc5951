import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { click, press, showKeys } from '../../support/show-keys'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 60_000 })

const b = (text: string) => bytesToBase64(new TextEncoder().encode(text))
const megabytes = (count: number) => Buffer.alloc(count * 1_048_576, 1).toString('base64')

let server: FakeImmudb
let database: FakeDatabase

beforeEach(() => {
  sessionStorage.clear()
  server = fakeImmudb()
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
})

const tree = () => screen.findByRole('tree', { name: 'Keys' })
const items = async () =>
  within(await tree())
    .queryAllByRole('treeitem')
    .map((item) => item.getAttribute('aria-label'))
const item = async (name: RegExp | string) => within(await tree()).findByRole('treeitem', { name })
const scans = (prefix: string) =>
  server.calls.filter(({ path, body }) => path === '/db/scan' && body.prefix === b(prefix))

describe('the tree of keys', () => {
  test('shows prefixes and keys, opens levels, and opens a key with one press', async () => {
    for (const key of ['plain', 'user:1', 'user:1:name', 'user:2']) {
      storeKey(database, b(key), b('x'))
    }
    const { history } = await showKeys(server, '/keys?db=defaultdb')
    await waitFor(async () => expect(await items()).toEqual(['plain 1 byte', 'user:']))
    await click(await item('user:'))
    await waitFor(async () =>
      expect(await items()).toEqual(['plain 1 byte', 'user:', '1 1 byte', '1:', '2 1 byte']),
    )
    expect(history.at(-1)).toBe('/keys?db=defaultdb&prefix=user%3A')
    await click(await item('2 1 byte'))
    expect(await screen.findByRole('heading', { name: 'user:2' })).toBeTruthy()
  })

  test('offers the delimiter that the keys have when none has the chosen one', async () => {
    for (const key of ['oven/1', 'oven/2', 'till/1']) storeKey(database, b(key), b('x'))
    await showKeys(server)
    await press('Use delimiter /')
    await waitFor(async () => expect(await items()).toEqual(['oven/', 'till/']))
    expect(screen.queryByRole('button', { name: /^Use delimiter/ })).toBeNull()
  })

  test('has another delimiter as it was typed before a reload, until it is used', async () => {
    storeKey(database, b('a::b'), b('x'))
    const field = () => screen.findByLabelText('Another delimiter')
    await showKeys(server)
    await userEvent.setup().click(await screen.findByRole('combobox', { name: 'Delimiter' }))
    await userEvent.setup().click(await screen.findByRole('option', { name: 'Another…' }))
    await userEvent.setup().type(await field(), '::')
    cleanup()
    await showKeys(server)
    expect(await field()).toHaveProperty('value', '::')
    await userEvent.setup().click(screen.getByRole('button', { name: 'Use' }))
    await waitFor(async () => expect(await items()).toEqual(['a::']))
    cleanup()
    await showKeys(server)
    await screen.findByRole('combobox', { name: 'Delimiter' })
    expect(screen.queryByLabelText('Another delimiter')).toBeNull()
  })

  test('takes one request for each prefix, and 49 for each load', async () => {
    for (let at = 0; at < 120; at += 1) {
      for (let of = 0; of < 70; of += 1) {
        storeKey(database, b(`p${String(at).padStart(3, '0')}:${of}`), b('x'))
      }
    }
    await showKeys(server, '/keys?prefix=p119:')
    await screen.findByText(/^\d+ prefixes, more exist/)
    expect(scans('')).toHaveLength(49)
    await press('Show more')
    await waitFor(() => expect(scans('').length).toBeGreaterThan(49))
    await waitFor(async () =>
      expect(screen.queryByText(/^\d+ prefixes, more exist/)).not.toBeNull(),
    )
    await press('Show more')
    await screen.findByText(/^120 prefixes$/)
    expect(scans('').length).toBeLessThanOrEqual(130)
  })

  test('passes over keys that cannot be listed, and says how many', async () => {
    storeKey(database, b('a'), b('x'))
    storeKey(database, b('big'), megabytes(5))
    storeKey(database, b('c:1'), b('x'))
    await showKeys(server)
    await screen.findByText('1 key passed over: a value over 4 MiB cannot be listed.')
    expect(await items()).toEqual(['a 1 byte', 'c:'])
  })

  test('does not stop at references to nothing', async () => {
    for (let at = 100; at < 160; at += 1) {
      storeKey(database, b(`dangling${at}`), 'AAAA', { target: b('gone') })
    }
    storeKey(database, b('z'), b('x'))
    await showKeys(server)
    await waitFor(async () => expect(await items()).toEqual(['z 1 byte']))
  })

  test('shows bytes that are no text as hex, and the key that is its own prefix', async () => {
    storeKey(database, Buffer.from([0xff, 0x3a, 0x80]).toString('base64'), b('x'))
    storeKey(database, b('own:'), b('x'))
    await showKeys(server)
    await waitFor(async () =>
      expect(await items()).toEqual(['own:', 'ff3a hex, Its bytes are not text']),
    )
    await click(await item('own:'))
    await item(/itself/)
    await click(await item(/^ff3a/))
    await click(await item(/^80 1 byte hex/))
    expect(await screen.findByRole('heading', { name: 'hex ff3a80' })).toBeTruthy()
  })

  test('remembers another delimiter for the database', async () => {
    for (const key of ['a/b', 'a:c']) storeKey(database, b(key), b('x'))
    const { driver } = await showKeys(server)
    await item('a:')
    await click(await screen.findByRole('combobox', { name: 'Delimiter' }))
    await click(await screen.findByRole('option', { name: 'Delimiter /' }))
    await item('a/')
    cleanup()
    await showKeys(server, '/keys', { driver })
    await item('a/')
    expect(await items()).toEqual(['a/', 'a:c 1 byte'])
  })

  test('counts the keys of a prefix when it is asked to', async () => {
    for (const key of ['u:1', 'u:2']) storeKey(database, b(key), b('x'))
    await showKeys(server)
    await item('u:')
    expect(server.calls.filter(({ path }) => path.startsWith('/db/count'))).toEqual([])
    await press('Count the keys that begin with u:')
    await item(/^u: 2 keys/)
  })

  test('can be hidden, which is remembered', async () => {
    storeKey(database, b('a'), b('x'))
    const { driver } = await showKeys(server)
    await item(/^a/)
    await press('Tree')
    expect(screen.queryByRole('tree')).toBeNull()
    cleanup()
    await showKeys(server, '/keys', { driver })
    await screen.findByRole('option', { name: /^a/ })
    expect(screen.queryByRole('tree')).toBeNull()
  })

  test('is that of the past, once its transactions are read', async () => {
    storeKey(database, b('old:1'), b('x'))
    storeKey(database, b('new:1'), b('x'))
    await showKeys(server, '/keys?db=defaultdb&at=tx:1')
    await waitFor(async () => expect(await items()).toEqual(['old:']))
  })
})
