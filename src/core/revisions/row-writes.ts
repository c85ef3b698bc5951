import { ApiError, isBecause } from '~/api/errors'
import { querySql } from '~/api/sql'
import { clientAtom } from '~/core/session/client'
import { rounds } from '~/lib/rounds'
import { readResult } from '~/sql/result'
import type { WholeKey } from '~/sql/row-key'
import { newestRevisions, rowProbe } from '~/sql/row-source'
import { askProbes, countRevisions, type Reads, type RowName } from './row-questions'

/** Rows of one table by their primary keys. */
export type RowNames = {
  readonly database: string
  readonly table: string
  readonly keys: readonly WholeKey[]
}

/** Questions in one statement, and characters that they should not exceed together. */
const [probesAtOnce, mostCharacters] = [256, 64_000]

/**
 * The last transactions that wrote some rows as they are at the end of a period, found by bisection
 * of all at once; null for a row that does not exist then.
 * @param until the end as SQL, which is not behind transaction `last`
 * @throws ApiError when the server cannot be asked; NoProgress where its answers lead nowhere
 */
export async function lastWrites(
  io: Reads,
  rows: RowNames,
  { until, last }: { until: string; last: bigint },
  signal?: AbortSignal,
): Promise<readonly (bigint | null)[]> {
  const ask = askProbes(io, rows.database, signal)
  const room = roomFor(rows)
  const round = rounds()
  const spans = rows.keys.map((key) => ({ key, low: 0n, high: last }))
  for (;;) {
    const open = spans.filter(({ low, high }) => low < high).slice(0, Math.ceil(room / 3))
    if (open.length === 0) return spans.map(({ low }) => (low === 0n ? null : low))
    round()
    const each = BigInt(Math.floor(room / open.length))
    const places = open.flatMap((span) => placesIn(span, each).map((at) => ({ span, at })))
    const probes = places.map(({ span, at }, number): [bigint, string] => {
      const period = `SINCE TX ${at} ${until}`
      return [BigInt(number), rowProbe(rows.table, span.key, number, period)]
    })
    const found = await ask(new Map(probes)).catch((error: unknown) => {
      if (endsWithTx.test(until)) throw error
      return noneIfRefused(error)
    })
    for (const [number, { span, at }] of places.entries()) {
      if (!found.has(BigInt(number))) span.high = min(span.high, at - 1n)
      else if (at > span.low) span.low = at
    }
  }
}

/** The last transaction that wrote a row as it is at the end of a period; see {@link lastWrites}. */
export async function lastWrite(
  io: Reads,
  { database, table, key }: RowName,
  until: string,
  last: bigint,
  signal?: AbortSignal,
): Promise<bigint | null> {
  const rows = { database, table, keys: [key] }
  const [found = null] = await lastWrites(io, rows, { until, last }, signal)
  return found
}

const min = (one: bigint, other: bigint) => (one < other ? one : other)

/** No server refuses a period with such an end for being empty, so it says something else. */
const endsWithTx = / TX \d+$/i

/** The server refuses a period that ends before its first transaction, when the end is a time. */
function noneIfRefused(error: unknown): ReadonlySet<bigint> {
  if (error instanceof ApiError && error.kind === 'refused') return new Set()
  throw error
}

/** How many questions about these rows one statement takes, three at least. */
function roomFor({ table, keys }: RowNames): number {
  const lengths = keys.map((key) => rowProbe(table, key, 0, ' '.repeat(60)).length)
  const longest = Math.max(1, ...lengths)
  return Math.max(3, Math.min(probesAtOnce, Math.floor(mostCharacters / longest)))
}

/**
 * Evenly spread numbers above the lower one, the upper one included. At the beginning the first, too:
 * a row that is not there is found in no period.
 */
function placesIn({ low, high }: { low: bigint; high: bigint }, most: bigint): bigint[] {
  const isFirst = low === 0n && high > 1n && most > 2n
  const [width, room] = [high - low, isFirst ? most - 1n : most]
  const count = width < room ? width : room
  const at = (part: number) => low + ((BigInt(part) + 1n) * width) / count
  const places = Array.from({ length: Number(count) }, (_, part) => at(part))
  return isFirst && places[0] !== 1n ? [1n, ...places] : places
}

/**
 * How many revisions some rows have now, deletions included, as the server's queries number them;
 * null for a row that never existed.
 */
export async function countsOfRows(
  io: Reads,
  { database, table, keys }: RowNames,
  signal?: AbortSignal,
): Promise<readonly (string | null)[]> {
  const asked = { database, sql: newestRevisions(table, keys), ...(signal ? { signal } : {}) }
  try {
    const { columns } = readResult(await querySql(io.get(clientAtom), asked))
    const [places, counts] = columns
    const found = new Map(places?.values.map((at, row) => [at, counts?.values[row] ?? null]))
    return keys.map((_, at) => found.get(String(at)) ?? null)
  } catch (error) {
    if (!isBecause(error, 'value-gone')) throw error
    const found: string[] = []
    for (const key of keys) {
      found.push(String(await countRevisions(io, { database, table, key }, signal)))
    }
    return found
  }
}

/** Whether some rows are there now and were not written after some transactions, null being none. */
export async function areUnchangedSince(
  io: Reads,
  { database, table, keys }: RowNames,
  txs: readonly (bigint | null)[],
  signal?: AbortSignal,
): Promise<readonly boolean[]> {
  const probes = new Map<bigint, string>()
  for (const [at, key] of keys.entries()) {
    const tx = txs[at]
    if (tx === null || tx === undefined) continue
    probes.set(BigInt(2 * at), rowProbe(table, key, 2 * at, ''))
    probes.set(BigInt(2 * at + 1), rowProbe(table, key, 2 * at + 1, `SINCE TX ${tx + 1n}`))
  }
  if (probes.size === 0) return keys.map(() => false)
  const found = await askProbes(io, database, signal)(probes)
  return keys.map((_, at) => found.has(BigInt(2 * at)) && !found.has(BigInt(2 * at + 1)))
}
