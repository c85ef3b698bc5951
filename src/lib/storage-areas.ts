import { tried } from './tried'

/**
 * One of the browser's storages that answer at once. What it does not take, because it is switched
 * off, forbidden or full, lasts as long as the page.
 */
type StorageArea = {
  read(key: string): string | null
  /** False: the browser did not take it. */
  write(key: string, text: string): boolean
  remove(key: string): void
  /** A key that was not taken may come twice. */
  keys(): readonly string[]
}

/** Shared by all tabs of this origin; it outlives them. */
export const sharedArea = areaOf('localStorage')

/** Of this tab alone; it outlives a reload. */
export const tabArea = areaOf('sessionStorage')

function areaOf(name: 'localStorage' | 'sessionStorage'): StorageArea {
  const memory = new Map<string, string>()
  // Where site data is blocked, the name itself throws.
  const inArea = <T>(use: (area: Storage) => T, otherwise: T) =>
    tried(() => use(globalThis[name]), otherwise)
  return {
    read: (key) => memory.get(key) ?? inArea((area) => area.getItem(key), null),
    write: (key, text) => {
      const isTaken = inArea((area) => {
        area.setItem(key, text)
        return true
      }, false)
      if (isTaken) memory.delete(key)
      else memory.set(key, text)
      return isTaken
    },
    remove: (key) => {
      memory.delete(key)
      inArea((area) => area.removeItem(key), undefined)
    },
    keys: () => [...memory.keys(), ...inArea(Object.keys, [])],
  }
}
