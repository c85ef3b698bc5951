import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { listTransactions, type TxEntries, type TxHeader } from '~/api/transactions'
import { memoryOf } from '~/core/history/transaction-memory'
import { pagesOf } from '~/core/history/transaction-reader'
import { type TxAtTime, txAtTime } from '~/core/history/tx-at-time'
import { clientAtom } from '~/core/session/client'
import { memoizeByNames } from '~/lib/memoize-by-names'
import {
  isTouching,
  isTruncation,
  kindsOf,
  type Sought,
  type TxFilter,
  type TxKind,
} from './content'
import { soughtIn } from './sought'

/** Transactions that are asked for together; the pages of the list begin at fixed numbers. */
export const listPage = 50
/** Pages whose atoms are kept, far more than are in sight at once. */
const keptPages = 100

/**
 * Returns the query atom of a page of the list: the transactions from one number to another, by
 * their numbers. Pages have fixed bounds, so nothing shows twice or is left out while transactions
 * arrive.
 */
export const txPagesAtom = atom(() =>
  memoizeByNames(
    (database = '', from = '', to = '') =>
      atomWithQuery((get) => ({
        queryKey: ['transactions', database, 'page', from, to],
        staleTime: Number.POSITIVE_INFINITY,
        // The memory of what was read holds the same.
        gcTime: 0,
        structuralSharing: false,
        queryFn: async ({ signal }) => {
          const found = new Map<string, TxEntries>()
          const span = { from: BigInt(from), to: BigInt(to) }
          for await (const page of pagesOf({ get }, database, span, signal, listPage)) {
            for (const tx of page) found.set(tx.header.id, tx)
          }
          return found
        },
      })),
    keptPages,
  ),
)

/** What this session has read of a transaction of a database. */
export const rememberedTxAtom = atom((get) => (database: string, id: string) => {
  return memoryOf(get, database).get(id)
})

export type Scan = {
  /** Newest first. */
  readonly found: readonly TxEntries[]
  /** The transaction with which to continue; 0 when all were looked at. */
  readonly next: bigint
  /** Transactions whose kind could not be told, because one answer does not take their entries. */
  readonly unclear: number
  /** Of tables that were dropped the names are not known. */
  readonly isOfToday: boolean
}

/** Transactions looked at in one go, and matches after which it stops. */
const [scanned, mostFound] = [2_000n, 200]
const scanPage = 250n

/** What to look for, and where. `stop` ends the search with what was found so far. */
type Asked = {
  get: Getter
  database: string
  filter: TxFilter
  signal: AbortSignal
  stop: AbortSignal
}

/** Looks at older transactions than those of a scan, for as long as one go takes. */
async function lookFurther(asked: Asked, before: Scan, tell: (scan: Scan) => void): Promise<Scan> {
  const { database, filter, stop } = asked
  const end = before.next > scanned ? before.next - scanned : 0n
  const enough = before.found.length + mostFound
  let scan = before
  try {
    const sought =
      filter.touched === '' ? null : await soughtIn(asked.get, database, filter.touched, stop)
    scan = { ...scan, isOfToday: sought?.isOfToday ?? false }
    while (scan.next > end && scan.found.length < enough) {
      const low = scan.next - scanPage > end ? scan.next - scanPage + 1n : end + 1n
      const page = await readSpan(asked, { from: low, to: scan.next })
      stop.throwIfAborted()
      scan = { ...withPage(scan, page, filter, sought), next: low - 1n }
      tell(scan)
    }
  } catch (error) {
    if (!stop.aborted || asked.signal.aborted) throw error
  }
  return scan
}

/** The scan with the transactions from `next` down. */
function withPage(
  scan: Scan,
  page: readonly TxEntries[],
  filter: TxFilter,
  sought: Sought | null,
): Scan {
  const found = [...scan.found]
  let { unclear } = scan
  for (const tx of page.toReversed()) {
    const fits = isFitting(tx, filter, sought)
    if (fits === null) unclear += 1
    else if (fits) found.push(tx)
  }
  return { ...scan, found, unclear }
}

