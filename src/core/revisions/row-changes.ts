import { ApiError, isBecause } from '~/api/errors'
import { readVerifiableRow } from '~/api/proof'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { readTransactions, type TxHeader } from '~/api/transactions'
import type { Io } from '~/core/act'
import { keepTxTimes } from '~/core/history/tx-times'
import { clientAtom } from '~/core/session/client'
import { bytesToBase64 } from '~/lib/bytes'
import { withRetries } from '~/lib/retry'
import { countable, rounds } from '~/lib/rounds'
import { fromBase64 } from '~/proof/bytes'
import { rowKeyOfIndexed } from '~/proof/stored-entry'
import { keyValue } from '~/sql/literals'
import { readResult } from '~/sql/result'
import { type KeyCells, newestRevision, revisionCount, rowProbes } from '~/sql/row-source'
import {
  type AskRow,
  type Change,
  type KnownChanges,
  type ReadRow,
  readAtOnce,
  Timeline,
} from './row-timeline'

/** What only reads needs of the store. */
export type Reads = Pick<Io, 'get'>

/** A row by its primary key. */
export type RowName = { readonly database: string; readonly table: string; readonly key: KeyCells }

/** Requests of one search: where cells are gone, each round of questions takes many. */
const mostRequests = 8_000

/**
 * Asks with queries, whose answers prove nothing. A truncation makes a query fail that meets a row
 * whose cells it removed, so a period that fails alone ends with such a row.
 */
export function askRow({ get }: Reads, row: RowName, signal?: AbortSignal): AskRow {
  const round = rounds(mostRequests)
  const ask: AskRow = async (periods) => {
    round()
    try {
      const found = await firstCells({ get }, row, rowProbes(row.table, row.key, periods), signal)
      return new Set(found.map(BigInt))
    } catch (error) {
      if (!isBecause(error, 'value-gone')) throw error
      if (periods.size <= 1) return new Set(periods.keys())
      const all = [...periods]
      const half = Math.ceil(all.length / 2)
      const one = await ask(new Map(all.slice(0, half)))
      const other = await ask(new Map(all.slice(half)))
      return new Set([...one, ...other])
    }
  }
  return ask
}

/**
 * Finds the change of a revision, counted from 1, by questions or, where the row was written often,
 * by the transactions; null when it cannot be told apart from others.
 * @param onRound called before each request with how many are probably left
 * @throws ApiError when the server cannot be asked
 */
export async function findChange(
  { get }: Reads,
  row: RowName,
  timeline: Timeline,
  revision: number,
  { signal, onRound }: { signal?: AbortSignal; onRound?: (left: number) => void },
): Promise<Change | null> {
  const round = () => {
    signal?.throwIfAborted()
    onRound?.(timeline.requestsTo(revision))
  }
  const questions = askRow({ get }, row, signal)
  const ask: AskRow = (periods) => {
    round()
    return questions(periods)
  }
  const read: ReadRow = async (from, to) => {
    const key = await storedKey({ get }, row, timeline, signal)
    if (key === null) return null
    const [found, written]: [Change[], TxHeader[]] = [[], []]
    for (let next = from; next <= to; ) {
      round()
      const { database } = row
      const asked = { database, only: 'sql', ...(signal ? { signal } : {}) } as const
      const limit = Math.min(readAtOnce, Number(to - next) + 1)
      const page = await readTransactions(get(clientAtom), { ...asked, from: String(next), limit })
      if (page.length === 0) return null
      for (const { header, entries } of page) {
        const tx = BigInt(header.id)
        const entry = entries?.find((one) => one.key === key)
        if (entry) found.push({ tx, isDeletion: entry.isDeleted })
        if (entry) written.push(header)
        if (entries === null) found.push(...(await changeIn(tx, ask)))
      }
      next += BigInt(page.length)
    }
    keepTxTimes({ get }, row.database, written)
    return found
  }
  // A proof of any of its revisions names the key by which the row is stored.
  if (timeline.isRead(revision)) await timeline.find(timeline.count, ask)
  return timeline.find(revision, ask, read)
}

/** The change in one transaction whose entries the server does not list; it has one at most. */
async function changeIn(tx: bigint, ask: AskRow): Promise<Change[]> {
  const periods = [`SINCE TX ${tx} UNTIL TX ${tx}`, `UNTIL TX ${tx}`, `BEFORE TX ${tx}`]
  const found = await ask(new Map(periods.map((period, at) => [BigInt(at), period])))
  if (found.has(0n)) return [{ tx, isDeletion: false }]
  return found.has(2n) && !found.has(1n) ? [{ tx, isDeletion: true }] : []
}

