import { askForFewer } from '~/api/ask-for-fewer'
import { ApiError, isTooLarge, troubleOf } from '~/api/errors'
import { catalogStart } from '~/proof/catalog'
import type { FetchedTx } from '~/proof/deep-audit'
import { anyFields, list } from '~/proof/kernel/read'
import type { AuditedServer } from './audited-server'

/** Transactions per request; with most transactions the answer stays below 4 MiB. */
const largestPage = 1_000
/** Pages that must succeed before as many are tried again as were too many. */
const calmPages = 8
/** Pages to fetch while one is checked. */
const mostAhead = 3

/** Fetches the transactions of a database in order, in pages as large as the server can send. */
export class Pages {
  readonly #server: AuditedServer
  readonly #what: 'values' | 'catalog' | 'digests'
  #limit = largestPage
  /** What was too much the last time. */
  #tooMany = Number.POSITIVE_INFINITY
  #calm = 0
  #ahead = 1
  #queue: { from: bigint; limit: number; page: Promise<readonly FetchedTx[]> }[] = []

  /** @param what values to fetch: all, those of the catalog of tables, or none */
  constructor(server: AuditedServer, what: 'values' | 'catalog' | 'digests') {
    this.#server = server
    this.#what = what
  }

  get #withValues(): boolean {
    return this.#what === 'values'
  }

  /** The page that begins with a transaction, up to `last`; those behind it are asked for too. */
  take(from: bigint, last: bigint): Promise<readonly FetchedTx[]> {
    if (this.#queue[0]?.from !== from) this.forget()
    while (this.#queue.length <= this.#ahead) {
      const behind = this.#queue.at(-1)
      const next = behind ? behind.from + BigInt(behind.limit) : from
      if (next > last) break
      const left = last - next + 1n
      const limit = left < BigInt(this.#limit) ? Number(left) : this.#limit
      const page = this.#page(next, limit)
      // The error is reported when the page's turn comes.
      page.catch(() => {})
      this.#queue.push({ from: next, limit, page })
    }
    return this.#queue.shift()?.page ?? Promise.resolve([])
  }

  /** Drops all pages in flight. */
  forget(): void {
    this.#queue = []
  }

  /** Fetches more pages at once while the server is slower than the checks, fewer otherwise. */
  balance(waited: number, worked: number): void {
    if (waited > worked / 4) this.#ahead = Math.min(mostAhead, this.#ahead + 1)
    else if (waited < worked / 50) this.#ahead = Math.max(1, this.#ahead - 1)
  }

  /** A page of so many transactions, or the first of them that one answer takes. */
  async #page(from: bigint, most: number): Promise<readonly FetchedTx[]> {
    const read = async (limit: number) => {
      if (limit < most) this.#shrink(limit)
      const txs = await this.#txs(from, limit, this.#withValues ? 'values' : 'digests')
      this.#grow()
      if (this.#what === 'digests') return txs.map(plain)
      return this.#withValues ? this.#complete(from, txs) : this.#withCatalog(from, txs)
    }
    return this.#fewer(most, read, this.#withValues, (error) => this.#withoutValues(from, error))
  }

  /** Asks for fewer as long as that may help; `alone` stands for one that the server does not send. */
  async #fewer<T>(
    most: number,
    read: (size: number) => Promise<readonly T[]>,
    withValues: boolean,
    alone: (error: unknown) => Promise<T>,
  ): Promise<readonly T[]> {
    const isTooMuch = (error: unknown) => isTimeout(error) || isKept(error, withValues)
    return askForFewer(most, read, isTooMuch).catch(async (error) => {
      // A timeout of a single transaction is a network failure and says nothing.
      if (!isKept(error, withValues)) throw error
      return [await alone(error)]
    })
  }

  #shrink(limit: number): void {
    if (limit >= this.#limit) return
    this.#tooMany = this.#limit
    this.#limit = limit
    this.#calm = 0
  }

  #grow(): void {
    this.#calm += 1
    // Unreadable values are fetched one transaction at a time. They may end at any transaction.
    const isCalm = this.#calm >= (this.#limit === 1 ? 1 : calmPages)
    if (this.#limit === largestPage || !(isCalm || this.#limit * 2 < this.#tooMany)) return
    this.#limit = Math.min(largestPage, this.#limit * 2)
    this.#calm = 0
  }

  async #txs(from: bigint, limit: number, entries: 'digests' | 'values' | 'headers') {
    const answer = anyFields(await this.#server.page(from, limit, entries), 'answer')
    return list(answer, 'txs')
  }

  /**
   * A list with values lacks some entries. Incomplete transactions are listed again by their
   * digests.
   */
  async #complete(from: bigint, txs: readonly unknown[]): Promise<FetchedTx[]> {
    const [first, last] = [txs.findIndex(isIncomplete), txs.findLastIndex(isIncomplete)]
    if (first < 0) return txs.map(plain)
    const digests = await this.#digests(from + BigInt(first), last - first + 1)
    return txs.map((tx, at): FetchedTx => {
      const whole = digests[at - first]
      if (!isIncomplete(tx) || !whole) return plain(tx)
      return { ...whole, values: tx }
    })
  }

  /**
   * A list by digests, and the values of those transactions that change the catalog of tables.
   * Neighbours are asked for at once: a script that creates many tables is one request.
   */
  async #withCatalog(from: bigint, txs: readonly unknown[]): Promise<FetchedTx[]> {
    const fetched = txs.map(plain)
    for (let at = 0; at < txs.length; at += 1) {
      let count = 0
      while (changesCatalog(txs[at + count])) count += 1
      if (count === 0) continue
      const values = await this.#values(from + BigInt(at), count)
      for (const [n, given] of values.entries()) {
        fetched[at + n] = { ...plain(txs[at + n]), values: given }
      }
      at += count
    }
    return fetched
  }

  /** Null for each transaction whose values the server does not send; the tables are unknown then. */
  async #values(from: bigint, count: number): Promise<unknown[]> {
    const read = (at: bigint, size: number) => this.#txs(at, size, 'values')
    const txs = await this.#inParts(from, count, read, true, async () => null)
    return Array.from({ length: count }, (_, at) => txs[at] ?? null)
  }

  #digests(from: bigint, count: number): Promise<readonly FetchedTx[]> {
    const read = async (at: bigint, size: number) =>
      (await this.#txs(at, size, 'digests')).map(plain)
    return this.#inParts(from, count, read, false, (at) => this.#header(at))
  }

  /** So many transactions in as many answers as they take; fewer where the server has no more. */
  async #inParts<T>(
    from: bigint,
    count: number,
    read: (at: bigint, size: number) => Promise<readonly T[]>,
    withValues: boolean,
    alone: (at: bigint) => Promise<T>,
  ): Promise<T[]> {
    const found: T[] = []
    for (let size = count; found.length < count; size *= 2) {
      const at = from + BigInt(found.length)
      const ask = (fewer: number) => {
        size = fewer
        return read(at, fewer)
      }
      const most = Math.min(size, count - found.length)
      const part = await this.#fewer(most, ask, withValues, () => alone(at))
      if (part.length === 0) break
      found.push(...part)
    }
    return found
  }

  async #header(from: bigint): Promise<FetchedTx> {
    const [tx] = await this.#txs(from, 1, 'headers')
    return { tx, values: null, lack: { reason: 'entries-too-large', words: '' } }
  }

  /** The transaction whose values the server does not send, or cannot read. */
  async #withoutValues(from: bigint, error: unknown): Promise<FetchedTx> {
    const [fetched] = await this.#digests(from, 1)
    if (!fetched || fetched.lack || !this.#withValues) return fetched ?? plain(undefined)
    const lack = isTooLarge(error) ? ({ reason: 'too-large', words: '' } as const) : null
    return { ...fetched, lack: lack ?? { reason: 'refused', words: wordsOf(error) } }
  }
}

