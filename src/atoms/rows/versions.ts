import { ApiError } from '~/api/errors'
import { querySql } from '~/api/sql'
import { readResult } from '~/sql/result'
import { type KeyCells, rowProbes, versionCount } from '~/sql/row-source'
import type { OutputEntry } from '../query/output'
import { clientAtom } from '../session/client'
import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'
import { isCurrent } from '../trust/trust'
import { trustedStatesAtom } from '../trust/trusted-states'
import { verifyState } from '../trust/verify-state'
import { keyOfRow, type RowOf } from './compare-row'

/** Most revisions to walk through, from the newest on. */
const mostWalked = 2_500

/** The transactions that wrote the versions of one row, newest first, as far as looked for. */
export class RowVersions {
  readonly count: bigint
  /** The transaction up to which the row has this many revisions. */
  #bound: bigint
  readonly #found: bigint[] = []
  /** From here on some may have been skipped; only the total number can tell. */
  #unsureFrom: number | null = null
  #isAtEnd = false
  #walk: Promise<void> = Promise.resolve()

  constructor(count: bigint, bound: bigint) {
    this.count = count
    this.#bound = bound
  }

  /**
   * The transaction that wrote a revision, counted from 1; null when unknown.
   * @throws ApiError when the server cannot be asked
   */
  async find(revision: bigint, askIn: AskRow): Promise<bigint | null> {
    const place = Number(this.count - revision)
    if (place < 0 || revision < 1n || place >= mostWalked) return null
    const walk = this.#walk.then(() => this.#walkTo(place, askIn))
    this.#walk = walk.catch(() => {})
    await walk
    if (!this.#isSure(place) && BigInt(this.#found.length) !== this.count) return null
    return this.#found[place] ?? null
  }

  async #walkTo(place: number, askIn: AskRow): Promise<void> {
    while (!this.#isAtEnd && this.#found.length < this.#wanted(place)) {
      const tx = await this.#next(askIn)
      if (tx === null) this.#isAtEnd = true
      else {
        this.#found.push(tx)
        this.#bound = tx - 1n
      }
    }
  }

  #wanted(place: number): number {
    return this.#isSure(place) ? place + 1 : Math.min(Number(this.count), mostWalked)
  }

  #isSure(place: number): boolean {
    return this.#unsureFrom === null || place < this.#unsureFrom
  }

  async #next(askIn: AskRow): Promise<bigint | null> {
    if (this.#bound < 1n) return null
    const written = await lastWrite(askIn, `UNTIL TX ${this.#bound}`, this.#bound)
    if (written !== null) return written
    this.#unsureFrom ??= this.#found.length
    return lastDeletion(askIn, this.#bound)
  }
}

type Counted = { versions: RowVersions | null }

/** Findings about a result stay valid, because the past does not change. */
const known = new WeakMap<OutputEntry, Map<string, Promise<Counted>>>()

/** The revisions of a row in a result; null when they cannot be counted now. */
export async function versionsOf(
  io: StoreAccess,
  entry: OutputEntry,
  of: RowOf,
  signal?: AbortSignal,
): Promise<RowVersions | null> {
  const ofEntry = known.get(entry) ?? new Map<string, Promise<Counted>>()
  known.set(entry, ofEntry)
  const name = JSON.stringify(keyOfRow(of))
  const counting = ofEntry.get(name) ?? countUnderTrust(io, of, signal)
  ofEntry.set(name, counting)
  const forget = () => void ofEntry.delete(name)
  const { versions } = await counting.catch((error: unknown) => {
    forget()
    throw error
  })
  if (!versions) forget()
  return versions
}

/** Recounts when the row was written at the same moment. */
const mostCounts = 5

async function countUnderTrust(io: StoreAccess, of: RowOf, signal?: AbortSignal): Promise<Counted> {
  let count = await countVersions(io, of, signal)
  for (let round = 0; round < mostCounts; round += 1) {
    const trust = await verifyState(io, of.database)
    if (!isCurrent(trust)) break
    const record = await io.get(trustedStatesAtom).read(io.get(databaseIdAtom)(of.database))
    const again = await countVersions(io, of, signal)
    if (record && again === count) {
      return { versions: new RowVersions(count, BigInt(record.point.txId)) }
    }
    count = again
  }
  return { versions: null }
}

/** Returns the numbers of the periods in which the newest revision of a row is not a deletion. */
export type AskRow = (periods: ReadonlyMap<bigint, string>) => Promise<ReadonlySet<bigint>>

/** Asks with queries, whose answers prove nothing. */
export function askRow(io: StoreAccess, of: RowOf, signal?: AbortSignal): AskRow {
  return async (periods) => {
    const sql = rowProbes(of.map.table, keyCells(of), periods)
    try {
      return new Set((await ask(io, of, sql, signal)).map(BigInt))
    } catch (error) {
      // An end before the first transaction, when it is a time.
      if (error instanceof ApiError && error.kind === 'refused') return new Set()
      throw error
    }
  }
}

/** How many revisions a row has, deletions included, as the server's queries count. */
async function countVersions(io: StoreAccess, of: RowOf, signal?: AbortSignal): Promise<bigint> {
  const [count = '0'] = await ask(io, of, versionCount(of.map.table, keyCells(of)), signal)
  return BigInt(count)
}

async function ask(io: StoreAccess, { database }: RowOf, sql: string, signal?: AbortSignal) {
  const asked = { database, sql, ...(signal ? { signal } : {}) }
  const { columns } = readResult(await querySql(io.get(clientAtom), asked))
  return columns[0]?.values.flatMap((value) => value ?? []) ?? []
}

function keyCells({ result, map, row }: RowOf): KeyCells {
  return map.keys.map(({ at, column }) => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    return { column, type, value: values[row] ?? '' }
  })
}

