import type { OutputEntry } from '../query/output'
import { databaseIdAtom } from '../session/session'
import type { StoreAccess } from '../storage/store-access'
import { isCurrent } from '../trust/display'
import { trustedStatesAtom } from '../trust/trusted-states'
import { verifyState } from '../trust/verify-state'
import { keyOfRow, type RowOf } from './compare-row'
import { type AskRow, countVersions, lastDeletion, lastWrite } from './writes'

/** Versions walked through to reach one, from the newest on. */
const mostWalked = 2_500

/** The transactions that wrote the versions of one row, newest first, as far as looked for. */
export class RowVersions {
  readonly count: bigint
  /** The transaction up to which the row has as many versions. */
  #bound: bigint
  readonly #found: bigint[] = []
  /** From here on others may have been passed over; only the number of all of them can tell. */
  #unsureFrom: number | null = null
  #isAtEnd = false
  #walk: Promise<void> = Promise.resolve()

  constructor(count: bigint, bound: bigint) {
    this.count = count
    this.#bound = bound
  }

  /**
   * The transaction that wrote a version, counted from 1; null when it cannot be told.
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

/** What was found of a result stays right: the past does not change. */
const known = new WeakMap<OutputEntry, Map<string, Promise<Counted>>>()

/** The versions of a row of a result; null when they cannot be counted now. */
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

/** Times it is counted again because the row was written at the same moment. */
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
