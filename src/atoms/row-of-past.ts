import { ApiError } from '~/api/errors'
import { querySql } from '~/api/sql'
import { formatTx } from '~/lib/text'
import { rowSince, upperBound } from '~/sql/row-source'
import { clientAtom } from './client'
import type { OutputEntry } from './output'
import type { Proof } from './proof-drawer'
import { checkRow, markOf, type RowOf, rowFacts } from './row-check'
import type { Io } from './trust-check'

/**
 * Verifies a row as a result shows it, which may be that of a moment of the past: then the
 * transaction that had written it by then is looked for, and the row is verified there.
 * @throws ApiError when the server cannot be asked
 */
export async function proofOfShown(
  io: Io,
  entry: OutputEntry,
  of: RowOf,
  signal?: AbortSignal,
): Promise<Proof> {
  const during = signal ? { signal } : {}
  const newest = await checkRow(io, of, during)
  const until = upperBound(entry.sent ?? entry.source)
  if (until === '') return newest
  const mark = markOf(newest)
  if (mark.kind === 'verified' || mark.kind === 'partly') {
    return { ...newest, notes: ['The newest version of the row is the one of that moment.'] }
  }
  if (mark.kind !== 'differs' && mark.kind !== 'unproven') return newest
  const last = newest.verification.context?.trusted?.txId
  if (until === null || last === undefined) return { ...newest, notes: [comparedWithNewest] }
  const tx = await writtenIn(io, of, until, BigInt(last), signal)
  if (tx === null) return { ...newest, notes: [comparedWithNewest] }
  const past = await checkRow(io, of, { atTx: String(tx), ...during })
  const isNewest = rowFacts(newest)?.tx === String(tx)
  const note = `This result shows a moment of the past; the row was last written before it in tx ${formatTx(String(tx))}.`
  return isNewest ? newest : { ...past, notes: [note] }
}

const comparedWithNewest =
  'This result shows a moment of the past, and the transaction that had written the row by then could not be found: it is compared with the newest version.'

/** The last transaction up to a moment that wrote the row, found by halving; null for none. */
async function writtenIn(
  io: Io,
  { database, result, map, row }: RowOf,
  until: string,
  last: bigint,
  signal?: AbortSignal,
): Promise<bigint | null> {
  const key = map.keys.map(({ at, column }) => {
    const { type = '', values = [] } = result.columns[at] ?? {}
    return { column, type, value: values[row] ?? '' }
  })
  const isWrittenSince = async (from: bigint) => {
    const sql = rowSince(map.table, key, from, until)
    const asked = { database, sql, ...(signal ? { signal } : {}) }
    try {
      return (await querySql(io.get(clientAtom), asked)).rows.length > 0
    } catch (error) {
      // A period that begins behind its end, when the end is a time.
      if (error instanceof ApiError && error.kind === 'refused') return false
      throw error
    }
  }
  const limit = BigInt(/\d+/.exec(until)?.[0] ?? last)
  let [low, high] = [1n, /\bTX\b/i.test(until) && limit < last ? limit : last]
  if (!(await isWrittenSince(low))) return null
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (await isWrittenSince(middle)) low = middle
    else high = middle - 1n
  }
  return low
}
