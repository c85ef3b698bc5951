import * as v from 'valibot'
import { ApiError, isBecause } from '~/api/errors'
import { readVerifiableRow } from '~/api/proof'
import { listTransactions, readTransactions, type TxHeader } from '~/api/transactions'
import { keepTxTimes } from '~/core/history/tx-times'
import { clientAtom } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { withRetries } from '~/lib/retry'
import { fromBase64 } from '~/proof/kernel/bytes'
import { hash } from '~/proof/kernel/hash'
import { rowKeyOfIndexed } from '~/proof/stored-entry'
import { keyValue } from '~/sql/literals'
import { askRow, countRevisions, type Reads, type RowName } from './row-questions'
import {
  type AskRow,
  type Change,
  type KnownChanges,
  type ReadRow,
  readAtOnce,
  type Stretch,
  Timeline,
} from './row-timeline'

/** Revisions from an end that are looked for without being asked to. */
const near = 60
/** Requests for transactions that are sent without being asked to; each is about 1 MB. */
const fewPages = 10
/** Most revisions from an end that questions are asked for one by one. */
const mostWalked = 2_500

type During = {
  readonly signal?: AbortSignal
  /** Called before each request with how many are probably left. */
  readonly onRound?: (left: number) => void
  /**
   * Lets transactions that are looked at one by one bring what they wrote, and is called for each
   * that wrote the row: with its stored cells in base64, and without for a deletion.
   */
  readonly onRow?: (tx: bigint, value: string | undefined) => void
}

type Reading = {
  readonly onRow: During['onRow'] | undefined
  readonly ask: AskRow
  readonly round: () => void
  readonly signal: AbortSignal | undefined
}

/**
 * The revisions of a row as of one moment, deletions included. The server tells how many there are,
 * and not which transaction wrote one: questions about periods find it or, where the row was written
 * often, its transactions.
 */
export class RowRevisions {
  readonly count: number
  readonly #io: Reads
  readonly #row: RowName
  /** Null when it is written too fast to be counted at one moment, or that moment is not known. */
  readonly #timeline: Timeline | null
  readonly #keep: () => void
  /** The stored key of the row in base64, once a proof named it. */
  #storedKey: string | null = null

  constructor(
    io: Reads,
    row: RowName,
    of: { count: number; timeline?: Timeline; keep?: () => void },
  ) {
    this.count = of.count
    this.#io = io
    this.#row = row
    this.#timeline = of.timeline ?? null
    this.#keep = of.keep ?? (() => {})
  }

  /** Whether they can be told apart at all. */
  get isSearchable(): boolean {
    return this.#timeline !== null
  }

  /** Whether finding one takes long enough that it is only done when asked for. */
  isFar(revision: number): boolean {
    const timeline = this.#timeline
    if (timeline === null) return false
    return timeline.isRead(revision)
      ? timeline.requestsTo(revision) > fewPages
      : timeline.distance(revision) > near
  }

  /** Whether one is too far from both ends to be found at all. */
  isLost(revision: number): boolean {
    const timeline = this.#timeline
    return !timeline?.isRead(revision) && (timeline?.distance(revision) ?? 0) > mostWalked
  }

