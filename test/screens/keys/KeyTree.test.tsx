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
    await click(await item('2 1 byte'))
    expect(await screen.findByRole('heading', { name: 'user:2' })).toBeTruthy()
    // Of tree and list one is there; the list has what the tree names.
    expect(screen.queryByRole('listbox')).toBeNull()
    await press('List the keys that begin with user:')
    expect(await screen.findAllByRole('option')).toHaveLength(3)
    expect(screen.queryByRole('tree')).toBeNull()
    expect(history.at(-1)).toBe('/keys?db=defaultdb&prefix=user%3A&key=user%3A2')
    await press('Tree')
    await item('plain 1 byte')
    expect(history.at(-1)).toBe('/keys?db=defaultdb&key=user%3A2')
  })

  test.each([
    ['/', ['oven/1', 'oven/2', 'till/1'], ['oven/', 'till/']],
    ['|', ['u-1|a', 'u-1|b', 'u-2|a'], ['u-1|', 'u-2|']],
    ['.', ['com.a', 'com.b', 'org.a'], ['com.', 'org.']],
    ['/', ['log/10:30', 'log/10:31', 'tmp/1'], ['log/', 'tmp/']],
  ])('has the delimiter %s that the keys have, and says so', async (delimiter, keys, levels) => {
    for (const key of keys) storeKey(database, b(key), b('x'))
    await showKeys(server)
    await waitFor(async () => expect(await items()).toEqual(levels))
    const { textContent } = await screen.findByRole('combobox', { name: 'Delimiter' })
    expect(textContent).toBe(`By the keys: ${delimiter}`)
    expect(screen.queryByRole('button', { name: /^Use delimiter/ })).toBeNull()
    // The first level is read by one scan, and nothing else is.
    expect(server.calls.filter(({ path }) => path === '/db/scan')[0]?.body.limit).toBe('16')
    expect(server.calls.some(({ body }) => body.limit === '500')).toBe(false)
  })

  test('offers another delimiter when no key has the chosen one', async () => {
    for (const key of ['oven/1', 'oven/2', 'till/1']) storeKey(database, b(key), b('x'))
    await showKeys(server)
    await click(await screen.findByRole('combobox', { name: 'Delimiter' }))
    await click(await screen.findByRole('option', { name: 'Delimiter |' }))
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

  test('takes one request for each prefix, and 40 for each load', async () => {
    for (let at = 0; at < 120; at += 1) {
      for (let of = 0; of < 70; of += 1) {
        storeKey(database, b(`p${String(at).padStart(3, '0')}:${of}`), b('x'))
      }
    }
    await showKeys(server)
    await screen.findByText(/^\d+ prefixes, more exist/)
    expect(server.calls.filter(({ path }) => path === '/db/scan')).toHaveLength(40)
    await press('Show more')
    await screen.findByText(/^(7|8)\d prefixes, more exist/)
    await press('Show more')
    await waitFor(() => screen.getByText(/^1\d\d prefixes/))
    await waitFor(() => expect(screen.queryByText(/reading/)).toBeNull())
    if (screen.queryByRole('button', { name: 'Show more' })) await press('Show more')
    await screen.findByText(/^120 prefixes$/)
    expect(scans('').length).toBeLessThanOrEqual(130)
  })

  test('draws each prefix as it comes', async () => {
    for (let at = 0; at < 30; at += 1) {
      for (let of = 0; of < 20; of += 1) {
        storeKey(database, b(`p${String(at).padStart(3, '0')}:${of}`), b('x'))
      }
    }
    const answer = server.fetch
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    let scanned = 0
    server = {
      ...server,
      fetch: async (input, init) => {
        if (String(input).endsWith('/db/scan')) {
          scanned += 1
          if (scanned > 3) await held
        }
        return answer(input, init)
      },
    }
    await showKeys(server)
    await waitFor(async () => expect(await items()).toEqual(['p000:', 'p001:', 'p002:']))
    await screen.findByText('3 prefixes, reading…')
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    go()
    await screen.findByText('30 prefixes')
  })

  test('passes over keys that cannot be listed, and says how many', async () => {
    storeKey(database, b('a'), b('x'))
    storeKey(database, b('big'), megabytes(5))
    storeKey(database, b('c:1'), b('x'))
    await showKeys(server)
    await screen.findByText(
      '1 key passed over: a value over 4 MiB or one that is gone cannot be listed.',
    )
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

  test('gives way to the list, which is remembered', async () => {
    storeKey(database, b('a'), b('x'))
    const { driver } = await showKeys(server)
    await item(/^a/)
    await press('List')
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
