import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { readState } from '~/api/server'
import type { Io } from '~/core/act'
import type { Reads } from '~/core/revisions/row-questions'
import {
  areUnchangedSince,
  countsOfRows,
  lastWrites,
  type RowNames,
} from '~/core/revisions/row-writes'
import type { RowSet } from '~/core/row-set'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { PlainError } from '~/lib/plain-error'
import { pause } from '~/lib/retry'
import { rowPeriod } from '~/sql/time-travel'
import { rowName } from './past-rows'
import { planRows } from './proofs'

/** What wrote a row as it is shown, and how often it was written. */
export type RowWrite = {
  /** Null where it is not there any more, which only a read of now can say. */
  readonly tx: string | null
  /** It was written behind what was known before the rows were read: perhaps after them. */
  readonly isLater: boolean
  /** How many revisions it has now; null where that was not asked for. */
  readonly count: string | null
  /** Which of them is shown; null where that was not asked for, or is not known. */
  readonly revision: string | null
}

/** The same, or where it stands. */
export type ToldWrite = RowWrite | 'reading' | Untold

/** Why it is not known, and whether that is a failure after which one may ask again. */
type Untold = { readonly why: string; readonly isFailed: boolean }

/** In the place of what is read, while nothing is wanted. */
export const unasked = {
  writes: atom<ReadonlyMap<number, ToldWrite>>(new Map()),
  refusal: atom<{ readonly data?: string | null }>({}),
}

/** Rows that are asked about together. */
const chunk = 25
/** Milliseconds that rows stay in sight before they are asked about. */
const passing = 100

/**
 * Gives what wrote the rows from one place to another, always by the same atom for the same places.
 * Rows that left the sight are not asked about any longer.
 */
export const rowWritesAtom = atom(() => {
  const made = new WeakMap<RowSet, ReturnType<typeof writesOf>>()
  return (rowSet: RowSet) => {
    const found = made.get(rowSet) ?? writesOf(rowSet)
    made.set(rowSet, found)
    return found
  }
})

function writesOf(rowSet: RowSet) {
  const { database, number } = rowSet
  const isOfPast = rowPeriod(rowSet.sql).until !== null
  const seen = new Map<number, RowWrite>()
  let newest: Promise<string> | null = null
  const newestIn = (io: Reads) => {
    const asked = newest ?? readState(io.get(clientAtom), database).then(({ txId }) => txId)
    newest = asked
    asked.catch(() => {
      newest = null
    })
    return asked
  }
  const sizeOf = (first: string) => Math.min(chunk, rowSet.rows.rowCount - Number(first))
  const optionsOf = (io: Reads, first: string) => ({
    // A result may grow.
    queryKey: ['row writes', database, String(number), first, String(sizeOf(first))],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      await pause(passing, signal)
      return readWrites(io, rowSet, Number(first), { newest: () => newestIn(io), signal })
    },
  })
  const writes = memoizeByNames((first = '0') => atomWithQuery((get) => optionsOf({ get }, first)))
  const counts = memoizeByNames((first = '0') =>
    atomWithQuery((get) => ({
      queryKey: ['row counts', database, String(number), first, String(sizeOf(first))],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async ({ signal, client }) => {
        const { rows, txs } = await client.ensureQueryData(optionsOf({ get }, first))
        const found = await countsOfRows({ get }, rows, signal)
        const unchanged = await areUnchangedSince({ get }, rows, txs, signal)
        return found.map((count, at) => ({ count, revision: unchanged[at] ? count : null }))
      },
    })),
  )
  const between = memoizeByNames((first = '0', last = '0', isCounted = '') =>
    atom((get): ReadonlyMap<number, ToldWrite> => {
      const told = new Map<number, ToldWrite>()
      const begin = Math.floor(Number(first) / chunk) * chunk
      for (let at = begin; at <= Number(last) && at < rowSet.rows.rowCount; at += chunk) {
        const written = get(writes(String(at)))
        const counted = isCounted === '' ? null : get(counts(String(at)))
        const error = written.error ?? counted?.error
        for (let of = 0; of < sizeOf(String(at)); of += 1) {
          const tx = written.data?.txs[of]
          const number = counted ? counted.data?.[of] : uncounted
          if (error) told.set(at + of, { why: sentence(error), isFailed: true })
          else if (tx === undefined || number === undefined) told.set(at + of, 'reading')
          else if (tx === null && isOfPast) told.set(at + of, { why: noneThen, isFailed: false })
          else {
            const write = { ...number, ...shownTx(rowSet, tx) }
            seen.set(at + of, write)
            told.set(at + of, write)
          }
        }
      }
      return told
    }),
  )
  /** Why nothing can be told of them; null where it can. */
  const refusal = atomWithQuery((get) => ({
    queryKey: ['row writes', database, String(number), 'refusal'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => writesRefusal({ get }, rowSet),
  }))
  return { between, refusal, seen: seen as ReadonlyMap<number, RowWrite> }
}

/** Asks again for the rows whose questions failed. */
export function readWritesAgain({ get }: Io, { database, number }: RowSet) {
  const cache = get(queryClientAtom)
  for (const of of ['row writes', 'row counts']) {
    void cache.refetchQueries({
      queryKey: [of, database, String(number)],
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    })
  }
}

/** Why what wrote these rows cannot be found; null where it can. */
export async function writesRefusal({ get }: Reads, rowSet: RowSet): Promise<string | null> {
  const plan = await planWrites({ get }, rowSet)
  return 'why' in plan ? plan.why : null
}

async function planWrites({ get }: Reads, rowSet: RowSet) {
  const map = await planRows(get, rowSet)
  if ('why' in map) return map
  const { until } = rowPeriod(rowSet.sql)
  if (map.revision !== null) return { why: ofRevisions }
  return until?.sql === null ? { why: unclear } : { map, until }
}

const uncounted = { count: null, revision: null }

/** A transaction behind what was known before the rows were read may have come after them. */
function shownTx({ sql, txBefore }: RowSet, tx: bigint | null): Pick<RowWrite, 'tx' | 'isLater'> {
  const isOfNow = rowPeriod(sql).until === null && txBefore !== '0'
  return {
    tx: tx === null ? null : String(tx),
    isLater: tx !== null && isOfNow && tx > BigInt(txBefore),
  }
}

type During = { readonly newest: () => Promise<string>; readonly signal: AbortSignal }

async function readWrites(
  io: Reads,
  rowSet: RowSet,
  first: number,
  { newest, signal }: During,
): Promise<{ rows: RowNames; txs: readonly (bigint | null)[] }> {
  const { database, rows: result, txBefore } = rowSet
  const plan = await planWrites(io, rowSet)
  if ('why' in plan) throw new PlainError(plan.why)
  const { map, until } = plan
  const count = Math.min(chunk, result.rowCount - first)
  const names = Array.from({ length: count }, (_, at) =>
    rowName({ database, result, map, row: first + at, readAt: txBefore }),
  )
  const rows: RowNames = { database, table: map.table, keys: names.map(({ key }) => key) }
  // Read after the rows, so what is shown was not written behind it.
  const last = await newest()
  const end = { until: until?.sql ?? `UNTIL TX ${last}`, last: BigInt(last) }
  const txs = last === '0' ? names.map(() => null) : await lastWrites(io, rows, end, signal)
  return { rows, txs }
}

const ofRevisions =
  'These rows are revisions. The history of a row names the transaction of each of them.'
const unclear = 'This query reads a period whose end cannot be told, so it is not looked for.'

/** A row that was read in the past was there then, so it cannot be gone. */
const noneThen =
  'Not known: the server names no transaction that wrote this row by then. Some versions refuse such a question.'
