import { ApiError, isTooLarge, troubleOf } from '~/api/errors'
import { catalogStart } from '~/proof/catalog'
import type { FetchedTx } from '~/proof/deep-audit'
import { anyFields, list } from '~/proof/read'
import type { AuditedServer } from './audited-server'

/** Transactions per request; with most transactions the answer stays below 4 MiB. */
const largestPage = 1_000
/** Pages that must succeed before larger ones are tried again. */
const calmPages = 8
/** Pages to fetch while one is checked. */
const mostAhead = 3

/** Fetches the transactions of a database in order, in pages as large as the server can send. */
export class Pages {
  readonly #server: AuditedServer
  readonly #what: 'values' | 'catalog' | 'digests'
  #limit = largestPage
  #calm = 0
  #ahead = 1
  #queue: { from: bigint; page: Promise<FetchedTx[]> }[] = []

  /** @param what values to fetch: all, those of the catalog of tables, or none */
  constructor(server: AuditedServer, what: 'values' | 'catalog' | 'digests') {
    this.#server = server
    this.#what = what
  }

  get #withValues(): boolean {
    return this.#what === 'values'
  }

  /** The page that begins with a transaction, up to `last`; those behind it are asked for too. */
  take(from: bigint, last: bigint): Promise<FetchedTx[]> {
    if (this.#queue[0]?.from !== from) this.forget()
    let next = from + BigInt(this.#queue.length * this.#limit)
    while (this.#queue.length <= this.#ahead && next <= last) {
      const page = this.#page(next, last)
      // The error is reported when the page's turn comes.
      page.catch(() => {})
      this.#queue.push({ from: next, page })
      next += BigInt(this.#limit)
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

  async #page(from: bigint, last: bigint): Promise<FetchedTx[]> {
    for (;;) {
      const left = last - from + 1n
      const limit = left < BigInt(this.#limit) ? Number(left) : this.#limit
      try {
        const txs = await this.#txs(from, limit, this.#withValues ? 'values' : 'digests')
        this.#grow()
        if (this.#what === 'digests') return txs.map(plain)
        return await (this.#withValues ? this.#complete(from, txs) : this.#withCatalog(from, txs))
      } catch (error) {
        if (!isSplittable(error, this.#withValues, limit)) throw error
        if (limit > 1) this.#shrink(limit)
        else return [await this.#withoutValues(from, error)]
      }
    }
  }

  #shrink(limit: number): void {
    this.#limit = Math.min(this.#limit, Math.ceil(limit / 2))
    this.#calm = 0
    this.#queue = []
  }

  #grow(): void {
    this.#calm += 1
    // Unreadable values are fetched one transaction at a time. They may end at any transaction.
    if (this.#calm < (this.#limit === 1 ? 1 : calmPages) || this.#limit === largestPage) return
    this.#limit = Math.min(largestPage, this.#limit * 2)
    this.#calm = 0
    this.#queue = []
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
    try {
      const txs = await this.#txs(from, count, 'values')
      return Array.from({ length: count }, (_, at) => txs[at] ?? null)
    } catch (error) {
      if (!isSplittable(error, true, count)) throw error
      if (count === 1) return [null]
      const half = Math.ceil(count / 2)
      const start = await this.#values(from, half)
      return [...start, ...(await this.#values(from + BigInt(half), count - half))]
    }
  }

  async #digests(from: bigint, count: number): Promise<FetchedTx[]> {
    try {
      const txs = await this.#txs(from, count, 'digests')
      return txs.map(plain)
    } catch (error) {
      if (!isSplittable(error, false, count)) throw error
      if (count === 1) return [await this.#header(from)]
      const half = Math.ceil(count / 2)
      const start = await this.#digests(from, half)
      return [...start, ...(await this.#digests(from + BigInt(half), count - half))]
    }
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

/**
 * Whether a smaller page may succeed where this one failed. A timeout of a single transaction is a
 * network failure and says nothing.
 */
function isSplittable(error: unknown, withValues: boolean, count: number): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.kind === 'timeout') return count > 1
  if (error.kind === 'too-large') return true
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
