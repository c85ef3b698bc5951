import { beforeEach, describe, expect, test, vi } from 'vitest'
import { databasesAtom } from '~/atoms/databases/database-list'
import { leftOut, lookupsElsewhere } from '~/atoms/finder/elsewhere'
import type { Here } from '~/atoms/finder/thing'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import type { Store } from '~/core/session/client'
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

  async function here() {
    const tab = openTab(server)
    await signIn(tab)
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data?.length).toBe(4))
    server.clear()
    return hereOf(tab.store)
  }

  test('are asked one by one, only those that are loaded, and say where a thing is', async () => {
    const of = await here()
    expect(lookupsElsewhere(of, 'cart', 'database')).toEqual([])
    expect(lookupsElsewhere(of, ' ', 'server')).toEqual([])
    const lookups = lookupsElsewhere(of, 'cart', 'server')
    expect(lookups.map(({ asks }) => asks)).toEqual([
      'Asks shop for tables and collections, and for keys that begin with “cart”',
      'Asks old for tables and collections, and for keys that begin with “cart”',
    ])
    expect(server.calls).toEqual([])
    const [shop, old] = await Promise.all(lookups.map(({ ask }) => ask(signal, () => {})))
    expect(shop?.things).toMatchObject([
      { name: 'cart/1', database: 'shop', to: { path: '/keys?db=shop&key=cart%2F1' } },
    ])
    // Here a call that this server does not have; the others count.
    expect(shop?.says).toMatch(/^Collections: /)
    expect(old?.things).toEqual([])
  })

  test('each fail alone', async () => {
    const of = await here()
    const lookups = lookupsElsewhere(of, 'cart', 'server')
    server.databases.delete('old')
    const [shop, old] = await Promise.allSettled(lookups.map(({ ask }) => ask(signal, () => {})))
    expect(shop?.status).toBe('fulfilled')
    expect(old?.status).toBe('rejected')
  })

  test('are left out where there are very many, which is said', async () => {
    server = fakeImmudb({
      databases: ['defaultdb', 'x', 'y', ...Array.from({ length: 60 }, (_, at) => `d${at}`)],
    })
    const tab = openTab(server)
    await signIn(tab)
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data?.length).toBe(63))
    expect(lookupsElsewhere(hereOf(tab.store), 'a', 'server')).toHaveLength(50)
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
    const lookup = () => lookupsElsewhere(hereOf(store), 'cart', 'servers').at(-1)
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
})
