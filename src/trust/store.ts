import { trustDatabase } from '~/lib/constants'

/** The object stores; `aside` has unreadable records of the others. */
export const stores = ['points', 'servers', 'keys', 'audits', 'log', 'incidents', 'aside'] as const
export type StoreName = (typeof stores)[number]

/**
 * The version of the stores, not of their records. Version 1 had no `incidents` and no `aside`. A
 * console of version 1 cannot open newer stores, so it cannot misread their records.
 */
const storesVersion = 2

/** A value that could not be read as what it should be, as it was. */
export type Aside = { store: StoreName; key: string; at: number; value: unknown }

/** Whether records outlive the page: yes, only once storage answers, never. */
export type Persistence = 'kept' | 'late' | 'memory'

/**
 * The store of trusted states. `change` reads, changes and writes one value in one transaction
 * across all tabs and resolves with the new value. Rejects when storage fails.
 */
export type TrustStore = {
  /** False: records are lost when the page closes. */
  readonly isKept: boolean
  /** All values of a store with their keys. */
  all(store: StoreName): Promise<[key: string, value: unknown][]>
  read(store: StoreName, key: string): Promise<unknown>
  /**
   * `undefined` from `change` leaves everything as it is, null removes. Where it calls `setAside`,
   * the value that was there is kept in the store `aside` at the same time.
   */
  change(
    store: StoreName,
    key: string,
    change: (value: unknown, setAside: () => void) => unknown,
  ): Promise<unknown>
}

/**
 * The browser's IndexedDB itself, because a library over it has no way to compare and write in one
 * transaction. Rejects when it is missing, switched off or broken. A connection that ended is opened
 * once more by the next call: what was deleted is empty then.
 * @param ended the connection ended: site data was cleared, or another tab deleted or changed it
 */
export async function openTrustStore(ended: () => void = () => {}): Promise<TrustStore> {
  let connection = openDatabase(ended)
  await connection
  let isKept = true
  const begin = async (...of: Parameters<IDBDatabase['transaction']>): Promise<IDBTransaction> => {
    const before = connection
    try {
      return (await before).transaction(...of)
    } catch {
      // Of several calls that find it ended the first opens it again.
      if (connection === before) connection = openDatabase(ended)
    }
    try {
      const transaction = (await connection).transaction(...of)
      isKept = true
      return transaction
    } catch (error) {
      isKept = false
      throw error
    }
  }
  const within = async <T>(
    store: StoreName,
    mode: IDBTransactionMode,
    work: (of: IDBObjectStore, tell: (found: T) => void, giveUp: (error: unknown) => void) => void,
  ) => {
    const transaction = await begin(mode === 'readonly' ? store : [store, 'aside'], mode)
    return new Promise<T>((resolve, reject) => {
      let found: T
      let why: unknown = null
      transaction.oncomplete = () => resolve(found)
      transaction.onabort = () =>
        reject(why ?? transaction.error ?? new DOMException('storage gave up', 'AbortError'))
      const tell = (value: T) => {
        found = value
      }
      work(transaction.objectStore(store), tell, (error) => {
        why = error
        transaction.abort()
      })
    })
  }
  // One that opens may still refuse to be used.
  await within<void>('points', 'readonly', (of) => of.get(''))
  return {
    get isKept() {
      return isKept
    },
    all: (store) =>
      within<[string, unknown][]>(store, 'readonly', (of, tell) => {
        const [keys, values] = [of.getAllKeys(), of.getAll()]
        values.onsuccess = () =>
          tell(values.result.map((value, at) => [String(keys.result[at]), value]))
      }),
    read: (store, key) =>
      within<unknown>(store, 'readonly', (of, tell) => {
        const request = of.get(key)
        request.onsuccess = () => tell(request.result ?? null)
      }),
    change: (store, key, change) =>
      within<unknown>(store, 'readwrite', (of, tell, giveUp) => {
        const request = of.get(key)
        request.onsuccess = () => {
          const before: unknown = request.result ?? null
          // An exception in an event handler would not reject the promise.
          try {
            const after = change(before, () => {
              const aside = asideOf(store, key, before)
              of.transaction.objectStore('aside').put(aside, asideKey(aside))
            })
            tell(after === undefined ? before : after)
            if (after === null) of.delete(key)
            else if (after !== undefined) of.put(after, key)
          } catch (error) {
            giveUp(error)
          }
        }
      }),
  }
}

const asideOf = (store: StoreName, key: string, value: unknown): Aside => ({
  store,
  key,
  at: Date.now(),
  value,
})

/** Where a record that was set aside lies. */
export const asideKey = ({ store, key, at }: Omit<Aside, 'value'>) =>
  JSON.stringify([store, key, at])

function openDatabase(ended: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // While a tab of an older build has it open, this waits, and storage counts as late.
    const request = indexedDB.open(trustDatabase, storesVersion)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const store of stores) {
        if (!result.objectStoreNames.contains(store)) result.createObjectStore(store)
      }
    }
    request.onsuccess = () => {
      // Another tab of a newer build may have to change the stores.
      request.result.onversionchange = () => {
        request.result.close()
        ended()
      }
      request.result.onclose = ended
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('storage cannot be opened'))
  })
}

/** The same for as long as the page is open. */
export function memoryTrustStore(): TrustStore {
  const values = new Map<StoreName, Map<string, unknown>>(stores.map((name) => [name, new Map()]))
  const of = (store: StoreName) => values.get(store) ?? new Map<string, unknown>()
  return {
    isKept: false,
    all: async (store) => [...of(store)],
    read: async (store, key) => of(store).get(key) ?? null,
    change: async (store, key, change) => {
      const before: unknown = of(store).get(key) ?? null
      const after = change(before, () => {
        const aside = asideOf(store, key, before)
        of('aside').set(asideKey(aside), aside)
      })
      if (after === null) of(store).delete(key)
      else if (after !== undefined) of(store).set(key, after)
      return after === undefined ? before : after
    },
  }
}

/** The reason when nothing is known about a history because storage does not answer. */
export const late = {
  cause: 'late',
  why: 'The storage of this browser has not answered yet, so nothing is compared with its records. Until it answers, findings are in memory only.',
} as const
