// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { databasesAtom, leaveDatabase, openDatabase } from '~/atoms/databases/database-list'
import {
  checkWork,
  dismissWorkReport,
  type Work,
  workOnDatabase,
  workReportsAtom,
  worksAtom,
} from '~/atoms/databases/operations'
import {
  checkCreated,
  checkSettings,
  createDatabase,
  saveDatabaseSettings,
  settingsOfAtom,
} from '~/atoms/databases/settings'
import { tablesAtom } from '~/atoms/tables/table-list'
import { usersAtom } from '~/atoms/users/user-list'
import { levelOnAtom, wildcardLevelAtom } from '~/atoms/users/viewer'
import { isHistoryShorterAtom, lastVisitAtom, noteVisitAtom } from '~/core/history/last-visit'
import { stateAtom } from '~/core/history/newest-state'
import { databaseAtom, lostDatabaseAtom, sessionAtom, troubleAtom } from '~/core/session/session'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

async function open(
  databases: readonly string[] = ['defaultdb', 'shop'],
  user?: { name: string; permissions: Record<string, number> },
): Promise<{ server: FakeImmudb; tab: Tab }> {
  const users = user ? { [user.name]: { password: 'x', permissions: user.permissions } } : {}
  const server = fakeImmudb({ databases, users })
  const tab = openTab(server)
  await signIn(tab, user?.name ?? 'immudb', user ? 'x' : 'immudb')
  for (const of of [databasesAtom, usersAtom]) tab.store.sub(of, () => {})
  await soon(() => expect(tab.store.get(databasesAtom).data).toBeDefined())
  await soon(() => expect(tab.store.get(usersAtom).data).toBeDefined())
  server.clear()
  return { server, tab }
}

const none: ReadonlyMap<string, string> = new Map()
const listed = ({ store }: Tab) => store.get(databasesAtom).data?.map(({ name }) => name)
const reportOf = ({ store }: Tab, name = 'shop') => store.get(workReportsAtom).get(name)
const sent = (server: FakeImmudb, path: string) =>
  server.calls.filter((call) => call.path.startsWith(path)).length

describe('creating', () => {
  test('a database shows it in the list, by the name the server gave it', async () => {
    const { server, tab } = await open()
    const outcome = await createDatabase(tab.store, 'Ledger', new Map([['maxKeyLen', '99']]))
    expect(outcome).toEqual({ kind: 'committed', value: 'ledger' })
    await soon(() => expect(listed(tab)).toEqual(['defaultdb', 'shop', 'ledger']))
    expect(server.databases.get('ledger')?.settings).toEqual({ maxKeyLen: { value: 99 } })
  })

  test('twice at once is sent once (F35)', async () => {
    const { server, tab } = await open()
    const both = [1, 2].map(() => createDatabase(tab.store, 'ledger', none))
    expect((await Promise.all(both)).map((outcome) => outcome?.kind)).toEqual([
      'committed',
      undefined,
    ])
    expect(sent(server, '/db/create/v2')).toBe(1)
  })

  test('that was never answered is unknown, and a look says that it is there', async () => {
    const { tab } = await open()
    const outcome = await createDatabase(tab.store, 'fault_lost_1', none)
    expect(outcome?.kind).toBe('unknown')
    expect(await checkCreated(tab.store, 'fault_lost_1')).toBe('fault_lost_1 exists now.')
    expect(await checkCreated(tab.store, 'other')).toBe('other does not exist yet. Check again.')
  })

  test('that is refused says why', async () => {
    const { tab } = await open()
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data).toBeDefined())
    const outcome = await createDatabase(tab.store, 'shop', none)
    expect(outcome).toMatchObject({ kind: 'refused', text: 'Database already exists.' })
  })

  test('F16: of a name that was free, “exists” may be the answer to a second delivery', async () => {
    const { server, tab } = await open()
    tab.store.sub(databasesAtom, () => {})
    await soon(() => expect(tab.store.get(databasesAtom).data).toBeDefined())
    const shop = server.databases.get('shop')
    if (shop) server.databases.set('new_one', shop)
    const outcome = await createDatabase(tab.store, 'new_one', none)
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(outcome).toHaveProperty('advice', expect.stringMatching(/sent it more than once/))
  })
})

