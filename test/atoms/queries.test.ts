import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databasesAtom, freshDatabasesAtom, openDatabase } from '~/atoms/databases/database-list'
import { openDetailsAtom, refreshTables, tablesAtom, toggleTable } from '~/atoms/tables/table-list'
import { freshUsersAtom, levelAtom, usersAtom } from '~/atoms/users/user-list'
import { chosenTxAtom } from '~/core/history/as-of'
import {
  hasTransactionsAtom,
  isAway,
  outageAtom,
  presentTxAtom,
  refreshState,
  stateAtom,
} from '~/core/history/newest-state'
import { sessionLossAtom } from '~/core/session/session'
import { changeSettings } from '~/core/settings'
import { type FakeImmudb, fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn, type Tab } from '../support/store'

/** What the shell and the query screen look at. */
const watched = [databasesAtom, stateAtom, usersAtom, tablesAtom, openDetailsAtom]

let server: FakeImmudb
let tab: Tab
/** Leaves what shows the tables. */
let stops: (() => void)[] = []

async function open(options: Parameters<typeof fakeImmudb>[0] = {}, user = 'immudb') {
  server = fakeImmudb(options)
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 3,
    tables: new Map([['t', []]]),
  })
  tab = openTab(server)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'x')
  stops = []
  for (const of of watched) {
    const stop = tab.store.sub(of, () => {})
    if (of === tablesAtom || of === openDetailsAtom) stops.push(stop)
  }
  await settled()
}

/** Lets time pass, and with it everything that became due. */
const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The cache tells its watchers a turn later, and what they ask then needs another. */
const settled = () => passing(50)

function polls() {
  return server.log().filter((line) => line === 'GET /db/state').length
}

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  window.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  show('visible')
  vi.useRealTimers()
})

describe('the tables', () => {
  test('are listed again on return, once the database has grown', async () => {
    await open()
    const lists = () => server.log().filter((line) => line === 'GET /db/table/list').length
    server.clear()
    const visit = async () => {
      const leave = tab.store.sub(tablesAtom, () => {})
      await settled()
      leave()
    }
    for (const stop of stops) stop()
    await visit()
    expect(lists()).toBe(0)
    server.databases.set('defaultdb', {
      isLoaded: true,
      txId: 4,
      tables: new Map([
        ['t', []],
        ['new', []],
      ]),
    })
    await passing(10_100)
    await visit()
    expect(lists()).toBe(1)
    expect(tab.store.get(tablesAtom).data).toEqual(['t', 'new'])
  })
})

describe('after a login', () => {
  test('the whole console has made at most 7 calls, none of them twice (D9)', async () => {
    await open()
    expect(server.log()).toEqual([
      'GET /health',
      'POST /login',
      'POST /db/list/v2',
      'GET /db/use/defaultdb',
      'GET /db/state',
      'GET /user/list',
      'GET /db/table/list',
    ])
    await passing(9_000)
    expect(server.calls).toHaveLength(7)
  })

  test('an empty database is asked for no tables until it has a transaction', async () => {
    await open({ databases: ['defaultdb', 'shop'] })
    await openDatabase(tab.store, 'shop')
    await settled()
    server.clear()
    await passing(10_000)
    expect(server.log()).toEqual(['GET /db/state'])
    expect(tab.store.get(hasTransactionsAtom)).toBe(false)
    expect([tab.store.get(presentTxAtom), tab.store.get(chosenTxAtom)]).toEqual(['0', '1'])
    server.databases.set('shop', { isLoaded: true, txId: 1, tables: new Map([['first', []]]) })
    await passing(10_000)
    expect(tab.store.get(tablesAtom).data).toEqual(['first'])
    expect([tab.store.get(presentTxAtom), tab.store.get(chosenTxAtom)]).toEqual(['1', '1'])
  })

  test('a change of database asks for each thing once, with the token of the new one', async () => {
    await open({ databases: ['defaultdb', 'shop'] })
    server.databases.set('shop', { isLoaded: true, txId: 1, tables: new Map([['s', []]]) })
    server.clear()
    await openDatabase(tab.store, 'shop')
    await settled()
    expect(server.log().sort()).toEqual([
      'GET /db/state',
      'GET /db/table/list',
      'GET /db/use/shop',
      'GET /user/list',
    ])
    const others = server.calls.filter(({ path }) => !path.startsWith('/db/use'))
    expect(new Set(others.map(({ database }) => database))).toEqual(new Set(['shop']))
    expect(tab.store.get(tablesAtom).data).toEqual(['s'])
  })

  test('a late answer about the database before does not show in the new one (F43)', async () => {
    await open({ databases: ['defaultdb', 'fault_held', 'shop'] })
    await openDatabase(tab.store, 'fault_held')
    await openDatabase(tab.store, 'shop')
    await settled()
    server.release()
    await settled()
    expect(tab.store.get(stateAtom).data?.db).toBe('shop')
    expect(tab.store.get(tablesAtom).data).toBeUndefined()
  })
})