async function readSpan(
  { get, database, filter, stop }: Asked,
  span: { from: bigint; to: bigint },
): Promise<TxEntries[]> {
  const needsEntries = filter.touched !== '' || !isOfHeader(filter.kind)
  if (!needsEntries) return headersOf(get, database, span, stop)
  const found: TxEntries[] = []
  for await (const page of pagesOf({ get }, database, span, stop)) {
    found.push(...page)
  }
  return found
}

/** Headers alone, with the entries where they are known anyway. */
async function headersOf(
  get: Getter,
  database: string,
  { from, to }: { from: bigint; to: bigint },
  signal: AbortSignal,
): Promise<TxEntries[]> {
  const limit = Number(to - from) + 1
  const headers = await listTransactions(get(clientAtom), {
    database,
    from: String(from),
    limit,
    signal,
  })
  const memory = memoryOf(get, database)
  return headers.map((header) => memory.get(header.id) ?? { header, entries: null })
}

/** Whether headers alone tell a kind. */
const isOfHeader = (kind: TxKind | null) => kind === null || kind === 'truncation'

/** Null when the entries would tell and are not known. */
function isFitting(
  tx: TxEntries,
  { kind, entries }: TxFilter,
  sought: Sought | null,
): boolean | null {
  if (tx.header.nentries < entries) return false
  const isTouched = sought === null || isTouching(tx, sought)
  if (isTouched !== true) return isTouched
  if (kind === null) return true
  if (kind === 'truncation') return isTruncation(tx)
  return kindsOf(tx)?.includes(kind) ?? null
}

const scanKey = (database: string, { kind, entries, touched }: TxFilter, upTo: string) =>
  ['transactions', database, 'scan', kind ?? '', String(entries), touched, upTo] as const

/** Ends the searches under way, by their names as JSON. */
const stopsAtom = atom(() => new Map<string, AbortController>())

/**
 * Returns the query atom of the transactions that fit a filter, as far as was looked, which grows
 * while it is looked. Asked again it looks further.
 */
export const scansAtom = atom(() =>
  memoizeByNames((database = '', kind = '', entries = '', touched = '', upTo = '') =>
    atomWithQuery((get) => {
      const filter = { kind: (kind || null) as TxKind | null, entries: Number(entries), touched }
      const queryKey = scanKey(database, filter, upTo)
      return {
        queryKey,
        staleTime: Number.POSITIVE_INFINITY,
        structuralSharing: false,
        queryFn: async ({ signal }): Promise<Scan> => {
          const cache = get(queryClientAtom)
          const begun = { found: [], next: BigInt(upTo), unclear: 0, isOfToday: false }
          const control = new AbortController()
          get(stopsAtom).set(JSON.stringify(queryKey), control)
          const stop = AbortSignal.any([signal, control.signal])
          return lookFurther(
            { get, database, filter, signal, stop },
            cache.getQueryData<Scan>(queryKey) ?? begun,
            (scan) => cache.setQueryData(queryKey, scan),
          )
        },
      }
    }),
  ),
)

/** Ends a search with what was found so far; it can be continued. */
export const stopLookingAtom = atom(
  null,
  (get, _set, database: string, filter: TxFilter, upTo: string): void => {
    get(stopsAtom)
      .get(JSON.stringify(scanKey(database, filter, upTo)))
      ?.abort()
  },
)

/** The last transaction committed by a time, in seconds since 1970; rejects with `ApiError`. */
export const findTxAtTimeAtom = atom(
  null,
  (get, _set, database: string, newest: string, time: bigint): Promise<TxAtTime> => {
    const read = (from: bigint, limit: number): Promise<TxHeader[]> =>
      listTransactions(get(clientAtom), { database, from: String(from), limit })
    return txAtTime(read, newest, time)
  },
)