describe('settings', () => {
  test('are read, saved as the difference and read again', async () => {
    const { server, tab } = await open()
    const { store } = tab
    const ofShop = store.get(settingsOfAtom)('shop')
    store.sub(ofShop, () => {})
    await soon(() => expect(store.get(ofShop).data?.size).toBe(0))
    const wanted = new Map([['maxConcurrency', '10']])
    expect(await saveDatabaseSettings(store, 'shop', wanted)).toMatchObject({ kind: 'committed' })
    expect(server.calls.find(({ path }) => path === '/db/update/v2')?.body).toEqual({
      database: 'shop',
      settings: { maxConcurrency: { value: 10 } },
    })
    await soon(() => expect(store.get(ofShop).data?.get('maxConcurrency')).toBe('10'))
    expect(await checkSettings(store, 'shop', wanted)).toBe('They are stored.')
    const other = new Map([['maxConcurrency', '11']])
    expect(await checkSettings(store, 'shop', other)).toBe('They are not stored so far.')
  })

  test('saved without a difference still hold settings: the server would die without', async () => {
    const { tab } = await open()
    expect(await saveDatabaseSettings(tab.store, 'shop', none)).toMatchObject({ kind: 'committed' })
  })

  test('that were never answered are unknown, are not sent twice, and can be looked for', async () => {
    const { server, tab } = await open(['defaultdb', 'fault_lost_1'])
    const wanted = new Map([['replicationSettings.primaryPassword', 's3cret']])
    const both = [1, 2].map(() => saveDatabaseSettings(tab.store, 'fault_lost_1', wanted))
    expect((await Promise.all(both)).map((one) => one?.kind)).toEqual(['unknown', undefined])
    expect(sent(server, '/db/update/v2')).toBe(1)
    expect(await checkSettings(tab.store, 'fault_lost_1', wanted)).toBe(
      'Whether the password is the new one is not known. Save it again.',
    )
    server.unplug()
    expect(await checkSettings(tab.store, 'fault_lost_1', wanted)).toContain('check itself')
  })

  test('refused after others had no answer are refused, and those again may have been done', async () => {
    const { server, tab } = await open(['defaultdb', 'fault_lost_1'])
    const save = (value: string) =>
      saveDatabaseSettings(tab.store, 'fault_lost_1', new Map([['maxConcurrency', value]]))
    expect(await save('10')).toMatchObject({ kind: 'unknown' })
    server.databases.delete('fault_lost_1')
    expect(await save('10')).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^The second attempt was refused/),
    })
    expect(await save('11')).toMatchObject({ kind: 'refused' })
  })

  test('the password is nowhere in the cache or in storage', async () => {
    const { server, tab } = await open()
    const password = { value: 's3cret-canary' }
    const shop = server.databases.get('shop')
    if (shop) shop.settings = { replicationSettings: { primaryPassword: password } }
    const ofShop = tab.store.get(settingsOfAtom)('shop')
    tab.store.sub(ofShop, () => {})
    await soon(() => expect(tab.store.get(ofShop).data?.size).toBe(1))
    await tab.store.get(databasesAtom).refetch()
    const kept = [tab.store.get(ofShop), tab.store.get(databasesAtom), [...tab.driver.values]]
    expect(JSON.stringify(kept.map((one) => ('data' in one ? one.data : one)))).not.toContain(
      'canary',
    )
    expect([...(tab.store.get(ofShop).data ?? [])].join()).not.toContain('canary')
  })
})

