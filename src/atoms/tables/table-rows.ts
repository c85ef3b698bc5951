import { atom, type Getter } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import * as v from 'valibot'
import { askForFewer } from '~/api/ask-for-fewer'
import type { Client } from '~/api/client'
import { isBecause, isTooLarge } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { presentTxAtom, stateKey } from '~/core/history/newest-state'
import type { RowSet } from '~/core/row-set'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import { placesOf } from '~/core/storage/places'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { PlainError } from '~/lib/plain-error'
import { type Seek, seeksBehind } from '~/sql/keyset'
import { quoteName } from '~/sql/names'
import { firstRows, joinResults } from '~/sql/paging'
import { type ResultTable, readResult } from '~/sql/result'
import { featureOf, keyOrder, type RowFilter, type RowOrder } from '~/sql/row-filter'
import {
  countSql,
  orderNeeds,
  pathOf,
  type RowPath,
  rowsSql,
  type Statement,
  typesOf,
  viewPath,
} from '~/sql/table-rows'
import type { TableDescription } from './description'
import { tablesKey } from './table-list'

/** Where a page of rows begins or ends. */
export type Place = (
  | { readonly kind: 'first' | 'last' }
  /** Behind or in front of a row, by its values in the columns of the path. */
  | { readonly kind: 'after' | 'before'; readonly values: readonly (string | null)[] }
  /** Behind so many rows, where they have to be counted off. */
  | { readonly kind: 'skip'; readonly done: number }
) & {
  /** Rows to ask for where those before were large. */
  readonly size?: number
  /** Rows that were counted in front of it on the way, or up to it for those in front of a row. */
  readonly counted?: number
}

export const firstPlace: Place = { kind: 'first' }

const common = { size: v.exactOptional(v.number()), counted: v.exactOptional(v.number()) }
const values = v.pipe(v.array(v.nullable(v.string())), v.readonly())
const shownPage = v.object({
  /** Which rows, as JSON: a place belongs to them alone. */
  list: v.string(),
  place: v.variant('kind', [
    v.object({ kind: v.picklist(['first', 'last']), ...common }),
    v.object({ kind: v.picklist(['after', 'before']), values, ...common }),
    v.object({ kind: v.literal('skip'), done: v.number(), ...common }),
  ]),
  size: v.number(),
})

/** The page of a table that was last shown, by database and table. */
export const shownPages = placesOf('rows', shownPage)

/** What is read of a table; `columns` and `path` are those of its description. */
export type RowsView = {
  readonly database: string
  readonly table: string
  /** Such as `UNTIL TX 5`; empty for now. */
  readonly period: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly filter: RowFilter
  readonly path: RowPath
  /** Rows of a page, where they are not too large. */
  readonly size: number
  readonly place: Place
}

export type RowsPage = {
  /** Below zero, and another one each time that rows are read; results count up from one. */
  readonly number: number
  readonly rows: ResultTable
  /** The newest transaction that was known before it was read. */
  readonly txBefore: string
  /** The first statement that was sent for it. */
  readonly sent: Statement
  /** The key of a row that alone is larger than the server's answers; `rows` are none then. */
  readonly unread: ResultTable | null
  /** How many rows are in front of these, as counted on the way; null behind the last page. */
  readonly start: number | null
  /** Null at the end. */
  readonly next: Place | null
  /** Null at the beginning. */
  readonly previous: Place | null
}

/** A page as rows that can be proven. */
export function rowSetOfPage(
  { database, table, period }: Pick<RowsView, 'database' | 'table' | 'period'>,
  { number, rows, txBefore }: RowsPage,
): RowSet {
  const sql = `SELECT * FROM ${[quoteName(table), period].filter(Boolean).join(' ')};`
  return { database, number, sql, rows, txBefore }
}

const unordered: RowPath = { index: [], key: null, isDescending: false }

/** The path of an order; that of the key, or of a view none, where the server has no such order. */
export function pathFor(of: TableDescription, order: RowOrder): RowPath {
  if (of.kind === 'view') return viewPath(of.columns, order) ?? unordered
  if (of.kind === 'missing') return unordered
  return pathOf(of, order) ?? pathOf(of, keyOrder) ?? unordered
}

/**
 * A page of rows. The last page costs what the first one costs, because the server seeks to the key
 * of the row in front. Fewer rows when the answer would be larger than the server can send.
 * @throws ApiError, ResultShapeError
 */
export async function readRowsPage(
  client: Client,
  view: RowsView,
  signal: AbortSignal,
): Promise<Page> {
  return askForFewer(view.place.size ?? view.size, async (size) => {
    // One more than is shown tells whether there are more.
    const { found, sent } = await readStretch(client, view, size + 1, signal)
    const hasMore = found.rowCount > size
    const isBackwards = isFromBehind(view.place)
    const rows = firstRows(found, size)
    const around = aroundOf(view, rows, hasMore, size)
    return { ...around, rows: isBackwards ? reversed(rows) : rows, unread: null, sent }
  })
}

