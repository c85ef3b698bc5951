import type { Client } from '~/api/client'
import { type Entry, listRevisions } from '~/api/keys'
import type { Write } from '~/core/history/transaction-reader'
import { type Unreadable, whyUnreadable } from '~/core/unreadable'
import { countable, rounds, sameAgain } from '~/lib/rounds'
import { countHiddenRevisions } from '../keys/key-pages'
import {
  differenceOf,
  gone,
  tooLarge,
  tooMany,
  unknown,
  unread,
  type ValueDifference,
  type ValueThen,
  type Written,
} from './values'

/** Revisions asked for at once. */
const revisionsAtOnce = 50

/** How often new revisions may move the others while one is read. */
const mostMoved = 64
/** Revisions that cannot be read and are passed until one can. */
const mostHidden = 4_000

/** A revision, or why it cannot be read; null where there is none. */
type RevisionThen = Entry | Unreadable | null

type Request = { readonly database: string; readonly key: string }

/**
 * The revisions of a key by their numbers, which have no gaps. They are read in stretches, and one by
 * one where a stretch has a value that cannot be read; each is asked for once.
 */
export class KeyRevisions {
  readonly #client: Client
  readonly #request: Request
  readonly #known = new Map<number, Entry | Unreadable>()
  readonly #asked = new Map<string, Promise<unknown>>()
  /** How many there are, as far as is known. */
  #count = 0

  constructor(client: Client, request: Request) {
    this.#client = client
    this.#request = request
  }

  /**
   * The newest revision up to a transaction that can be read; null for none.
   * @throws ApiError
   */
  upTo(tx: string, signal: AbortSignal): Promise<Entry | null> {
    return this.#once(`up to ${tx}`, async () => {
      await this.#once('newest', () => this.#readNewest(signal))
      let low: Entry | null = null
      let high = this.#count + 1
      while (high - Number(low?.revision ?? 0) > 1) {
        const middle = Math.floor((Number(low?.revision ?? 0) + high) / 2)
        const found = await this.#readableFrom(middle, high, signal)
        const at = Number(found?.revision ?? middle)
        // A revision from elsewhere would leave the search where it is.
        if (at < middle || at >= high) throw sameAgain()
        if (found !== null && BigInt(found.tx) <= BigInt(tx)) low = found
        else high = middle
      }
      return low
    })
  }

  /** The revision of a number. */
  async revision(number: number, signal: AbortSignal): Promise<RevisionThen> {
    if (number < 1) return null
    await this.#once('newest', () => this.#readNewest(signal))
    if (!this.#known.has(number)) await this.#readStretch(number, signal)
    return this.#one(number, signal)
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

  async #readNewest(signal: AbortSignal): Promise<void> {
    const page = await this.#list(0, revisionsAtOnce, signal)
    const found = typeof page === 'string' ? await this.#list(0, 1, signal) : page
    this.#count =
      typeof found === 'string'
        ? await countHiddenRevisions(this.#client, this.#request)
        : countable(found[0]?.revision ?? 0)
  }

  /** Revisions by their place from the newest one, which are known then. */
  async #list(offset: number, limit: number, signal: AbortSignal): Promise<Entry[] | Unreadable> {
    const asked = { ...this.#request, offset, limit, signal }
    const found = await listRevisions(this.#client, asked).catch(whyUnreadable)
    if (typeof found === 'string') return found
    for (const entry of found) this.#known.set(Number(entry.revision), entry)
    return found
  }

  /** The stretch that a number is in, as far as one answer takes it. */
  #readStretch(number: number, signal: AbortSignal): Promise<unknown> {
    const first = number - ((number - 1) % revisionsAtOnce)
    const last = Math.max(number, Math.min(first + revisionsAtOnce - 1, this.#count))
    return this.#once(`from ${first}`, () =>
      this.#list(this.#count - last, last - first + 1, signal),
    )
  }

  /** A single revision. */
  async #one(number: number, signal: AbortSignal): Promise<Entry | Unreadable> {
    const round = rounds(mostMoved)
    for (;;) {
      round()
      const known = this.#known.get(number)
      if (known !== undefined) return known
      const found = await this.#list(this.#count - number, 1, signal)
      if (typeof found === 'string') {
        this.#known.set(number, found)
        return found
      }
      // New revisions came on top, so all are further down.
      const ahead = countable(found[0]?.revision ?? number) - number
      if (ahead <= 0) return found[0] ?? 'gone'
      this.#count += ahead
    }
  }

  /** The first revision that can be read at a number or above it, below `end`. */
  async #readableFrom(number: number, end: number, signal: AbortSignal): Promise<Entry | null> {
    const round = rounds(mostHidden)
    for (let at = number; at < end; at += 1) {
      round()
      const found = await this.#one(at, signal)
      if (typeof found !== 'string') return found
    }
    return null
  }
}

type StepAsked = {
  /** The second moment of the comparison. */
  readonly to: string
  readonly signal: AbortSignal
  readonly revisions: KeyRevisions
  /** What a revision held. */
  readonly thenOf: (entry: Entry) => Promise<ValueThen>
}

const why = { 'too-large': tooLarge, gone } as const

/**
 * One write of a key beside the revision before it. Revision numbers have no gaps, so one revision
 * that can be read and the writes between it and the others give the numbers of all.
 * @param among all writes of the key between the two moments, without one missing
 */
export async function keyStep(
  of: Written,
  among: readonly Write[],
  { to, signal, revisions, thenOf }: StepAsked,
): Promise<ValueDifference> {
  const [write] = of.writes
  const known = await revisions.upTo(to, signal)
  if (!write || known === null) return unread(of, tooMany)
  const at = among.indexOf(write)
  const knownAt = among.filter(({ tx }) => BigInt(tx) <= BigInt(known.tx)).length - 1
  const number = Number(known.revision) + at - knownAt
  const read = async (number: number, isDeleted: boolean): Promise<ValueThen> => {
    if (isDeleted) return null
    const found = await revisions.revision(number, signal)
    return typeof found === 'string' ? unknown(why[found]) : found && thenOf(found)
  }
  const before = await read(number - 1, among[at - 1]?.isDeleted ?? false)
  return differenceOf(of, before, await read(number, write.isDeleted))
}
