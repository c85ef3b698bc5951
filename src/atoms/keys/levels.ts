import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { isTooLarge } from '~/api/errors'
import { countKeys, type Entry, scanKeys } from '~/api/keys'
import { askOnGrowth } from '~/core/history/newest-state'
import { behindNothing } from '~/core/pages'
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
import { keyPageSize, serverRowLimit } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { rounds } from '~/lib/rounds'
import { base64Size } from '~/lib/size'
import { addAtom, additionAtom, keysKey } from './key-list'
import { type KeyLine, lineOf } from './key-pages'

/** What stands in a level of the tree; a prefix is a byte string, see `Level`. */
export type LevelLine =
  /** `size` is null where only the transactions tell of the key. */
  (Omit<KeyLine, 'size'> & { size: number | null }) | { kind: 'prefix'; bytes: string }

export type LevelPage = {
  lines: readonly LevelLine[]
  /** Keys that were passed over, because their values are over 4 MiB. */
  hidden: number
  /** Where more may follow; null at the end. */
  next: Seek | null
  /** The chosen delimiter, or the one that the first keys have. */
  delimiter: string
}

/** A level of the tree; without a chosen delimiter the first keys decide. */
type Asked = { prefix: string; delimiter: string | null }

type Request = Asked & {
  database: string
  signal?: AbortSignal
  /** Called with what was read so far, after each request but the last. */
  onPart?: (page: LevelPage) => void
}

/** Requests of one load: behind each prefix one, and the prefixes fill a screen. */
const callLimit = 40
/** Keys that the first request asks for, and fewest and most that one behind a prefix asks for. */
const [firstLimit, leastLimit, seekLimit] = [16, 2, 64]
/** Bytes of values that a request behind a prefix should bring at most. */
const sizeAimed = 65_536
/** Keys of its own, and bytes of values, after which a load of a level ends. */
const [mostKeys, mostBytes] = [keyPageSize, 4_194_304]

/**
 * Reads on in a level, with 40 requests at most: one for each prefix, because what begins with it is
 * passed over unread, and few more. Scans bring whole values, so it asks for few keys at a time, and
 * ends early where it meets many keys or large ones.
 * @throws ApiError
 */
export async function readLevel(
  client: Client,
  { database, signal, prefix, delimiter: chosen, onPart }: Request,
  from: Seek = firstSeek,
): Promise<LevelPage> {
  const lines: LevelLine[] = []
  let hidden = 0
  let next: Seek | null = from
  let delimiter = chosen
  let limit = firstLimit
  let [keys, bytes] = [0, 0]
  const isFull = () => keys >= mostKeys || bytes >= mostBytes
  const page = () => {
    return { lines: [...lines], hidden, next, delimiter: delimiter ?? usualDelimiters[0] }
  }
  for (let calls = 0; next && calls < callLimit && !isFull(); calls += 1) {
    if (calls > 0) onPart?.(page())
    const seek: Seek = next
    const found = await scanLevel(client, { database, prefix, seek, limit, signal })
    if (found === 'too-large') {
      // The key cannot be named without its value, so it is passed over by its place.
      if (limit === 1) {
        hidden += 1
        next = { ...seek, offset: seek.offset + 1 }
      }
      limit = Math.floor(limit / 8) || 1
      continue
    }
    const names = found.map(({ key }) => atob(key))
    if (names.length > 0) delimiter ??= guessDelimiter(names) ?? usualDelimiters[0]
    const level: Level = { prefix, delimiter: delimiter ?? usualDelimiters[0] }
    const items = itemsOf(level, names)
    for (const { item, at } of items) {
      const entry = found[at]
      if (item.kind === 'prefix') lines.push({ kind: 'prefix', bytes: item.bytes })
      else if (entry) {
        lines.push(lineOf(entry))
        keys += 1
      }
    }
    bytes += found.reduce((sum, { value }) => sum + base64Size(value), 0)
    const last = items.at(-1)
    next = last ? seekAfter(level, last.item) : behindNothing(seek, limit)
    limit = nextLimit(found, limit, items)
  }
  return page()
}

/**
 * Many keys at a time as long as keys of this level come. Few where prefixes come, and fewer where
 * all that was read began with one, because the server takes milliseconds for each value.
 */
