import { ApiError, troubleOf } from '~/api/errors'
import { readState } from '~/api/server'
import {
  readTransactions,
  readTransactionValues,
  type TxEntries,
  type TxEntry,
} from '~/api/transactions'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { rounds } from '~/lib/rounds'
import { catalogStart } from '~/proof/catalog'
import { fromBase64 } from '~/proof/kernel/bytes'
import { type CatalogueKey, type StoredEntry, storedEntry } from '~/proof/stored-entry'
import { memoryOf } from './transaction-memory'

/** One write of a key, sorted set, row or document. */
export type Write = Omit<TxEntry, 'key' | 'value'> & {
  readonly tx: string
  /** Seconds since 1970. */
  readonly ts: string
}

/** One change of the catalogue of tables or of collections. */
export type CatalogueWrite = {
  readonly tx: string
  readonly ts: string
  readonly isOfCollections: boolean
  /** Whether a truncation wrote it again as it was, which changes nothing. */
  readonly isCopy: boolean
  readonly of: CatalogueKey
  readonly isDeleted: boolean
  /** The digest of the value in base64; for a collection it is the only trace of its name. */
  readonly hValue: string
  /** The stored value in base64; null where the server gives none, as for collections. */
  readonly value: string | null
}

/** What the transactions of a range wrote. */
export type RangeRead = {
  /**
   * By the stored key in base64, with its prefix (`storedEntry` reads it), each in the order of the
   * transactions. A transaction keeps only the last of several writes.
   */
  readonly writes: ReadonlyMap<string, readonly Write[]>
  readonly catalogue: readonly CatalogueWrite[]
  /** Transactions with more entries than one answer takes; what they wrote is not known. */
  readonly unlisted: readonly string[]
  /** The newest transaction from before which values were removed; null for none. */
  readonly truncatedTx: string | null
}

/** How far the reading is, in transactions. */
export type ReadProgress = { readonly read: number; readonly of: number }

export type ReadOptions = {
  onProgress?(progress: ReadProgress): void
  signal?: AbortSignal
}

/** The first and the last transaction, which must exist. */
export type TxSpan = { from: bigint; to: bigint }

/**
 * Reads what a range of transactions wrote, page by page. What was read before in this session is
 * not asked for again, so a range that was cancelled continues where it stopped.
 * @throws ApiError when the server cannot be asked; the signal's reason when cancelled
 */
export async function readRange(
  io: Pick<Io, 'get'>,
  database: string,
  { from, to }: TxSpan,
  { onProgress, signal }: ReadOptions = {},
): Promise<RangeRead> {
  const range = new Range()
  const total = Number(to - from) + 1
  for await (const page of pagesOf(io, database, { from, to }, signal)) {
    for (const tx of page) range.add(await withCatalogueValues(io, database, tx, signal))
    onProgress?.({ read: range.count, of: total })
  }
  return range
}

/** Transactions that are looked through for a write without an answer. */
const mostSince = 2_000

/**
 * Looks through the transactions since another one, the oldest first, for a write whose answer is
 * missing. `visit` gets each with its entries.
 * @param since the newest transaction that was known before it was sent
 * @returns whether all up to the newest were visited: one with too many entries for an answer is not
 * @throws ApiError when the server cannot be asked
 */
export async function visitSince(
  io: Pick<Io, 'get'>,
  database: string,
  since: string,
  visit: (header: TxEntries['header'], entries: readonly TxEntry[]) => void,
): Promise<boolean> {
  const { txId } = await readState(io.get(clientAtom), database)
  const [from, newest] = [BigInt(since) + 1n, BigInt(txId)]
  const most = from + BigInt(mostSince) - 1n
  let isWhole = newest <= most
  if (from > newest) return isWhole
  for await (const page of pagesOf(io, database, { from, to: isWhole ? newest : most })) {
    for (const { header, entries } of page) {
      if (entries === null) isWhole = false
      else visit(header, entries)
    }
  }
  return isWhole
}

/** Transactions in one request at first, and at most. */
const [firstPage, largestPage] = [250, 1_000]

/**
 * The transactions of a range in order; ends early when the server has fewer.
 * @param first transactions in the first request
 */
export async function* pagesOf(
  io: Pick<Io, 'get'>,
  database: string,
  { from, to }: TxSpan,
  signal?: AbortSignal,
  first = firstPage,
): AsyncGenerator<readonly TxEntries[]> {
  const memory = memoryOf(io.get, database)
  let limit = first
  let next = from
  const round = rounds()
  while (next <= to) {
    signal?.throwIfAborted()
    round()
    const known = knownFrom(memory, next, to)
    let page: readonly TxEntries[] = known
    if (known.length === 0) {
      const count = gapFrom(memory, next, to, limit)
      const asked = { database, from: String(next), limit: count, ...(signal ? { signal } : {}) }
      page = await readTransactions(io.get(clientAtom), asked)
      if (page.length === 0) return
      memory.add(page)
      limit = page.length < count ? page.length : Math.min(largestPage, limit * 2)
    }
    yield page
    next += BigInt(page.length)
  }
}

