/**
 * One of the browser's storages that answer at once. What it does not take, because it is switched
 * off, forbidden or full, lasts as long as the page.
 */
type StorageArea = {
  read(key: string): string | null
  /** False: the browser did not take it. */
  write(key: string, text: string): boolean
  remove(key: string): void
  keys(): readonly string[]
}

/** Shared by all tabs of this origin; it outlives them. */
export const sharedArea = areaOf('localStorage')

/** Of this tab alone; it outlives a reload. */
export const tabArea = areaOf('sessionStorage')

function areaOf(name: 'localStorage' | 'sessionStorage'): StorageArea {
  const memory = new Map<string, string>()
  // Where site data is blocked, the name itself throws.
  const tried = <T>(use: (area: Storage) => T, otherwise: T): T => {
    try {
      return use(globalThis[name])
    } catch {
      return otherwise
    }
  }
  return {
    read: (key) => memory.get(key) ?? tried((area) => area.getItem(key), null),
    write: (key, text) => {
      const isTaken = tried((area) => {
        area.setItem(key, text)
        return true
      }, false)
      if (isTaken) memory.delete(key)
      else memory.set(key, text)
      return isTaken
    },
    remove: (key) => {
      memory.delete(key)
      tried((area) => area.removeItem(key), undefined)
    },
    keys: () => [...new Set([...memory.keys(), ...tried(Object.keys, [])])],
  }
}
