import type { Client } from '~/api/client'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { type Entry, listRevisions } from '~/api/keys'
import { type Unreadable, whyUnreadable } from '~/core/unreadable'
import { bisectFrom } from '~/lib/bisection'
import { countable, rounds, sameAgain } from '~/lib/rounds'

type Revision = {
  readonly tx: string
  readonly revision: string | null
  readonly isDeleted: boolean
  /** Of a key. */
  readonly isExpired?: boolean
  /** Seconds since 1970, and who wrote it: of a document. */
  readonly ts?: string
  readonly author?: string
}

/** How the server tells the revisions of one thing. */
type Source<R> = {
  /** Newest first. */
  newest(limit: number, signal?: AbortSignal): Promise<R[]>
  /** Oldest first, from a number on, whose place no later revision moves. */
  from(number: number, limit: number, signal?: AbortSignal): Promise<R[]>
}

/** A revision, why it cannot be read, or null where the server has none of this number. */
export type Told<R> = R | Unreadable | null

/** One revision in a list. `too-large` and `gone`: it cannot be read. */
export type RevisionLine = {
  readonly number: number
  /** Null while it is not known. */
  readonly tx: string | null
  /** Null while it is not known. */
  readonly kind: 'written' | 'deleted' | 'expired' | Unreadable | null
  /** Seconds since 1970, where they come with it. */
  readonly seconds: string | null
  readonly author: string | null
}

/** A revision as a line of a list. */
export function lineOf(number: number, told: Told<Revision>): RevisionLine {
  const none = { number, tx: null, seconds: null, author: null }
  if (told === null || typeof told === 'string') return { ...none, kind: told }
  const { tx, isDeleted, isExpired, ts: seconds = null, author } = told
  const kind = isDeleted ? 'deleted' : isExpired ? 'expired' : 'written'
  return { number, tx, kind, seconds, author: author || null }
}

/** Where a history stands as of a transaction. */
export type UpTo<R> = {
  /** The newest one up to there that can be read. */
  readonly last: R | null
  /** The oldest one after it that can be read. */
  readonly next: R | null
  /** Why a revision cannot be read that may be newer than `last`, and up to there. */
  readonly hidden: Unreadable | null
}

type RevisionOptions = {
  /** Neighbours that one answer should bring. */
  readonly atOnce?: number
  /** How many there are, if that is known, or how many of them matter. */
  readonly count?: number
  /** Whether values of keys, or the contents of the newest of a document, are wanted with them. */
  readonly hasContent?: boolean
  /** Whether the contents of all others of a document are wanted, too. */
  readonly hasContents?: boolean
}

/** Requests of one search. */
const mostAsked = 4_000
/** So many on either side of a revision that cannot be read. */
const mostBeside = 1_000

/**
 * The revisions of a key or a document by their numbers, which begin at 1 and have no gaps. Each is
 * asked for once, and by its place from the oldest one, so revisions that are written meanwhile move
 * none.
 */
export class Revisions<R extends Revision> {
  readonly #source: Source<R>
  readonly #atOnce: number
  readonly #known = new Map<number, R | Unreadable>()
  readonly #asked = new Map<string, Promise<unknown>>()

  constructor(source: Source<R>, { atOnce = 1, count }: RevisionOptions = {}) {
    this.#source = source
    this.#atOnce = atOnce
    if (count !== undefined) this.#asked.set('count', Promise.resolve(count))
  }