describe('the screen of the databases', () => {
  const lists = () => server.log().filter((line) => line === 'POST /db/list/v2').length
  const shown = (name: string) =>
    tab.store.get(freshDatabasesAtom).data?.find((one) => one.name === name)?.numTransactions

  test('asks for the list when it is opened, and follows the state poll after that', async () => {
    await open({ databases: ['defaultdb', 'shop'] })
    const stop = tab.store.sub(freshDatabasesAtom, () => {})
    await settled()
    stop()
    server.databases.set('shop', { isLoaded: true, txId: 53, tables: new Map() })
    server.clear()
    tab.store.sub(freshDatabasesAtom, () => {})
    await settled()
    expect([lists(), shown('shop')]).toEqual([1, '53'])
    server.databases.set('defaultdb', { isLoaded: true, txId: 4, tables: new Map() })
    await passing(10_100)
    expect([lists(), shown('defaultdb')]).toEqual([1, '4'])
  })
})

describe('the screen of the users', () => {
  test('asks for them when it is opened: others may have changed them', async () => {
    await open()
    server.users.set('erin', { password: 'x', permissions: { defaultdb: 1 } })
    tab.store.sub(freshUsersAtom, () => {})
    await settled()
    expect(tab.store.get(usersAtom).data?.map(({ user }) => user)).toContain('erin')
  })
})

describe('the state poll', () => {
  test('asks every ten seconds while the tab is visible, and not while it is hidden', async () => {
    await open()
    server.clear()
    await passing(30_000)
    expect(polls()).toBe(3)
    show('hidden')
    await passing(60_000)
    expect(polls()).toBe(3)
    show('visible')
    await passing(10_000)
    // One refresh of what has become old, not a burst (F46).
    expect(server.log().slice(3).sort()).toEqual([
      'GET /db/state',
      'GET /db/state',
      'GET /db/table/list',
      'GET /user/list',
      'POST /db/list/v2',
    ])
  })

  test.each([
    [30, 120_000, 4],
    [60, 120_000, 2],
    [300, 299_000, 0],
    [0, 3_600_000, 0],
  ] as const)('asks as it is set: every %s seconds, in %s ms %s times', async (poll, ms, times) => {
    await open()
    await changeSettings(tab.store, { poll })
    await settled()
    server.clear()
    await passing(ms)
    expect(polls()).toBe(times)
  })

  test('a change of the period asks for nothing by itself, and off can be left again', async () => {
    await open()
    server.clear()
    await changeSettings(tab.store, { poll: 0 })
    await passing(60_000)
    expect(server.log()).toEqual([])
    await refreshState(tab.store)
    expect(polls()).toBe(1)
    await changeSettings(tab.store, { poll: 10 })
    await passing(30_000)
    expect(polls()).toBe(4)
  })

  test('looks for a server that is away even when polling is off', async () => {
    await open()
    await changeSettings(tab.store, { poll: 0 })
    server.unplug()
    void refreshState(tab.store)
    await passing(5_000)
    expect(tab.store.get(outageAtom)).not.toBeNull()
    server.plug()
    await passing(5_000)
    expect(tab.store.get(outageAtom)).toBeNull()
    server.clear()
    await passing(60_000)
    expect(polls()).toBe(0)
  })

  test('never has two under way (F03, F45)', async () => {
    await open({ databases: ['defaultdb', 'fault_hang'] })
    await openDatabase(tab.store, 'fault_hang')
    server.clear()
    await passing(25_000)
    expect(polls()).toBeLessThanOrEqual(1)
  })

  test('hides two broken connections (F01)', async () => {
    await open({ databases: ['defaultdb', 'fault_reset_2'] })
    await openDatabase(tab.store, 'fault_reset_2')
    await passing(1_200)
    expect(tab.store.get(stateAtom).data?.db).toBe('fault_reset_2')
    expect(tab.store.get(outageAtom)).toBeNull()
  })

  test('says an outage within a poll, sees the end of it within 5 s and asks again for all (F02)', async () => {
    await open()
    server.unplug()
    await passing(11_000)
    expect(tab.store.get(outageAtom)).toMatchObject({ kind: 'network' })
    expect(tab.store.get(presentTxAtom)).toBe('3')
    server.clear()
    await passing(60_000)
    // Each try of a poll is four requests.
    expect(server.calls.length).toBeGreaterThan(8 * 4)
    expect(server.calls.length).toBeLessThan(30 * 4)
    server.databases.get('defaultdb')?.tables.set('made_meanwhile', [])
    server.plug()
    await passing(5_000)
    expect(tab.store.get(outageAtom)).toBeNull()
    expect(tab.store.get(tablesAtom).data).toEqual(['t', 'made_meanwhile'])
    server.clear()
    await passing(20_000)
    expect(server.log()).toEqual(['GET /db/state', 'GET /db/state'])
  })

  test('takes an unloaded database for no outage (F25)', async () => {
    await open()
    const database = server.databases.get('defaultdb')
    if (database) database.isLoaded = false
    await passing(10_000)
    expect(tab.store.get(stateAtom).error).toMatchObject({ message: 'already closed' })
    expect(tab.store.get(outageAtom)).toBeNull()
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })

  test('knows which failures mean that nobody answered', () => {
    expect(isAway(new Error('x'))).toBe(false)
    expect(isAway(null)).toBe(false)
  })

  test('waits quietly for a new login, then all is asked again, each once (F22)', async () => {
    await open()
    server.restart()
    await passing(10_000)
    expect(tab.store.get(sessionLossAtom)).toBe('ended')
    server.clear()
    await passing(120_000)
    expect(server.log()).toEqual([])
    server.databases.get('defaultdb')?.tables.set('made_meanwhile', [])
    const login = signIn(tab)
    await settled()
    await login
    await settled()
    expect(tab.store.get(tablesAtom).data).toEqual(['t', 'made_meanwhile'])
    expect(server.log().sort()).toEqual([
      'GET /db/state',
      'GET /db/table/list',
      'GET /db/use/defaultdb',
      'GET /health',
      'GET /user/list',
      'POST /db/list/v2',
      'POST /login',
    ])
  })
})

