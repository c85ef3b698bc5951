import { beforeEach, describe, expect, test } from 'vitest'
import { draftAtom, keyDrafts } from '~/atoms/keys/drafts'
import { editorTextAtom, loadDraft } from '~/atoms/query/editor'
import { historyAtom, readStatementHistory } from '~/atoms/query/statement-history'
import { countDrafts, draftPlace } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { restoreSession } from '~/core/session/session-start'
import { readStored, storedAtom } from '~/core/storage/stored'
import { catalogTxOf } from '~/proof/saved-audit'
import { findRecord } from '~/trust/audit/audit-store'
import { memoryTrustStore, type StoreName } from '~/trust/store'
import type { TrustRecord } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { fakeImmudb } from '../support/fake-immudb'
import { oldProfile, revive, storeOf } from '../support/old-profile'
import { type FakeDriver, fakeDriver, openTab, signIn, soon, type Tab } from '../support/store'

const profile = oldProfile()
const recorded = new Map(
  storeOf(profile, 'localforage', 'keyvaluepairs').map(([key, value]) => [key, revive(value)]),
)
const state = recorded.get('webconsole') as Record<string, object>
const server = String(Reflect.get(state.auth ?? {}, 'server'))
const owner = { server, user: 'immudb' }

const sql = 'SELECT what, total\nFROM lines\nWHERE total > 2 -- not yet run'

let driver: FakeDriver

function openProfile(): Tab {
  const fake = fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })
  fake.becomeAnother(server)
  return openTab(fake, driver)
}

async function fillTrustStore({ store }: Tab): Promise<TrustedStates> {
  const door = memoryTrustStore()
  for (const [name, values] of Object.entries(profile.databases[1]?.stores ?? {})) {
    for (const [key, value] of values) {
      await door.change(name as StoreName, key, () => revive(value))
    }
  }
  const states = new TrustedStates(async () => door)
  store.set(trustedStatesAtom, states)
  return states
}

beforeEach(() => {
  sessionStorage.clear()
  driver = fakeDriver()
  for (const [key, value] of recorded) driver.values.set(key, structuredClone(value))
})

test('settings, looks and the session of the older console are all read', async () => {
  expect(readStored(state)).toMatchObject(state)
  const { store } = openProfile()
  await restoreSession(store, null)
  const { view, settings, visits } = store.get(storedAtom)
  expect(view).toEqual(state.view)
  expect(settings).toEqual({ ...state.settings, poll: 10, singleKeys: true })
  expect(view).toMatchObject({ theme: 'light', timezone: 'Europe/Vienna', sidebar: { mini: true } })
  expect(settings).toMatchObject({ fontSize: 18, wrap: false, idle: 45, readOnly: ['lent'] })
  expect(visits).toEqual(state.visits)
})

test('the database that was open is opened at the next login', async () => {
  const { store } = openProfile()
  await restoreSession(store, null)
  expect(store.get(storedAtom).database).toEqual({ active: 'orders', chosen: true })
})

describe('drafts of the older console, which say no server', () => {
  async function signedIn(user = 'immudb', password = 'immudb') {
    const tab = openProfile()
    await signIn(tab, user, password)
    return tab
  }

  async function keysDrafts(tab: Tab) {
    tab.store.sub(keyDrafts.areBackAtom, () => {})
    await soon(() => expect(tab.store.get(keyDrafts.areBackAtom)).toBe(true))
    return ['defaultdb', 'orders'].map((database) => {
      tab.store.set(databaseAtom, database)
      const { keyText, key, text, base } = tab.store.get(draftAtom) ?? {}
      return { keyText, key, text, base: base?.kind }
    })
  }

  test('are back for their user, and lie where today’s do', async () => {
    const tab = await signedIn()
    await loadDraft(tab.store)
    expect(tab.store.get(editorTextAtom)).toBe(sql)
    expect(await keysDrafts(tab)).toEqual([
      { keyText: '', key: 'Z3JlZXRpbmc=', text: 'hello, from the draft', base: 'revision' },
      { keyText: 'new key', key: null, text: 'a new value, not saved', base: 'nothing' },
    ])
    expect(driver.values.get(draftPlace('sql', owner))).toEqual({ drafts: [['defaultdb', sql]] })
    expect(JSON.stringify(driver.values.get(draftPlace('keys', owner)))).not.toContain('firstText')
    expect([...driver.values.keys()]).not.toContain('webconsole.drafts')
    expect([...driver.values.keys()]).not.toContain('webconsole.drafts.keys')
  })

  test('of a tab come before those of all tabs', async () => {
    for (const [key, value] of Object.entries(profile.sessionStorage)) {
      sessionStorage.setItem(key, value.replace('> 2', '> 3').replace('from the draft', 'newer'))
    }
    const tab = await signedIn()
    await loadDraft(tab.store)
    expect(tab.store.get(editorTextAtom)).toBe(sql.replace('> 2', '> 3'))
    expect((await keysDrafts(tab))[0]?.text).toBe('hello, newer')
    const left = Object.keys(sessionStorage)
    expect(left.sort()).toEqual([draftPlace('sql', owner), draftPlace('keys', owner)].sort())
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('firstText')
  })

  test('are nobody else’s, and wait for their user', async () => {
    const { store } = await signedIn('bob', 'b')
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe('')
    expect(driver.values.get('webconsole.drafts')).toEqual(recorded.get('webconsole.drafts'))
  })

  test('are counted at the log-out, and erased where that is asked for', async () => {
    const { store } = await signedIn()
    expect(await countDrafts(store)).toMatchObject({ sql: 1, keys: 2, rows: 0, documents: 0 })
    logOut(store, 'erase')
    await soon(() =>
      expect([...driver.values.keys()].filter((key) => key.includes('draft'))).toEqual([]),
    )
  })

  test('are erased in a tab that never looked at them', async () => {
    for (const [key, value] of Object.entries(profile.sessionStorage)) {
      sessionStorage.setItem(key, value)
    }
    const { store } = await signedIn()
    logOut(store, 'erase')
    expect({ ...sessionStorage }).toEqual({})
  })

  test.each([null, 'text', 7, {}, { user: 'immudb' }, { user: 'immudb', drafts: [null, 7] }])(
    'found as %j count as none',
    async (found) => {
      for (const kind of ['', '.keys']) driver.values.set(`webconsole.drafts${kind}`, found)
      const tab = await signedIn()
      await loadDraft(tab.store)
      expect(tab.store.get(editorTextAtom)).toBe('')
      expect((await keysDrafts(tab)).map(({ text }) => text)).toEqual([undefined, undefined])
    },
  )
})

