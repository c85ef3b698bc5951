import localforage from 'localforage'
import { storageDatabase, storageStore } from '~/lib/constants'
import type { StorageDriver } from './storage'

/** The browser's storage: IndexedDB, or localStorage where that is missing. Loaded on its own. */
export const driver: StorageDriver = localforage.createInstance({
  name: storageDatabase,
  storeName: storageStore,
})