  /**
   * The change of a revision, counted from 1; null when it cannot be told apart from others.
   * @throws ApiError when the server cannot be asked
   */
  async at(revision: number, { signal, onRound, onRow }: During = {}): Promise<Change | null> {
    const timeline = this.#timeline
    if (timeline === null) return null
    const known = timeline.at(revision)
    if (known) return known
    let isAsked = false
    const round = () => {
      signal?.throwIfAborted()
      isAsked = true
      onRound?.(timeline.requestsTo(revision))
    }
    const questions = askRow(this.#io, this.#row, signal)
    const ask: AskRow = (periods) => {
      round()
      return questions(periods)
    }
    // A proof of any of its revisions names the key by which the row is stored.
    if (timeline.isRead(revision)) await timeline.find(timeline.count, ask)
    const read: ReadRow = (from, to) =>
      this.#read(timeline, from, to, { ask, round, signal, onRow })
    const found = await timeline.find(revision, ask, read)
    if (isAsked) this.#keep()
    return found
  }

  async #read(
    timeline: Timeline,
    from: bigint,
    to: bigint,
    { ask, round, signal, onRow }: Reading,
  ): ReturnType<ReadRow> {
    const key = await this.#keyAsStored(timeline, signal)
    if (key === null) return null
    const { database } = this.#row
    const [found, written]: [Change[], TxHeader[]] = [[], []]
    for (let next = from; next <= to; ) {
      round()
      const asked = { database, only: 'sql', ...(signal ? { signal } : {}) } as const
      const limit = Math.min(readAtOnce, Number(to - next) + 1)
      const page = await this.#page({ ...asked, from: String(next), limit }, onRow !== undefined)
      if (page.length === 0) return null
      for (const { header, entries } of page) {
        const tx = BigInt(header.id)
        const entry = entries?.find((one) => one.key === key)
        if (entry) found.push({ tx, isDeletion: entry.isDeleted })
        if (entry) written.push(header)
        if (entry) onRow?.(tx, entry.isDeleted ? undefined : entry.value)
        if (entries === null) found.push(...(await changeIn(tx, ask)))
      }
      next += BigInt(page.length)
    }
    keepTxTimes(this.#io, database, written)
    return found
  }

  /** Some transactions, with what they wrote where that is wanted and was not truncated. */
  #page(range: Parameters<typeof readTransactions>[1], hasValues: boolean) {
    const client = this.#io.get(clientAtom)
    if (!hasValues) return readTransactions(client, range)
    return readTransactions(client, { ...range, hasValues }).catch((error: unknown) => {
      if (!isBecause(error, 'value-gone')) throw error
      return readTransactions(client, range)
    })
  }

  /** The stored key of the row in base64; null when no proof names it. */
  async #keyAsStored(timeline: Timeline, signal?: AbortSignal): Promise<string | null> {
    if (this.#storedKey !== null) return this.#storedKey
    const { database, table, key } = this.#row
    const atTx = timeline.known.stretches.findLast(({ from, to }) => from === to)?.to
    const values = key.map(({ type, value }) => keyValue(type, value))
    const pkValues = values.filter((value) => value !== null)
    if (atTx === undefined || pkValues.length < values.length) return null
    const asked = { database, table, pkValues, atTx: String(atTx), since: '0' }
    const withSignal = { ...asked, ...(signal ? { signal } : {}) }
    const client = this.#io.get(clientAtom)
    const answer = await withRetries(() => readVerifiableRow(client, withSignal), {
      retries: 3,
      // The index may lag briefly after a write.
      mayRepeat: (error) => isBecause(error, 'key-not-found'),
    }).catch(nullIfRefused)
    const { sqlEntry } = Object(answer)
    const indexed = typeof sqlEntry?.key === 'string' ? fromBase64(sqlEntry.key) : null
    const stored = indexed && rowKeyOfIndexed(indexed)
    this.#storedKey = stored && bytesToBase64(stored)
    return this.#storedKey
  }
}

/** Counts again when the row was written at the same moment. */
const mostCounts = 5

type Opening = {
  /** Reads the transaction up to which they are counted; null ends it. */
  readonly newest: () => Promise<Newest | null>
  /** Whether what is found is remembered, and what was found before counts. */
  readonly isRemembered?: boolean
  readonly signal?: AbortSignal
}

/**
 * Opens the revisions of a row. They are not searchable when it is written faster than it is counted.
 * @throws ApiError when the server cannot be asked
 */
export async function openRowRevisions(
  io: Reads,
  row: RowName,
  { newest, isRemembered = false, signal }: Opening,
): Promise<RowRevisions> {
  let count = await countRevisions(io, row, signal)
  for (let round = 0; round < mostCounts; round += 1) {
    const at = await newest()
    if (!at) break
    const again = await countRevisions(io, row, signal)
    if (again === count) {
      const known = isRemembered ? await recall(io, row, at) : null
      const there = await askRow(io, row, signal)(new Map([[1n, `UNTIL TX ${at.txId}`]]))
      const last = BigInt(at.txId)
      const timeline = new Timeline({ count, last, isThere: there.has(1n), known })
      const keep = () => void (isRemembered && remember(io, row, at, timeline.known))
      return new RowRevisions(io, row, { count, timeline, keep })
    }
    count = again
  }
  return new RowRevisions(io, row, { count })
}

