import type { Atom } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { newCollectionAtom, newCollectionDrafts } from '~/atoms/documents/collection-writes'
import { documentDraftAtom, documentDrafts } from '~/atoms/documents/drafts'
import { searchDraftAtom } from '~/atoms/documents/search-drafts'
import { idFieldForms, newFieldForms, newIndexForms } from '~/atoms/documents/structure-drafts'
import { draftAtom, keyDrafts } from '~/atoms/keys/drafts'
import { operationDrafts, operationsAtom } from '~/atoms/keys/keep-operations'
import { formatOfKeyAtom, keyViewAtom } from '~/atoms/keys/key-view'
import { delimiterForms, setNameForms } from '~/atoms/keys/name-drafts'
import { momentsAtom } from '~/atoms/moments/moments'
import { samplesBeforeAtom } from '~/atoms/overview/metrics'
import { editorTextAtom, loadDraft } from '~/atoms/query/editor'
import { historyAtom, readStatementHistory } from '~/atoms/query/statement-history'
import { columnChoiceAtom } from '~/atoms/tables/columns'
import { editsOfAtom, rowDrafts } from '~/atoms/tables/edits'
import { filterDraftAtom } from '~/atoms/tables/filter-drafts'
import { importDraftAtom } from '~/atoms/tables/import-drafts'
import { newTableDrafts } from '~/atoms/tables/new-table-drafts'
import { schemaForms } from '~/atoms/tables/schema-change'
import { countDrafts } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'
import { restoreSession } from '~/core/session/session-start'
import { readStored, storedAtom } from '~/core/storage/stored'
import { isHeld } from '~/core/storage/tab-name'
import { findBegun, findUpload, forgetUpload } from '~/core/upload-records'
import { findArrivals, findRecord } from '~/trust/audit/audit-store'
import { memoryTrustStore, type StoreName } from '~/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { fakeImmudb } from '../support/fake-immudb'
import { oldProfile, revive, storeOf } from '../support/old-profile'
import { type FakeDriver, fakeDriver, openTab, signIn, soon, type Tab } from '../support/store'

const profile = oldProfile('c12799e')
const recorded = new Map(
  storeOf(profile, 'localforage', 'keyvaluepairs').map(([key, value]) => [key, revive(value)]),
)
const server = 'dc1utkpksdubgoah0710'
const owner = { server, user: 'immudb' }
const place = { database: 'orders', table: 'lines' }

let driver: FakeDriver

beforeEach(() => {
  sessionStorage.clear()
  driver = fakeDriver()
  for (const [key, value] of recorded) driver.values.set(key, structuredClone(value))
})

function openProfile(): Tab {
  const fake = fakeImmudb({ databases: ['defaultdb', 'orders'] })
  fake.becomeAnother(server)
  return openTab(fake, driver)
}

/** In the tab that the console was open in, or in another one of the same browser. */
async function signedIn(isSameTab: boolean): Promise<Tab> {
  if (isSameTab)
    for (const [key, value] of Object.entries(profile.sessionStorage)) {
      sessionStorage.setItem(key, value)
    }
  const tab = openProfile()
  await signIn(tab)
  tab.store.set(databaseAtom, 'orders')
  return tab
}

async function back({ store }: Tab, drafts: { areBackAtom: Atom<boolean> }): Promise<void> {
  store.sub(drafts.areBackAtom, () => {})
  await soon(() => expect(store.get(drafts.areBackAtom)).toBe(true))
}

test('settings, looks, visits and what is read on arrival are all there', async () => {
  const state = recorded.get('webconsole')
  expect(readStored(state)).toMatchObject(Object(state))
  const { store } = openProfile()
  await restoreSession(store, null)
  const { view, settings, visits, arrivals } = store.get(storedAtom)
  expect(view).toMatchObject({
    system: true,
    timezone: 'Europe/Vienna',
    sidebar: { mini: true },
    paneSizes: { tables: 31, examples: 69 },
    hideNotActive: true,
  })
  expect(settings).toMatchObject({ fontSize: 17, wrap: false, idle: 45, poll: 30, quotes: 'text' })
  expect(settings).toMatchObject({ singleKeys: false, readOnly: ['lent'] })
  expect(visits).toMatchObject([{ database: 'orders', tx: '6', before: { tx: '4' } }])
  expect(arrivals).toEqual([{ server, database: 'orders' }])
})

