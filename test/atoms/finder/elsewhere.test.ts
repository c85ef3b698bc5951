import { beforeEach, describe, expect, test, vi } from 'vitest'
import { kinds } from '~/app/finder/kinds'
import { databasesAtom } from '~/atoms/databases/database-list'
import {
  type Known,
  leftOut,
  lookupsElsewhere,
  placesElsewhere,
  type Reach,
} from '~/atoms/finder/elsewhere'
import { lookedThroughAtom, lookThrough } from '~/atoms/finder/look-through'
import type { Here } from '~/atoms/finder/thing'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { clientAtom, ensureDatabaseToken, type Store } from '~/core/session/client'
import { textToBase64 } from '~/lib/bytes'
import { pages } from '~/lib/paths'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import { fakeHost } from '../../support/fake-servers'
import { openFleetPage } from '../../support/fleet'
import { openTab, signIn, soon } from '../../support/store'

const signal = new AbortController().signal

function hereOf(io: Store): Here {
  return {
    io,
    database: 'defaultdb',
    zone: 'utc',
    now: Date.now(),
    pages: new Set(pages.map(({ name }) => name)),
    search: '',
    pathAt: () => '/',
  }
}

const lookups = (of: Here, text: string, reach: Reach, known: Known = new Map()) =>
  lookupsElsewhere(kinds, of, { text, reach, known })

function put(server: FakeImmudb, name: string, key: string) {
  const database = server.databases.get(name)
  if (database) storeKey(database, textToBase64(key), 'AA==')
}

describe('other databases', () => {
  let server: FakeImmudb
  beforeEach(() => {
    server = fakeImmudb({ databases: ['defaultdb', 'shop', 'old', 'gone'] })
    const gone = server.databases.get('gone')
    if (gone) gone.isLoaded = false
    put(server, 'shop', 'cart/1')
  })

  let opened: ReturnType<typeof openTab>
  const tab = () => opened

  async function here() {
    const tab = openTab(server)
    opened = tab
    await signIn(tab)
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data?.length).toBe(4))
    server.clear()
    return hereOf(tab.store)
  }

  test('are asked one by one, only those that are loaded, and say where a thing is', async () => {
    const of = await here()
    expect(lookups(of, 'cart', 'database')).toEqual([])
    expect(lookups(of, ' ', 'server')).toEqual([])
    const asked = lookups(of, 'cart', 'server')
    expect(asked.map(({ asks }) => asks)).toEqual([
      'Asks shop for tables, columns, collections, shared queries and keys that begin with “cart”',
      'Asks old for tables, columns, collections, shared queries and keys that begin with “cart”',
    ])
    expect(server.calls).toEqual([])
    const [shop, old] = await Promise.all(asked.map(({ ask }) => ask(signal, () => {})))
    expect(shop?.things).toMatchObject([
      { name: 'cart/1', database: 'shop', to: { path: '/keys?db=shop&key=cart%2F1' } },
    ])
    // Here a call that this server does not have; the others count.
    expect(shop?.says).toMatch(/^Collections: /)
    expect(old?.things).toEqual([])
  })

  test('each fail alone', async () => {
    const of = await here()
    const asked = lookups(of, 'cart', 'server')
    server.databases.delete('old')
    const [shop, old] = await Promise.allSettled(asked.map(({ ask }) => ask(signal, () => {})))
    expect(shop?.status).toBe('fulfilled')
    expect(old?.status).toBe('rejected')
  })

  test('are asked for transactions and rows too, and for their lists once', async () => {
    const of = await here()
    const shop = server.databases.get('shop')
    if (!shop) throw new Error('no shop')
    shop.txId = 12
    shop.models = new Map([
      [
        'orders',
        {
          table: 'orders',
          columns: [
            { name: 'id', type: 'INTEGER' },
            { name: 'place', type: 'VARCHAR' },
          ],
          key: ['id', 'place'],
          rows: [['7', 'north, or south']],
        },
      ],
    ])
    const known: Known = new Map()
    const ask = async (text: string) => {
      const [first] = lookups(of, text, 'server', known)
      return { asks: first?.asks, ...(await first?.ask(signal, () => {})) }
    }
    const named = async (text: string) =>
      (await ask(text)).things?.map(({ kind, name, database }) => [kind?.label, name, database])
    const tx = await ask('tx 12')
    expect(tx.asks).toContain(', transaction 12, a row of this name and keys')
    expect(tx.things).toMatchObject([
      { name: 'tx 12', database: 'shop', to: { path: '/tx?db=shop&id=12' } },
    ])
    expect(await named('tx 13')).toEqual([])
    expect(await named("orders (7, 'north, or south')")).toEqual([
      ['Row', "orders (7, 'north, or south')", 'shop'],
    ])
    expect((await ask('orders 7')).says).toContain('has 2 columns: id, place.')
    server.clear()
    expect(await named('order')).toContainEqual(['Table', 'orders', 'shop'])
    expect(server.calls.some(({ path }) => path === '/db/scan')).toBe(true)
    expect(server.calls.filter(({ path }) => path.includes('table/list'))).toEqual([])
  })

  test('are looked through one after the other, and one that refuses is left behind', async () => {
    const of = await here()
    put(server, 'defaultdb', 'a/needle/1')
    put(server, 'old', 'b/needle/2')
    const { io } = of
    const others = placesElsewhere(of, 'server')
    expect(others).toEqual([{ database: 'shop' }, { database: 'old' }])
    server.databases.delete('shop')
    tab().store.sub(lookedThroughAtom, () => {})
    await ensureDatabaseToken(tab().store, io.get(clientAtom), 'defaultdb')
    lookThrough(io, { kind: 'keys', database: 'defaultdb', text: 'needle', others })
    const looked = () => io.get(lookedThroughAtom)?.data
    await soon(() => expect(looked()?.next).toBeNull())
    expect(looked()?.found).toMatchObject([
      { name: 'a/needle/1', to: { path: '/keys?db=defaultdb&key=a%2Fneedle%2F1' } },
      { name: 'b/needle/2', database: 'old', to: { path: '/keys?db=old&key=b%2Fneedle%2F2' } },
    ])
    expect(looked()).toMatchObject({ looked: 2, done: 2, left: [] })
    expect(looked()?.refused).toEqual([expect.stringMatching(/^shop: /)])
  })

  test('are left out where there are very many, which is said', async () => {
    server = fakeImmudb({
      databases: ['defaultdb', 'x', 'y', ...Array.from({ length: 60 }, (_, at) => `d${at}`)],
    })
    const tab = openTab(server)
    await signIn(tab)
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data?.length).toBe(63))
    expect(lookups(hereOf(tab.store), 'a', 'server')).toHaveLength(50)
    expect(leftOut(hereOf(tab.store), 'server')).toBe(12)
    expect(leftOut(hereOf(tab.store), 'database')).toBe(0)
  })
})

