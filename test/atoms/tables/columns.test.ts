// @vitest-environment node
import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { allColumns, chooseColumns, columnChoiceAtom, ordered } from '~/atoms/tables/columns'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { columnsStorageKey } from '~/lib/storage-keys'

const of = { database: 'db', table: 'people' }

function openStore(driver = memoryDriver()) {
  const store = createStore()
  store.set(
    storageAtom,
    openStorage(
      () => Promise.resolve(driver),
      () => {},
    ),
  )
  return { store, driver }
}

test('a choice of columns is kept for its table, and ends with the choice of all', async () => {
  const { store, driver } = openStore()
  const choice = { order: ['age', 'id'], hidden: ['name'] }
  expect(await chooseColumns(store, { ...choice, ...of })).toBe(true)
  expect(store.get(columnChoiceAtom)('db', 'people')).toMatchObject(choice)
  expect(store.get(columnChoiceAtom)('db', 'orders')).toEqual(allColumns)
  expect(store.get(columnChoiceAtom)('other', 'people')).toEqual(allColumns)

  const later = openStore(driver).store
  const stop = later.sub(columnChoiceAtom, () => {})
  await expect.poll(() => later.get(columnChoiceAtom)('db', 'people')).toMatchObject(choice)
  await chooseColumns(later, { ...allColumns, ...of })
  expect(later.get(columnChoiceAtom)('db', 'people')).toEqual(allColumns)
  stop()
})

test('moved columns come first, and those that are new or gone do not disturb', () => {
  const choice = { order: ['c', 'gone', 'a'], hidden: [] }
  expect(ordered(['a', 'b', 'c', 'd'], choice)).toEqual(['c', 'a', 'b', 'd'])
})

test('what is shown of the history is kept with it, and a name of later is passed over', async () => {
  const { store, driver } = openStore()
  const choice = { order: [], hidden: [], history: ['transaction', 'time'] } as const
  await chooseColumns(store, { ...choice, ...of })
  expect(store.get(columnChoiceAtom)('db', 'people')).toEqual(choice)
  const { store: later } = openStore(driver)
  const stop = later.sub(columnChoiceAtom, () => {})
  await expect.poll(() => later.get(columnChoiceAtom)('db', 'people')).toEqual(choice)
  await later
    .get(storageAtom)
    .change(columnsStorageKey, (value) =>
      JSON.parse(JSON.stringify(value).replace('time', 'of a newer console')),
    )
  stop()
  const { store: again } = openStore(driver)
  const end = again.sub(columnChoiceAtom, () => {})
  await expect.poll(() => again.get(storageAtom).read(columnsStorageKey)).toBeTruthy()
  expect(again.get(columnChoiceAtom)('db', 'people')).toEqual(allColumns)
  end()
})
