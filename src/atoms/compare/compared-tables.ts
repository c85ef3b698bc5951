import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { askForFewer } from '~/api/ask-for-fewer'
import type { Client } from '~/api/client'
import { isBecause, isTooLarge } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { decoded, pagesOf, type TxSpan } from '~/core/history/transaction-reader'
import { listsOf } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import type { KeyValue } from '~/immudb/key-address'
import { stepsPerPage } from '~/lib/constants'
import { inTurn } from '~/lib/job-queue'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { sameAgain } from '~/lib/rounds'
import {
  type Compared,
  countSql,
  type DiffAction,
  type DiffColumn,
  type DiffCounts,
  type Difference,
  type DiffPlace,
  firstPlace,
  pageSql,
  type RowValues,
  readCounts,
  readDifferences,
  rowsAtOnce,
  rowsOf,
  rowsSql,
  seeksOf,
} from '~/sql/comparison'
import { primaryKey, type Seek, soughtKey } from '~/sql/keyset'
import { keyValue } from '~/sql/literals'
import { type ResultTable, readResult } from '~/sql/result'
import { readDetails } from '../tables/table-list'

/** One table of a database at two moments. */
export type Comparison = Compared & { readonly database: string }

/** How many answers about different tables are waited for at once, so that others are served too. */
const mostAtOnce = 3

const turn = inTurn(mostAtOnce)

/** The past does not change, so what was counted once is kept. */
const forGood = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

function countsQuery(client: Client, { database, table, from, to }: Comparison) {
  return {
    ...forGood,
    queryKey: ['compare', database, from, to, 'counts', table],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<DiffCounts> =>
      turn(async () => {
        const sql = countSql({ table, from, to })
        return readCounts(readResult(await querySql(client, { database, sql, signal })), from)
      }, signal),
    // The cache compares answers as JSON, which has no bigint.
    structuralSharing: false,
  }
}

/** Gives the query of how many rows of a table differ; the same one each time it is asked. */
export const countsAtom = atom(() =>
  memoizeByNames((database = '', table = '', from = '', to = '') =>
    atomWithQuery((get) => countsQuery(get(clientAtom), { database, table, from, to })),
  ),
)

/**
 * The first of some tables in which rows differ, once those before it are known to be the same; ''
 * until then, or where none differs.
 * @param names the tables as JSON
 */
export const firstDifferentAtom = atom((get) => {
  const countsOf = get(countsAtom)
  return memoizeByNames((database = '', names = '', from = '', to = '') =>
    atom((read) => {
      const tables: readonly string[] = JSON.parse(names)
      for (const table of tables) {
        const { data, error } = read(countsOf(database, table, from, to))
        if (!data && !error) return ''
        if (data && data.added + data.changed + data.deleted > 0n) return table
      }
      return ''
    }),
  )
})

/** Counting all tables of a database, in sight or not. */
export type Counting = {
  /** Says which tables at which moments. */
  readonly of: string
  readonly state: 'running' | 'stopped' | 'done'
  readonly done: number
  readonly all: number
}

const countingAtom = atom<Counting | null>(null)
const countingControlAtom = atom<AbortController | null>(null)

/** How far the counting of all tables is; null while it was not asked for. */
export const countingProgressAtom = atom((get) => get(countingAtom))

export function stopCounting({ get }: Io) {
  return get(countingControlAtom)?.abort()
}

/** Names a comparison of whole databases. */
export const comparisonName = (database: string, from: string, to: string) =>
  JSON.stringify([database, from, to])

/** Counts the differences of each table; a table that cannot be counted says so in its line. */
export async function countAllTables(
  { get, set }: Io,
  { database, from, to }: Omit<Comparison, 'table'>,
  tables: readonly string[],
): Promise<void> {
  get(countingControlAtom)?.abort()
  const control = new AbortController()
  set(countingControlAtom, control)
  const cache = get(queryClientAtom)
  const tell = (state: Counting['state'], done: number) =>
    set(countingAtom, { of: comparisonName(database, from, to), state, done, all: tables.length })
  for (const [done, table] of tables.entries()) {
    if (control.signal.aborted) return tell('stopped', done)
    tell('running', done)
    const query = countsQuery(get(clientAtom), { database, table, from, to })
    await cache.fetchQuery(query).catch(() => {})
  }
  tell('done', tables.length)
}

/** A stretch of differences, as the grid and the export take it. */
export type DiffPage = {
  readonly columns: readonly DiffColumn[]
  /** The primary key, by places in `columns`. */
  readonly key: readonly number[]
  readonly rows: readonly Difference[]
  /** Where the next page begins; null at the end. */
  readonly next: DiffPlace | null
}