describe('work', () => {
  test('unloads, loads and deletes, each said and shown in the list', async () => {
    const { tab } = await open()
    const loaded = () =>
      tab.store.get(databasesAtom).data?.find(({ name }) => name === 'shop')?.loaded
    await workOnDatabase(tab.store, 'shop', { kind: 'unload' })
    expect(reportOf(tab)).toMatchObject({ status: 'done', kind: 'unload' })
    await soon(() => expect(loaded()).toBe(false))
    await workOnDatabase(tab.store, 'shop', { kind: 'load' })
    await soon(() => expect(loaded()).toBe(true))
    await workOnDatabase(tab.store, 'shop', { kind: 'delete' })
    expect(reportOf(tab)).toMatchObject({
      status: 'refused',
      text: 'Cannot delete an open database.',
    })
    await workOnDatabase(tab.store, 'shop', { kind: 'unload' })
    await workOnDatabase(tab.store, 'shop', { kind: 'delete' })
    await soon(() => expect(listed(tab)).toEqual(['defaultdb']))
    dismissWorkReport(tab.store, 'shop')
    expect(reportOf(tab)).toBeUndefined()
  })

  test.each<[Work, RegExp]>([
    [{ kind: 'compact' }, /too little to compact/],
    [{ kind: 'truncate', days: 1 }, /No value is older/],
    [{ kind: 'load' }, /^It is loaded/],
  ])('%o with nothing to do is information', async (work, words) => {
    const { server, tab } = await open()
    const report = await workOnDatabase(tab.store, 'shop', work)
    expect(report).toMatchObject({ status: 'usual', text: expect.stringMatching(words) })
    const call = server.calls.find(({ path }) => path === '/db/truncate')
    if (call) expect(call.body).toEqual({ database: 'shop', retentionPeriod: '86400000' })
  })

  test('unloading what is unloaded is information too', async () => {
    const { server, tab } = await open()
    const shop = server.databases.get('shop')
    if (shop) shop.isLoaded = false
    expect(await workOnDatabase(tab.store, 'shop', { kind: 'unload' })).toMatchObject({
      status: 'usual',
    })
  })

  test('flushes with a token of that very database, opened for it', async () => {
    const { server, tab } = await open()
    await workOnDatabase(tab.store, 'shop', { kind: 'flush', cleanup: '5', isSynced: true })
    const flush = server.calls.find(({ path }) => path.startsWith('/db/flushindex'))
    expect(flush).toMatchObject({
      database: 'shop',
      path: '/db/flushindex?cleanupPercentage=5&synced=true',
    })
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    expect(reportOf(tab)).toMatchObject({ status: 'done' })
  })

  test('under way is not started twice, another database’s may go on beside it', async () => {
    const { server, tab } = await open(['defaultdb', 'fault_held', 'shop'])
    const first = workOnDatabase(tab.store, 'fault_held', { kind: 'unload' })
    expect(tab.store.get(worksAtom).get('fault_held')).toBe('unload')
    expect(await workOnDatabase(tab.store, 'fault_held', { kind: 'unload' })).toBeNull()
    await workOnDatabase(tab.store, 'shop', { kind: 'unload' })
    server.release()
    expect(await first).toMatchObject({ status: 'done' })
    expect(tab.store.get(worksAtom).size).toBe(0)
    expect(sent(server, '/db/unload')).toBe(2)
  })

  test.each<[Work['kind'], string, RegExp]>([
    ['unload', 'lost', /It is unloaded/],
    ['unload', 'reset', /still loaded/],
  ])('%s with a connection that is %s is unknown until looked at', async (kind, fault, found) => {
    const name = `fault_${fault}_1`
    const { server, tab } = await open(['defaultdb', name])
    await workOnDatabase(tab.store, name, kind === 'unload' ? { kind } : { kind: 'load' })
    expect(reportOf(tab, name)).toMatchObject({ status: 'unknown', finding: null })
    await checkWork(tab.store, name)
    expect(reportOf(tab, name)?.finding).toMatch(found)
    expect(sent(server, '/db/unload')).toBe(1)
  })

  test('deleting that was never answered: the look finds it gone', async () => {
    const { server, tab } = await open(['defaultdb', 'fault_lost_1'])
    const found = server.databases.get('fault_lost_1')
    if (found) found.isLoaded = false
    await workOnDatabase(tab.store, 'fault_lost_1', { kind: 'delete' })
    await checkWork(tab.store, 'fault_lost_1')
    expect(reportOf(tab, 'fault_lost_1')?.finding).toBe('The database no longer exists.')
  })

  test('a name such as __proto__ is a name like others (A13)', async () => {
    const { tab } = await open(['defaultdb', '__proto__'])
    await workOnDatabase(tab.store, '__proto__', { kind: 'unload' })
    expect(reportOf(tab, '__proto__')).toMatchObject({ status: 'done' })
    expect('kind' in {}).toBe(false)
  })
})