function nextLimit(found: readonly Entry[], limit: number, items: ReturnType<typeof itemsOf>) {
  // Fewer than asked for: behind them is the end, or references to nothing.
  if (found.length < limit) return serverRowLimit
  if (items.at(-1)?.item.kind === 'key') return Math.min(keyPageSize, limit * 8)
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

async function scanLevel(client: Client, { database, prefix, seek, limit, signal }: Scan) {
  try {
    return await scanKeys(client, {
      database,
      prefix: btoa(prefix),
      after: seek.from === null ? null : btoa(seek.from),
      isInclusive: seek.isInclusive,
      offset: seek.offset,
      limit,
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (isTooLarge(error)) return 'too-large'
    throw error
  }
}

function longer(page: LevelPage, more: LevelPage): LevelPage {
  return {
    lines: [...page.lines, ...more.lines],
    hidden: page.hidden + more.hidden,
    next: more.next,
    delimiter: more.delimiter,
  }
}

/** A delimiter as the name of an atom, which is a text. */
const nameOf = (delimiter: string | null) => (delimiter === null ? '' : `=${delimiter}`)

const levelKey = (database: string, { delimiter, prefix }: Asked) =>
  [...keysKey(database), 'level', nameOf(delimiter), prefix] as const

/**
 * Returns the query atom of one level of the tree, with the loads made so far. The first load shows
 * each part as it comes.
 */
const keyLevelsAtom = atom(() =>
  memoizeByNames((database = '', named = '', prefix = '') => {
    const growth = askOnGrowth(database)
    const level: Asked = { delimiter: named === '' ? null : named.slice(1), prefix }
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: levelKey(database, level),
        enabled: database !== '',
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: async ({ signal, queryKey, client: cache }) => {
          growth.note(cache)
          const before = cache.getQueryData<LevelPage>(queryKey)
          const onPart = (part: LevelPage) => {
            if (!signal.aborted) cache.setQueryData<LevelPage>(queryKey, part)
          }
          // A part of a load that was left is not the level: it is read again when it is seen again.
          const forget = () => {
            const query = cache.getQueryCache().find({ queryKey, exact: true })
            if (!before && query?.getObserversCount() === 0) query.reset()
          }
          signal.addEventListener('abort', forget)
          // A guess stays as long as there are keys, so that the tree does not change its shape.
          const delimiter = before && before.lines.length > 0 ? before.delimiter : level.delimiter
          const request = { database, prefix, delimiter, signal, ...(before ? {} : { onPart }) }
          let page = await readLevel(client, request)
          const round = rounds()
          while (page.next && page.lines.length < (before?.lines.length ?? 0)) {
            round(page.next)
            page = longer(page, await readLevel(client, request, page.next))
          }
          return page
        },
      }
    })
  }),
)

/**
 * Returns the atom of several levels by their prefixes: the first one and those that are open. The
 * others have the delimiter of the first, which may be a guess.
 */
export const shownLevelsAtom = atom((getter) => {
  const levelOf = getter(keyLevelsAtom)
  const atomOf = memoizeByNames((database = '', named = '', ...open) =>
    atom((get) => {
      const first = get(levelOf(database, named, ''))
      const { delimiter } = first.data ?? {}
      const below = delimiter === undefined ? [] : open
      const ask = (prefix: string) =>
        [prefix, get(levelOf(database, nameOf(delimiter ?? null), prefix))] as const
      return new Map([['', first] as const, ...below.map(ask)])
    }),
  )
  return (database: string, chosen: string | null, open: Iterable<string>) =>
    atomOf(database, nameOf(chosen), ...open)
})

/** Names the addition of a level, see `additionAtom`. */
export const levelName = ({ delimiter, prefix }: Asked) => `level ${nameOf(delimiter)} ${prefix}`

/** Reads on in a level and shows each part as it comes, unless the level changed in the meantime. */
export const addToLevelAtom = atom(null, async (get, set, level: Asked) => {
  const database = get(databaseAtom) ?? ''
  const cache = get(queryClientAtom)
  const key = levelKey(database, level)
  const page = cache.getQueryData<LevelPage>(key)
  if (!page?.next || get(additionAtom).isBusy) return
  const from = page.next
  let shown = page
  const show = (more: LevelPage) => {
    if (cache.getQueryData<LevelPage>(key) !== shown) return
    shown = cache.setQueryData<LevelPage>(key, longer(page, more)) ?? shown
  }
  await set(addAtom, levelName(level), async () => {
    const { delimiter } = page
    const request = { database, prefix: level.prefix, delimiter, onPart: show }
    show(await readLevel(get(clientAtom), request, from))
  })
})

/** Counts the keys that begin with a byte string, deleted and expired ones included. */
export const countPrefixAtom = atom(null, async (get, set, prefix: string): Promise<string> => {
  const database = get(databaseAtom) ?? ''
  const client = get(clientAtom)
  await ensureDatabaseToken({ get, set }, client, database)
  return countKeys(client, { database, prefix: btoa(prefix) })
})
