import type { Storage } from './storage'

/** The part of the storage whose names end with `place`, seen without that end. */
export function partOf(storage: Storage, place: string): Storage {
  return {
    read: (key) => storage.read(key + place),
    write: (key, value) => storage.write(key + place, value),
    change: (key, change) => storage.change(key + place, change),
    keep: (key, change) => storage.keep(key + place, change),
    remove: (key) => storage.remove(key + place),
    keys: async () =>
      (await storage.keys())
        .filter((key) => key.endsWith(place))
        .map((key) => key.slice(0, key.length - place.length)),
  }
}
