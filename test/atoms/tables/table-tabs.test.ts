import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { closeTable, noteTable, tableTabsAtom } from '~/atoms/tables/table-tabs'
import { databaseAtom } from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

beforeEach(() => sessionStorage.clear())

test('opened tables keep their order and what their addresses said', () => {
  const store = createStore()
  for (const table of ['a', 'b', 'c']) noteTable(store, { table })
  noteTable(store, { table: 'b', q: 'id:gt:1', tab: 'ddl' })
  expect(store.get(tableTabsAtom)).toEqual([
    { table: 'a' },
    { table: 'b', q: 'id:gt:1', tab: 'ddl' },
    { table: 'c' },
  ])
})

test('closing one leads to its neighbour, the last one to the editor', () => {
  const store = createStore()
  for (const table of ['a', 'b', 'c']) noteTable(store, { table })
  expect(closeTable(store, 'b')).toEqual({ table: 'c' })
  expect(closeTable(store, 'c')).toEqual({ table: 'a' })
  expect(closeTable(store, 'a')).toBeNull()
  expect(store.get(tableTabsAtom)).toEqual([])
})

test('a reload of the tab finds the open tables again, and another user or database does not', async () => {
  const server = fakeImmudb({
    databases: ['defaultdb', 'shop'],
    users: { eve: { password: 'x', permissions: { defaultdb: 1 } } },
  })
  const { store } = openTab(server)
  await signIn({ store })
  for (const table of ['a', 'b', 'c']) noteTable(store, { table })
  noteTable(store, { table: 'b', q: 'id:gt:1' })
  closeTable(store, 'c')
  const open = [{ table: 'a' }, { table: 'b', q: 'id:gt:1' }]
  const { store: again } = openTab(server)
  await signIn({ store: again })
  expect(again.get(tableTabsAtom)).toEqual(open)
  again.set(databaseAtom, 'shop')
  expect(again.get(tableTabsAtom)).toEqual([])
  const { store: other } = openTab(server)
  await signIn({ store: other }, 'eve', 'x')
  expect(other.get(tableTabsAtom)).toEqual([])
})

test('a session in memory alone keeps none', async () => {
  const { store } = openTab(fakeImmudb())
  await signIn({ store }, 'immudb', 'immudb', false)
  noteTable(store, { table: 'a' })
  expect(store.get(tableTabsAtom)).toEqual([{ table: 'a' }])
  expect(sessionStorage).toHaveLength(0)
})

test('the same user finds them again after a log-out, unless drafts were erased', async () => {
  const server = fakeImmudb({ users: { eve: { password: 'x', permissions: { defaultdb: 1 } } } })
  for (const [drafts, found] of [
    ['keep', [{ table: 'a' }]],
    ['erase', []],
  ] as const) {
    const { store } = openTab(server)
    await signIn({ store })
    noteTable(store, { table: 'a' })
    logOut(store, drafts)
    const { store: other } = openTab(server)
    await signIn({ store: other }, 'eve', 'x')
    expect(other.get(tableTabsAtom)).toEqual([])
    const { store: again } = openTab(server)
    await signIn({ store: again })
    expect(again.get(tableTabsAtom)).toEqual(found)
  }
})
