import { createStore } from 'jotai'
import { vi } from 'vitest'
import { connect, type Store } from '~/core/session/client'
import { logIn } from '~/core/session/login'
import { openQueryCache } from '~/core/session/query-client'
import { openStorage, type StorageDriver } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { memoryTrustStore } from '~/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import type { FakeImmudb } from './fake-immudb'

export type Tab = {
  readonly store: Store
  /** What the browser would find in storage after a reload. */
  readonly driver: FakeDriver
  readonly storageFailures: readonly string[]
}

/** Storage in memory that, like a browser's, hands out copies. */
export type FakeDriver = StorageDriver & { readonly values: Map<string, unknown> }

export function fakeDriver(): FakeDriver {
  const values = new Map<string, unknown>()
  return {
    values,
    getItem: async (key) => structuredClone(values.get(key) ?? null),
    setItem: async (key, value) => values.set(key, structuredClone(value)),
    removeItem: async (key) => {
      values.delete(key)
    },
    keys: async () => [...values.keys()],
  }
}

/** A storage of the browser that answers at once, over the values of a map. */
export function areaOf(
  values: Map<string, string>,
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  }
}

/** A store wired to the fake server, as the start of the page would make it, without React. */
export function openTab(server: FakeImmudb, driver: FakeDriver = fakeDriver()): Tab {
  const store = createStore()
  const storageFailures: string[] = []
  connect(store, '/api', server.fetch)
  store.set(
    storageAtom,
    openStorage(
      () => Promise.resolve(driver),
      (reason) => storageFailures.push(reason),
    ),
  )
  // As in a new browser: what another test has met is not known here.
  store.set(trustedStatesAtom, new TrustedStates(async () => memoryTrustStore()))
  openQueryCache(store)
  return { store, driver, storageFailures }
}

/** Logs in and waits until the console would appear. */
export async function signIn(
  { store }: Pick<Tab, 'store'>,
  user = 'immudb',
  password = 'immudb',
  isStored = true,
): Promise<void> {
  await logIn(store, { user, password, isStored })
}

/** Waits until everything that was asked of storage is written. */
export async function stored({ store }: Pick<Tab, 'store'>, key = 'webconsole'): Promise<unknown> {
  return store.get(storageAtom).read(key)
}

/** Tries a check until it holds; a millisecond apart, because the fake server answers at once. */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  // As long as a busy machine may take.
  return vi.waitFor(check, { interval: 1, timeout: 5_000 })
}