  /**
   * How many there were when it was first asked.
   * @throws ApiError when the server cannot be asked; NoProgress for a number above 2^53
   */
  count(signal?: AbortSignal): Promise<number> {
    return this.#once('count', async () => {
      const page = await this.#newest(this.#atOnce, signal)
      const isOne = typeof page !== 'string' || this.#atOnce === 1
      const found = isOne ? page : await this.#newest(1, signal)
      if (typeof found !== 'string') return countable(found[0]?.revision ?? 0)
      const isThere = async (number: bigint) => (await this.at(countable(number), signal)) !== null
      const [last] = await bisectFrom(1n, BigInt(firstGuess), isThere)
      return countable(last)
    })
  }

  /** One revision. */
  async at(number: number, signal?: AbortSignal): Promise<Told<R>> {
    if (number >= 1 && !this.#known.has(number)) await this.#read(number, 1, signal)
    return this.#known.get(number) ?? null
  }

  /** Those from one down to an older one, asked for with neighbours where one answer holds them. */
  async page(from: number, to: number, signal?: AbortSignal): Promise<Told<R>[]> {
    const page: Told<R>[] = []
    for (let number = from; number >= to; number -= 1) {
      const isRead = this.#known.has(number) || (await this.#readAround(number, signal))
      page.push(isRead ? (this.#known.get(number) ?? null) : await this.at(number, signal))
    }
    return page
  }

  /** The same as lines of a list. */
  async lines(from: number, to: number, signal?: AbortSignal): Promise<RevisionLine[]> {
    const page = await this.page(from, to, signal)
    return page.map((told, at) => lineOf(from - at, told))
  }

  /**
   * Where the history stands as of a transaction, by bisection: each answer may hold a value of
   * megabytes. A truncation removes the oldest values, so one that is gone hides all before it.
   * @throws NoProgress where the answers lead nowhere
   */
  upTo(tx: string, signal?: AbortSignal): Promise<UpTo<R>> {
    return this.#once(`up to ${tx}`, () => this.#search(BigInt(tx), signal))
  }

  async #search(tx: bigint, signal?: AbortSignal): Promise<UpTo<R>> {
    let [low, high] = [0, (await this.count(signal)) + 1]
    let last: R | null = null
    let next: R | null = null
    const narrow = (number: number, found: R | Unreadable) => {
      if (number <= low || number >= high || found === 'too-large') return
      const isLow = found === 'gone' || BigInt(found.tx) <= tx
      if (isLow) [low, last] = [number, found === 'gone' ? null : found]
      else [high, next] = [number, found]
    }
    for (const [number, found] of this.#known) narrow(number, found)
    const round = rounds(mostAsked)
    while (high - low > 1) {
      const width = high - low
      for (const number of outwards(low, high)) {
        if (!this.#known.has(number)) round()
        const found = await this.at(number, signal)
        // A revision from elsewhere would leave the search where it is.
        if (found === null) throw sameAgain()
        narrow(number, found)
        if (high - low < width) break
      }
      if (high - low === width) return { last, next, hidden: 'too-large' }
    }
    return { last, next, hidden: low > 0 && last === null ? 'gone' : null }
  }

  /** The stretch of a number, counted from the newest one; returns whether one answer holds it. */
  async #readAround(number: number, signal?: AbortSignal): Promise<boolean> {
    const count = await this.count(signal)
    if (number < 1 || number > count) return true
    const last = number + ((count - number) % this.#atOnce)
    const first = Math.max(1, last - this.#atOnce + 1)
    return this.#read(first, last - first + 1, signal)
  }

  async #newest(limit: number, signal?: AbortSignal): Promise<R[] | Unreadable> {
    const found = await this.#source.newest(limit, signal).catch(whyUnreadable)
    if (typeof found === 'string') return found
    const count = Number(found[0]?.revision ?? 0)
    this.#keep(found.toReversed(), count - found.length + 1)
    return found
  }

  /** Reads some from a number on; returns whether an answer could hold them. */
  #read(first: number, limit: number, signal?: AbortSignal): Promise<boolean> {
    return this.#once(`${limit} from ${first}`, async () => {
      const found = await this.#source.from(first, limit, signal).catch(whyUnreadable)
      if (typeof found !== 'string') this.#keep(found, first)
      else if (limit === 1) this.#known.set(first, found)
      return typeof found !== 'string'
    })
  }

  /** Only those whose numbers follow each other from the first. */
  #keep(found: readonly R[], first: number): void {
    for (const [at, one] of found.entries()) {
      if (Number(one.revision ?? first + at) === first + at) this.#known.set(first + at, one)
    }
  }

  /** Something that is asked for once, unless it fails. */
  #once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#asked.get(name) as Promise<T> | undefined
    if (known) return known
    const asked = ask()
    this.#asked.set(name, asked)
    asked.catch(() => this.#asked.delete(name))
    return asked
  }
}

/** A number that is tried first when none of the newest revisions can be read. */
const firstGuess = 10

