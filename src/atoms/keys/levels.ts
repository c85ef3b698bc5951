import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { countKeys, type Entry, scanKeys } from '~/api/keys'
import type { Io } from '~/core/act'
import { behindNothing, type Load, listsOf, readPart } from '~/core/pages'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import {
  firstSeek,
  guessDelimiter,
  itemsOf,
  type Level,
  type Seek,
  seekAfter,
  usualDelimiters,
} from '~/immudb/key-levels'
import { pageSizes, serverRowLimit } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { base64Size } from '~/lib/size'
import { keysKey } from './key-list'
import { type KeyLine, lineOf } from './key-pages'

/** What stands in a level of the tree; a prefix is a byte string, see `Level`. */
export type LevelLine =
  /** `size` is null where only the transactions tell of the key. */
  (Omit<KeyLine, 'size'> & { size: number | null }) | { kind: 'prefix'; bytes: string }

export type LevelPage = {
  lines: readonly LevelLine[]
  /** Keys that were passed over, because their values cannot be read. */
  hidden: number
  /** Where more may follow; null at the end. */
  next: Seek | null
  /** The chosen delimiter, or the one that the first keys have; null before they were read. */
  delimiter: string | null
}

type Request = { database: string; prefix: string } & Partial<Load<LevelPage>>

/** Requests of one load: behind each prefix one, and the prefixes fill a screen. */
const callLimit = 40
/** Keys that the first request asks for, and fewest and most that one behind a prefix asks for. */
const [firstLimit, leastLimit, seekLimit] = [16, 2, 64]
/** Bytes of values that a request behind a prefix should bring at most. */
const sizeAimed = 65_536
/** Keys of its own, and bytes of values, after which a load of a level ends. */
const [mostKeys, mostBytes] = [pageSizes.keys, 4_194_304]

/**
 * Reads on in a level, with 40 requests at most: one for each prefix, because what begins with it is
 * passed over unread, and few more. Scans bring whole values, so it asks for few keys at a time, and
 * ends early where it meets many keys or large ones.
 * @param known what there is of the level
 * @throws ApiError
 */
export async function readLevel(
  client: Client,
  { database, prefix, signal, tell }: Request,
  known: LevelPage,
): Promise<LevelPage> {
  const lines = [...known.lines]
  let { hidden, next, delimiter } = known
  let limit = firstLimit
  let [calls, keys, bytes] = [0, 0, 0]
  const page = () => ({ lines: [...lines], hidden, next, delimiter })
  while (next && calls < callLimit && keys < mostKeys && bytes < mostBytes) {
    if (calls > 0) tell?.(page())
    const seek: Seek = next
    const asOne = await readPart(limit, (some) => {
      calls += 1
      return scanLevel(client, { database, prefix, seek, limit: some, signal })
    })
    const { part, size } = asOne
    if (typeof part === 'string') {
      // The key cannot be named without its value, so it is passed over by its place.
      hidden += 1
      next = { ...seek, offset: seek.offset + 1 }
      limit = 1
      continue
    }
    const names = part.map(({ key }) => atob(key))
    if (names.length > 0) delimiter ??= guessDelimiter(names) ?? usualDelimiters[0]
    const level: Level = { prefix, delimiter: delimiter ?? usualDelimiters[0] }
    const items = itemsOf(level, names)
    for (const { item, at } of items) {
      const entry = part[at]
      if (item.kind === 'prefix') lines.push({ kind: 'prefix', bytes: item.bytes })
      else if (entry) {
        lines.push(lineOf(entry))
        keys += 1
      }
    }
    bytes += part.reduce((sum, { value }) => sum + base64Size(value), 0)
    const last = items.at(-1)
    next = last ? seekAfter(level, last.item) : behindNothing(seek, asOne)
    limit = nextLimit(part, size, items)
  }
  return page()
}

/** A level of which nothing was read; without a delimiter its first keys decide. */
export function unreadLevel(delimiter: string | null): LevelPage {
  return { lines: [], hidden: 0, next: firstSeek, delimiter }
}

/**
 * Many keys at a time as long as keys of this level come. Few where prefixes come, and fewer where
 * all that was read began with one, because the server takes milliseconds for each value.
 */
function nextLimit(found: readonly Entry[], limit: number, items: ReturnType<typeof itemsOf>) {
  // Fewer than asked for: behind them is the end, or references to nothing.
  if (found.length < limit) return serverRowLimit
  if (items.at(-1)?.item.kind === 'key') return Math.min(pageSizes.keys, limit * 8)
  const mean = found.reduce((sum, { value }) => sum + base64Size(value), 0) / found.length
  const wanted = Math.max(leastLimit, items.length * 2, Math.floor(limit / 2))
  return Math.max(1, Math.min(seekLimit, wanted, Math.floor(sizeAimed / Math.max(1, mean))))
}

type Scan = {
  database: string
  prefix: string
  seek: Seek
  limit: number
  signal: AbortSignal | undefined
}

function scanLevel(client: Client, { database, prefix, seek, limit, signal }: Scan) {
  return scanKeys(client, {
    database,
    prefix: btoa(prefix),
    after: seek.from === null ? null : btoa(seek.from),
    isInclusive: seek.isInclusive,
    offset: seek.offset,
    limit,
    ...(signal ? { signal } : {}),
  })
}

/** A delimiter as a name of a list, which is a text. */
const delimiterName = (delimiter: string | null) => (delimiter === null ? '' : `=${delimiter}`)

/** The levels of the keys of a database, by their delimiters and prefixes. */
const levels = listsOf<LevelPage>({
  key: (database = '', delimiter = '', prefix = '') => [
    ...keysKey(database),
    'level',
    delimiter,
    prefix,
  ],
  // A guess stays as long as there are keys, so that the tree does not change its shape.
  start: (before, _database, named = '') =>
    unreadLevel(before?.lines.length ? before.delimiter : named === '' ? null : named.slice(1)),
  read: (io, known, load, database = '', _delimiter, prefix = '') =>
    readLevel(io.get(clientAtom), { database, prefix, ...load }, known),
  next: ({ next }) => next,
  size: ({ lines }) => lines.length,
  lasts: 'until growth',
})

/**
 * Returns the atom of several levels by their prefixes: the first one and those that are open. The
 * others have the delimiter of the first, which may be a guess.
 */
export const shownLevelsAtom = atom((getter) => {
  const levelOf = getter(levels.listsAtom)
  const atomOf = memoizeByNames((database = '', named = '', ...open) =>
    atom((get) => {
      const first = get(levelOf(database, named, ''))
      const delimiter = first.data?.delimiter ?? null
      const ask = (prefix: string) =>
        [prefix, get(levelOf(database, delimiterName(delimiter), prefix))] as const
      const below = delimiter === null ? [] : open
      return new Map([['', first] as const, ...below.map(ask)])
    }),
  )
  return (database: string, chosen: string | null, open: Iterable<string>) =>
    atomOf(database, delimiterName(chosen), ...open)
})

/** Reads on in a level of the open database. */
export function addToLevel(io: Io, delimiter: string | null, prefix: string): Promise<boolean> {
  return levels.more(io, io.get(databaseAtom) ?? '', delimiterName(delimiter), prefix)
}

/** Counts the keys that begin with a byte string, deleted and expired ones included. */
export async function countPrefix(io: Io, prefix: string): Promise<string> {
  const database = io.get(databaseAtom) ?? ''
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  return countKeys(client, { database, prefix: btoa(prefix) })
}
