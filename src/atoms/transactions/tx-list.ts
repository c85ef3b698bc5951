import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { listTransactions, type TxEntries, type TxHeader } from '~/api/transactions'
import type { Io } from '~/core/act'
import { presentTxOfAtom } from '~/core/history/newest-state'
import { memoryOf } from '~/core/history/transaction-memory'
import { type CatalogueWrite, pagesOf, readRange } from '~/core/history/transaction-reader'
import { type TxAtTime, txAtTime } from '~/core/history/tx-at-time'
import { listsOf } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { pageSizes } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { fromBase64, utf8Text } from '~/proof/kernel/bytes'
import { hash } from '~/proof/kernel/hash'
import { collectionNamesQuery } from '../documents/collection-names'
import { readingAtom } from '../tables/catalogue-history'
import {
  isTouching,
  isTruncation,
  kindsOf,
  type Sought,
  type TxFilter,
  type TxKind,
} from './tx-kind'
import { tableIdsNamed } from './tx-tables'

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
          for await (const page of pagesOf(
            { get },
            database,
            span,
            signal,
            pageSizes.transactions,
          )) {
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
  /** What these were looked through for; null when the filter names nothing. */
  readonly sought: Sought | null
}

/** Transactions looked at in one go, and matches after which it stops. */
const [scanned, mostFound] = [2_000n, 200]
const scanPage = 250n

/** What to look for, and where. */
type Asked = { get: Getter; database: string; filter: TxFilter; signal: AbortSignal }

/**
 * Looks at older transactions than those of a scan, for as long as one go takes. It begins again when
 * what is sought is no longer what the scan was looked through for.
 */
async function scanFurther(
  asked: Asked,
  known: Scan,
  anew: Scan,
  tell: (scan: Scan) => void,
): Promise<Scan> {
  const { get, database, filter, signal } = asked
  const { touched } = filter
  const sought = touched === '' ? null : await soughtIn(get, database, touched, signal)
  signal.throwIfAborted()
  let scan = { ...(isSame(known.sought, sought) ? known : anew), sought }
  const end = scan.next > scanned ? scan.next - scanned : 0n
  const enough = scan.found.length + mostFound
  while (scan.next > end && scan.found.length < enough) {
    const low = scan.next - scanPage > end ? scan.next - scanPage + 1n : end + 1n
    const page = await readSpan(asked, { from: low, to: scan.next })
    signal.throwIfAborted()
    scan = { ...withPage(scan, page, filter, sought), next: low - 1n }
    tell(scan)
  }
  return scan
}

/** Whether both find the same; the tables of today may still be all there ever were. */
function isSame(one: Sought | null, other: Sought | null): boolean {
  if (one === null || other === null) return one === other
  return isSameSet(one.tables, other.tables) && isSameSet(one.collections, other.collections)
}

const isSameSet = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
  one.size === other.size && [...one].every((id) => other.has(id))

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
  { get, database, filter, signal }: Asked,
  span: { from: bigint; to: bigint },
): Promise<TxEntries[]> {
  const needsEntries = filter.touched !== '' || !isOfHeader(filter.kind)
  if (!needsEntries) return headersOf(get, database, span, signal)
  const found: TxEntries[] = []
  for await (const page of pagesOf({ get }, database, span, signal)) {
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

/** A scan of which nothing was looked at. */
const unread = (upTo: string): Scan => ({ found: [], next: BigInt(upTo), unclear: 0, sought: null })

/**
 * The transactions of a database that fit a filter, up to one and as far as was looked. Asked again,
 * as after an outage, a scan begins anew, because what answers may have another history.
 */
export const scans = listsOf<Scan>({
  key: (database = '', ...filter) => ['transactions', database, 'scan', ...filter],
  start: (_before, _database, _kind, _entries, _touched, upTo = '0') => unread(upTo),
  read({ get }, known, { signal, tell }, database = '', kind, entries, touched = '', upTo = '0') {
    const filter = { kind: (kind || null) as TxKind | null, entries: Number(entries), touched }
    return scanFurther({ get, database, filter, signal }, known, unread(upTo), tell)
  },
  next: ({ next }) => (next === 0n ? null : next),
  size: () => 0,
  lasts: 'until an outage',
})

/** Names a scan, see `scans`. */
export function scanNames(database: string, { kind, entries, touched }: TxFilter, upTo: string) {
  return [database, kind ?? '', String(entries), touched, upTo] as const
}

/** The last transaction committed by a time, in seconds since 1970; rejects with `ApiError`. */
export function findTxAtTime(
  { get }: Io,
  database: string,
  newest: string,
  time: bigint,
): Promise<TxAtTime> {
  const read = (from: bigint, limit: number): Promise<TxHeader[]> =>
    listTransactions(get(clientAtom), { database, from: String(from), limit })
  return txAtTime(read, newest, time)
}

/** So few transactions are read for the names of tables and collections without being asked. */
const readAtMost = 2_000n

/**
 * What to look for by a text that someone typed. Where more transactions than a few were not read,
 * only tables of today with a row are known by their names, and no collections made in them.
 */
export async function soughtIn(
  get: Getter,
  database: string,
  typed: string,
  signal?: AbortSignal,
): Promise<Sought> {
  const text = typed.trim().toLowerCase()
  const newest = BigInt(get(get(presentTxOfAtom)(database)))
  const isNamed = (name: string) => name.toLowerCase().includes(text)
  const reading = get(readingAtom)(database)
  const read = reading?.kind === 'done' ? reading.read : { to: 0n, changes: [] }
  const isOfToday = newest === 0n || newest - read.to > readAtMost
  // Even a reading lacks the tables of transactions with more entries than one answer takes.
  const isLong = newest === 0n || newest > readAtMost
  const tablesOfToday = isLong ? await tableIdsNamed(get, database, isNamed) : new Set<number>()
  const unread = { from: read.to + 1n, to: isOfToday ? read.to : newest }
  const { catalogue } = await readRange({ get }, database, unread, signal ? { signal } : {})
  const named = [...read.changes, ...catalogue].filter(
    ({ of, isDeleted }) => of.part === 'table' && !isDeleted,
  )
  const tables = idsOf(named, (one) => {
    if (one.isOfCollections) return false
    const bytes = one.value === null ? null : fromBase64(one.value)
    return bytes !== null && isNamed(utf8Text(bytes))
  })
  return {
    text,
    tables: new Set([...tables, ...tablesOfToday]),
    collections: await collectionsNamed(get, database, named, isNamed),
    isOfToday,
  }
}

/** The history has only the digests of the names of collections. */
async function collectionsNamed(
  get: Getter,
  database: string,
  named: readonly CatalogueWrite[],
  isNamed: (name: string) => boolean,
): Promise<ReadonlySet<number>> {
  const ofCollections = named.filter(({ isOfCollections }) => isOfCollections)
  if (ofCollections.length === 0) return new Set()
  const query = collectionNamesQuery(get(clientAtom), database)
  // Not those of a minute ago: a new one would not be found, and nothing would say so.
  const names = await get(queryClientAtom).fetchQuery({ ...query, staleTime: 0 })
  const digests = new Set(
    names.filter(isNamed).map((name) => bytesToBase64(hash(encodeUtf8(name)))),
  )
  return idsOf(ofCollections, ({ hValue }) => digests.has(hValue))
}

function idsOf(
  writes: readonly CatalogueWrite[],
  isWanted: (one: CatalogueWrite) => boolean,
): ReadonlySet<number> {
  return new Set(writes.filter(isWanted).flatMap(({ of }) => ('tableId' in of ? [of.tableId] : [])))
}