describe('the database of this tab', () => {
  test('unloaded elsewhere is known from the first call about it, and loading cures it (F25)', async () => {
    const { server, tab } = await open()
    await openDatabase(tab.store, 'shop')
    tab.store.sub(stateAtom, () => {})
    await soon(() => expect(tab.store.get(stateAtom).data?.db).toBe('shop'))
    const shop = server.databases.get('shop')
    if (shop) shop.isLoaded = false
    await tab.store.get(stateAtom).refetch()
    expect(tab.store.get(troubleAtom)).toBe('unloaded')
    await workOnDatabase(tab.store, 'shop', { kind: 'load' })
    expect(tab.store.get(troubleAtom)).toBeNull()
    await soon(() => expect(tab.store.get(stateAtom).error).toBeNull())
  })

  test('deleted elsewhere is left for another one, with the reason kept (F26)', async () => {
    const { server, tab } = await open()
    await openDatabase(tab.store, 'shop')
    tab.store.sub(stateAtom, () => {})
    await soon(() => expect(tab.store.get(stateAtom).data?.db).toBe('shop'))
    server.databases.delete('shop')
    await tab.store.get(stateAtom).refetch()
    expect(tab.store.get(troubleAtom)).toBe('gone')
    expect(await leaveDatabase(tab.store, 'shop')).toBe('defaultdb')
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    expect(tab.store.get(lostDatabaseAtom)).toBe('shop')
    expect(tab.store.get(sessionAtom)?.databaseTokens.has('shop')).toBe(false)
    expect(tab.store.get(troubleAtom)).toBeNull()
  })

  test('deleted here, and one made again under its name has nothing of its tables and history', async () => {
    const { server, tab } = await open()
    await openDatabase(tab.store, 'shop')
    tab.store.sub(stateAtom, () => {})
    server.databases.set('shop', { isLoaded: true, txId: 7, tables: new Map() })
    await tab.store.get(stateAtom).refetch()
    const leave = tab.store.sub(tablesAtom, () => {})
    await soon(() => expect(tab.store.get(tablesAtom).data).toBeDefined())
    leave()
    tab.store.set(noteVisitAtom)
    await openDatabase(tab.store, 'defaultdb')
    await workOnDatabase(tab.store, 'shop', { kind: 'unload' })
    await workOnDatabase(tab.store, 'shop', { kind: 'delete' })
    await createDatabase(tab.store, 'shop', none)
    await openDatabase(tab.store, 'shop')
    await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('0'))
    expect(tab.store.get(tablesAtom).data).toBeUndefined()
    expect(tab.store.get(lastVisitAtom)).toBeNull()
    expect(tab.store.get(isHistoryShorterAtom)).toBe(false)
  })

  test('deleted here is left as well, and one made again is opened by a new token', async () => {
    const { tab } = await open()
    await openDatabase(tab.store, 'shop')
    await workOnDatabase(tab.store, 'shop', { kind: 'unload' })
    await workOnDatabase(tab.store, 'shop', { kind: 'delete' })
    expect(tab.store.get(databaseAtom)).toBe('defaultdb')
    await createDatabase(tab.store, 'shop', none)
    expect(await openDatabase(tab.store, 'shop')).toBe(true)
    expect(tab.store.get(databaseAtom)).toBe('shop')
  })
})

test('levels are those of each database, the wildcard’s only for the system admin', async () => {
  const clerk = { name: 'clerk', permissions: { defaultdb: 1, shop: 254, __proto__x: 2 } }
  const { tab } = await open(['defaultdb', 'shop'], clerk)
  const level = tab.store.get(levelOnAtom)
  expect(['defaultdb', 'shop', 'other', 'constructor'].map(level)).toEqual([1, 254, 0, 0])
  expect(tab.store.get(wildcardLevelAtom)).toBe(0)
  const admin = await open()
  expect(admin.tab.store.get(wildcardLevelAtom)).toBe(255)
})