describe('other servers', () => {
  test('are asked with their own login, and their things lead there', async () => {
    const us = fakeImmudb({ databases: ['defaultdb', 'shop'] })
    us.becomeAnother('us-uuid')
    put(us, 'shop', 'cart/1')
    const host = fakeHost({ eu: fakeImmudb(), us })
    const { store, fleet } = await openFleetPage(host)
    store.sub(databasesAtom, () => {})
    await soon(() => expect(store.get(databasesAtom).data).toBeTruthy())
    const lookup = () => lookups(hereOf(store), 'cart', 'servers').at(-1)
    expect(lookup()?.asks).toContain('Asks the server us ')
    const without = await lookup()?.ask(signal, () => {})
    expect(without?.says).toMatch(/^Not asked: there is no login/)
    await logInElsewhere(fleet, host.list.servers.slice(1), {
      user: 'immudb',
      password: 'immudb',
      isStored: false,
    })
    const told = vi.fn()
    const found = await lookup()?.ask(signal, told)
    expect(found?.things).toMatchObject([
      {
        name: 'cart/1',
        database: 'shop',
        server: 'us',
        to: { path: '/keys?db=shop&key=cart%2F1&server=us' },
      },
    ])
    expect(told).toHaveBeenCalled()
  })

  test('are looked through to the end, and one without a login is left behind', async () => {
    const [one, out] = [fakeImmudb({ databases: ['defaultdb'] }), fakeImmudb()]
    one.becomeAnother('one-uuid')
    out.becomeAnother('out-uuid')
    put(one, 'defaultdb', 'a/needle')
    const host = fakeHost({ eu: fakeImmudb({ databases: ['defaultdb'] }), out, one })
    const { store, fleet } = await openFleetPage(host)
    store.sub(databasesAtom, () => {})
    await soon(() => expect(store.get(databasesAtom).data).toBeTruthy())
    await ensureDatabaseToken(store, store.get(clientAtom), 'defaultdb')
    const last = host.list.servers.filter(({ name }) => name === 'one')
    const login = { user: 'immudb', password: 'immudb', isStored: false }
    await logInElsewhere(fleet, last, login)
    store.sub(lookedThroughAtom, () => {})
    const others = placesElsewhere(hereOf(store), 'servers')
    lookThrough(store, { kind: 'keys', database: 'defaultdb', text: 'needle', others })
    const looked = () => store.get(lookedThroughAtom)
    await soon(() => expect(looked()?.isFetching).toBe(false))
    expect(looked()?.problem ?? looked()?.error).toBeNull()
    expect(looked()?.data).toMatchObject({
      next: null,
      done: 2,
      found: [{ name: 'a/needle', to: { path: '/keys?db=defaultdb&key=a%2Fneedle&server=one' } }],
      refused: ['out: There is no login to it here. Servers has one.'],
    })
  })
})