type Memory = ReturnType<typeof memoryOf>

/** The remembered transactions from one on, without a gap. */
function knownFrom(memory: Memory, from: bigint, to: bigint): TxEntries[] {
  const known: TxEntries[] = []
  for (let id = from; id <= to && known.length < largestPage; id += 1n) {
    const tx = memory.get(String(id))
    if (!tx) break
    known.push(tx)
  }
  return known
}

/** How many transactions from one on are not remembered, up to a limit. */
function gapFrom(memory: Memory, from: bigint, to: bigint, limit: number): number {
  let count = 1
  while (count < limit && from + BigInt(count) <= to) {
    if (memory.get(String(from + BigInt(count)))) break
    count += 1
  }
  return count
}

class Range implements RangeRead {
  readonly writes = new Map<string, Write[]>()
  readonly catalogue: CatalogueWrite[] = []
  readonly unlisted: string[] = []
  truncatedTx: string | null = null
  count = 0

  add({ header, entries }: TxEntries): void {
    const { id: tx, ts, metadata } = header
    this.count += 1
    const isTruncation = metadata.truncatedTxID !== '0'
    if (isTruncation) this.truncatedTx = metadata.truncatedTxID
    if (entries === null) this.unlisted.push(tx)
    for (const entry of entries ?? []) this.#addEntry({ tx, ts }, entry, isTruncation)
  }

  #addEntry(place: { tx: string; ts: string }, entry: TxEntry, isTruncation: boolean): void {
    const { key, value: _, ...digest } = entry
    const stored = decoded(key)
    if (isCatalogue(stored)) {
      if (!isEffective(entry)) return
      this.catalogue.push({ ...catalogueWrite(place, entry, stored), isCopy: isTruncation })
    } else if (!isIndexEntry(stored)) {
      const writes = this.writes.get(key)
      const write = { ...place, ...digest }
      if (writes) writes.push(write)
      else this.writes.set(key, [write])
    }
  }
}

const isIndexEntry = ({ kind }: StoredEntry) =>
  kind === 'index-entry' || kind === 'document-index-entry'

/** What a stored key in base64 is the key of. */
export function decoded(key: string): StoredEntry {
  return storedEntry(fromBase64(key) ?? new Uint8Array())
}

type CatalogueEntry = Extract<StoredEntry, { of: CatalogueKey }>

const isCatalogue = (stored: StoredEntry): stored is CatalogueEntry =>
  stored.kind === 'catalogue' || stored.kind === 'collection-catalogue'

/**
 * Whether an entry of the catalogue changes it: what is in no index does not, and immudb takes none
 * that expires. See `readCatalogEntry` of the engine.
 */
const isEffective = ({ isNonIndexable, expiresAt }: TxEntry) =>
  !isNonIndexable && expiresAt === null

function catalogueWrite(
  place: { tx: string; ts: string },
  { isDeleted, hValue, value }: TxEntry,
  { kind, of }: CatalogueEntry,
): CatalogueWrite {
  return {
    ...place,
    isOfCollections: kind === 'collection-catalogue',
    isCopy: false,
    of,
    isDeleted,
    hValue,
    value: value ?? null,
  }
}

/** The changes of the catalogue in one transaction. */
export function catalogueWrites({ header: { id: tx, ts }, entries }: TxEntries): CatalogueWrite[] {
  return (entries ?? []).flatMap((entry) => {
    const stored = decoded(entry.key)
    const isChange = isCatalogue(stored) && isEffective(entry)
    return isChange ? [catalogueWrite({ tx, ts }, entry, stored)] : []
  })
}

/** The transaction with the values of its changes to the catalogue, as far as the server sends them. */
async function withCatalogueValues(
  io: Pick<Io, 'get'>,
  database: string,
  tx: TxEntries,
  signal?: AbortSignal,
): Promise<TxEntries> {
  const lacks = ({ key, value, vLen }: TxEntry) =>
    key.startsWith(catalogStart) && value === undefined && vLen > 0
  if (!tx.entries?.some(lacks)) return tx
  const { header, entries } = tx
  const asked = { database, id: header.id, of: ['sql'] as const, ...(signal ? { signal } : {}) }
  const found = await readTransactionValues(io.get(clientAtom), asked).catch(noneIfRefused)
  const values = new Map(found.map(({ key, value }) => [key, value]))
  const filled = {
    header,
    entries: entries.map((entry) => {
      const value = lacks(entry) ? values.get(entry.key) : undefined
      return value === undefined ? entry : { ...entry, value }
    }),
  }
  memoryOf(io.get, database).add([filled])
  return filled
}

/** Values may be more than one answer takes, or were removed by a truncation. */
function noneIfRefused(error: unknown): readonly TxEntry[] {
  // A proxy that limits requests says nothing about them.
  const isOfServer = error instanceof ApiError && error.code !== null && troubleOf(error) === null
  if (isOfServer && (error.kind === 'too-large' || error.kind === 'refused')) return []
  throw error
}
