import { trustDatabase } from '~/lib/constants'

/** What is kept, each by its own keys. */
export const stores = ['points', 'servers', 'keys', 'audits', 'log'] as const
export type StoreName = (typeof stores)[number]

/** Whether what is written outlives the page: yes, not until storage answers, never. */
export type Keeping = 'kept' | 'late' | 'memory'

/**
 * Where trusted points are kept. `change` reads, changes and writes one value with nothing in
 * between, from whatever tab; it resolves with what is there afterwards. Rejects when storage fails.
 */
export type PointsDoor = {
  /** False: what is written is forgotten with the page. */
  readonly isKept: boolean
  all(store: StoreName): Promise<unknown[]>
  read(store: StoreName, key: string): Promise<unknown>
  /** `undefined` from `change` leaves everything as it is, null removes. */
  change(store: StoreName, key: string, change: (value: unknown) => unknown): Promise<unknown>
}

/**
 * The browser's IndexedDB itself, because a library over it has no way to compare and write in one
 * transaction. Rejects when it is missing, switched off or broken.
 */
export async function openPointsDoor(): Promise<PointsDoor> {
  const database = await opened()
  const within = <T>(
    store: StoreName,
    mode: IDBTransactionMode,
    work: (of: IDBObjectStore, tell: (found: T) => void, giveUp: (error: unknown) => void) => void,
  ) =>
    new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(store, mode)
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
  return {
    isKept: true,
    all: (store) =>
      within<unknown[]>(store, 'readonly', (of, tell) => {
        const request = of.getAll()
        request.onsuccess = () => tell(request.result)
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
          // What is thrown in an event's handler would reach nobody who waits.
          try {
            const after = change(before)
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

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(trustDatabase, 1)
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store)
    }
    request.onsuccess = () => {
      // Another tab of a newer build may have to change the stores.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('storage cannot be opened'))
    request.onblocked = () => reject(new Error('storage is held by another tab'))
  })
}

/** The same for as long as the page is open. */
export function memoryDoor(): PointsDoor & {
  /** All that was written, with where it belongs. */
  entries(): [StoreName, string, unknown][]
} {
  const values = new Map<StoreName, Map<string, unknown>>(stores.map((name) => [name, new Map()]))
  const of = (store: StoreName) => values.get(store) ?? new Map<string, unknown>()
  return {
    isKept: false,
    entries: () =>
      stores.flatMap((store) =>
        [...of(store)].map(([key, value]): [StoreName, string, unknown] => [store, key, value]),
      ),
    all: async (store) => [...of(store).values()],
    read: async (store, key) => of(store).get(key) ?? null,
    change: async (store, key, change) => {
      const before: unknown = of(store).get(key) ?? null
      const after = change(before)
      if (after === null) of(store).delete(key)
      else if (after !== undefined) of(store).set(key, after)
      return after === undefined ? before : after
    },
  }
}
