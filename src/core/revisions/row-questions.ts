import { isBecause } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { countable, rounds } from '~/lib/rounds'
import { readResult } from '~/sql/result'
import type { WholeKey } from '~/sql/row-key'
import { inOne, newestRevision, revisionCount, rowProbe } from '~/sql/row-source'
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
export function askRow(io: Reads, row: RowName, signal?: AbortSignal): AskRow {
  const ask = askProbes(io, row.database, signal)
  return (periods) =>
    ask(new Map([...periods].map(([at, of]) => [at, rowProbe(row.table, row.key, at, of)])))
}

/** Asks which of some probes find a row, by their numbers; they may be of several rows. */
export function askProbes(
  { get }: Reads,
  database: string,
  signal?: AbortSignal,
): (probes: ReadonlyMap<bigint, string>) => Promise<ReadonlySet<bigint>> {
  const round = rounds(mostRequests)
  const ask = async (probes: ReadonlyMap<bigint, string>): Promise<ReadonlySet<bigint>> => {
    round()
    try {
      const found = await firstCells({ get }, { database }, inOne([...probes.values()]), signal)
      return new Set(found.map(BigInt))
    } catch (error) {
      if (!isBecause(error, 'value-gone')) throw error
      if (probes.size <= 1) return new Set(probes.keys())
      const all = [...probes]
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
  { database }: Pick<RowName, 'database'>,
  sql: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const asked = { database, sql, ...(signal ? { signal } : {}) }
  const { columns } = readResult(await querySql(get(clientAtom), asked))
  return columns[0]?.values.flatMap((value) => value ?? []) ?? []
}
