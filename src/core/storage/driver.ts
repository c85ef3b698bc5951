import localforage from 'localforage'
import { storageDatabase, storageStore } from '~/lib/constants'
import { type Database, openDatabase } from './database'
import type { StorageDriver } from './storage'

/**
 * The browser's storage: IndexedDB, or localStorage where that cannot be opened. A driver of our own
 * uses the database of localforage's IndexedDB, whose transactions may hold up the next page; see
 * `openDatabase`.
 */
export async function openDriver(): Promise<StorageDriver> {
  await localforage.defineDriver(driver)
  return localforage.createInstance({
    name: storageDatabase,
    storeName: storageStore,
    driver: [driver._driver, localforage.LOCALSTORAGE],
  })
}

let opened: Promise<Database>

/** @param next what follows from the answer, in the same transaction */
async function ask<T>(
  mode: IDBTransactionMode,
  make: (of: IDBObjectStore) => IDBRequest<T>,
  next?: (of: IDBObjectStore, answer: T) => void,
) {
  const database = await opened
  return database.transact(storageStore, mode, (transaction, follow) => {
    const of = transaction.objectStore(storageStore)
    const request = make(of)
    if (next) follow(request, () => next(of, request.result))
    return () => request.result
  })
}

/** What the console needs nothing of, though localforage asks every driver for it. */
const unused = async (): Promise<never> => {
  throw new Error('not used')
}

const change: StorageDriver['change'] = (key, to) =>
  ask(
    'readwrite',
    (of) => of.get(key),
    (of, old) => {
      const value = to(old ?? null)
      if (value === undefined) of.delete(key)
      else of.put(value, key)
    },
  )

const driver: Parameters<typeof localforage.defineDriver>[0] = {
  _driver: 'webconsole',
  /** Where it rejects, localforage takes the next driver. */
  async _initStorage() {
    opened = openDatabase({ name: storageDatabase, stores: [storageStore] })
    await opened
    // Not before: localStorage, which takes its place, must be without it.
    Object.assign(this, { change })
  },
  getItem: async (key) => (await ask('readonly', (of) => of.get(key))) ?? null,
  async setItem(key, value) {
    await ask('readwrite', (of) => of.put(value, key))
    return value
  },
  removeItem: (key) => ask('readwrite', (of) => of.delete(key)),
  keys: async () => (await ask('readonly', (of) => of.getAllKeys())).map(String),
  clear: unused,
  length: unused,
  key: unused,
  iterate: unused,
}