test('statements that were run are in the history', async () => {
  const tab = openProfile()
  await signIn(tab)
  await readStatementHistory(tab.store)
  expect(tab.store.get(historyAtom)).toEqual(recorded.get('webconsole.history'))
  const { entries = [] } = tab.store.get(historyAtom) ?? {}
  expect(entries.map(({ text, status }) => [text, status])).toEqual([
    ['SELECT * FROM nowhere', 'failed'],
    ['SELECT COUNT(*) FROM parts', 'done'],
    ['SELECT * FROM lines', 'done'],
  ])
})

describe('what the older console knew of histories', () => {
  const of = (store: string) =>
    storeOf(profile, 'webconsole-trust', store).map(([key, value]) => [key, revive(value)] as const)

  test('is all read as it was recorded, and nothing is damaged', async () => {
    const states = await fillTrustStore(openProfile())
    const records = await states.all()
    const before = of('points').map(([, value]) => value as TrustRecord)
    const asRead = before.map((one) => ({ ...one, provenAt: one.moved > 0 ? one.checked : 0 }))
    expect(records).toEqual(asRead)
    expect(records.map(({ id, how, moved }) => [id.database, how, moved])).toEqual([
      ['defaultdb', 'first', 0],
      ['ledger', 'state', 2],
      ['lent', 'import', 0],
      ['orders', 'state', 2],
      ['stock', 'first', 0],
      ['defaultdb', 'first', 0],
    ])
    const orders = records.find(({ id }) => id.database === 'orders')
    expect([...(orders?.schemas.keys() ?? [])]).toEqual(['lines', 'parts'])
    expect(orders?.collections).toEqual(new Map([['notes', 1]]))
    const ledger = records.find(({ id }) => id.database === 'ledger')
    expect(ledger?.break).toMatchObject({ kind: 'object', what: 'key balance' })
    expect(ledger?.break?.acknowledgedAt).toBeGreaterThan(0)
    const { keys, servers, unreadable, isOfNewer } = await states.others()
    expect([...keys]).toEqual(of('keys'))
    expect([...servers]).toEqual([[profile.origin, { servers: of('servers')[0]?.[1], last: null }]])
    expect(servers.get(profile.origin)?.servers).toHaveLength(2)
    expect({ unreadable, isOfNewer }).toEqual({ unreadable: [], isOfNewer: false })
    const log = of('log').map(([, value]) => value)
    expect(await states.log()).toEqual(expect.arrayContaining(log))
    expect(await states.log()).toHaveLength(log.length)
  })

  test('a finished audit keeps its report, and a resting one the place where it rests', async () => {
    const tab = openProfile()
    await fillTrustStore(tab)
    const kept = new Map(of('audits').map(([key, value]) => [key, Object(value).record]))
    const find = (database: string) => {
      const id = { origin: profile.origin, server, database }
      return findRecord({ get: tab.store.get, set: tab.store.set }, id)
    }
    for (const database of ['orders', 'stock']) {
      const { record, isDamaged, trust } = await find(database)
      expect(isDamaged).toBe(false)
      expect(record).toEqual(kept.get(JSON.stringify([profile.origin, server, database])))
      expect(trust?.id.database).toBe(database)
    }
    const { report, finished } = (await find('orders')).record
    expect(report).toMatchObject({ first: '1', point: { txId: '6' }, counts: { documents: 2 } })
    expect(finished && catalogTxOf(finished)).toBe('6')
    const { resting } = (await find('stock')).record
    expect(resting).toMatchObject({ progress: { txId: '24', last: '40' } })
  })
})