/** Periods in one statement, which the server reads within milliseconds. */
const atOnce = 32n
/** Periods to check before a missing row counts as never written. */
const mostPlaces = 1_024n

/**
 * The last transaction that wrote the row as it is at the end of a period, found by bisection; null
 * when the row does not exist then.
 * @param until the end as SQL, which is not behind transaction `last`
 */
export async function lastWrite(
  askIn: AskRow,
  until: string,
  last: bigint,
): Promise<bigint | null> {
  let [low, high] = [0n, last]
  while (low < high) {
    const places = spread(low + 1n, high, atOnce)
    const found = await askIn(new Map(places.map((at) => [at, `SINCE TX ${at} ${until}`])))
    const above = places.find((at) => !found.has(at))
    const best = places.findLast((at) => found.has(at))
    if (best === undefined && low === 0n) return null
    low = best ?? low
    high = above === undefined ? high : above - 1n
  }
  return low === 0n ? null : low
}

/**
 * A transaction up to `last` that deleted the row, which does not exist at `last`. It is the latest
 * one found; the search may miss a row that existed only briefly. Null when the row exists at no
 * checked moment.
 */
async function lastDeletion(askIn: AskRow, last: bigint): Promise<bigint | null> {
  const places = spread(1n, last, mostPlaces)
  let low = await lastThere(askIn, places)
  if (low === null) return null
  let high = places.find((at) => at > (low ?? 0n)) ?? last
  while (high - low > 1n) {
    const between = spread(low + 1n, high - 1n, atOnce)
    const found = await lastThere(askIn, between)
    high = between.find((at) => at > (found ?? 0n)) ?? high
    low = found ?? low
  }
  return high
}

async function lastThere(askIn: AskRow, places: readonly bigint[]): Promise<bigint | null> {
  for (let end = places.length; end > 0; end -= Number(atOnce)) {
    const part = places.slice(Math.max(0, end - Number(atOnce)), end)
    const found = await askIn(new Map(part.map((at) => [at, `UNTIL TX ${at}`])))
    const latest = part.findLast((at) => found.has(at))
    if (latest !== undefined) return latest
  }
  return null
}

/** Evenly spread numbers from the first to the last, both included. */
function spread(first: bigint, last: bigint, most: bigint): bigint[] {
  const width = last - first + 1n
  const count = width < most ? width : most
  return Array.from({ length: Number(count) }, (_, at) =>
    count === 1n ? last : first + (BigInt(at) * (width - 1n)) / (count - 1n),
  )
}
