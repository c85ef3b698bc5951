import { openDatabase } from '~/core/storage/database'
import { trustDatabase } from '~/lib/constants'

/** The object stores; `aside` has unreadable records of the others. */
export const stores = [
  'points',
  'servers',
  'keys',
  'audits',
  'log',
  'incidents',
  'witnesses',
  'sightings',
  'aside',
] as const
export type StoreName = (typeof stores)[number]

/**
 * The version of the stores, not of their records. Version 1 had no `incidents` and no `aside`,
 * version 2 no `witnesses` and no `sightings`. A console of an older version cannot open newer
 * stores, so it cannot misread their records.
 */
const storesVersion = 3

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
 * transaction. Rejects when it is missing, switched off or broken; see `openDatabase`.
 * @param ended the connection ended: site data was cleared, or another tab deleted or changed it
 */
export async function openTrustStore(ended: () => void = () => {}): Promise<TrustStore> {
  const database = await openDatabase({
    name: trustDatabase,
    version: storesVersion,
    stores,
    ended,
  })
  const read = (store: StoreName, key: string) =>
    database.transact<unknown>(store, 'readonly', (transaction) => {
      const request = transaction.objectStore(store).get(key)
      return () => request.result ?? null
    })
  // One that opens may still refuse to be used.
  await read('points', '')
  return {
    get isKept() {
      return database.isOpen
    },
    all: (store) =>
      database.transact<[string, unknown][]>(store, 'readonly', (transaction) => {
        const of = transaction.objectStore(store)
        const [keys, values] = [of.getAllKeys(), of.getAll()]
        return () => values.result.map((value, at) => [String(keys.result[at]), value])
      }),
    read,
    change: (store, key, change) =>
      database.transact<unknown>([store, 'aside'], 'readwrite', (transaction, follow) => {
        const of = transaction.objectStore(store)
        const request = of.get(key)
        let found: unknown
        follow(request, () => {
          const before: unknown = request.result ?? null
          const after = change(before, () => {
            const aside = asideOf(store, key, before)
            transaction.objectStore('aside').put(aside, asideKey(aside))
          })
          found = after === undefined ? before : after
          if (after === null) of.delete(key)
          else if (after !== undefined) of.put(after, key)
        })
        return () => found
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
