/**
 * A tree over the keys of a database, one level at a time. Keys stand here as byte strings, one
 * character for each byte as `atob` gives them, which sort as the server sorts keys.
 */

/** The keys below a prefix, up to the next delimiter; an empty delimiter makes one flat level. */
export type Level = { prefix: string; delimiter: string }

/** `prefix`: begins at least one key, and ends with the delimiter. */
export type LevelItem = { kind: 'key' | 'prefix'; bytes: string }

/** Where a scan continues: at a key or after it (null: at the first), skipping some keys there. */
export type Seek = { from: string | null; isInclusive: boolean; offset: number }

export const firstSeek: Seek = { from: null, isInclusive: false, offset: 0 }

/** What a key, which begins with the level's prefix, is there: itself, or part of a prefix. */
export function itemOf({ prefix, delimiter }: Level, key: string): LevelItem {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
  return at < 0
    ? { kind: 'key', bytes: key }
    : { kind: 'prefix', bytes: key.slice(0, at + delimiter.length) }
}

/** The smallest byte string behind all that begin with the prefix; null when none is. */
export function afterPrefix(prefix: string): string | null {
  const kept = prefix.replace(/\xff+$/, '')
  if (kept === '') return null
  const last = kept.charCodeAt(kept.length - 1)
  return kept.slice(0, -1) + String.fromCharCode(last + 1)
}

/** Where a scan of a level continues behind an item; null when nothing can follow. */
export function seekAfter({ prefix }: Level, { kind, bytes }: LevelItem): Seek | null {
  if (kind === 'key') return { from: bytes, isInclusive: false, offset: 0 }
  const from = afterPrefix(bytes)
  // The server refuses to begin outside of the prefix that it scans.
  if (!from?.startsWith(prefix)) return null
  return { from, isInclusive: true, offset: 0 }
}

/**
 * The items of keys in their order, each once, with the place of the key that gave it. Keys below a
 * prefix that was met are passed over.
 */
export function itemsOf(level: Level, keys: readonly string[]): { item: LevelItem; at: number }[] {
  const found: { item: LevelItem; at: number }[] = []
  for (const [at, key] of keys.entries()) {
    const item = itemOf(level, key)
    const last = found.at(-1)?.item
    if (last?.kind !== 'prefix' || last.bytes !== item.bytes) found.push({ item, at })
  }
  return found
}

/** What of a key or prefix is not said by the prefix above it. */
export function restOf({ prefix }: Level, bytes: string): string {
  return bytes.slice(prefix.length)
}

/** Delimiters that people put into keys, the most usual one first. */
export const usualDelimiters = [':', '/', '|', '.', '-', '_'] as const
/** Those that seldom stand in a name, time or number. */
const strong: readonly string[] = [':', '/', '|']

/**
 * The delimiter of most of the keys, at least half of them; null where there is none such. Of several
 * the one that begins the first level: an early one that is strong, such as `/` in `log/10:30`.
 */
export function guessDelimiter(keys: readonly string[]): string | null {
  const counts = usualDelimiters.map((delimiter) => {
    const places = keys.map((key) => key.indexOf(delimiter)).filter((at) => at >= 0)
    const mean = places.reduce((sum, at) => sum + at, 0) / Math.max(1, places.length)
    return { delimiter, count: places.length, mean, isStrong: strong.includes(delimiter) }
  })
  const most = Math.max(...counts.map(({ count }) => count))
  if (most === 0 || most * 2 < keys.length) return null
  const found = counts.filter(({ count }) => count >= most * 0.9)
  const [best] = found.some(({ isStrong }) => isStrong)
    ? found.filter(({ isStrong }) => isStrong).sort((a, b) => a.mean - b.mean)
    : found
  return best?.delimiter ?? null
}

/**
 * Another delimiter where no key has the chosen one; null where there is none such. A level without
 * any delimiter was wanted so.
 */
export function betterDelimiter(keys: readonly string[], chosen: string): string | null {
  if (keys.length < 2 || chosen === '' || keys.some((key) => key.includes(chosen))) return null
  return guessDelimiter(keys)
}

/** The prefix that a key is listed under: up to the last delimiter that begins a level. */
export function prefixOf(delimiter: string, key: string): string {
  let prefix = ''
  for (;;) {
    const item = itemOf({ prefix, delimiter }, key)
    if (item.kind === 'key') return prefix
    prefix = item.bytes
  }
}
