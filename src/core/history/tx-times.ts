import { atom, type Getter } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { listTransactions } from '~/api/transactions'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'

/** Transactions further apart than this are fetched in separate calls. */
const headerSpan = 100n
/** Lists of transactions whose atoms are kept, far more than are in sight at once. */
const keptLists = 100
/** Times that are kept. */
const keptTimes = 20_000

/** Commit times never change, so each is fetched once. */
const knownTimesAtom = atom(() => new Map<string, string>())

const nameOf = (database: string, id: string) => `${id} ${database}`

type Timed = { readonly id: string; readonly ts: string }

/** Keeps the commit times of transactions that were read for something else. */
export function keepTxTimes({ get }: { get: Getter }, database: string, headers: readonly Timed[]) {
  const known = get(knownTimesAtom)
  for (const { id, ts } of headers) known.set(nameOf(database, id), ts)
  for (const oldest of known.keys()) {
    if (known.size <= keptTimes) return
    known.delete(oldest)
  }
}

/**
 * Returns the query atom of commit times: seconds since 1970 by transaction. `ids` are joined by
 * commas. Transactions that the server no longer returns are left out.
 */
export const txTimesAtom = atom((getter) =>
  memoizeByNames(
    (database = '', ids = '') =>
      atomWithQuery((get) => {
        const client = get(clientAtom)
        return {
          queryKey: ['tx times', database, ids],
          staleTime: Number.POSITIVE_INFINITY,
          queryFn: async ({ signal }) => {
            const all = ids.split(',').filter(Boolean)
            const known = getter(knownTimesAtom)
            const found = new Map(all.map((id) => [id, known.get(nameOf(database, id)) ?? null]))
            const asked = groups(all.filter((id) => found.get(id) === null)).map(
              async ({ from, count }) => {
                const range = { database, signal, from, limit: count }
                const headers = await listTransactions(client, range)
                for (const { id, ts } of headers) if (found.has(id)) found.set(id, ts)
                keepTxTimes({ get: getter }, database, headers)
              },
            )
            await Promise.all(asked)
            return Object.fromEntries(found)
          },
        }
      }),
    keptLists,
  ),
)

/** Stretches of transactions that hold all ids, each short enough for one call. */
function groups(ids: readonly string[]): { from: string; count: number }[] {
  const sorted = ids.map(BigInt).sort((a, b) => (a < b ? -1 : 1))
  const found: { first: bigint; last: bigint }[] = []
  for (const id of sorted) {
    const group = found.at(-1)
    if (group && id - group.first < headerSpan) group.last = id
    else found.push({ first: id, last: id })
  }
  return found.map(({ first, last }) => ({ from: String(first), count: Number(last - first) + 1 }))
}