type Page = Omit<RowsPage, 'number' | 'txBefore'>

/**
 * A page to be shown: a row that no answer has room for is named, and can be gone past.
 * @throws ApiError, ResultShapeError
 */
export async function readShownPage(
  client: Client,
  view: RowsView,
  signal: AbortSignal,
): Promise<Page> {
  try {
    return await readRowsPage(client, view, signal)
  } catch (error) {
    if (!isTooLarge(error) || view.path.key === null) throw error
    return readOneRow(client, view, signal)
  }
}

/** One row with its values, or without them when they are too large; keys say what is around it. */
async function readOneRow(client: Client, view: RowsView, signal: AbortSignal): Promise<Page> {
  const { found: keys, sent } = await readStretch(client, view, 2, signal, true)
  const unread = firstRows(keys, 1)
  const around = { ...aroundOf(view, unread, keys.rowCount > 1, 1), sent }
  try {
    const { found } = await readStretch(client, view, 1, signal)
    return { ...around, rows: found, unread: null }
  } catch (error) {
    if (!isTooLarge(error)) throw error
    return { ...around, rows: { columns: [], rowCount: 0 }, unread }
  }
}

/** Where these rows are, and the pages around them. */
function aroundOf(view: RowsView, rows: ResultTable, hasMore: boolean, size: number) {
  const { next, previous } = ends(view, rows, hasMore)
  const start = startOf(view.place, rows.rowCount, previous)
  const counted = (place: Place | null, at: number | null) =>
    place && at !== null && place.kind !== 'skip' ? { ...place, counted: at } : place
  return {
    start,
    next: counted(withSize(next, view, size), start === null ? null : start + rows.rowCount),
    previous: counted(withSize(previous, view, size), start),
  }
}

function startOf(place: Place, rowCount: number, previous: Place | null): number | null {
  if (place.kind === 'skip') return place.done
  if (previous === null) return 0
  if (place.counted === undefined) return null
  // Rows that were written meanwhile may make the count on the way back too small.
  return Math.max(1, place.kind === 'before' ? place.counted - rowCount : place.counted)
}

/** The next page tries twice as many rows as this one could have. */
function withSize(place: Place | null, view: RowsView, size: number): Place | null {
  return place && size * 2 < view.size ? { ...place, size: size * 2 } : place
}

const isFromBehind = ({ kind }: Place) => kind === 'last' || kind === 'before'

/** Asks for one seek after the other until there are enough rows. */
async function readStretch(
  client: Client,
  { database, place, columns, ...of }: RowsView,
  wanted: number,
  signal: AbortSignal,
  isKeyOnly = false,
) {
  const typeOf = typesOf(columns)
  const isBackwards = isFromBehind(place)
  const skip = place.kind === 'skip' ? place.done : 0
  let found: ResultTable | null = null
  let sent: Statement | null = null
  let { path } = of
  for (const seek of seeksOf(path, place)) {
    const limit = wanted - (found?.rowCount ?? 0)
    const ask = async () => {
      const asked = rowsSql({ ...of, path, seek, skip, limit, isBackwards, isKeyOnly }, typeOf)
      signal.throwIfAborted()
      return { asked, rows: readResult(await querySql(client, { database, ...asked, signal })) }
    }
    const { asked, rows } = await ask().catch((error: unknown) => {
      if (path.isLed || path.isSorted || !isBecause(error, 'one-order')) throw error
      path = { ...path, isLed: true }
      return ask()
    })
    found = found ? joinResults(found, rows) : rows
    sent ??= asked
    if (found.rowCount >= wanted) break
  }
  return {
    found: found ?? { columns: [], rowCount: 0 },
    sent: sent ?? { sql: '', params: [] },
  }
}

function seeksOf({ key, isDescending, isSorted }: RowPath, place: Place): readonly (Seek | null)[] {
  if (!key || (place.kind !== 'after' && place.kind !== 'before')) return [null]
  return seeksBehind(key, place.values, isDescending !== (place.kind === 'before'), isSorted)
}

