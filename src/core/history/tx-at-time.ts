import type { TxHeader } from '~/api/transactions'
import { bisect } from '~/lib/bisection'

/** Reads headers of transactions that follow each other. */
type ReadHeaders = (from: bigint, count: number) => Promise<readonly TxHeader[]>

export type TxAtTime =
  /** `first`: when the first transaction was committed, in seconds since 1970. */
  | { kind: 'before-first'; first: string }
  | {
      kind: 'found'
      tx: string
      /** Seconds since 1970. */
      ts: string
      /** The clock of the server stepped back, so other transactions may fit the time as well. */
      isAbout: boolean
    }

/** So many headers are read at once in the end, which also shows steps of the clock. */
const lastStretch = 100n

/**
 * The last transaction that was committed by a time in seconds since 1970, found by bisection over
 * the headers. A clock that steps back shows only among the headers that were read.
 */
export async function txAtTime(read: ReadHeaders, newest: string, time: bigint): Promise<TxAtTime> {
  const known = new Map<bigint, bigint>()
  const look = async (from: bigint, count = 1) => {
    for (const { id, ts } of await read(from, count)) known.set(BigInt(id), BigInt(ts))
  }
  const isBy = async (id: bigint) => {
    if (!known.has(id)) await look(id)
    return (known.get(id) ?? 0n) <= time
  }
  const end = BigInt(newest)
  const isAll = await isBy(end)
  if (!isAll && !(await isBy(1n))) {
    return { kind: 'before-first', first: String(known.get(1n) ?? 0n) }
  }
  let [low, high] = await bisect(isAll ? end : 1n, end, isBy, lastStretch)
  if (high - low > 1n) {
    await look(low, Number(high - low))
    for (let id = low; id < high; id += 1n) if (await isBy(id)) low = id
  }
  return { kind: 'found', tx: String(low), ts: String(known.get(low)), isAbout: steppedBack(known) }
}

function steppedBack(known: ReadonlyMap<bigint, bigint>): boolean {
  const times = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ts]) => ts)
  return times.some((ts, index) => ts < (times[index - 1] ?? 0n))
}
