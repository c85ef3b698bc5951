import type { Page } from 'playwright-core'
import { plainPage } from '../support/browser'

/** Where the copy is kept: beside what it is a copy of, so that nothing is changed by writing it down. */
const copyName = 'shown-copy'

/** Keeps a copy of all that the origin of the page stores, for {@link putBack}. */
export async function keepCopy(page: Page, base: string): Promise<void> {
  await page.goto(base + plainPage())
  await page.evaluate(copyOrPutBack, { copyName, isBack: false })
}

/**
 * Puts the copy in the place of all that the origin stores. A lie that is found out leaves its mark
 * on all that is verified later, so each is told to a browser that knows of no other.
 */
export async function putBack(page: Page, base: string): Promise<void> {
  await page.goto(base + plainPage())
  await page.evaluate(copyOrPutBack, { copyName, isBack: true })
}

/** Runs in the page. */
async function copyOrPutBack({ copyName, isBack }: { copyName: string; isBack: boolean }) {
  type Stores = Record<string, [keys: IDBValidKey[], values: unknown[]]>
  type Copy = { databases: Record<string, Stores>; local: [string, string][] }
  const settled = <T>(asked: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = () => reject(asked.error)
    })
  const done = (work: IDBTransaction) =>
    new Promise<void>((resolve, reject) => {
      work.oncomplete = () => resolve()
      work.onabort = () => reject(work.error)
    })
  const opening = indexedDB.open(copyName)
  opening.onupgradeneeded = () => opening.result.createObjectStore('copy')
  const kept = await settled(opening)
  const names = (await indexedDB.databases()).flatMap(({ name }) =>
    name && name !== copyName ? [name] : [],
  )
  const copy: Copy = isBack
    ? await settled(kept.transaction('copy').objectStore('copy').get('all'))
    : { databases: {}, local: Object.entries(localStorage) }
  for (const name of names) {
    const opened = await settled(indexedDB.open(name))
    const stores: Stores = copy.databases[name] ?? {}
    const all = [...opened.objectStoreNames]
    if (all.length > 0) {
      const work = opened.transaction(all, isBack ? 'readwrite' : 'readonly')
      const finished = done(work)
      for (const store of all) {
        const objects = work.objectStore(store)
        if (isBack) {
          objects.clear()
          const [keys, values] = stores[store] ?? [[], []]
          for (const [at, key] of keys.entries()) {
            objects.put(values[at], objects.keyPath === null ? key : undefined)
          }
        } else {
          stores[store] = [await settled(objects.getAllKeys()), await settled(objects.getAll())]
        }
      }
      await finished
    }
    opened.close()
    copy.databases[name] = stores
  }
  sessionStorage.clear()
  if (isBack) {
    localStorage.clear()
    for (const [key, value] of copy.local) localStorage.setItem(key, value)
  } else {
    const work = kept.transaction('copy', 'readwrite')
    work.objectStore('copy').put(copy, 'all')
    await done(work)
  }
  kept.close()
}
