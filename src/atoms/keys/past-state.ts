import type { Client } from '~/api/client'
import { isBecause } from '~/api/errors'
import { type Entry, getKey, listRevisions } from '~/api/keys'
import { unreadable } from '~/core/unreadable'
import { countable, rounds, sameAgain } from '~/lib/rounds'
import type { KeyState } from './key-pages'
import { referenceIn } from './reference'

/** The state of a key as of a transaction. Those that only the past knows come after `KeyState`. */
export type PastKeyState =
  | KeyState
  /** It was set for the first time by a later transaction. */
  | { kind: 'not-yet'; first: string }
  /** A revision that cannot be read hides which one it was. */
  | { kind: 'hidden' }
  /** A reference whose value at that time cannot be read. */
  | { kind: 'unresolved'; entry: Entry; target: PastKeyState | null }

type Request = { database: string; key: string; tx: string; signal?: AbortSignal }

/**
 * Looks up what a key was as of a transaction: the largest revision up to it in the history. A
 * reference brings the value that its target had at that time.
 */
export async function readPastKeyState(client: Client, request: Request): Promise<PastKeyState> {
  const found = await revisionAt(client, request)
  if ('kind' in found) return found
  if (found.isDeleted) return { kind: 'deleted', entry: found }
  if (found.isExpired) return { kind: 'expired', entry: found }
  const revision = found.revision ?? ''
  try {
    const entry = await getKey(client, { ...request, revision })
    if (entry.target === null || entry.target.isBound) return { kind: 'live', entry }
    return await resolved(client, request, entry, entry.target.key)
  } catch (error) {
    const why = unreadable(error)
    if (why !== null) return { kind: why }
    // Only a reference is not found although its revision is there.
    if (!isBecause(error, 'key-not-found')) throw error
    const target = referenceIn(found.value)
    return target === null
      ? { kind: 'unresolved', entry: found, target: null }
      : resolved(client, request, found, target.key)
  }
}

/** A reference with the value of its target as of the transaction; no target is a reference. */
async function resolved(
  client: Client,
  request: Request,
  entry: Entry,
  key: string,
): Promise<PastKeyState> {
  const target = await revisionAt(client, { ...request, key })
  if ('kind' in target) return { kind: 'unresolved', entry, target }
  if (target.isDeleted)
    return { kind: 'unresolved', entry, target: { kind: 'deleted', entry: target } }
  if (target.isExpired)
    return { kind: 'unresolved', entry, target: { kind: 'expired', entry: target } }
  const { tx, revision, value } = target
  return {
    kind: 'live',
    entry: {
      ...entry,
      value,
      target: { key, tx, revision, isBound: entry.target?.isBound ?? false },
    },
  }
}

/** Of revisions without gaps, found by bisection: each answer may hold a value of megabytes. */
async function revisionAt(
  client: Client,
  { tx, ...request }: Request,
): Promise<Entry | Extract<PastKeyState, { kind: 'absent' | 'not-yet' | 'hidden' }>> {
  const search = new Search(client, request)
  const newest = await search.newest()
  if (newest === 'none') return { kind: 'absent' }
  if (newest === 'hidden') return { kind: 'hidden' }
  if (BigInt(newest.tx) <= BigInt(tx)) return search.hasHiddenNewer ? { kind: 'hidden' } : newest
  let [low, high]: [Entry | null, bigint] = [null, BigInt(newest.revision ?? '1')]
  let first = newest
  while (true) {
    const from = BigInt(low?.revision ?? '0') + 1n
    if (from >= high) break
    const found = await search.near((from + high - 1n) / 2n, from, high)
    if (found === null) return { kind: 'hidden' }
    // A revision from elsewhere would leave the search where it is.
    const at = BigInt(found.revision ?? '0')
    if (at < from || at >= high) throw sameAgain()
    if (BigInt(found.tx) <= BigInt(tx)) low = found
    else {
      first = found
      high = BigInt(found.revision ?? '1')
    }
  }
  return low ?? { kind: 'not-yet', first: first.tx }
}

/** So many revisions that cannot be read are skipped at the end. */
const mostHidden = 16n
/** So many on either side of a revision that cannot be read. */
const mostBeside = 1_000n
/** Requests of one search. */
const mostAsked = 4_000
/** How often new revisions may move the others while they are read. */
const mostMoved = 64

/** Reads single revisions of a key by their number. */
class Search {
  readonly #client: Client
  readonly #request: Omit<Request, 'tx'>
  readonly #round = rounds(mostAsked)
  #count = 0n
  #hidden = 0n
  #moved = 0

  constructor(client: Client, request: Omit<Request, 'tx'>) {
    this.#client = client
    this.#request = request
  }

  /** Whether there are revisions newer than the newest one that can be read. */
  get hasHiddenNewer(): boolean {
    return this.#hidden > 0n
  }

  /** The newest revision that can be read. */
  async newest(): Promise<Entry | 'none' | 'hidden'> {
    for (; this.#hidden < mostHidden; this.#hidden += 1n) {
      try {
        const [found] = await this.#list(this.#hidden)
        if (!found) return this.#hidden > 0n ? 'hidden' : 'none'
        this.#count = BigInt(found.revision ?? '0') + this.#hidden
        return found
      } catch (error) {
        if (unreadable(error) === null) throw error
      }
    }
    return 'hidden'
  }

  /** A revision, or its next neighbour below `to` that can be read; null when there is none. */
  async near(wanted: bigint, from: bigint, to: bigint): Promise<Entry | null> {
    for (let distance = 0n; distance < to - from && distance < mostBeside; distance += 1n) {
      for (const at of distance === 0n ? [wanted] : [wanted - distance, wanted + distance]) {
        if (at < from || at >= to) continue
        const found = await this.#read(at)
        if (found !== null) return found
      }
    }
    return null
  }

  async #read(revision: bigint): Promise<Entry | null> {
    try {
      const [found] = await this.#list(this.#count - revision)
      const ahead = BigInt(found?.revision ?? revision) - revision
      if (ahead <= 0n) return found ?? null
      // New revisions came on top, so all are further down.
      this.#count += ahead
      this.#moved += 1
      if (this.#moved > mostMoved) throw sameAgain()
      return this.#read(revision)
    } catch (error) {
      if (unreadable(error) !== null) return null
      throw error
    }
  }

  async #list(offset: bigint): Promise<Entry[]> {
    this.#round()
    const asked = { ...this.#request, offset: countable(offset), limit: 1 }
    return listRevisions(this.#client, asked)
  }
}