/** The change in one transaction whose entries the server does not list; it has one at most. */
async function changeIn(tx: bigint, ask: AskRow): Promise<Change[]> {
  const periods = [`SINCE TX ${tx} UNTIL TX ${tx}`, `UNTIL TX ${tx}`, `BEFORE TX ${tx}`]
  const found = await ask(new Map(periods.map((period, at) => [BigInt(at), period])))
  if (found.has(0n)) return [{ tx, isDeletion: false }]
  return found.has(2n) && !found.has(1n) ? [{ tx, isDeletion: true }] : []
}

/** For an answer without which it goes on by questions, such as that of a row that has no cells. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && (error.kind === 'refused' || error.kind === 'too-large'))
    return null
  throw error
}

/** The newest transaction of a database, with the hash over its whole history. */
export type Newest = { readonly txId: string; readonly txHash: string }

const place = 'webconsole.revisions'
/** Rows that are remembered; the one used longest ago gives way. */
const mostRows = 200

const number = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
/** The ends of a stretch, and its flags as bits. */
const line = v.pipe(v.string(), v.regex(/^\d{1,20} \d{1,20} [0-7]$/))
const row = v.object({
  name: v.string(),
  count: v.number(),
  last: number,
  /** The hash over the history up to `last`, which another past does not have. */
  hash: v.string(),
  stretches: v.array(line),
})
const stored = v.fallback(v.array(row), [])
type Remembered = v.InferOutput<typeof row>

/**
 * What was found of a row before, if this is still the same past: a database or a table that was
 * deleted and made again under its name has another one.
 */
export async function recall(io: Reads, of: RowName, newest: Newest): Promise<KnownChanges | null> {
  const name = nameOf(io, of)
  const all = v.parse(stored, await io.get(storageAtom).read(place))
  const found = all.find((one) => one.name === name)
  if (!found || BigInt(found.last) > BigInt(newest.txId)) return null
  const known = knownOf(found)
  const isSame = (await isSamePast(io, of, found, newest)) && (await isSameTable(io, of, known))
  return isSame ? known : null
}

/** Remembers what was found; nothing in it says which row it is of. */
export function remember(
  io: Reads,
  of: RowName,
  { txHash }: Newest,
  { count, last, stretches }: KnownChanges,
): Promise<boolean> {
  const name = nameOf(io, of)
  const lines = stretches.map((one) => {
    const bits = flags.reduce((sum, flag, at) => sum + (one[flag] ? 2 ** at : 0), 0)
    return `${one.from} ${one.to} ${bits}`
  })
  const found = { name, count, last: String(last), hash: txHash, stretches: lines }
  return io.get(storageAtom).change(place, (value) => {
    const others = v.parse(stored, value).filter((one) => one.name !== name)
    return [found, ...others].slice(0, mostRows)
  })
}

const flags = ['before', 'after', 'isWritten'] as const

function knownOf({ count, last, stretches }: Remembered): KnownChanges {
  const read = stretches.map((text): Stretch => {
    const [from = 0n, to = 0n, bits = 0n] = text.split(' ').map(BigInt)
    const isSet = (flag: (typeof flags)[number]) =>
      (bits >> BigInt(flags.indexOf(flag))) % 2n === 1n
    return {
      from,
      to,
      before: isSet('before'),
      after: isSet('after'),
      isWritten: isSet('isWritten'),
    }
  })
  return { count, last: BigInt(last), stretches: read }
}

/** A digest, so that storage holds no value of a primary key after logout. */
function nameOf(io: Reads, { database, table, key }: RowName): string {
  const { server } = io.get(databaseIdAtom)(database)
  return bytesToHex(hash(encodeUtf8(JSON.stringify([server, database, table, key]))))
}

async function isSamePast(
  io: Reads,
  { database }: RowName,
  { last, hash: known }: Remembered,
  newest: Newest,
): Promise<boolean> {
  if (newest.txId === last) return newest.txHash === known
  const next = String(BigInt(last) + 1n)
  const [header] = await listTransactions(io.get(clientAtom), { database, upTo: next, limit: 1 })
  return header?.id === next && header.prevAlh === known
}

/** A new table of the same name has no row in a transaction from before it. */
async function isSameTable(io: Reads, of: RowName, known: KnownChanges): Promise<boolean> {
  const one = known.stretches.findLast(({ isWritten }) => isWritten)
  if (!one) return false
  const found = await askRow(io, of)(new Map([[1n, `SINCE TX ${one.from} UNTIL TX ${one.to}`]]))
  return found.has(1n)
}
