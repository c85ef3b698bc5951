import { type SetEntry, scanSet } from '~/api/sorted-sets'
import { listsOf, type PlaceIn, readInParts } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { keysKey } from './key-list'

/** The entries of a sorted set that were read. */
export type SetPage = {
  /** As the server sends them, see `inOrder`: negative scores come last. */
  entries: readonly SetEntry[]
  /** Entries that were passed over, because their values cannot be read. */
  hidden: number
  next: PlaceIn<SetPlace> | null
}

/** Where an entry stands in a sorted set. */
export type SetPlace = Pick<SetEntry, 'key' | 'score' | 'atTx'>
export const setPlace = ({ key, score, atTx }: SetEntry): SetPlace => ({ key, score, atTx })

/** The sorted sets of a database by their names, which are base64. */
export const sortedSets = listsOf<SetPage>({
  key: (database = '', set = '') => [...keysKey(database), 'set', set],
  start: () => ({ entries: [], hidden: 0, next: { after: null, offset: 0 } }),
  read: async (io, known, { signal }, database = '', set = '') => {
    if (known.next === null) return known
    const asked = { database, set, signal }
    const { found, next } = await readInParts<SetEntry, SetPlace>(
      (from, limit) => scanSet(io.get(clientAtom), { ...asked, ...from, limit }),
      setPlace,
      known.next,
    )
    const entries = found.filter((entry) => typeof entry !== 'string')
    const hidden = known.hidden + found.length - entries.length
    return { entries: [...known.entries, ...entries], hidden, next }
  },
  next: ({ next }) => next,
  size: ({ entries }) => entries.length,
  lasts: 'until growth',
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
