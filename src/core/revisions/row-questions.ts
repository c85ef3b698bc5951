import { isBecause } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { countable, rounds } from '~/lib/rounds'
import { readResult } from '~/sql/result'
import type { WholeKey } from '~/sql/row-key'
import { newestRevision, revisionCount, rowProbes } from '~/sql/row-source'
import type { AskRow } from './row-timeline'

/** What only reads needs of the store. */
export type Reads = Pick<Io, 'get'>

/** A row by its primary key. */
export type RowName = { readonly database: string; readonly table: string; readonly key: WholeKey }

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