describe.each([
  ['another tab', false],
  ['the tab of before', true],
])('in %s', (_name, isSameTab) => {
  test('everything that was typed for all tabs is back', async () => {
    const tab = await signedIn(isSameTab)
    const { store } = tab
    await loadDraft(store)
    expect(store.get(editorTextAtom)).toBe(
      'SELECT what, total\nFROM lines\nWHERE total > 3 -- not yet run',
    )
    await back(tab, keyDrafts)
    expect(store.get(draftAtom)).toMatchObject({
      keyText: 'refers',
      target: { text: 'greeting', format: 'text', atTx: '3' },
      base: { kind: 'nothing' },
    })
    await back(tab, operationDrafts)
    expect(store.get(operationsAtom)).toMatchObject([
      { kind: 'set', key: { text: 'a' }, value: { text: '1' }, expiry: '2027-01-01 10:00' },
      { kind: 'zadd', set: { text: 's' }, score: '1.5' },
    ])
    await back(tab, documentDrafts)
    expect(store.get(documentDraftAtom)).toMatchObject({
      collection: 'notes',
      text: '{"title":"typed and not saved"}',
      sent: { txBefore: '6' },
    })
    await back(tab, newCollectionDrafts)
    expect(store.get(newCollectionAtom)).toMatchObject({
      name: 'letters',
      fields: [{ name: 'to', type: 'STRING' }],
    })
    await back(tab, newTableDrafts)
    expect(store.get(newTableDrafts.draftsAtom).get('orders')).toMatchObject({
      table: 'shelves',
      columns: [{ name: 'id', isPrimaryKey: true, isAutoIncrement: true }],
    })
    await back(tab, rowDrafts)
    const { waiting } = store.get(editsOfAtom)(place)
    expect(waiting.map(({ kind, id }) => [kind, id])).toEqual([
      ['change', '["1"]'],
      ['add', 'new 1'],
      ['delete', '["2"]'],
    ])
    expect(waiting[1]?.copied).toEqual({ id: '["1"]', names: [] })
    expect(await countDrafts(store)).toMatchObject({
      sql: 1,
      keys: 1,
      operations: 1,
      documents: 1,
      collections: 1,
      tables: 1,
      rows: 1,
    })
  })
})

test('forms of the tab have what was typed and not applied', async () => {
  const { store } = await signedIn(true)
  const of = ['orders', 'notes'] as const
  expect(store.get(newFieldForms.readAtom)(...of)).toEqual({ name: 'pages', type: 'INTEGER' })
  expect(store.get(idFieldForms.readAtom)(...of)).toBe('key')
  expect(store.get(newIndexForms.readAtom)(...of)).toEqual({ fields: ['title'], isUnique: true })
  expect(store.get(setNameForms.readAtom)('orders')).toMatchObject({ text: 'ranks' })
  expect(store.get(delimiterForms.readAtom)('orders')).toMatchObject({ text: '|' })
  expect(store.get(filterDraftAtom)('orders', 'lines', '[]')).toMatchObject({
    isAny: true,
    conditions: [{ column: 'total', operator: '>', text: '2' }],
  })
  expect(store.get(schemaForms.readAtom)('orders', 'rename what')).toMatchObject({ to: 'item' })
  expect(store.get(searchDraftAtom)(...of, '')).toMatchObject({
    groups: [{ lines: [{ field: 'title', operator: 'EQ', text: 'a', upTo: '' }] }],
    order: 'title',
    isDescending: true,
    limit: '5',
  })
  const file = { name: 'parts.csv', size: 120, checksum: 3735928559 }
  expect(store.get(importDraftAtom)('orders', file)).toMatchObject({
    source: { firstLine: 1, hasHeader: true, nulls: [{ word: '', where: 'everywhere' }] },
    fresh: { table: 'parts', columns: [{ name: 'id', isIncluded: true }], key: [0] },
  })
  expect(store.get(samplesBeforeAtom)).toMatchObject({
    measurements: [{ at: 1795419944000, inUse: 3 }],
    presents: [{ of: 'orders', tx: 6 }],
  })
})

test('statements, named moments, the view of keys and chosen columns are there', async () => {
  const { store } = await signedIn(false)
  await readStatementHistory(store)
  expect(store.get(historyAtom)).toEqual(recorded.get('webconsole.history'))
  for (const one of [momentsAtom, keyViewAtom, columnChoiceAtom]) store.sub(one, () => {})
  await soon(() =>
    expect(store.get(momentsAtom)).toMatchObject([
      { name: 'before the fair', database: 'orders', txId: '5', isImported: true },
    ]),
  )
  await soon(() =>
    expect(store.get(keyViewAtom)).toMatchObject({ delimiter: '/', isTreeShown: false }),
  )
  expect(store.get(formatOfKeyAtom)(btoa('img/1'))).toMatchObject({ format: 'hex' })
  await soon(() =>
    expect(store.get(columnChoiceAtom)('orders', 'lines')).toEqual({
      order: ['total', 'what'],
      hidden: ['id'],
    }),
  )
})

