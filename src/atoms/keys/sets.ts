import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { type SetEntry, scanSet, wireScore } from '~/api/sorted-sets'
import { askOnGrowth } from '~/core/history/newest-state'
import { readInParts } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { rounds } from '~/lib/rounds'
import { addAtom, additionAtom, keysKey } from './key-list'

type Place = Pick<SetEntry, 'key' | 'score' | 'atTx'>

/** The entries of a sorted set that were read. */
export type SetPage = {
  /** As the server sends them, see `inOrder`. */
  entries: readonly SetEntry[]
  /** Entries that were passed over, because their values cannot be read. */
  hidden: number
  next: { after: Place | null; offset: number } | null
}

type Listing = { database: string; set: string; signal?: AbortSignal }

/** The next entries of a sorted set, in the order of the server: negative scores come last. */
async function readSetPage(
  client: Client,
  listing: Listing,
  from: NonNullable<SetPage['next']> = { after: null, offset: 0 },
): Promise<SetPage> {
  const { found, next } = await readInParts<SetEntry, Place>(
    (asked, limit) => scanSet(client, { ...listing, ...asked, limit }),
    (entry) => entry,
    from,
  )
  const entries = found.filter((entry) => entry !== null)
  return { entries, hidden: found.length - entries.length, next }
}

function longer(page: SetPage, more: SetPage): SetPage {
  return {
    entries: [...page.entries, ...more.entries],
    hidden: page.hidden + more.hidden,
    next: more.next,
  }
}

const setKey = (database: string, set: string) => [...keysKey(database), 'set', set] as const

/** Returns the query atom of a sorted set, with the pages read so far; its name is base64. */
export const sortedSetsAtom = atom(() =>
  memoizeByNames((database = '', set = '') => {
    const growth = askOnGrowth(database)
    return atomWithQuery((get) => {
      const client = get(clientAtom)
      const answers = get(queryClientAtom)
      return {
        queryKey: setKey(database, set),
        refetchOnMount: () => growth.refetchOnMount(answers),
        queryFn: async ({ signal, queryKey, client: cache }) => {
          growth.note(cache)
          const before = cache.getQueryData<SetPage>(queryKey)?.entries.length ?? 0
          const listing = { database, set, signal }
          let page = await readSetPage(client, listing)
          const round = rounds()
          while (page.next && page.entries.length < before) {
            round(placeName(page.next))
            page = longer(page, await readSetPage(client, listing, page.next))
          }
          return page
        },
      }
    })
  }),
)

/** A place in a list of keys or a sorted set, whose place brings a whole entry. */
export function placeName<K>({ after, offset }: { after: K; offset: number }): readonly unknown[] {
  const { key = after, score, atTx } = Object(after) as Partial<SetEntry>
  return [key, score === undefined ? null : wireScore(score), atTx, offset]
}

/** Names the addition of a set, see `additionAtom`. */
export const additionOfSet = (set: string) => `set ${set}`

/** Reads on in a sorted set, unless it changed in the meantime. */
export const addSetEntriesAtom = atom(null, async (get, set, name: string) => {
  const database = get(databaseAtom) ?? ''
  const cache = get(queryClientAtom)
  const key = setKey(database, name)
  const page = cache.getQueryData<SetPage>(key)
  if (!page?.next || get(additionAtom).isBusy) return
  const from = page.next
  await set(addAtom, additionOfSet(name), async () => {
    const more = await readSetPage(get(clientAtom), { database, set: name }, from)
    cache.setQueryData<SetPage>(key, (now) => (now === page ? longer(page, more) : now))
  })
})

/**
 * The entries as they are shown: by their scores once the set is complete. The server's own order
 * is that of the scores' bytes: from 0 up, then the negative ones, the nearest to 0 first.
 */
export function inOrder({ entries, next }: SetPage): readonly SetEntry[] {
  if (next !== null) return entries
  return [...entries].sort((one, other) => rank(one.score) - rank(other.score) || 0)
}

/** What is not a number stands behind all numbers. */
const rank = (score: number) => (Number.isNaN(score) ? Number.POSITIVE_INFINITY : score)