type Asked = {
  readonly action: DiffAction | null
  readonly place: DiffPlace
  readonly signal: AbortSignal
}

/** Differences that one page has at most. */
const mostRows = 500

/**
 * A page of differences with the rows as they were before. Fewer at once when an answer would be
 * larger than the server can send.
 * @throws ApiError
 */
export async function readDiffPage(
  { get }: Pick<Io, 'get'>,
  of: Comparison,
  { action, place, signal }: Asked,
): Promise<DiffPage> {
  const key = primaryKey(await readDetails(get, of.database, of.table))
  const by = soughtKey(key)
  const ask = asking(get(clientAtom), of.database, signal)
  const { found, size } = await askForFewer(mostRows, async (size) => ({
    // One more than is shown tells whether there are more.
    found: await behindPlace(size + 1, seeksOf(by, place), async (size, seek) => {
      const sql = pageSql(of, { key: by, action, place, size, seek })
      const { columns, rows } = readDifferences(await ask(sql), of.from)
      // Since the empty database the server tells no kinds: all were added.
      return { columns, rows: rows.filter((row) => action === null || row.action === action) }
    }),
    size,
  }))
  const places = key.flatMap(({ name }) => {
    const at = found.columns.findIndex((column) => column.name === name)
    return at < 0 ? [] : [at]
  })
  const shown = found.rows.slice(0, size)
  const rows = await withBefore(ask, of, { ...found, rows: shown, key: places })
  const last = shown.at(-1)
  const next = {
    done: place.done + shown.length,
    last: by && last ? places.map((at) => valuesOf(last)[at] ?? null) : null,
  }
  const isEnd = found.rows.length <= size
  const isStill = next.last !== null && JSON.stringify(next.last) === JSON.stringify(place.last)
  if (isStill && !isEnd) throw sameAgain()
  return { columns: found.columns, key: places, rows, next: isEnd ? null : next }
}

type Differences = ReturnType<typeof readDifferences>

/** Asks one statement after the other until there are enough rows. */
async function behindPlace(
  wanted: number,
  seeks: readonly (Seek | null)[],
  ask: (size: number, seek: Seek | null) => Promise<Differences>,
): Promise<Differences> {
  let found: Differences = { columns: [], rows: [] }
  for (const seek of seeks) {
    const { columns, rows } = await ask(wanted - found.rows.length, seek)
    found = { columns, rows: [...found.rows, ...rows] }
    if (found.rows.length >= wanted) break
  }
  return found
}

type Ask = (sql: string) => Promise<ResultTable>

function asking(client: Client, database: string, signal: AbortSignal): Ask {
  return async (sql) => {
    signal.throwIfAborted()
    return readResult(await querySql(client, { database, sql, signal }))
  }
}

const valuesOf = ({ before, after }: Difference): RowValues => after ?? before ?? []

type Found = {
  readonly columns: readonly DiffColumn[]
  readonly rows: readonly Difference[]
  readonly key: readonly number[]
}

/** The changed rows get their values as they were at `from`, a hundred in one request. */
async function withBefore(
  ask: Ask,
  { table, from }: Comparison,
  { columns, rows, key }: Found,
): Promise<Difference[]> {
  const keyOf = (values: RowValues) => key.map((at) => values[at] ?? null)
  const keyColumns = key.flatMap((at) => columns[at] ?? [])
  const wanted = rows.flatMap((row) => (row.action === 'changed' ? [keyOf(valuesOf(row))] : []))
  const known = new Map<string, RowValues>()
  for (let done = 0; done < wanted.length; ) {
    const { found, size } = await askForFewer(rowsAtOnce, async (size) => {
      const sql = rowsSql(table, from, keyColumns, wanted.slice(done, done + size))
      return { found: rowsOf(await ask(sql)), size }
    })
    for (const values of found) known.set(JSON.stringify(keyOf(values)), values)
    done += size
  }
  return rows.map((row) =>
    row.action === 'changed'
      ? { ...row, before: known.get(JSON.stringify(keyOf(valuesOf(row)))) ?? null }
      : row,
  )
}

/** What a list of differences is of, by its names: database, table, span and kind of change. */
const namedBy = ([
  database = '',
  table = '',
  from = '',
  to = '',
  action = '',
]: readonly string[]) => {
  return { of: { database, table, from, to }, action: asAction(action) }
}

