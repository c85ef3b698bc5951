import { isBecause } from '~/api/errors'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { readResult } from '~/sql/result'
import { type KeyCells, newestRevision, revisionCount, rowProbes } from '~/sql/row-source'
import { clientAtom } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { type AskRow, type KnownChanges, Timeline } from './timeline'

/** What only reads needs of the store. */
export type Reads = Pick<StoreAccess, 'get'>

/** A row by its primary key. */
export type RowName = { readonly database: string; readonly table: string; readonly key: KeyCells }

/**
 * Asks with queries, whose answers prove nothing. A truncation makes a query fail that meets a row
 * whose cells it removed, so a period that fails alone ends with such a row.
 */
export function askRow({ get }: Reads, row: RowName, signal?: AbortSignal): AskRow {
  const ask: AskRow = async (periods) => {
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
  return Number(count)
}

/** Counts again when the row was written at the same moment. */
const mostCounts = 5

/** The newest transaction of a database, with the hash over its whole history. */
export type Newest = { readonly txId: string; readonly txHash: string }

/**
 * The revisions of a row, to be searched; null when it is written faster than it can be counted.
 * @param newest reads the transaction as of which it is counted; null ends it
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