describe('imports that were not at their end', () => {
  test('are known with what they committed, and can be forgotten', async () => {
    const { store } = await signedIn(false)
    const found = await findBegun(store)
    expect(found).toMatchObject([
      {
        kind: 'tables',
        plan: { database: 'orders', into: 'parts', items: 5, file: { name: 'big.csv' } },
        progress: { item: 2, line: 3, inserted: 2, txs: [{ from: '5', to: '5' }] },
      },
      {
        kind: 'documents',
        plan: { database: 'orders', into: 'notes', items: 3, file: { name: 'notes.ndjson' } },
        progress: { item: 2, inserted: 2, transactions: 1 },
      },
    ])
    expect(found.map(({ progress }) => progress.pending)).toMatchObject([
      { from: 3, to: 5, txBefore: '6' },
      { from: 3, to: 3, txBefore: '6' },
    ])
    for (const one of found) await forgetUpload(store, owner, one)
    expect([...driver.values.keys()].filter((key) => key.includes('imports'))).toEqual([])
    expect(await findBegun(store)).toEqual([])
  })

  test('are found by their file, so that none is imported twice without a word', async () => {
    const { store } = await signedIn(false)
    const csv = { name: 'renamed.csv', size: 64, checksum: 305419896 }
    const isFound = await findUpload(store, { kind: 'tables', database: 'orders' }, csv)
    expect(isFound).toMatchObject({ plan: { into: 'parts' }, isOfOlder: true })
  })

  test('are held while a tab of that console still runs them', async () => {
    const places = [...recorded.keys()].filter((key) => key.includes('webconsole.imports'))
    for (const at of places) {
      const holder = { tab: 'another', at: Date.now() }
      driver.values.set(at, { ...Object(driver.values.get(at)), holder })
    }
    const { store } = await signedIn(false)
    const found = await findBegun(store)
    expect(found.map((one) => isHeld(one, 'this', Date.now()))).toEqual([true, true])
  })

  test.each([
    ['damaged', { version: 1, plan: { database: 7 } }],
    ['of a newer console', { version: 4, plan: {} }],
  ])('stay where they are when they are %s', async (_name, value) => {
    const at = [...recorded.keys()].find((key) => key.includes('big.csv')) ?? ''
    driver.values.set(at, value)
    const { store } = await signedIn(false)
    expect((await findBegun(store)).map(({ kind }) => kind)).toEqual(['documents'])
    expect(driver.values.get(at)).toEqual(value)
  })
})

describe('what the console knew of histories', () => {
  const of = (store: string) =>
    storeOf(profile, 'webconsole-trust', store).map(([key, value]) => [key, revive(value)] as const)

  async function filled(): Promise<{ tab: Tab; states: TrustedStates }> {
    const tab = openProfile()
    const door = memoryTrustStore()
    for (const [name, values] of Object.entries(profile.databases[1]?.stores ?? {}))
      for (const [key, value] of values) {
        await door.change(name as StoreName, key, () => revive(value))
      }
    const states = new TrustedStates(async () => door)
    tab.store.set(trustedStatesAtom, states)
    return { tab, states }
  }

  test('is all read as it was recorded, and nothing is damaged', async () => {
    const { states } = await filled()
    const records = await states.all()
    expect(records).toHaveLength(of('points').length)
    for (const [, value] of of('points')) {
      const { version, ...rest } = Object(value)
      const read = records.find(({ id }) => JSON.stringify(id) === JSON.stringify(rest.id))
      expect(read).toMatchObject(rest)
    }
    const orders = records.find(({ id }) => id.database === 'orders')
    expect(orders?.moved).toBe(2)
    expect(orders?.collections).toEqual(new Map([['notes', 3]]))
    const { keys, servers, unreadable, isOfNewer } = await states.others()
    expect([...keys.values()]).toEqual([Object(of('keys')[0]?.[1]).key])
    expect(servers.get(profile.origin)?.servers[1]).toMatchObject({ reason: 'the new disk' })
    expect({ unreadable, isOfNewer }).toEqual({ unreadable: [], isOfNewer: false })
    expect((await states.log()).map(({ what }) => what).sort()).toEqual(
      of('log')
        .map(([, value]) => Object(value).what)
        .sort(),
    )
  })

  test('has its incidents', async () => {
    const { states } = await filled()
    const { incidents } = await states.others()
    expect([...incidents.values()].flatMap((one) => one.incidents)).toMatchObject([
      { kind: 'contradicted', what: 'key greeting' },
    ])
  })

  test('has the reports of audits, a resting one, and how far arrivals were read', async () => {
    const { tab } = await filled()
    const id = (database: string) => ({ origin: profile.origin, server, database })
    const orders = await findRecord(tab.store, id('orders'))
    expect(orders.isDamaged).toBe(false)
    expect(orders.record.report).toMatchObject({ first: '1', point: { txId: '6' } })
    const stock = await findRecord(tab.store, id('stock'))
    expect(stock.record.resting).toMatchObject({ progress: { txId: '24', last: '40' } })
    expect(await findArrivals(tab.store, id('orders'), orders.trust)).toMatchObject({
      first: '7',
      at: 1795419990000,
    })
  })
})