/** The key of its query; the database is in the second place. */
const keyOf = (list: 'rows' | 'steps', names: readonly string[]) => {
  const [database = '', table, from, to, action] = names
  return ['compare', database, from, to, list, table, action]
}

/** The differences of a table of a database between two moments; an empty kind is all of them. */
export const differences = listsOf<DiffPage>({
  key: (...names) => keyOf('rows', names),
  start: () => ({ columns: [], key: [], rows: [], next: firstPlace }),
  read: async (io, known, { signal }, ...names) => {
    if (known.next === null) return known
    const { of, action } = namedBy(names)
    const asked = { action, place: known.next, signal }
    const page = await readDiffPage(io, of, asked)
    return { ...page, rows: [...known.rows, ...page.rows] }
  },
  next: ({ next }) => next && (next.last ?? next.done),
  size: ({ rows }) => rows.length,
  lasts: 'until an outage',
})

export const asAction = (text: string): DiffAction | null =>
  text === 'added' || text === 'changed' || text === 'deleted' ? text : null

/** What one transaction changed in a table. */
export type Step = DiffPage & { readonly tx: string }

type StepPage = {
  readonly steps: readonly Step[]
  /** The last transaction that was looked at. */
  readonly upTo: string
  /** The transaction from which the next page looks; null at the end. */
  readonly next: string | null
}

/**
 * What each of the next transactions changed in a table; those that left it alone are left out.
 * @throws ApiError
 */
export async function readSteps(
  io: Pick<Io, 'get'>,
  of: Comparison,
  { first, action, signal }: { first: string; action: DiffAction | null; signal: AbortSignal },
): Promise<StepPage> {
  const end = BigInt(of.to)
  const last = BigInt(first) + BigInt(stepsPerPage) - 1n
  const upTo = last < end ? last : end
  const steps: Step[] = []
  const span = { from: BigInt(first), to: upTo }
  for (const tx of await withRows(io, of.database, span, signal)) {
    const step = { ...of, from: String(tx - 1n), to: String(tx) }
    const page = await readDiffPage(io, step, { action, place: firstPlace, signal })
    if (page.rows.length > 0) steps.push({ ...page, tx: String(tx) })
  }
  return { steps, upTo: String(upTo), next: upTo < end ? String(upTo + 1n) : null }
}

/** The transactions that wrote rows of any table, or have more entries than can be listed. */
async function withRows(
  io: Pick<Io, 'get'>,
  database: string,
  span: TxSpan,
  signal: AbortSignal,
): Promise<bigint[]> {
  const found: bigint[] = []
  for await (const page of pagesOf(io, database, span, signal)) {
    for (const { header, entries } of page) {
      if (entries?.every(({ key }) => decoded(key).kind !== 'row')) continue
      found.push(BigInt(header.id))
    }
  }
  return found
}

/** The same step by step. */
export const differenceSteps = listsOf<StepPage>({
  key: (...names) => keyOf('steps', names),
  start: (_before, _database, _table, from = '0') => ({
    steps: [],
    upTo: from,
    next: String(BigInt(from) + 1n),
  }),
  read: async (io, known, { signal }, ...names) => {
    if (known.next === null) return known
    const { of, action } = namedBy(names)
    const asked = { first: known.next, action, signal }
    const page = await readSteps(io, of, asked)
    return { ...page, steps: [...known.steps, ...page.steps] }
  },
  next: ({ next }) => next,
  size: ({ upTo }) => Number(upTo),
  lasts: 'until an outage',
})

/** The primary key of a row for an address; null when an address cannot have it exactly. */
export function rowKeyOf({ columns, key }: Omit<DiffPage, 'rows' | 'next'>, row: Difference) {
  const values = valuesOf(row)
  const parts = key.map((at) => keyValue(columns[at]?.type ?? '', values[at] ?? null))
  const known = parts.filter((part): part is KeyValue => part !== null)
  return known.length > 0 && known.length === parts.length ? known : null
}

/** What failed; a page that is too large was asked for down to a single row. */
export function comparisonFailure(error: unknown): string {
  return isTooLarge(error)
    ? 'A row is larger than 4 MiB, which immudb cannot send over HTTP. The rows behind it cannot be compared either.'
    : sentence(error)
}

/** Why the server refuses to compare a table; null for any other failure. */
export function whyNotCompared(error: unknown): 'json-null' | 'values-gone' | null {
  if (isBecause(error, 'value-gone')) return 'values-gone'
  return isBecause(error, 'invalid-value') ? 'json-null' : null
}
