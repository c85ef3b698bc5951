// @vitest-environment node
import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { closeTableAtom, noteTableAtom, tableTabsAtom } from '~/atoms/tables/tabs'

test('opened tables keep their order and what their addresses said', () => {
  const store = createStore()
  for (const table of ['a', 'b', 'c']) store.set(noteTableAtom, { table })
  store.set(noteTableAtom, { table: 'b', q: 'id:gt:1', tab: 'ddl' })
  expect(store.get(tableTabsAtom)).toEqual([
    { table: 'a' },
    { table: 'b', q: 'id:gt:1', tab: 'ddl' },
    { table: 'c' },
  ])
})

test('closing one leads to its neighbour, the last one to the editor', () => {
  const store = createStore()
  for (const table of ['a', 'b', 'c']) store.set(noteTableAtom, { table })
  expect(store.set(closeTableAtom, 'b')).toEqual({ table: 'c' })
  expect(store.set(closeTableAtom, 'c')).toEqual({ table: 'a' })
  expect(store.set(closeTableAtom, 'a')).toBeNull()
  expect(store.get(tableTabsAtom)).toEqual([])
})