/** Where the pages around these rows begin; `rows` are in the order in which they were asked for. */
function ends(
  { path, place, table, size }: RowsView,
  rows: ResultTable,
  hasMore: boolean,
): Pick<RowsPage, 'next' | 'previous'> {
  if (path.key === null) {
    const done = place.kind === 'skip' ? place.done : 0
    const before = Math.max(0, done - Math.max(rows.rowCount, size))
    return {
      next: hasMore ? { kind: 'skip', done: done + rows.rowCount } : null,
      previous: done > 0 ? { kind: 'skip', done: before } : null,
    }
  }
  const columns = path.key.map(({ name }) =>
    rows.columns.find((column) => column.name === `(${table}.${name})`),
  )
  const placeAt = (kind: 'after' | 'before', row: number): Place => ({
    kind,
    values: columns.map((column) => column?.values[row] ?? null),
  })
  const [first, last] = [0, rows.rowCount - 1]
  if (last < 0) {
    // Everything behind the place was deleted.
    const back = place.kind === 'after' ? { kind: 'before' as const, values: place.values } : null
    const on = place.kind === 'before' ? { kind: 'after' as const, values: place.values } : null
    return { next: on, previous: back }
  }
  if (isFromBehind(place)) {
    const next = place.kind === 'before' ? placeAt('after', first) : null
    return { next, previous: hasMore ? placeAt('before', last) : null }
  }
  return {
    next: hasMore ? placeAt('after', last) : null,
    previous: place.kind === 'first' ? null : placeAt('before', first),
  }
}

function reversed({ columns, rowCount }: ResultTable): ResultTable {
  return {
    rowCount,
    columns: columns.map((column) => ({ ...column, values: [...column.values].reverse() })),
  }
}

let lastNumber = 0
/** Pages whose atoms are kept. */
const keptPages = 20

/**
 * Returns the query atom of a page of rows, the same one each time it is asked.
 * @param view a {@link RowsView} as JSON
 */
export const rowsPageAtom = atom(() =>
  memoizeByNames(
    (view = '') =>
      atomWithQuery((get) => {
        const client = get(clientAtom)
        const asked: RowsView = JSON.parse(view)
        return {
          queryKey: [...tablesKey(asked.database), 'rows', asked.table, view],
          // A page that is gone back to is read again, and none takes memory.
          gcTime: 0,
          staleTime: 0,
          refetchOnWindowFocus: false,
          refetchOnReconnect: false,
          // The cache would compare a thousand rows value by value.
          structuralSharing: false,
          queryFn: async ({ signal, client: cache }): Promise<RowsPage> => {
            const state = cache.getQueryData<{ txId: string }>(stateKey(asked.database))
            lastNumber -= 1
            const own = { number: lastNumber, txBefore: state?.txId ?? '0' }
            refuseLacking(get, asked)
            return { ...(await readShownPage(client, asked, signal)), ...own }
          },
        }
      }),
    keptPages,
  ),
)

/**
 * Throws where a link has a filter or an order that the server lacks.
 * @throws PlainError
 */
export function refuseLacking(get: Getter, of: Pick<RowsView, 'filter' | 'path' | 'columns'>) {
  const lacks = get(lackingAtom)
  const wanted = of.filter.conditions.flatMap(({ operator }) => featureOf(operator) ?? [])
  const needed = [...wanted, ...orderNeeds(of.path, typesOf(of.columns))]
  const [first] = needed.flatMap((feature) => lacks(feature) ?? [])
  if (first !== undefined) throw new PlainError(`These rows cannot be read so. ${first}`)
}

type Counted = Pick<RowsView, 'database' | 'table' | 'period' | 'columns' | 'filter'>

/** How many rows a filter lets through, or why they were not counted. */
export type RowCount = {
  readonly state: 'running' | 'done' | 'failed'
  /** The number as digits, or a sentence. */
  readonly text: string
}

const countsAtom = atom<ReadonlyMap<string, RowCount>>(new Map())

/** A new transaction makes a count of the present obsolete. */
const placeOf = ({ database, table, period, filter }: Counted, newest: string) =>
  JSON.stringify([database, table, filter, period === '' ? newest : period])

/** Gives the count of rows that was asked for, as long as nothing was written since. */
export const filteredCountAtom = atom((get) => {
  const [counts, newest] = [get(countsAtom), get(presentTxAtom)]
  return (of: Counted): RowCount | undefined => counts.get(placeOf(of, newest))
})

/** Counts the rows that a filter lets through, which reads them all on the server. Never rejects. */
export async function countFiltered(io: Io, of: Counted) {
  const { get, set } = io
  const place = placeOf(of, get(presentTxAtom))
  const tell = (count: RowCount) => set(countsAtom, new Map(get(countsAtom)).set(place, count))
  if (get(countsAtom).get(place)?.state === 'running') return
  tell({ state: 'running', text: '' })
  try {
    const client = get(clientAtom)
    refuseLacking(get, { ...of, path: unordered })
    await ensureDatabaseToken(io, client, of.database)
    const asked = countSql(of, typesOf(of.columns))
    const result = readResult(await querySql(client, { database: of.database, ...asked }))
    tell({ state: 'done', text: result.columns[0]?.values[0] ?? '0' })
  } catch (error) {
    tell({ state: 'failed', text: sentence(error) })
  }
}
