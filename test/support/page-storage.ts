import type { Page } from 'playwright-core'
import type { OldProfile } from './old-profile'

const database = 'localforage'
const store = 'keyvaluepairs'
const stateKey = 'webconsole'

/** Where the persisted state is kept. */
export const stateAt = { name: database, storeName: store, key: stateKey }

/** Everything a page's origin keeps, as `place/key` and the value as JSON text. */
export async function readStorage(page: Page): Promise<ReadonlyMap<string, string>> {
  const entries = await page.evaluate(async () => {
    const found: [string, string][] = []
    for (const [name, area] of Object.entries({ localStorage, sessionStorage })) {
      for (const [key, value] of Object.entries(area)) found.push([`${name}/${key}`, String(value)])
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const opened = await settled(indexedDB.open(name))
      for (const storeName of opened.objectStoreNames) {
        const objects = opened.transaction(storeName).objectStore(storeName)
        const keys = await settled(objects.getAllKeys())
        const values = await settled(objects.getAll())
        keys.forEach((key, index) => {
          // Null is stored as undefined, of which there is no text.
          found.push([`${name}/${storeName}/${key}`, JSON.stringify(values[index] ?? null)])
        })
      }
      opened.close()
    }
    found.push(['cookie', document.cookie], ['history', JSON.stringify(history.state)])
    return found

    function settled<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    }
  })
  return new Map(entries)
}

/** The persisted state as the console left it, or undefined. */
export async function readState(page: Page): Promise<unknown> {
  const text = (await readStorage(page)).get(`${database}/${store}/${stateKey}`)
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Puts a value where the console keeps its state. The page must be one of the origin on which the
 * console does not run, such as `plainPage`, or it would write its own state over it.
 */
export async function seedState(page: Page, value: unknown): Promise<void> {
  await page.evaluate(
    async ({ name, storeName, key, value }) => {
      const request = indexedDB.open(name)
      request.onupgradeneeded = () => request.result.createObjectStore(storeName)
      const opened = await new Promise<IDBDatabase>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const transaction = opened.transaction(storeName, 'readwrite')
      transaction.objectStore(storeName).put(value, key)
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = reject
      })
      opened.close()
    },
    { ...stateAt, value },
  )
}

/**
 * Runs in a page before the console: puts a value where it keeps its state, if this profile has
 * none yet. The console asks for the same storage later, so it waits until this is done.
 */
export function seedNewState({ name, storeName, key, value }: typeof stateAt & { value: unknown }) {
  // Firefox runs it in the empty page before it as well, which may keep nothing.
  if (document.URL === 'about:blank') return
  const request = indexedDB.open(name)
  request.onupgradeneeded = () => request.result.createObjectStore(storeName).put(value, key)
  request.onsuccess = () => request.result.close()
}

/**
 * Puts a recorded profile in the place of all that the origin of the page keeps; the console must
 * not run on it, see `plainPage`.
 */
export async function seedProfile(page: Page, profile: OldProfile): Promise<void> {
  await page.evaluate(async ({ localStorage: local, sessionStorage: tab, cookie, databases }) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const revive = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(revive)
      if (typeof value !== 'object' || value === null) return value
      if ('$undefined' in value) return undefined
      if ('$map' in value) return new Map(revive(value.$map) as [unknown, unknown][])
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]))
    }
    for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value)
    for (const [key, value] of Object.entries(tab)) sessionStorage.setItem(key, value)
    // biome-ignore lint/suspicious/noDocumentCookie: Plain http has no other way.
    document.cookie = `${cookie}; path=/`
    for (const { name, version, stores } of databases) {
      await settled(indexedDB.deleteDatabase(name))
      const opening = indexedDB.open(name, version)
      opening.onupgradeneeded = () => {
        for (const store of Object.keys(stores)) opening.result.createObjectStore(store)
      }
      const opened = await settled(opening)
      const work = opened.transaction(Object.keys(stores), 'readwrite')
      for (const [store, values] of Object.entries(stores)) {
        for (const [key, value] of values) work.objectStore(store).put(revive(value), key)
      }
      await new Promise((resolve, reject) => {
        work.oncomplete = resolve
        work.onabort = reject
      })
      opened.close()
    }
  }, profile)
}
