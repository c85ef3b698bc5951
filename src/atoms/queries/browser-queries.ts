import { atom } from 'jotai'
import * as v from 'valibot'
import { type Io, mountedAtom } from '~/core/act'
import { draftOwnerAtom } from '~/core/drafts'
import { storageAtom } from '~/core/storage/stored'
import { queriesStorageKey } from '~/lib/storage-keys'
import { joinChannel } from '~/lib/tab-channel'
import { isSameQuery, type QueryContent, queryText, readQuery, tidy } from './query-record'

/** Queries that this browser keeps for a user on a server; more would make each change slow. */
export const mostBrowserQueries = 2_000

/** A query that this browser keeps for the user. */
export type BrowserQuery = QueryContent & {
  readonly place: 'browser'
  /** Of which database it reads. */
  readonly database: string
  /** Another one after each change, so that a tab knows that another one was quicker. */
  readonly mark: string
  /** Milliseconds since 1970 when it was saved last. */
  readonly at: number
}

/** The last time that a date can have, in milliseconds since 1970. */
const lastTime = 8.64e15

const about = v.object({
  database: v.pipe(v.string(), v.nonEmpty()),
  mark: v.pipe(v.string(), v.regex(/^\d{1,15}$/)),
  at: v.pipe(
    v.number(),
    v.check((at) => at >= 0 && at <= lastTime),
  ),
})
const kept = v.object({
  queries: v.array(v.unknown()),
  /** The last mark that was given: none comes twice, also where a deleted query comes again. */
  lastMark: v.fallback(v.pipe(v.number(), v.safeInteger()), 0),
})

type Read = {
  readonly queries: readonly BrowserQuery[]
  readonly unread: readonly unknown[]
  readonly lastMark: number
}

/** What is stored; what cannot be read, of a newer console perhaps, is kept as it is. */
function readKept(value: unknown): Read {
  const found = v.safeParse(kept, value)
  const [queries, unread]: [BrowserQuery[], unknown[]] = [[], []]
  const ids = new Set<string>()
  for (const one of found.success ? found.output.queries : []) {
    const [query, rest] = [readQuery(one), v.safeParse(about, one)]
    if ('why' in query || !rest.success || ids.has(query.id)) {
      unread.push(one)
      continue
    }
    ids.add(query.id)
    queries.push({ ...query, ...rest.output, place: 'browser' })
  }
  const known = found.success ? found.output.lastMark : 0
  const lastMark = Math.max(known, ...queries.map(({ mark }) => Number(mark)))
  return { queries, unread, lastMark }
}

function storedOf(query: BrowserQuery): unknown {
  const { database, mark, at } = query
  return { ...JSON.parse(queryText(query)), database, mark, at }
}

const channelName = 'webconsole.queries'
const readAtom = atom<{ readonly place: string; readonly read: Read } | null>(null)

const placeAtom = atom((get): string | null => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return null
  return `${queriesStorageKey} ${JSON.stringify([owner.server, owner.user])}`
})

/** Reads them again; another tab may have changed them. */
export async function readBrowserQueries({ get, set }: Io): Promise<void> {
  const place = get(placeAtom)
  if (place === null) return
  const read = readKept(await get(storageAtom).read(place))
  if (get(placeAtom) === place) set(readAtom, { place, read })
}

const ownAtom = atom((get): Read | null => {
  const known = get(readAtom)
  return known !== null && known.place === get(placeAtom) ? known.read : null
})

/**
 * The queries that this browser keeps for the signed-in user; null until they are read. While
 * something shows them, changes of other tabs are heard.
 */
export const browserQueriesAtom = mountedAtom(
  (get) => get(ownAtom)?.queries ?? null,
  (io) => {
    void readBrowserQueries(io)
    const channel = joinChannel(channelName, () => void readBrowserQueries(io))
    return channel.close
  },
)

/** How many of those that are stored cannot be read. They stay as they are. */
export const unreadBrowserQueriesAtom = atom((get) => get(ownAtom)?.unread.length ?? 0)

/** For a query that could not be stored. */
export const queryNotKept = 'This browser could not store it. Nothing was changed.'

