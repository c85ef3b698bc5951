import localforage from 'localforage'
import { storageDatabase, storageStore } from '~/lib/constants'
import type { StorageDriver } from './storage'

/** The browser's storage: IndexedDB, or localStorage where that is missing. */
export async function openDriver(): Promise<StorageDriver> {
  return localforage.createInstance({ name: storageDatabase, storeName: storageStore })
}