/** The stored key of the row in base64; null when no proof names it. */
async function storedKey(
  { get }: Reads,
  { database, table, key }: RowName,
  timeline: Timeline,
  signal?: AbortSignal,
): Promise<string | null> {
  const known = keys.get(timeline)
  if (known !== undefined) return known
  const atTx = timeline.known.stretches.findLast(({ from, to }) => from === to)?.to
  const values = key.map(({ type, value }) => keyValue(type, value))
  const pkValues = values.filter((value) => value !== null)
  if (atTx === undefined || pkValues.length < values.length) return null
  const asked = { database, table, pkValues, atTx: String(atTx), since: '0' }
  const withSignal = { ...asked, ...(signal ? { signal } : {}) }
  const answer = await withRetries(() => readVerifiableRow(get(clientAtom), withSignal), {
    retries: 3,
    // The index may lag briefly after a write.
    mayRepeat: (error) => isBecause(error, 'key-not-found'),
  }).catch(nullIfRefused)
  const { sqlEntry } = Object(answer)
  const indexed = typeof sqlEntry?.key === 'string' ? fromBase64(sqlEntry.key) : null
  const stored = indexed && rowKeyOfIndexed(indexed)
  if (stored) keys.set(timeline, bytesToBase64(stored))
  return stored && bytesToBase64(stored)
}

const keys = new WeakMap<Timeline, string>()

/** How many revisions a row has, deletions included, as the server's queries number them. */
export async function countRevisions(
  { get }: Reads,
  row: RowName,
  signal?: AbortSignal,
): Promise<number> {
  const { table, key } = row
  const [count = '0'] = await firstCells({ get }, row, newestRevision(table, key), signal).catch(
    (error: unknown) => {
      if (!isBecause(error, 'value-gone')) throw error
      return firstCells({ get }, row, revisionCount(table, key), signal)
    },
  )
  return countable(count)
}

/** Counts again when the row was written at the same moment. */
const mostCounts = 5

/** The newest transaction of a database, with the hash over its whole history. */
export type Newest = { readonly txId: string; readonly txHash: string }

/**
 * The revisions of a row, to be searched; null when it is written faster than it can be counted.
 * @param newest reads the transaction up to which it is counted; null ends it
 * @throws ApiError when the server cannot be asked
 */
export async function openTimeline<N extends Pick<Newest, 'txId'>>(
  { get }: Reads,
  row: RowName,
  newest: () => Promise<N | null>,
  signal?: AbortSignal,
): Promise<{ newest: N; timelineFrom: (known: KnownChanges | null) => Promise<Timeline> } | null> {
  let count = await countRevisions({ get }, row, signal)
  for (let round = 0; round < mostCounts; round += 1) {
    const of = await newest()
    if (!of) return null
    const again = await countRevisions({ get }, row, signal)
    if (again === count) {
      const timelineFrom = (known: KnownChanges | null) =>
        begun({ get }, row, again, of, known, signal)
      return { newest: of, timelineFrom }
    }
    count = again
  }
  return null
}

async function begun(
  { get }: Reads,
  row: RowName,
  count: number,
  { txId }: Pick<Newest, 'txId'>,
  known: KnownChanges | null,
  signal?: AbortSignal,
): Promise<Timeline> {
  const there = await askRow({ get }, row, signal)(new Map([[1n, `UNTIL TX ${txId}`]]))
  return new Timeline({ count, last: BigInt(txId), isThere: there.has(1n), known })
}

/** The newest transaction as the server tells it. */
export function readNewest({ get }: Reads, { database }: RowName): Promise<Newest> {
  return readState(get(clientAtom), database)
}

/** For an answer without which it goes on by questions, such as that of a row that has no cells. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && (error.kind === 'refused' || error.kind === 'too-large'))
    return null
  throw error
}

async function firstCells(
  { get }: Reads,
  { database }: RowName,
  sql: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const asked = { database, sql, ...(signal ? { signal } : {}) }
  const { columns } = readResult(await querySql(get(clientAtom), asked))
  return columns[0]?.values.flatMap((value) => value ?? []) ?? []
}