/** What a change came to: done, or why not. */
export type BrowserChange =
  | { readonly kind: 'done'; readonly query: BrowserQuery }
  /** It was changed or deleted since; `stored` is what there is. */
  | { readonly kind: 'conflict'; readonly stored: BrowserQuery | null }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Changes what is stored, from what is stored now. Rejects when it could not be stored.
 * @param to is given what gives each changed query its mark
 */
async function change(
  io: Io,
  to: (now: BrowserQuery[], nextMark: () => string) => readonly BrowserQuery[],
) {
  const place = io.get(placeAtom)
  if (place === null) throw new Error('nobody is logged in')
  const isKept = await io.get(storageAtom).change(place, (value) => {
    const read = readKept(value)
    let { lastMark } = read
    const queries = to([...read.queries], () => {
      lastMark += 1
      return String(lastMark)
    })
    return { queries: [...queries.map(storedOf), ...read.unread], lastMark }
  })
  if (!isKept) throw new Error('storage refused the saved queries')
  await readBrowserQueries(io)
  const channel = joinChannel(channelName)
  channel.tell('changed')
  channel.close()
}

const tooMany = `This browser keeps at most ${mostBrowserQueries} queries. Delete some, or save them as a file first.`

/**
 * Saves a query. `base` is the mark of what was changed, null for a new one: where something else is
 * stored by now, nothing is changed.
 */
export async function saveBrowserQuery(
  io: Io,
  of: QueryContent & { readonly database: string },
  base: string | null,
): Promise<BrowserChange> {
  let result: BrowserChange = { kind: 'refused', why: queryNotKept }
  try {
    await change(io, (now, nextMark) => {
      const at = now.findIndex(({ id }) => id === of.id)
      const stored = now[at]
      if (stored && isSameQuery(stored, of) && stored.database === of.database) {
        result = { kind: 'done', query: stored }
        return now
      }
      if ((stored?.mark ?? null) !== base) {
        result = { kind: 'conflict', stored: stored ?? null }
        return now
      }
      if (!stored && now.length >= mostBrowserQueries) {
        result = { kind: 'refused', why: tooMany }
        return now
      }
      const { database } = of
      const about = { database, mark: nextMark(), at: Date.now() }
      const query = { ...tidy(of), place: 'browser', ...about } as const
      result = { kind: 'done', query }
      return stored ? now.with(at, query) : [query, ...now]
    })
  } catch {
    return { kind: 'refused', why: queryNotKept }
  }
  return result
}

/** Deletes queries. What it resolves with brings back those that are not there again by then. */
export async function deleteBrowserQueries(
  io: Io,
  ids: ReadonlySet<string>,
): Promise<() => Promise<void>> {
  let deleted: readonly BrowserQuery[] = []
  await change(io, (now) => {
    deleted = now.filter(({ id }) => ids.has(id))
    return now.filter(({ id }) => !ids.has(id))
  })
  return () =>
    change(io, (now) => [...deleted.filter(({ id }) => !now.some((one) => one.id === id)), ...now])
}

/** Takes queries over from a file: new ones are added, those with a base take its place. */
export async function takeBrowserQueries(
  io: Io,
  taken: readonly {
    readonly query: QueryContent & { database: string }
    readonly base: string | null
  }[],
): Promise<{ readonly added: number; readonly replaced: number; readonly left: number }> {
  let [added, replaced, left] = [0, 0, 0]
  await change(io, (now, nextMark) => {
    ;[added, replaced, left] = [0, 0, 0]
    const all = [...now]
    for (const { query, base } of taken) {
      const at = all.findIndex(({ id }) => id === query.id)
      const stored = all[at]
      const hasRoom = stored !== undefined || all.length < mostBrowserQueries
      if ((stored?.mark ?? null) !== base || !hasRoom) {
        left += 1
        continue
      }
      const { database } = query
      const about = { database, mark: nextMark(), at: Date.now() }
      const next = { ...tidy(query), place: 'browser', ...about } as const
      if (stored) {
        all[at] = next
        replaced += 1
      } else {
        all.unshift(next)
        added += 1
      }
    }
    return all
  })
  return { added, replaced, left }
}