/**
 * The numbers between two others from the middle on: first ever further apart, because those that
 * cannot be read are mostly beside each other, and then each.
 */
function* outwards(low: number, high: number): Generator<number> {
  const middle = Math.floor((low + high) / 2)
  const most = Math.min(mostBeside, high - low)
  for (const step of [(at: number) => at * 2 || 1, (at: number) => at + 1]) {
    for (let distance = 0; distance < most; distance = step(distance)) {
      for (const number of [middle - distance, middle + distance]) {
        if (number > low && number < high) yield number
      }
    }
  }
}

type KeyName = { readonly database: string; readonly key: string }

/** The revisions of a key. They come with their values, which are only kept if they are wanted. */
export function keyRevisions(
  client: Client,
  name: KeyName,
  { hasContent = false, ...options }: RevisionOptions = {},
): Revisions<Entry> {
  const ask = async (
    isOldestFirst: boolean,
    offset: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Entry[]> => {
    const asked = { ...name, isOldestFirst, offset, limit, ...(signal ? { signal } : {}) }
    const found = await listRevisions(client, asked)
    return hasContent ? found : found.map((entry) => ({ ...entry, value: '' }))
  }
  const source: Source<Entry> = {
    newest: (limit, signal) => ask(false, 0, limit, signal),
    from: (number, limit, signal) => ask(true, number - 1, limit, signal),
  }
  return new Revisions(source, options)
}

export type DocumentName = {
  readonly database: string
  readonly collection: string
  readonly id: string
}

/**
 * The revisions of a document without their contents, which `withContent` adds. The newest ones come
 * with them where that is wanted and one answer holds them.
 */
export function documentRevisions(
  client: Client,
  name: DocumentName,
  { hasContent = false, hasContents = false, ...options }: RevisionOptions = {},
): Revisions<DocumentRevision> {
  const ask = (isNewestFirst: boolean, page: number, pageSize: number, signal?: AbortSignal) => {
    const asked = { ...name, isNewestFirst, page, pageSize, ...(signal ? { signal } : {}) }
    return (omitPayload: boolean) => auditDocument(client, { ...asked, omitPayload })
  }
  const source: Source<DocumentRevision> = {
    newest: async (limit, signal) => {
      const read = ask(true, 1, limit, signal)
      const found = hasContent ? await read(false).catch(whyUnreadable) : await read(true)
      return typeof found === 'string' ? read(true) : found
    },
    from: async (number, limit, signal) => {
      // A page begins at a multiple of its size, so two of them hold the revisions.
      const [page, before] = [Math.ceil(number / limit), (number - 1) % limit]
      const first = await ask(false, page, limit, signal)(!hasContents)
      const isAll = before === 0 || first.length < limit
      const second = isAll ? [] : await ask(false, page + 1, limit, signal)(!hasContents)
      return [...first, ...second].slice(before, before + limit)
    },
  }
  return new Revisions(source, options)
}

/** `hidden`: why its content cannot be read. */
export type WholeDocument = DocumentRevision & { readonly hidden: Unreadable | null }

/** A revision of a document by its number, or the newest, with its content; null for none. */
export async function readDocumentRevision(
  client: Client,
  name: DocumentName & { readonly signal?: AbortSignal },
  number: number | 'newest',
): Promise<WholeDocument | null> {
  const isNewest = number === 'newest'
  const place = { page: isNewest ? 1 : number, pageSize: 1, isNewestFirst: isNewest }
  const ask = (omitPayload: boolean) => auditDocument(client, { ...name, ...place, omitPayload })
  const whole = await ask(false).catch(whyUnreadable)
  const isHidden = typeof whole === 'string'
  const [found] = isHidden ? await ask(true) : whole
  if (!found || !(isNewest || Number(found.revision) === number)) return null
  return { ...found, hidden: isHidden ? whole : null }
}

/** A revision of a document with the content that a list left out. */
export async function withContent(
  client: Client,
  name: DocumentName & { readonly signal?: AbortSignal },
  revision: DocumentRevision,
): Promise<WholeDocument> {
  if (revision.isDeleted || revision.document !== null) return { ...revision, hidden: null }
  const found = await readDocumentRevision(client, name, Number(revision.revision))
  return found ?? { ...revision, hidden: 'gone' }
}