describe('tables', () => {
  test('opened in the tree bring their columns and indexes, each once', async () => {
    await open()
    server.clear()
    toggleTable(tab.store, 't', true)
    await settled()
    expect(server.log()).toEqual(['POST /db/tables', 'POST /db/sqlquery'])
    expect(tab.store.get(openDetailsAtom).get('t')?.data).toMatchObject({
      columns: [{ name: 'id', isPrimaryKey: true }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
      indexes: [{}, {}, {}, {}],
    })
    toggleTable(tab.store, 't', false)
    expect(tab.store.get(openDetailsAtom).size).toBe(0)
    toggleTable(tab.store, 't', true)
    await settled()
    expect(server.calls).toHaveLength(2)
  })

  test.each(['columns', '__proto__', 'constructor'])(
    'named %s are tables like others',
    async (name) => {
      await open()
      server.databases.get('defaultdb')?.tables.set(name, [])
      await refreshTables(tab.store)
      toggleTable(tab.store, name, true)
      await settled()
      expect(tab.store.get(openDetailsAtom).get(name)?.data?.columns).toHaveLength(10)
      expect(tab.store.get(tablesAtom).data).toEqual(['t', name])
    },
  )

  test('without the privilege to select: names and columns, no indexes, no error', async () => {
    const reader = { password: 'x', permissions: { defaultdb: 1 }, maySelect: false }
    await open({ users: { reader } }, 'reader')
    toggleTable(tab.store, 't', true)
    await settled()
    expect(tab.store.get(openDetailsAtom).get('t')).toMatchObject({
      data: { indexes: null },
      error: null,
    })
  })

  test('a failed listing is an error of its own and can be tried again', async () => {
    await open()
    server.unplug()
    const refreshed = refreshTables(tab.store)
    await passing(1_000)
    await refreshed
    expect(tab.store.get(tablesAtom).error).toMatchObject({ kind: 'network' })
    expect(tab.store.get(tablesAtom).data).toEqual(['t'])
    server.plug()
    await tab.store.get(tablesAtom).refetch()
    await settled()
    expect(tab.store.get(tablesAtom).error).toBeNull()
  })
})

describe('the level of the signed-in user', () => {
  test('of immudb comes from the wildcard', async () => {
    await open()
    expect(tab.store.get(levelAtom)).toBe(255)
  })

  test('of others is that of the open database', async () => {
    const clerk = { password: 'x', permissions: { defaultdb: 1, shop: 254 } }
    await open({ databases: ['defaultdb', 'shop'], users: { clerk } }, 'clerk')
    expect(tab.store.get(levelAtom)).toBe(1)
    await openDatabase(tab.store, 'shop')
    await settled()
    expect(tab.store.get(levelAtom)).toBe(254)
  })
})