const plain = (tx: unknown): FetchedTx => ({ tx, values: null, lack: null })

/** What the server, or something in front of it, said instead of an answer. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return ''
  return error.message || `HTTP ${error.status}`
}

const isTimeout = (error: unknown) => error instanceof ApiError && error.kind === 'timeout'

/** Whether the server keeps what was asked for to itself, because of its size or its values. */
function isKept(error: unknown, withValues: boolean): boolean {
  if (isTooLarge(error)) return true
  if (!(error instanceof ApiError)) return false
  return withValues && error.kind === 'refused' && troubleOf(error) === null
}

/** Whether an entry is one of the catalog of tables. This only decides what to ask for, too. */
function changesCatalog(tx: unknown): boolean {
  if (typeof tx !== 'object' || tx === null || !('entries' in tx)) return false
  const { entries } = tx
  return Array.isArray(entries) && entries.some(isOfCatalog)
}

const isOfCatalog = (entry: unknown) =>
  typeof entry === 'object' &&
  entry !== null &&
  'key' in entry &&
  typeof entry.key === 'string' &&
  entry.key.startsWith(catalogStart)

/** This only decides what to ask for; the proof comes later. */
function isIncomplete(tx: unknown): boolean {
  if (typeof tx !== 'object' || tx === null || !('header' in tx)) return false
  const { header } = tx
  const isHeader = typeof header === 'object' && header !== null && 'nentries' in header
  const listed = 'entries' in tx && Array.isArray(tx.entries) ? tx.entries.length : 0
  return isHeader && header.nentries !== listed
}
